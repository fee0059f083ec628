#!/usr/bin/env python3
"""Explores libraries as Debian has them, unmodified: see docs/libraries.md, and libraries.json for what is expected of each.

  run.py --heddle PATH [--quick] [--only WORD] [--table]

--quick: those that compile and finish in a moment. --table prints what docs/libraries.md tells. Results are read from --json.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent


def run(options, *arguments, **environment):
    return subprocess.run([options.heddle, *arguments], env={**os.environ, "HEDDLE_OPTIONS": "", **environment}, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600)


def explore(options, case, folder):
    source = FOLDER / case["program"]
    program = os.path.join(folder, "program")
    language, standard = ("cc", "-std=gnu17") if source.suffix == ".c" else ("c++", "-std=gnu++20")
    flags = case.get("flags", [])
    built = run(options, language, standard, "-O1", "-g", "-pthread", *[f for f in flags if not f.startswith("-l")],
                str(source), *[f for f in flags if f.startswith("-l")], "-o", program)
    if built.returncode != 0:
        return None, f"does not build ({case['package']} is needed): {built.stderr.strip()[-300:]}"
    result_file = os.path.join(folder, "result.json")
    process = run(options, "check", f"--json={result_file}", *case.get("options", []), program, **case.get("environment", {}))
    if not os.path.exists(result_file):
        return None, f"no result, exit status {process.returncode}: {process.stderr.strip()[-300:]}"
    return json.loads(pathlib.Path(result_file).read_text()), None


def problem_of(case, result):
    found = [f"{f['kind']}: {f['message']}" for f in result["findings"]]
    if result["verdict"] not in case["verdicts"]:
        return f"verdict {result['verdict']} ({result['reason']}; {found}) instead of {' or '.join(case['verdicts'])}"
    if "kind" in case and result["findings"][0]["kind"] != case["kind"]:
        return f"found {found} instead of {case['kind']}"
    if "reduction" in case and result["search"]["reduction"] != case["reduction"]:
        return f"explored with the reduction {result['search']['reduction']} instead of {case['reduction']}"
    if result["verdict"] == "incomplete" and result["statistics"]["executions"] < 100:
        return f"only {result['statistics']['executions']} executions: {result['reason']}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    cases = [case for case in json.loads((FOLDER / "libraries.json").read_text())
             if options.only in case["program"] and (case.get("quick") or not options.quick)]
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            result, problem = explore(options, case, folder)
        problem = problem or problem_of(case, result)
        failed += problem is not None
        if problem:
            print(f"{case['program']}: {problem}", flush=True)
        elif options.table:
            s = result["statistics"]
            print(f"| {case['library']} | {' '.join(case.get('options', []))} | {result['verdict']} | {s['executions']} | "
                  f"{s['events']} |", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
