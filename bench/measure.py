"""One `heddle check` of a program of bench/programs, for the scripts beside this file."""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent


def arguments(description):
    """A parser with what all these scripts understand."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--heddle", default=BENCH.parent / "build/release/bin/heddle", help="the command to measure")
    return parser


def check(heddle, program, values, *options, keep_going=True):
    """The result, as docs/result-format.md has it. Compiling is not part of any time in it. A bare name is one of bench/programs."""
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
        file = os.path.join(folder, "result.json")
        command = [heddle, "check", f"--json={file}", *(["--keep-going"] if keep_going else []), *options, BENCH / "programs" / program, "--"]
        process = subprocess.run([*command, *map(str, values)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not os.path.exists(file):
            raise SystemExit(f"{program}: status {process.returncode}: {process.stderr.strip()}")
        with open(file) as result:
            return json.load(result)


def table(header, rows):
    """Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
