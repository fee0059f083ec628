#!/usr/bin/env python3
"""docs/gallery.md is what the terminal shows: fourteen findings of eleven kinds, each checked again and compared.

  test_gallery.py --heddle PATH --source PATH_OF_REPOSITORY [--update]

With --update the page is written anew. Every line must fit 80 columns.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

GALLERY = [
    ("A lost update", "examples/bank.cpp", []),
    ("A deadlock by opposite locks", "tests/programs/deadlock-opposite-locks.c", []),
    ("A wake-up that comes before the wait", "tests/programs/deadlock-lost-wakeup.c", []),
    ("A data race", "tests/programs/data-race-plain-counter.c", []),
    ("A publication without an order", "tests/programs/data-race-relaxed-publication.cpp", []),
    ("Memory used after it was freed", "tests/programs/use-after-free-reference-count.cpp", []),
    ("A null pointer", "tests/programs/crash-null-dereference.c", []),
    ("An exception that nobody catches", "tests/programs/uncaught-exception-vector-at.cpp", []),
    ("A lock that was never got", "tests/programs/lock-misuse-ignored-trylock.c", []),
    ("A choice that was not thought of", "tests/programs/choice-short-write.c", []),
    ("A loop that never ends", "tests/programs/livelock-spin-lock.cpp", []),
    ("Memory freed by two", "tests/programs/double-free-two-closers.c", []),
    ("An index out of bounds", "tests/programs/out-of-bounds-off-by-one.c", []),
    ("A thread that ends the program", "tests/programs/abnormal-exit-in-thread.c", []),
]

HEAD = """# Gallery

What `heddle check` prints for findings of eleven kinds, as it is. `M`, `1`, `2` are the lanes of the threads: `|` a thread that
could run, `:` one that waits. `A>` and `B>` mark the operations whose order decided, `X>` the failure. (The times at the end are left
out. `tests/report/test_gallery.py --update` writes this page.)
"""


def shown(heddle, source, program, options):
    process = subprocess.run([heddle, "check", *options, program], cwd=source, text=True, capture_output=True, timeout=300,
                             env={**os.environ, "HEDDLE_OPTIONS": "", "LC_ALL": "C"})
    if process.returncode != 1 or process.stderr:
        raise SystemExit(f"{program}: exit status {process.returncode}: {process.stderr}")
    return re.sub(r", \d+\.\d+ s$", "", process.stdout.rstrip(), flags=re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    heddle = os.path.abspath(options.heddle)
    page = HEAD
    kinds = set()
    for title, program, more in GALLERY:
        text = shown(heddle, options.source, program, more)
        wide = [line for line in text.splitlines() if len(line) > 80]
        if wide:
            raise SystemExit(f"{program}: lines of more than 80 columns: {wide}")
        kinds.add(re.search(r"^\S+:\d+: ([a-z-]+):", text, re.M).group(1))
        command = " ".join(["heddle check", *more, program])
        page += f"\n## {title}\n\n    $ {command}\n" + "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())
    file = options.source / "docs/gallery.md"
    if options.update:
        file.write_text(page)
    different = list(difflib.unified_diff(file.read_text().splitlines(), page.splitlines(), "docs/gallery.md", "now", lineterm=""))
    print("\n".join(different) or f"gallery: {len(GALLERY)} findings of {len(kinds)} kinds, as printed")
    return 1 if different or len(kinds) < 11 else 0


if __name__ == "__main__":
    sys.exit(main())
