#!/usr/bin/env python3
"""heddle check --symbolic on random C programs, against the oracle of the toy back-end.

`toy_cases` writes the programs and which kinds of findings they have. A program without any has to be verified in all
schedules; one with some has to be reported, with one of these kinds. What is refused is counted by reason.

  random_programs.py --heddle PATH --toy-cases PATH [--families "lock branch"] [--first-seed 0] [--seeds 20]
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

# Loops that wait (await, spin) have no longest execution, and that they never end is not looked for: not compared.
FAMILIES = ("rw rmw lock nested-locks try-lock semaphore rwlock nested-rwlock condition barrier create-join choice branch "
            "assert-assume all power").split()


def check(arguments, source):
    file = source.with_suffix(".result")
    run = subprocess.run([arguments.heddle, "check", "--symbolic", f"--steps={arguments.steps}", f"--max-time={arguments.time}",
                          f"--json={file}", str(source)], capture_output=True, text=True, check=False, timeout=900)
    if not file.exists():
        return "error", f"exit status {run.returncode}: {run.stderr.strip()[-400:]}"
    result = json.loads(file.read_text())
    if result["verdict"] in ("unsupported", "incomplete"):
        return result["verdict"], result["reason"]
    if result["findings"]:
        return "bug", result["findings"][0]["kind"]
    return "verified", result["coverage"]["kind"]


def agrees(findings, verdict, detail):
    if verdict == "verified":
        return not findings and detail == "all-schedules"
    # A thread that is about to misuse a lock may be kept from it by a deadlock of the others, and the other way round.
    return verdict == "bug" and bool(findings) and (detail in findings or "lock-misuse" in findings)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--toy-cases", required=True)
    parser.add_argument("--families", default=" ".join(FAMILIES))
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=20, help="programs tried per family")
    parser.add_argument("--most", type=int, default=2000, help="interleavings of a program, else it is left out")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--time", default="120s")
    parser.add_argument("--keep", type=pathlib.Path, help="leave the files here")
    arguments = parser.parse_args()
    compared, different, left_out = collections.Counter(), 0, collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for family in arguments.families.split():
            # More time-outs than a thread has operations: as often as it likes, as the symbolic engine has them.
            numbers = (arguments.first_seed, arguments.seeds, arguments.most, 20, 0)
            subprocess.run([arguments.toy_cases, folder, family, *map(str, numbers)], check=True)
        for source in sorted(folder.glob("*.c")):
            findings = json.loads(source.with_suffix(".json").read_text())["findings"]
            if "  await " in source.with_suffix(".toy").read_text():
                left_out["a loop that waits"] += 1
                continue
            verdict, detail = check(arguments, source)
            if verdict in ("unsupported", "incomplete"):
                left_out[f"{verdict}: {detail}"] += 1
            elif agrees(findings, verdict, detail):
                compared[verdict] += 1
            else:
                different += 1
                print(f"{source.stem}: the oracle has {findings}, the symbolic engine {verdict} ({detail})\n"
                      f"{source.with_suffix('.toy').read_text()}", flush=True)
    for reason, count in left_out.items():
        print(f"{count} left out: {reason}")
    print(f"{sum(compared.values())} programs agree ({compared['bug']} with a bug), {different} differ")
    return 1 if different or not compared["bug"] or not compared["verified"] else 0


if __name__ == "__main__":
    sys.exit(main())
