#!/usr/bin/env python3
"""Results in their written forms: each against its schema, and each saying what the finding says.

  test_forms.py --heddle PATH --source PATH_OF_REPOSITORY [arguments of unittest]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import attr
import jsonschema
import sarif_om

HERE = pathlib.Path(__file__).resolve().parent
HEDDLE = None
SOURCE = None

# One program for each way a result can look: kinds of findings, no finding, no answer.
PROGRAMS = {
    "assertion-lost-update.c": [], "deadlock-opposite-locks.c": [], "deadlock-lost-wakeup.c": [], "data-race-struct-copy.cpp": [],
    "choice-short-write.c": [], "crash-null-dereference.c": [], "assertion-lost-update-fixed.c": [],
    "count-two-threads-3.c": ["--max-executions=2", "--reduction=none"],
}


class Forms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="heddle-forms-")
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.results = {}
        for program, options in PROGRAMS.items():
            files = cls.files(program)
            wanted = [f"--{form}={file}" for form, file in files.items()]
            process = subprocess.run([HEDDLE, "check", *wanted, *options, f"tests/programs/{program}"], cwd=SOURCE, text=True,
                                     capture_output=True, timeout=300, env={**os.environ, "HEDDLE_OPTIONS": ""})
            assert process.returncode in (0, 1, 3), process.stderr
            cls.results[program] = json.loads(files["json"].read_text())

    @classmethod
    def files(cls, program):
        return {form: cls.folder / f"{program}.{form}" for form in ("json", "sarif", "junit", "graphviz", "trace", "html")}

    def each(self):
        for program, result in self.results.items():
            with self.subTest(program=program):
                yield program, result, self.files(program)

    def test_json_against_the_documented_schema(self):
        schema = json.loads((SOURCE / "docs/result-schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        for _, result, _ in self.each():
            jsonschema.validate(result, schema)

    def test_the_schema_refuses_what_is_wrong(self):
        schema = json.loads((SOURCE / "docs/result-schema.json").read_text())
        result = self.results["assertion-lost-update.c"]
        for damage in (lambda r: r.pop("verdict"), lambda r: r.update(verdict="fine"), lambda r: r["findings"][0].pop("schedule"),
                       lambda r: r["findings"][0]["events"][0].update(thread="main"), lambda r: r["statistics"].update(events=-1)):
            damaged = json.loads(json.dumps(result))
            damage(damaged)
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(damaged, schema)

    def test_every_field_of_a_result_is_documented(self):
        page = (SOURCE / "docs/result-format.md").read_text()

        def names(value, depth=0):
            if isinstance(value, dict):
                for name, inner in value.items():
                    yield name
                    if name != "sources":
                        yield from names(inner, depth + 1)
            elif isinstance(value, list):
                for inner in value:
                    yield from names(inner, depth)

        for _, result, _ in self.each():
            for name in set(names(result)):
                self.assertIn(f"`{name}`", page.replace('"', "`"), name)

    def test_events_refer_to_earlier_events_of_other_threads(self):
        for _, result, _ in self.each():
            for finding in result["findings"]:
                events = finding["events"]
                for i, event in enumerate(events):
                    for earlier in event.get("follows", []):
                        self.assertLess(earlier, i)
                        self.assertNotEqual(events[earlier]["thread"], event["thread"])

    def test_sarif_against_its_schema(self):
        schema = json.loads((HERE / "sarif-2.1.0.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        for _, result, files in self.each():
            log = json.loads(files["sarif"].read_text())
            jsonschema.validate(log, schema)
            run = log["runs"][0]
            self.assertEqual([r["ruleId"] for r in run["results"] if r["level"] == "error"], [f["kind"] for f in result["findings"]])
            self.assertEqual(run["invocations"][0]["executionSuccessful"], result["verdict"] in ("verified", "bug"))
            for found, finding in zip(run["results"], result["findings"]):
                if finding["location"]:
                    place = found["locations"][0]["physicalLocation"]
                    self.assertEqual(place["region"]["startLine"], finding["location"]["line"])
                steps = [step["executionOrder"] for flow in found["codeFlows"][0]["threadFlows"] for step in flow["locations"]]
                self.assertEqual(sorted(steps), list(range(1, len(finding["events"]) + 1)))

    def test_our_sarif_schema_names_only_what_the_standard_names(self):
        schema = json.loads((HERE / "sarif-2.1.0.schema.json").read_text())["definitions"]
        location = schema["location"]["properties"]
        notification = schema["invocation"]["properties"]["toolExecutionNotifications"]["items"]
        flow = schema["codeFlow"]["properties"]["threadFlows"]["items"]
        for kind, used in {
                "Run": schema["run"], "Message": schema["message"], "Tool": schema["run"]["properties"]["tool"],
                "ToolComponent": schema["toolComponent"], "ReportingDescriptor": schema["reportingDescriptor"],
                "Invocation": schema["invocation"], "Notification": notification, "Result": schema["result"],
                "Location": schema["location"], "PhysicalLocation": location["physicalLocation"],
                "LogicalLocation": location["logicalLocations"]["items"], "Stack": schema["stack"],
                "StackFrame": schema["stack"]["properties"]["frames"]["items"], "CodeFlow": schema["codeFlow"],
                "ThreadFlow": flow, "ThreadFlowLocation": flow["properties"]["locations"]["items"]}.items():
            known = {field.metadata["schema_property_name"] for field in attr.fields(getattr(sarif_om, kind))}
            self.assertLessEqual(set(used["properties"]), known, kind)

    def test_junit_against_its_schema(self):
        for _, result, files in self.each():
            process = subprocess.run(["xmllint", "--noout", "--schema", HERE / "junit.xsd", files["junit"]], capture_output=True, text=True)
            self.assertEqual(process.returncode, 0, process.stderr)
            suite = xml.parse(files["junit"]).getroot().find("testsuite")
            self.assertEqual(int(suite.get("failures")), len(result["findings"]))
            self.assertEqual(len(suite.findall("testcase/failure")), len(result["findings"]))
            self.assertEqual(int(suite.get("tests")), len(suite.findall("testcase")))
            self.assertEqual(int(suite.get("errors")), 1 if result["verdict"] == "incomplete" else 0)

    def test_graphviz_is_accepted_and_has_every_event(self):
        for _, result, files in self.each():
            if not result["findings"]:
                self.assertFalse(files["graphviz"].exists())
                continue
            process = subprocess.run(["dot", "-Tplain", files["graphviz"]], capture_output=True, text=True)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            nodes = re.findall(r"^node e(\d+) ", process.stdout, re.M)
            events = result["findings"][0]["events"]
            self.assertEqual(sorted(map(int, nodes)), list(range(1, len(events) + 1)))
            edges = len(re.findall(r"^edge ", process.stdout, re.M))
            own = sum(n - 1 for n in (sum(e["thread"] == t for e in events) for t in {e["thread"] for e in events}))
            self.assertEqual(edges, own + sum(len(e.get("follows", [])) for e in events))

    def test_trace_has_a_slice_for_each_event_and_ends_for_each_arrow(self):
        for _, result, files in self.each():
            if not result["findings"]:
                continue
            trace = json.loads(files["trace"].read_text())["traceEvents"]
            events = result["findings"][0]["events"]
            slices = [e for e in trace if e["ph"] == "X"]
            self.assertEqual([e["args"]["step"] for e in slices], list(range(1, len(events) + 1)))
            starts = {e["id"] for e in trace if e["ph"] == "s"}
            ends = {e["id"] for e in trace if e["ph"] == "f"}
            self.assertEqual(starts, ends)
            self.assertEqual(len(starts), sum(len(e.get("follows", [])) for e in events))
            # Slices of one track do not overlap: a thread does one thing at a time.
            for track in {e["tid"] for e in slices}:
                times = [(e["ts"], e["ts"] + e["dur"]) for e in slices if e["tid"] == track]
                self.assertTrue(all(a[1] <= b[0] for a, b in zip(times, times[1:])))

    def test_report_gives_the_same_forms_from_the_json(self):
        for program, result, files in self.each():
            again = {form: file.with_suffix(file.suffix + ".again") for form, file in files.items()}
            process = subprocess.run([HEDDLE, "report", files["json"], *[f"--{form}={file}" for form, file in again.items()]], text=True,
                                     capture_output=True, cwd=SOURCE, timeout=60)
            self.assertEqual(process.returncode, 0, process.stderr)
            for form, file in files.items():
                if form == "html" or not file.exists():
                    continue
                self.assertEqual(file.read_text(), again[form].read_text(), f"{program} {form}")

    def test_a_full_disk_hides_no_verdict(self):
        files = self.files("assertion-lost-update.c")
        other = self.folder / "other.sarif"
        process = subprocess.run([HEDDLE, "report", files["json"], "--html=/dev/full", f"--sarif={other}"], text=True,
                                 capture_output=True, timeout=60)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertEqual(process.stderr, "heddle: cannot write /dev/full: No space left on device\n")
        self.assertIn("bug: 1 finding", process.stdout)
        self.assertTrue(other.exists())
        # A verdict is worth more than a usage error: its status stays.
        process = subprocess.run([HEDDLE, "replay", files["json"], "--html=/dev/full"], text=True, capture_output=True, timeout=60)
        self.assertEqual(process.returncode, 1, process.stderr)

    def test_hostile_text_survives_in_every_form(self):
        result = json.loads(json.dumps(self.results["assertion-lost-update.c"]))
        hostile = "</script><!-- \" ' & ]]> \\ \u0001 \u2028 \u00e9 {} %s"
        result["findings"][0]["message"] = hostile
        result["findings"][0]["events"][0]["object"] = hostile
        source = self.folder / "hostile.json"
        source.write_text(json.dumps(result))
        files = {form: self.folder / f"hostile.{form}" for form in ("sarif", "junit", "graphviz", "trace", "html")}
        process = subprocess.run([HEDDLE, "report", source, *[f"--{form}={file}" for form, file in files.items()]], text=True,
                                 capture_output=True, timeout=60)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertNotIn("\u0001", process.stdout)
        self.assertTrue(json.loads(files["sarif"].read_text())["runs"][0]["results"][0]["message"]["text"].startswith(hostile))
        failure = xml.parse(files["junit"]).getroot().find("testsuite/testcase/failure")
        self.assertEqual(failure.get("message"), hostile.replace("\u0001", "?"))
        self.assertEqual(subprocess.run(["dot", "-Tplain", files["graphviz"]], capture_output=True).returncode, 0)
        page = files["html"].read_text()
        self.assertEqual(page.count("</script>"), 2)
        data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1)
        self.assertEqual(json.loads(data)["findings"][0]["message"], hostile)


def main():
    global HEDDLE, SOURCE
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    HEDDLE, SOURCE = os.path.abspath(options.heddle), options.source.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
