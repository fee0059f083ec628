#!/usr/bin/env python3
"""heddle check --symbolic on programs whose defects depend on inputs (programs/ here, with their expectations beside them)
and on a part of the corpus (corpus.txt), whose verdicts must be the native engine's. Exported formulas go to cvc5.

  test_programs.py --heddle PATH [--all] [--steps N] [--time 60s] [--only WORD]

--all runs the whole corpus, prints what is refused and why, and the shares of C and C++ programs that are accepted.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent / "programs"
LEAST_ACCEPTED = {".c": 0.70, ".cpp": 0.40}  # of the corpus
EXIT_STATUS = {"verified": 0, "bug": 1, "incomplete": 3, "unsupported": 4}


def run(options, source, steps, extra=()):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "result.json")
        command = [options.heddle, "check", "--symbolic", f"--steps={steps}", f"--max-time={options.time}", f"--json={file}",
                   *extra, str(source)]
        process = subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL, errors="replace",
                                 timeout=900, env={**os.environ, "HEDDLE_OPTIONS": ""})
        result = json.loads(pathlib.Path(file).read_text()) if os.path.exists(file) else None
    return process, result


def marked_lines(source):
    return {n for n, line in enumerate(source.read_text().splitlines(), 1) if re.search(r"(//|/\*)\s*BUG\b", line)}


def problems_of(source, expectation, process, result):
    if result is None:
        return [f"no result, exit status {process.returncode}: {process.stderr.strip()[-400:]}"]
    problems = []
    if result["verdict"] != expectation["verdict"]:
        problems.append(f"verdict {result['verdict']} ({result['reason']}), expected {expectation['verdict']}")
    if process.returncode != EXIT_STATUS[result["verdict"]]:
        problems.append(f"exit status {process.returncode} with verdict {result['verdict']}")
    if "coverage" in expectation and result["coverage"]["kind"] != expectation["coverage"]:
        problems.append(f"coverage {result['coverage']['kind']}, expected {expectation['coverage']}")
    if result["findings"] and "kind" in expectation and result["findings"][0]["kind"] != expectation["kind"]:
        problems.append(f"kind {result['findings'][0]['kind']}, expected {expectation['kind']}")
    return problems


def check_replay(options, source, steps):
    """The counterexample in the result file is one that `heddle replay` repeats."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "result.json")
        subprocess.run([options.heddle, "check", "--symbolic", f"--steps={steps}", f"--json={file}", str(source)],
                       capture_output=True, timeout=600)
        again = subprocess.run([options.heddle, "replay", file], capture_output=True, text=True, timeout=600)
        return [] if again.returncode == 1 else [f"replay: exit status {again.returncode}: {again.stderr.strip()}"]


def check_export(options, source, steps):
    """cvc5 gives the exported formula the answer that Z3 gave."""
    if not shutil.which("cvc5"):
        return ["cvc5 is not installed (scripts/setup)"]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "formula.smt2")
        run(options, source, steps, [f"--dump-smt={file}"])
        expected = re.search(r":status (\w+)", pathlib.Path(file).read_text()).group(1)
        answer = subprocess.run(["cvc5", "--tlimit=300000", file], capture_output=True, text=True).stdout.strip()
        return [] if answer == expected else [f"cvc5 says {answer}, Z3 {expected}"]


def own_programs(options):
    failed = 0
    for source in sorted((HERE / "programs").glob("*.c*")):
        if options.only not in source.name:
            continue
        expectation = json.loads(source.with_suffix(".json").read_text())
        process, result = run(options, source, expectation["steps"])
        problems = problems_of(source, expectation, process, result)
        if not problems and expectation["verdict"] == "bug" and expectation.get("replay", True):
            problems = check_replay(options, source, expectation["steps"])
        if not problems and expectation.get("export"):
            problems = check_export(options, source, expectation["steps"])
        print(f"{'ok  ' if not problems else 'FAIL'} {source.name}" + "".join(f"\n     {p}" for p in problems), flush=True)
        failed += bool(problems)
    return failed


# What is said about programs and command lines that cannot be checked: file, program, options, exit status, what is printed.
MESSAGES = [
    ("p.c", "int main(void) { for (;;) ; }", ("--steps=1", "--max-time=50ms"), 3, "the time budget ended the search"),
    ("p.c", "int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }", (), 4, "p.c:1: unsupported: recursion deeper"),
    ("p.c", "double x;\nint main(void) { x = x * 2; return 0; }", (), 4, "p.c:2: unsupported: arithmetic with floating-point"),
    ("p.c", "int main(int count, char **words) {\n  int a[count];\n  return a[0] = 0;\n}", (), 4,
     "p.c:2: unsupported: a local array whose size is not constant"),
    ("p.c", "char a[5000000000];\nint main(void) { return a[1]; }", (), 4, "p.c:2: unsupported: an object of more than 2 GiB"),
    ("p.c", "void g(void);\nint main(void) {\n  g();\n}", (), 4, "p.c:3: unsupported: the function `g` is not modelled"),
    ("p.c", "int f(int n) { return n; }\nvoid *g;\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  if (__VERIFIER_nondet_int()) g = f;\n"
     "  if (g) ((void (*)(void))g)();\n}", (), 4, "p.c:6: unsupported: a function called through a pointer to functions of another"),
    ("p.cpp", "struct A { double d; A(double x) : d(2 * x) {} };\ndouble z = 3;\nA a(z);\nint main() {}", (), 4,
     "p.cpp:1: unsupported: arithmetic with floating-point numbers or vectors, in the constructor of a global object"),
    ("p.cpp", "#include <vector>\nint main() {\n  std::vector<int> v{1, 2};\n  return v.at(3);\n}", (), 4,
     "p.cpp:4: unsupported: the function `std::__throw_out_of_range_fmt"),
    ("p.c", "int f(void) { return 0; }", (), 2, "p.c: the program has no main function"),
    ("p.c", "int main(void) { return x; }", (), 2, "p.c does not compile"),
    ("p.c", "int main(void) { return 0; }", ("--steps=0",), 2, "--steps: 0 is not a whole number"),
    ("p.c", "int main(void) { return 0; }", ("--dump-smt=no/such/folder",), 2, "cannot write no/such/folder"),
    *[("p.c", "int main(void) { return 0; }", (f"--{option}={value}",), 2, f"--{option} does not go with --symbolic")
      for option, value in (("reduction", "static"), ("preemptions", "1"), ("sample", "pct"), ("budget", "1s"))],
]


def messages(options):
    failed = 0
    for name, program, words, status, expected in MESSAGES:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name).write_text(program)
            process = subprocess.run([options.heddle, "check", "--symbolic", *words, name], cwd=folder, capture_output=True,
                                     text=True, stdin=subprocess.DEVNULL, timeout=600, env={**os.environ, "HEDDLE_OPTIONS": ""})
        said = " ".join((process.stdout + " " + process.stderr).split())
        good = process.returncode == status and expected in said
        print(f"{'ok  ' if good else 'FAIL'} message: {expected}" + ("" if good else f"\n     {process.returncode}: {said}"),
              flush=True)
        failed += not good
    return failed


# The relation of computed-index.c, by lines: the mutex that both lock, the index and the array that both touch.
RELATION = {
    "none": [(14, 22, "dependent"), (13, 22, "dependent")],
    "static": [(14, 22, "dependent"), (13, 22, "always independent | rule 1")],
    "full": [(14, 22, "dependent"), (13, 22, "always independent | rule 1")],
}


def independence(options):
    """--dump-independence has one line for each pair of steps, and names a rule where they are independent."""
    source = HERE / "programs" / "computed-index-fixed.c"
    failed = 0
    for peephole, expected in RELATION.items():
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "relation.txt")
            run(options, source, 40, [f"--peephole={peephole}", f"--dump-independence={file}"])
            lines = [line.split(" | ") for line in file.read_text().splitlines()]
        at = lambda text: int(text.rsplit(":", 1)[1])
        found = {(at(line[0]), at(line[1])): " | ".join(line[2:]) for line in lines}
        problems = [f"lines {a} and {b}: {found.get((a, b))}" for a, b, text in expected if found.get((a, b)) != text]
        if len({(line[0], line[1]) for line in lines}) != len(lines):
            problems.append("a pair has two lines")
        if any((line[2] == "dependent") != (len(line) == 3) for line in lines):
            problems.append("a rule for what is dependent, or none for what is not")
        print(f"{'ok  ' if not problems else 'FAIL'} relation: {peephole}" + "".join(f"\n     {p}" for p in problems), flush=True)
        failed += bool(problems)
    return failed


def manual(options):
    """The commands of the manual, with the programs here: each finds its bug."""
    text = (HERE.parent.parent / "docs/manual.md").read_text()
    commands = re.findall(r"^heddle (check --symbolic .*)$", text, re.MULTILINE)
    failed = not commands
    for command in commands:
        process = subprocess.run([options.heddle, *command.split()], cwd=HERE / "programs", capture_output=True, text=True,
                                 stdin=subprocess.DEVNULL, timeout=600)
        failed += process.returncode != 1
        print(f"{'ok  ' if process.returncode == 1 else 'FAIL'} manual: {command}", flush=True)
    return failed


def refusal(process):
    """Where and why, as the terminal shows it: "file:line: reason"."""
    text = " ".join((process.stdout + " " + process.stderr).split())
    found = re.search(r"(\S+:\d+): unsupported: (.*?)(?= no bug for any input|$)", text)
    return f"{found[1]}: {found[2]}" if found else text[-300:]


def corpus(options):
    listed = None if options.all else (HERE / "corpus.txt").read_text().split()
    failed, counts, refusals = 0, {}, []
    for source in sorted(p for p in CORPUS.iterdir() if p.suffix in (".c", ".cpp")):
        if options.only not in source.name or (listed is not None and source.name not in listed):
            continue
        expectation = json.loads(source.with_suffix(".json").read_text())
        if expectation["verdict"] == "unsupported":  # by every engine
            continue
        process, result = run(options, source, options.steps, expectation.get("options", []))
        kind = counts.setdefault(source.suffix, {"accepted": 0, "bounded": 0, "refused": 0})
        refused = process.returncode in (2, 4)
        unfinished = result is not None and not result["findings"] and (
            result["verdict"] == "incomplete" or result["coverage"]["kind"] == "steps-bound")
        if refused:
            kind["refused"] += 1
            refusals.append(f"{source.name}: {refusal(process)}")
            text, failed = "refused", failed + (listed is not None)
        elif unfinished:
            kind["bounded"] += 1
            text = f"no bug in {result['statistics']['max_depth']} steps; native: {expectation['verdict']}"
            failed += listed is not None
        else:
            kind["accepted"] += 1
            problems = problems_of(source, {"verdict": expectation["verdict"]}, process, result)
            text = "agrees" if not problems else "DISAGREES: " + "; ".join(problems)
            # What has no end is natively checked by searches over states alone, which do not look for data races.
            if source.name.startswith("forever-") and result and result["findings"][:1] and result["findings"][0]["kind"] == "data-race":
                problems, text = [], "has a data race, which searches over states do not look for;"
            failed += bool(problems)
        print(f"{text:10} {source.name}", flush=True)
    if options.all:
        print("\nrefused:\n  " + "\n  ".join(refusals))
        for suffix, kind in counts.items():
            share = (sum(kind.values()) - kind["refused"]) / sum(kind.values())
            print(f"{suffix}: {kind}, {100 * share:.1f} % accepted")
            failed += not options.only and share < LEAST_ACCEPTED[suffix]
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--steps", default=60, type=int)
    parser.add_argument("--time", default="60s")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.heddle = str(pathlib.Path(options.heddle).resolve())
    failed = own_programs(options) + messages(options) + independence(options) + manual(options) + corpus(options)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
