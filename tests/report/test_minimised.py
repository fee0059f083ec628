#!/usr/bin/env python3
"""Counterexamples over a corpus of findings: none has more preemptions than are needed, and the smaller ones still fail.

  test_minimised.py --heddle PATH --source PATH_OF_REPOSITORY [--share N]

Each program is checked with --keep-going in an order that is bad for it (the highest thread first, plain sleep sets), so that
findings are met in a roundabout way. Every finding must come out with as few preemptions as were proved to be needed (that the
proof is right is shown against an enumeration in tests/unit/minimise_test.cpp); the search with a bound on preemptions, which is
another algorithm, must find it with that bound and not with a smaller one; replay must show it, and so must replaying the
original, which is kept. --share N looks at one program in N.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAMS = """assertion-check-then-act.cpp assertion-lost-update.c assertion-lost-wakeup.cpp assertion-publish-too-early.c
  assertion-semaphore-off-by-one.c choice-batch-size.c choice-lost-packet.cpp choice-short-write.c choice-turnstile.c crash-null-callback.c
  crash-null-dereference.c crash-division-by-zero.cpp data-race-double-checked.cpp data-race-relaxed-publication.cpp
  deadlock-barrier-missing-party.cpp deadlock-join-holding-lock.cpp deadlock-lost-wakeup.c deadlock-opposite-locks.c
  deadlock-rwlock-upgrade.c deadlock-semaphore-starvation.c deadlock-three-lock-cycle.cpp double-free-two-closers.c
  use-after-free-reference-count.cpp out-of-bounds-empty-stack.cpp""".split()
AT_LEAST = 20


def heddle(options, *words):
    return subprocess.run([options.heddle, *map(str, words)], cwd=options.source, text=True, capture_output=True, timeout=300,
                          env={**os.environ, "HEDDLE_OPTIONS": ""})


def replay(options, result, schedule, folder):
    """The kinds of findings that a schedule leads to."""
    file, again = folder / "one.json", folder / "again.json"
    one = {**result, "findings": [{**result["findings"][0], "schedule": schedule}]}
    file.write_text(json.dumps(one))
    process = heddle(options, "replay", f"--json={again}", file)
    if process.returncode != 1:
        return f"replay ended with {process.returncode}: {process.stderr}"
    found = json.loads(again.read_text())["findings"][0]
    return found["kind"], found["location"]


def found_within(options, bound, source, folder):
    """The findings of all executions with at most so many preemptions."""
    file = folder / "bounded.json"
    process = heddle(options, "check", f"--json={file}", f"--preemptions={bound}", "--keep-going", "--no-minimize", source)
    if process.returncode not in (0, 1):
        return f"--preemptions={bound} ended with {process.returncode}: {process.stdout}{process.stderr}"
    return [(finding["kind"], finding["location"]) for finding in json.loads(file.read_text())["findings"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True, type=os.path.abspath)
    parser.add_argument("--source", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--share", type=int, default=1)
    options = parser.parse_args()
    programs = PROGRAMS[::options.share]
    problems, shrunk, count = [], [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in programs:
            file = folder / "result.json"
            source = next(p for p in (options.source / "tests/programs").glob(program.split(".")[0] + ".c*"))
            heddle(options, "check", f"--json={file}", "--order=highest", "--reduction=sleep", "--keep-going", "--max-executions=20000", source)
            result = json.loads(file.read_text())
            if not result["findings"]:
                problems.append(f"{program}: no finding")
            for finding in result["findings"]:
                minimised = finding.get("minimised")
                if minimised is None:
                    continue  # met behind another finding of the same execution
                count += 1
                before, after = minimised["before"], minimised["after"]
                if (after["preemptions"], after["steps"]) > (before["preemptions"], before["steps"]):
                    problems.append(f"{program}: has grown: {minimised}")
                if not minimised["fewest_preemptions"]:
                    problems.append(f"{program}: not proved that fewer preemptions are not enough: {minimised}")
                if after["steps"] != len(finding["events"]):
                    problems.append(f"{program}: {after['steps']} steps claimed, {len(finding['events'])} shown")
                shrunk.append((before["preemptions"], after["preemptions"], before["steps"], after["steps"]))
                this = (finding["kind"], finding["location"])
                if this not in found_within(options, after["preemptions"], source, folder):
                    problems.append(f"{program}: the bounded search does not find it with {after['preemptions']} preemptions")
                if after["preemptions"] > 0 and this in found_within(options, after["preemptions"] - 1, source, folder):
                    problems.append(f"{program}: the bounded search finds it with fewer than {after['preemptions']} preemptions")
                one = {**result, "findings": [finding]}
                for schedule in (finding["schedule"], minimised["original"]):
                    if replay(options, one, schedule, folder) != this:
                        problems.append(f"{program}: {schedule} does not show it again")
    print("\n".join(problems))
    median = [statistics.median(column) for column in zip(*shrunk)]
    print(f"{count} findings of {len(programs)} programs; median preemptions {median[0]} -> {median[1]}, steps {median[2]} -> {median[3]}; "
          f"{sum(b[0] > b[1] for b in shrunk)} lost preemptions, {sum(b[2] > b[3] for b in shrunk)} lost steps")
    return 1 if problems or count < AT_LEAST // options.share else 0


if __name__ == "__main__":
    sys.exit(main())
