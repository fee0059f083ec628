#!/usr/bin/env python3
"""Runs the corpus: every program of this folder against the expectation beside it.

Each program NAME.c or NAME.cpp has NAME.json with the verdict it must get. Where a count of executions is stated it must be
met exactly; where a line is marked BUG, the finding must be located at a marked line. Results are read from --json.

  run.py --heddle PATH [--compilers "g++ clang++"] [--levels "-O0 -O2"] [--repeat N] [--only WORD] [--jobs N]

--crossed makes two of two compilers' and two levels' four builds: one program in two has the one diagonal, its neighbours
the other.

--compare-isolation also runs each program restarted in memory and in a process of its own per execution, up to --cap
executions, and compares counts and findings; --compare-backtrack likewise going back by checkpoints and by replay.
--replay N replays each finding N times. --reductions also checks it with every reduction, each checking itself, for the
same verdict. Each build is made once. --share N leaves --crossed, --compare-backtrack and --reductions to one of N programs,
and both orders in which threads can be tried to those that are about reductions (without it: and to those without a bug).

Findings are compared as they were met, not in the smallest form of them (tests/report looks at those).

--states also searches its states, with every reduction there is for that, for the same verdict: nobody looks for data races there,
a wait that never ends is a livelock, and programs whose states cannot be kept are refused. Sleep sets must leave no state out, but where
accesses inside a library tell states apart, which no step is seen to make ("library_state", docs/soundness.md). Programs
named forever-* have no end, so nothing else can be done with them; with `quick`, --states-share above 1 leaves all but that reduction
out. Every state is compared, byte by byte, with what the steps that first led there lead to when they are taken again, and two workers
must meet the same states as one. --states-share N takes one of N other programs, and those whose expectation says "states": "always";
--states-time N gives each N seconds. states.py searches the states of the whole corpus.

Counts of executions are those of all interleavings, without a reduction, unless the expectation names one (programs that have
too many); `traces` are those of the optimal one. Reductions that run each trace once must agree on how many there are. A program
whose expectation says "passes": "reductions" is about these: it is left to that run, which leaves none of them out. Its
algorithm matters, not how it is built. One with several defects says "order": that in which the one expected is met first.
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
COMPILER_PAIRS = {"g++": ("gcc", "g++"), "clang++": ("clang-14", "clang++-14"), "clang++-19": ("clang-19", "clang++-19")}


def sources(only):
    found = sorted(p for p in FOLDER.iterdir() if p.suffix in (".c", ".cpp"))
    return [p for p in found if only in p.name]


def in_share(source, share):
    """Whether a program is one of every `share`."""
    return sum(source.name.encode()) // 2 % share == 0


def marked_lines(source):
    return {n for n, line in enumerate(source.read_text().splitlines(), 1) if re.search(r"(//|/\*)\s*BUG\b", line)}


def heddle(options, arguments, environment, stdin=subprocess.DEVNULL, timeout=600):
    return subprocess.run([options.heddle, *arguments], env=environment, stdin=stdin, text=True, capture_output=True,
                          timeout=timeout, errors="replace")


def environment_for(compiler):
    cc, cxx = COMPILER_PAIRS[compiler]
    return {**os.environ, "HEDDLE_CC": cc, "HEDDLE_CXX": cxx, "HEDDLE_OPTIONS": ""}


def build(options, source, compiler, level, folder):
    """An executable for `heddle check`, made by the drop-in compilers."""
    language, standard = ("cc", "-std=gnu17") if source.suffix == ".c" else ("c++", "-std=gnu++20")
    program = os.path.join(folder, source.stem + "-" + compiler + level)
    process = heddle(options, [language, standard, level, "-g", "-pthread", str(source), "-o", program],
                     environment_for(compiler))
    if process.returncode != 0:
        raise RuntimeError(f"does not build: {process.stderr.strip()[-300:]}")
    return program


def check(options, program, expectation, extra=()):
    """One run of `heddle check`; the parsed result and the process."""
    with tempfile.TemporaryDirectory() as folder:
        result_file = os.path.join(folder, "result.json")
        command = ["check", f"--json={result_file}", f"--step-timeout={options.step_timeout}", "--no-minimize", *expectation.get("options", []), *extra, program,
                   *expectation.get("arguments", [])]
        process = heddle(options, command, {**os.environ, "HEDDLE_OPTIONS": ""})
        result = json.loads(pathlib.Path(result_file).read_text()) if os.path.exists(result_file) else None
        return process, result


def event_trace(finding):
    return [(e["thread"], e["kind"], e.get("outcome", 0)) for e in finding["events"]]


def problems_of(source, expectation, process, result):
    """What differs from the expectation, as sentences."""
    if result is None:
        return [f"no result, exit status {process.returncode}: {process.stderr.strip()[-300:]}"]
    problems = []
    if result["verdict"] != expectation["verdict"]:
        kinds = [f["kind"] + ": " + f["message"] for f in result["findings"]]
        return [f"verdict {result['verdict']} ({result['reason']}; {kinds}) instead of {expectation['verdict']}"]
    if process.returncode != EXIT_STATUS[result["verdict"]]:
        problems.append(f"exit status {process.returncode}")
    if "kind" in expectation:
        finding = result["findings"][0]
        if finding["kind"] != expectation["kind"]:
            problems.append(f"finding {finding['kind']} ({finding['message']}) instead of {expectation['kind']}")
        marked = marked_lines(source)
        places = [finding["location"]] + [i["location"] for i in finding["involved"]]
        lines = {p["line"] for p in places if p and p["file"].endswith(source.name)}
        if marked and not lines & marked and finding["kind"] != "nondeterminism":
            problems.append(f"located at line {sorted(lines)} instead of {sorted(marked)}")
        problems += [f"not said where thread {holder['thread']} took {waiting['object']}"
                     for waiting in finding["involved"] for holder in waiting.get("holders", []) if not holder["location"]]
    if "executions" in expectation and result["statistics"]["executions"] != expectation["executions"]:
        problems.append(f"{result['statistics']['executions']} executions instead of {expectation['executions']}")
    wanted = set(expectation.get("warnings", []))
    got = {w["kind"] for w in result["warnings"]}
    if expectation["verdict"] == "verified" and wanted != got:
        problems.append(f"warnings {sorted(got)} instead of {sorted(wanted)}")
    return problems


# Options that an expectation may have and that a search over states does without.
OTHER_SEARCHES = ("--visible", "--races", "--weak-cas", "--alloc", "--preemptions", "--max-", "--isolate", "--sample", "--heap")
# What one search calls no progress another knows to be a livelock.
SAME_KIND = {"no-progress": "livelock"}


def has_comparable_states(source, expectation, share):
    others = any(o.startswith(OTHER_SEARCHES) for o in expectation.get("options", []))
    unseen = expectation.get("kind") in ("data-race", "nondeterminism") or expectation["verdict"] in ("incomplete", "unsupported")
    taken = expectation.get("states") == "always" or sum(source.name.encode()) % share == 0
    return not others and not unseen and taken


def check_states(options, source, expectation, program):
    """The same verdict from a search over states, by each reduction; the same findings, replayed."""
    forever = source.name.startswith("forever-")
    if not forever and not has_comparable_states(source, expectation, options.states_share):
        return []
    wanted = {name: value for name, value in expectation.items() if name in ("verdict", "kind", "options", "arguments")}
    problems = []
    states = {}
    quick = expectation.get("quick") if options.states_share > 1 else None
    for reduction in [quick] if quick else ("none", "sleep", "cartesian"):
        search = ["--stateful", f"--reduction={reduction}", "--max-memory=1G", *([] if forever else [f"--max-time={options.states_time}s"])]
        process, result = check(options, program, wanted, [*search, "--self-check"])
        if result is not None and not forever and result["verdict"] in ("incomplete", "unsupported"):
            continue  # too many states with all accesses visible, or states that cannot be kept: nothing is claimed
        if result is not None:
            result["warnings"] = []  # not every end is looked at
            for finding in result["findings"]:
                finding["kind"] = SAME_KIND.get(finding["kind"], finding["kind"])
        kind = wanted.get("kind")
        like = {**wanted, "kind": SAME_KIND.get(kind, kind)} if kind else wanted
        found = problems_of(source, like, process, result)
        if not found and result["verdict"] == "verified":
            states[reduction] = result["statistics"]["states"]
            if reduction != "sleep":
                found += check_two_workers(options, program, wanted, search, result)
        if not found and result["findings"]:
            found += replay(options, result)
        problems += [f"--stateful --reduction={reduction}: {p}" for p in found]
    seen = "library_state" not in expectation
    if seen and {"none", "sleep"} <= states.keys() and states["none"] != states["sleep"]:
        problems.append(f"numbers of states differ: {states}")
    return problems


def check_two_workers(options, program, wanted, search, alone):
    """Two processes that search together meet the states that one alone does, each once."""
    process, result = check(options, program, wanted, [*search, "--jobs=2"])
    if result is None:
        return [f"no result with two workers, exit status {process.returncode}: {process.stderr.strip()}"]
    if result["verdict"] == "incomplete":
        return []
    numbers = [{name: r["statistics"][name] for name in ("states", "transitions")} for r in (alone, result)]
    return [] if numbers[0] == numbers[1] else [f"{numbers[0]} with one worker, {numbers[1]} with two"]


def builds_of(options, source, expectation):
    wanted = expectation.get("builds", "all")
    diagonal = sum(source.name.encode()) % 2
    for c, compiler in enumerate(options.compilers.split()):
        for l, level in enumerate(options.levels.split()):
            if options.crossed and wanted == "all" and (c + l) % 2 != diagonal:
                continue
            if wanted == "all" or wanted in (compiler, level.lstrip("-")):
                yield compiler, level


def run_program(options, source):
    expectation_file = source.with_suffix(".json")
    if not expectation_file.exists():
        return ["no expectation beside it"]
    expectation = json.loads(expectation_file.read_text())
    is_about_reductions = expectation.get("passes") == "reductions"
    if is_about_reductions and not options.reductions:
        return []
    if options.crossed and not in_share(source, options.share):
        return []
    if source.name.startswith("forever-") and not options.states:
        return []
    problems = []
    seen = {}
    with tempfile.TemporaryDirectory() as folder:
        for compiler, level in builds_of(options, source, expectation):
            try:
                program = build(options, source, compiler, level, folder)
                if options.states:
                    problems += check_states(options, source, expectation, program)
                    continue
                problems += run_build(options, source, expectation, program, f"{compiler} {level}", seen)
                if options.reductions and (is_about_reductions or in_share(source, options.share)):
                    problems += check_reductions(options, source, expectation, program)
                if options.compare_isolation:
                    problems += compare(options, expectation, program, options.cap, ["--isolate=memory"], ["--isolate=fork"])
                if options.compare_backtrack and in_share(source, options.share):
                    for reduction in ("none", "optimal"):
                        problems += compare(options, expectation, program, options.backtrack_cap or options.cap,
                                            [f"--reduction={reduction}", "--backtrack=restore"],
                                            [f"--reduction={reduction}", "--backtrack=replay"])
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                problems.append(f"{compiler} {level}: {error}")
    if len(seen) > 1:
        builds = list(seen.values())
        differing = [json.loads(s)[:2] for s in seen]
        problems.append(f"executions, events or findings differ between {builds}: {differing}")
    return problems


def run_build(options, source, expectation, program, name, seen):
    """Checks one build as often as asked; `seen` collects what must be equal over all runs of all builds."""
    problems = []
    for _ in range(options.repeat):
        process, result = check(options, program, expectation, [f"--reduction={expectation.get('reduction', 'none')}"])
        found = problems_of(source, expectation, process, result)
        if found:
            return problems + [f"{name}: {p}" for p in found]
        signature = json.dumps([result["statistics"]["executions"], result["statistics"]["events"],
                                [event_trace(f) for f in result["findings"]]])
        if expectation["verdict"] != "incomplete" and expectation.get("kind") != "nondeterminism":
            seen.setdefault(signature, name)
    if options.replay and result["findings"] and result["findings"][0]["kind"] != "nondeterminism":
        problems += replay(options, result)
    return problems


def check_reductions(options, source, expectation, program):
    expectation = {name: value for name, value in expectation.items() if name != "executions"}
    problems = []
    traces = {}
    # What a reduction leaves out depends on who is tried first; so does which face of a defect is met first.
    about_them = expectation.get("passes") == "reductions" and "order" not in expectation
    both_orders = about_them or (options.share == 1 and expectation["verdict"] == "verified")
    ways = [(reduction, order) for reduction in ("sleep", "persistent", "source", "optimal")
            for order in (("lowest", "highest") if both_orders else ("lowest",))]
    for reduction, order in ways:
        process, result = check(options, program, expectation,
                                [f"--reduction={reduction}", f"--order={order}", "--self-check", "--backtrack=restore"])
        found = problems_of(source, expectation, process, result)
        if reduction == "optimal" and not found and "traces" in expectation:
            executions = result["statistics"]["executions"]
            if executions != expectation["traces"]:
                found = [f"{executions} executions instead of {expectation['traces']} traces"]
        problems += [f"--reduction={reduction} --order={order}: {p}" for p in found]
        if not found and expectation["verdict"] == "verified" and reduction != "persistent":
            traces[reduction, order] = [result["statistics"][n] for n in ("executions", "abandoned")]
    if len(set(map(tuple, traces.values()))) > 1:
        problems.append(f"numbers of traces differ: {traces}")
    return problems


def repeatable(events):
    """Events without the place at which a thread that runs on and on happened to be interrupted."""
    return [{**event, "blocks": [{**b, "location": None, "stack": []} if b["text"].startswith("runs on") else b
                                 for b in event.get("blocks", [])]} for event in events]


def replay(options, result):
    with tempfile.TemporaryDirectory() as folder:
        result_file = os.path.join(folder, "result.json")
        again_file = os.path.join(folder, "again.json")
        pathlib.Path(result_file).write_text(json.dumps(result))
        for n in range(max(1, options.replay)):
            process = heddle(options, ["replay", f"--json={again_file}", result_file], dict(os.environ))
            if process.returncode != 1:
                return [f"replay {n + 1} ended with {process.returncode}: {process.stderr.strip()[-200:]}"]
            again = json.loads(pathlib.Path(again_file).read_text())["findings"][0]
            first = result["findings"][0]
            if again["kind"] != first["kind"] or repeatable(again["events"]) != repeatable(first["events"]):
                return [f"replay {n + 1} differs"]
    return []


def compare(options, expectation, program, cap, *ways):
    """Two ways that must give the same counts and findings, as far as `cap` executions."""
    if expectation.get("kind") == "nondeterminism" or expectation["verdict"] == "incomplete":
        return []  # differs from run to run by design, or is cut off by a limit that both reach in their own time
    signatures = []
    for way in ways:
        extra = [*way, "--keep-going", f"--max-executions={cap}"]
        process, result = check(options, program, expectation, extra)
        if result is None:
            return [f"{way}: {process.stderr.strip()[-300:]}"]
        signatures.append([result["verdict"], result["statistics"]["executions"], result["statistics"]["events"],
                           sorted((f["kind"], f["schedule"]) for f in result["findings"])])
    return [] if signatures[0] == signatures[1] else [f"{ways[0]} {signatures[0]} but {ways[1]} {signatures[1]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--compilers", default="g++")
    parser.add_argument("--levels", default="-O1")
    parser.add_argument("--crossed", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--replay", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cap", type=int, default=1000)
    parser.add_argument("--backtrack-cap", type=int)
    parser.add_argument("--compare-isolation", action="store_true")
    parser.add_argument("--compare-backtrack", action="store_true")
    parser.add_argument("--reductions", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--states", action="store_true")
    parser.add_argument("--states-share", type=int, default=1)
    parser.add_argument("--states-time", type=int, default=1)
    parser.add_argument("--step-timeout", type=int, default=1)
    options = parser.parse_args()
    programs = sources(options.only)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for source, problems in zip(programs, pool.map(lambda s: run_program(options, s), programs)):
            failed += bool(problems)
            for problem in problems:
                print(f"{source.name}: {problem}", flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
