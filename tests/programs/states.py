#!/usr/bin/env python3
"""Searches the states of the whole corpus, and says of each program what was compared.

  states.py --heddle PATH [--time SECONDS] [--only WORD] [--jobs N] [--compiler g++] [--level -O1]

The reference is a search over executions under the same conditions: all accesses visible, data races not looked for, freed memory
used again, going on behind findings. Searches over states (none, sleep, cartesian) must find the same kinds of findings as it does, or
none if it finds none; if it does not end within --time, the program's expectation stands for it where that applies. Every state
is reached a second time (--self-check); two workers must meet the states that one meets, with as many transitions. Each finding is
replayed.

A program of which nothing is claimed is listed with the reason: the states cannot be kept (what the program does is named), or there are
too many.
"""
import argparse
import concurrent.futures
import json
import sys
import tempfile

import run

REDUCTIONS = ("none", "sleep", "cartesian")
# Of these an expectation says nothing for a search over states.
ELSEWHERE = ("data-race", "nondeterminism")


def options_of(expectation):
    """The program's own, without those that set up another search."""
    return {"options": [o for o in expectation.get("options", []) if not o.startswith(run.OTHER_SEARCHES)],
            "arguments": expectation.get("arguments", [])}


def kinds_of(result):
    return sorted({run.SAME_KIND.get(f["kind"], f["kind"]) for f in result["findings"]})


def why_not(result):
    return f"{result['verdict']}: {result['reason']}".split("\n")[0]


class Program:
    def __init__(self, options, source):
        self.options, self.source = options, source
        self.expectation = json.loads(source.with_suffix(".json").read_text())
        self.arguments = options_of(self.expectation)
        self.problems, self.compared, self.not_compared = [], [], {}

    def check(self, *extra):
        process, result = run.check(self.options, self.program, self.arguments,
                                    [f"--max-time={self.options.time}s", "--keep-going", *extra])
        if result is None:
            self.problems.append(f"{' '.join(extra)}: no result, exit status {process.returncode}: {process.stderr.strip()[-300:]}")
        return result

    def reference(self):
        """Kinds of findings there are; None if nobody knows."""
        if not self.source.name.startswith("forever-"):
            result = self.check("--visible=all", "--races=off", "--heap=reuse", "--reduction=source")
            if result is not None and result["verdict"] in ("verified", "bug") and not result["reason"]:
                return kinds_of(result)
        if self.expectation["verdict"] == "verified":
            return []
        kind = self.expectation.get("kind")
        return None if kind is None or kind in ELSEWHERE else [run.SAME_KIND.get(kind, kind)]

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.program = run.build(self.options, self.source, self.options.compiler, self.options.level, folder)
            wanted = self.reference()
            states = {}
            for reduction in REDUCTIONS:
                self.search(reduction, wanted, states)
            if {"none", "sleep"} <= states.keys() and states["none"] != states["sleep"]:
                self.problems.append(f"numbers of states differ: {states}")
        return self

    def search(self, reduction, wanted, states):
        search = ["--stateful", f"--reduction={reduction}", "--max-memory=1G"]
        result = self.check(*search, "--self-check")
        if result is None:
            return
        kinds = kinds_of(result)
        if result["verdict"] in ("incomplete", "unsupported"):
            self.not_compared[reduction] = why_not(result)
            if wanted is not None and not set(kinds) <= set(wanted):
                self.problems.append(f"{reduction}: finds {kinds}, of which the reference has {wanted}")
            return
        if wanted is None:
            self.not_compared[reduction] = f"no reference for {kinds or 'none'}"
        elif kinds != wanted:
            self.problems.append(f"{reduction}: finds {kinds or 'nothing'} instead of {wanted or 'nothing'}")
        else:
            self.compared.append(reduction)
        if result["findings"] and "nondeterminism" not in kinds:
            self.problems += [f"{reduction}: {p}" for p in run.replay(self.options, result)]
        else:
            states[reduction] = result["statistics"]["states"]
            if reduction != "sleep":
                self.problems += [f"{reduction}: {p}" for p in
                                  run.check_two_workers(self.options, self.program, self.arguments,
                                                        [*search, f"--max-time={self.options.time}s"], result)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--step-timeout", type=int, default=1)
    options = parser.parse_args()
    options.replay = 1
    programs = [s for s in run.sources(options.only)
                if json.loads(s.with_suffix(".json").read_text()).get("builds", "all") in ("all", options.compiler, options.level.lstrip("-"))]
    done = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program in pool.map(lambda s: Program(options, s).run(), programs):
            done.append(program)
            for problem in program.problems:
                print(f"{program.source.name}: {problem}", flush=True)
            for reduction, reason in program.not_compared.items():
                print(f"{program.source.name}: not compared, {reduction}: {reason}", flush=True)
    failed = sum(bool(p.problems) for p in done)
    whole = sum(len(p.compared) == len(REDUCTIONS) for p in done)
    some = sum(0 < len(p.compared) < len(REDUCTIONS) for p in done)
    print(f"{len(done)} programs: {whole} compared with every reduction, {some} with some, {len(done) - whole - some} with none; {failed} differ")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
