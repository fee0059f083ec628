#!/usr/bin/env python3
"""One small program per primitive and per misuse, under the optimal search, with libstdc++ and with libc++.

  run.py --heddle PATH --toy-traces PATH [--only WORD] [--cxx-share N] [--jobs N]

Beside each program stands what it must get. `executions` is a number that `why` derives. `toy` is the same program for the toy
back-end, one visible operation a line: the number of executions must be that of its traces as the oracle counts them. C++
programs are built with g++ and libstdc++, and with clang and libc++: both must get the same verdict, kind and place of a
finding, and the same number of executions, unless `libcxx` says what differs: `absent: why`, or an object with the expectation
there and a `why`. --cxx-share=N runs every N-th C++ program only: compiling them is what takes the time.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
EXIT_STATUS = {"verified": 0, "bug": 1, "incomplete": 3, "unsupported": 4}
LIBRARIES = {
    "libstdc++": {"HEDDLE_CC": "gcc", "HEDDLE_CXX": "g++"},
    "libc++": {"HEDDLE_CC": "clang-19", "HEDDLE_CXX": "clang++-19 -stdlib=libc++"},
}


def marked_lines(source):
    return {n for n, line in enumerate(source.read_text().splitlines(), 1) if re.search(r"(//|/\*)\s*BUG\b", line)}


def run(command, environment):
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=120,
                          errors="replace", check=False)


def check(options, source, expectation, library):
    with tempfile.TemporaryDirectory() as folder:
        result_file = os.path.join(folder, "result.json")
        environment = {**os.environ, "HEDDLE_OPTIONS": "", **LIBRARIES[library]}
        language, standard = ("cc", "-std=gnu17") if source.suffix == ".c" else ("c++", "-std=gnu++20")
        flags = [expectation.get("cflags", ""), expectation.get("libcxx_cflags", "") if library == "libc++" else ""]
        program = os.path.join(folder, source.stem)
        built = run([options.heddle, language, standard, "-O0", "-pthread", str(source), "-o", program, *" ".join(flags).split()],
                    environment)
        if built.returncode != 0:
            return built, None
        process = run([options.heddle, "check", f"--json={result_file}", "--step-timeout=5", *expectation.get("options", []),
                       program], environment)
        result = json.loads(pathlib.Path(result_file).read_text()) if os.path.exists(result_file) else None
        return process, result


def toy_traces(options, lines):
    process = subprocess.run([options.toy_traces], input="\n".join(lines) + "\n", text=True, capture_output=True, check=False)
    if process.returncode != 0:
        raise RuntimeError(process.stderr.strip())
    return int(process.stdout)


def problems_of(source, expected, process, result):
    if result is None:
        return [f"no result, exit status {process.returncode}: {process.stderr.strip()[-400:]}"]
    if result["verdict"] != expected["verdict"]:
        found = [f["kind"] + ": " + f["message"] for f in result["findings"]]
        return [f"verdict {result['verdict']} ({result['reason']}; {found}) instead of {expected['verdict']}"]
    problems = []
    if process.returncode != EXIT_STATUS[result["verdict"]]:
        problems.append(f"exit status {process.returncode}")
    if result["verdict"] == "unsupported" and not result["reason"]:
        problems.append("refused without a reason")
    if "kind" in expected:
        finding = result["findings"][0]
        if finding["kind"] != expected["kind"]:
            problems.append(f"finding {finding['kind']} ({finding['message']}) instead of {expected['kind']}")
        places = [finding["location"]] + [other["location"] for other in finding["involved"]]
        lines = {place["line"] for place in places if place and place["file"].endswith(source.name)}
        if marked_lines(source) and not lines & marked_lines(source):
            problems.append(f"located at {sorted(lines)} instead of {sorted(marked_lines(source))}")
    executions = result["statistics"]["executions"]
    if "executions" in expected and executions != expected["executions"]:
        problems.append(f"{executions} executions instead of {expected['executions']}")
    if result["statistics"]["blocked"] != 0:
        problems.append(f"{result['statistics']['blocked']} executions blocked, with the optimal search")
    if expected["verdict"] == "verified":
        got = sorted({warning["kind"] for warning in result["warnings"]})
        if got != sorted(expected.get("warnings", [])):
            problems.append(f"warnings {got} instead of {expected.get('warnings', [])}")
    return problems


def libraries_of(options, source, expectation):
    other = expectation.get("libcxx")
    if "libstdc++" in options.libraries:
        yield "libstdc++", expectation
    if "libc++" in options.libraries and source.suffix == ".cpp" and not (isinstance(other, str) and other.startswith("absent: ")):
        yield "libc++", {**{k: v for k, v in expectation.items() if k != "executions" or other is None}, **(other or {})}


def run_program(options, source):
    expectation = json.loads(source.with_suffix(".json").read_text())
    problems, counts = [], {}
    if "toy" in expectation:
        expectation["executions"] = toy_traces(options, expectation["toy"])
    for library, expected in libraries_of(options, source, expectation):
        try:
            process, result = check(options, source, expected, library)
        except subprocess.TimeoutExpired:
            problems.append(f"{library}: does not end")
            continue
        problems += [f"{library}: {problem}" for problem in problems_of(source, expected, process, result)]
        if result is not None:
            counts[library] = result["statistics"]["executions"]
    if len(set(counts.values())) > 1 and "libcxx" not in expectation and expectation["verdict"] == "verified":
        problems.append(f"the libraries differ: {counts}")
    if options.show:
        problems.append(f"(counts {counts})")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--toy-traces", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cxx-share", type=int, default=1)
    parser.add_argument("--libraries", default="libstdc++ libc++")
    parser.add_argument("--show", action="store_true", help="print the counts")
    options = parser.parse_args()
    options.libraries = options.libraries.split()
    programs = sorted(p for p in FOLDER.iterdir() if p.suffix in (".c", ".cpp") and options.only in p.name)
    shared = [p for p in programs if p.suffix == ".cpp"][::options.cxx_share]
    programs = [p for p in programs if p.suffix == ".c" or p in shared]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for source, problems in zip(programs, pool.map(lambda s: run_program(options, s), programs)):
            failed += any(not problem.startswith("(") for problem in problems)
            for problem in problems:
                print(f"{source.name}: {problem}", flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
