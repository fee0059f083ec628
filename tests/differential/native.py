#!/usr/bin/env python3
"""The native back-end against the toy one: random toy programs as C, explored completely.

`toy_cases` writes the programs and what the oracle expects; heddle then has to find as many executions (interleavings, or
traces for a reduction that runs each once), to abandon as many, and to report the same kinds of findings.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

FAMILIES = ("rw rmw lock nested-locks try-lock semaphore rwlock nested-rwlock condition barrier create-join choice branch "
            "assert-assume all power await spin").split()
# Compiled without optimisation by clang, as for a static reduction, loops that wait are not always recognised as such.
WAITING = ("await", "spin", "all")


def heddle(arguments, source, options):
    """The result of a check, or what went wrong."""
    result = source.with_suffix(".result")
    result.unlink(missing_ok=True)
    command = [arguments.heddle, "check", "--keep-going", f"--json={result}", *options,
               f"--timeouts={arguments.timeouts}", f"--spurious-wakeups={arguments.spurious_wakeups}", source]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(result.read_text()) if result.exists() else {"error": run.stderr}


def check(arguments, source):
    found = heddle(arguments, source, [f"--reduction={arguments.reduction}", *arguments.options.split()])
    if "error" in found:
        return found
    statistics = found["statistics"]
    return {
        "counts": {"executions": statistics["executions"], "abandoned": statistics["abandoned"]},
        "findings": sorted({finding["kind"] for finding in found["findings"]}),
    }


def check_states(arguments, source):
    """The searches over states: all must find the same, sleep sets must leave no state out, Cartesian ones have no others."""
    states, kinds = {}, set()
    for reduction in ("none", "sleep", "cartesian"):
        found = heddle(arguments, source, ["--stateful", f"--reduction={reduction}", "--max-time=60s", "--self-check"])
        if "error" in found:
            return found
        if found["verdict"] not in ("verified", "bug"):
            return {"error": f"{reduction}: {found['verdict']}: {found['reason']}"}
        states[reduction] = found["statistics"]["states"]
        kinds.add(tuple(sorted({finding["kind"] for finding in found["findings"]})))
    if states["none"] != states["sleep"] or states["cartesian"] > states["none"]:
        return {"error": f"numbers of states: {states}"}
    return {"findings": sorted(kinds.pop())} if len(kinds) == 1 else {"error": f"findings: {sorted(kinds)}"}


def agree(expected, found, program, counts):
    if "error" in found:
        return False
    # A reduction that runs some traces several times has no fewer; a search over states has none.
    if counts == "none":
        return found["findings"] == expected["findings"]
    if counts == "at-least-traces" and found["counts"]["executions"] >= expected["counts"]["executions"]:
        found = {**found, "counts": expected["counts"]}
    # The await instruction is a loop in C: one that never ends is a livelock where the instruction deadlocks.
    awaits = "  await " in program
    if awaits:
        expected, found = ({**result, "findings": sorted({kind.replace("livelock", "deadlock") for kind in result["findings"]})}
                           for result in (expected, found))
    if found["findings"] != expected["findings"]:
        return False
    if "counts" not in expected:
        return True
    # The native back-end stops a thread when it comes to a call that is misuse, the toy one when it performs the call: an
    # event less, so other counts.
    if "lock-misuse" in expected["findings"]:
        return True
    if not awaits:
        return found == expected
    # Rounds in vain end in executions given up. Where a loop never ends, it makes a difference how often it looked at a
    # value that was written twice.
    more = found["counts"]["executions"] - expected["counts"]["executions"]
    return ((more >= 0 if "deadlock" in expected["findings"] else more == 0)
            and found["counts"]["abandoned"] >= expected["counts"]["abandoned"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--toy-cases", required=True)
    parser.add_argument("--reduction", default="none")
    parser.add_argument("--counts", choices=["interleavings", "traces", "at-least-traces", "none"], default="interleavings")
    parser.add_argument("--options", default="", help="further ones for heddle check")
    parser.add_argument("--states", action="store_true", help="search over states, for the same findings")
    parser.add_argument("--timeouts", type=int, default=2)
    parser.add_argument("--spurious-wakeups", type=int, default=0)
    parser.add_argument("--families", help="all of them, but for those with loops that wait if the reduction is static")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=5, help="programs tried per family")
    parser.add_argument("--most", type=int, default=5000, help="interleavings of a program, else it is left out")
    parser.add_argument("--keep", type=pathlib.Path, help="leave the files here")
    arguments = parser.parse_args()
    compared, different = 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        every = [family for family in FAMILIES if arguments.reduction != "static" or family not in WAITING]
        for family in arguments.families.split() if arguments.families else every:
            numbers = (arguments.first_seed, arguments.seeds, arguments.most, arguments.timeouts,
                       arguments.spurious_wakeups)
            subprocess.run([arguments.toy_cases, folder, family, *map(str, numbers)], check=True)
        for source in sorted(folder.glob("*.c")):
            oracle = json.loads(source.with_suffix(".json").read_text())
            expected = {"findings": oracle["findings"]}
            if not arguments.states:
                expected["counts"] = oracle["interleavings" if arguments.counts == "interleavings" else "traces"]
            found = (check_states if arguments.states else check)(arguments, source)
            compared += 1
            if not agree(expected, found, source.with_suffix(".toy").read_text(), arguments.counts):
                different.append(source)
                print(f"{source.stem}: expected {expected}\n{' ' * len(source.stem)}  found    {found}\n"
                      f"{source.with_suffix('.toy').read_text()}")
    print(f"{compared} programs compared, {len(different)} different")
    return 1 if different or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
