#!/usr/bin/env python3
"""The papers' programs (bench/programs) give the papers' numbers, run natively with each reduction.

  test_counts.py --heddle PATH --source PATH_OF_REPOSITORY [arguments of unittest]

HEDDLE_SOAK=1 adds the sizes that take minutes. Where nothing else is said a number comes from a formula that the program
explains. "Enumerated" means: by an enumeration of happens-before graphs that shares nothing with any search. "Reference"
means: by a second implementation of the algorithm, on a model of the program in which main creates and joins the threads
(creation and join are ordered with the thread's own events, never in a race with them).
Every count is one for the order lowest thread first; what does not depend on the order is also checked with highest first.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import command_tests

LIMIT = 3600 if os.environ.get("HEDDLE_SOAK") else 120  # seconds until a search counts as hanging

HEDDLE = None
SOURCE = None
CACHE = None


def sizes(quick, soak=()):
    return (*quick, *soak) if os.environ.get("HEDDLE_SOAK") else quick


class Counting(unittest.TestCase):
    def check(self, program, size, *options):
        with tempfile.TemporaryDirectory(prefix="heddle-papers-") as folder:
            file = pathlib.Path(folder, "result.json")
            arguments = [] if size is None else ["--", str(size)]
            kept = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")}
            process = subprocess.run(
                [HEDDLE, "check", f"--json={file}", "--keep-going", *options, SOURCE / "bench/programs" / program, *arguments],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, env={**kept, "HEDDLE_CACHE": CACHE})
            self.assertTrue(file.exists(), f"no result; status {process.returncode}: {process.stderr}")
            return json.loads(file.read_text())

    def assert_counts(self, program, size, reduction, executions, blocked, findings=(), order="lowest"):
        """So many complete executions and blocked runs, and these kinds of findings."""
        with self.subTest(program=program, size=size, reduction=reduction, order=order):
            result = self.check(program, size, f"--reduction={reduction}", f"--order={order}")
            self.assertEqual(result["reason"], "")
            self.assertEqual(result["verdict"], "bug" if findings else "verified")
            self.assertEqual([finding["kind"] for finding in result["findings"]], list(findings))
            found = result["statistics"]
            self.assertEqual((found["executions"], found["blocked"]), (executions, blocked))
            # What was checked while the search went back and forth is what is checked when an execution is run again.
            self.assertNotIn("accessed other memory", " ".join(result["coverage"]["not_modelled"]))

    def assert_traces(self, program, size, traces, findings=()):
        """Optimal: every trace once and nothing else, in whichever order threads are tried."""
        for order in ("lowest", "highest"):
            self.assert_counts(program, size, "optimal", traces, 0, findings, order)


class Papers(Counting):
    def test_two_writers(self):
        # Enumerated.
        self.assert_traces("two_writers.cpp", None, 3)
        self.assert_counts("two_writers.cpp", None, "source", 3, 0)
        self.assert_counts("two_writers.cpp", None, "persistent", 3, 0)

    def test_readers(self):
        for n in sizes((2, 8), (13,)):
            self.assert_traces("readers.cpp", n, 2**n)
            self.assert_counts("readers.cpp", n, "source", 2**n, 0)
            # Any persistent set of the first state with the writer in it has all readers in it: (3^N + 1) / 2 runs in all.
            self.assert_counts("readers.cpp", n, "persistent", 2**n, (3**n + 1) // 2 - 2**n)

    def test_lastzero(self):
        for n in sizes((5, 10), (15,)):
            traces = (n + 3) * 2 ** (n - 2)
            self.assert_traces("lastzero.cpp", n, traces)
            # What is blocked depends on the order of threads and on the choice among initials (0 to 98 for N = 5 with source
            # sets). Lowest thread first and the first initial of the word: 3^(N-1) + 2^(N-1) runs in all, and with
            # persistent sets 4 * 3^(N-2) + 2^(N-1). Reference for N = 3 to 8, through which the formulas were laid.
            self.assert_counts("lastzero.cpp", n, "source", traces, 3 ** (n - 1) + 2 ** (n - 1) - traces)
            self.assert_counts("lastzero.cpp", n, "persistent", traces, 4 * 3 ** (n - 2) + 2 ** (n - 1) - traces)

    def test_indexer(self):
        for n in sizes((11, 12, 13), (14, 15)):
            self.assert_traces("indexer.cpp", n, 8 ** (n - 11))
            self.assert_counts("indexer.cpp", n, "source", 8 ** (n - 11), 0)
            self.assert_counts("indexer.cpp", n, "persistent", 8 ** (n - 11), 0)

    def test_filesystem(self):
        for n in (13, 14, 16, 18, 19):
            self.assert_traces("filesystem.c", n, 2 ** (n - 13))
            self.assert_counts("filesystem.c", n, "source", 2 ** (n - 13), 0)
            self.assert_counts("filesystem.c", n, "persistent", 2 ** (n - 13), 0)

    def test_four_processes(self):
        # Enumerated; blocked: reference.
        self.assert_traces("four_processes.cpp", None, 7)
        self.assert_counts("four_processes.cpp", None, "source", 7, 5)
        self.assert_counts("four_processes.cpp", None, "persistent", 7, 5)
        # 13 are blocked if all threads are there from the start; main's creations, which sleep sets alone interleave with
        # the threads, make it 43.
        self.assert_counts("four_processes.cpp", None, "sleep", 7, 43)

    def test_fib(self):
        # N = 1, 2 enumerated; N = 3 reference; N = 4, 5 by two other checkers.
        traces = {1: 11, 2: 140, 3: 1698, 4: 19605, 5: 218243}
        for n in sizes((1, 2, 3, 4), (5,)):
            self.assert_traces("fib.c", n, traces[n])
            self.assert_counts("fib.c", n, "source", traces[n], 0)
            self.assert_counts("fib.c", n, "persistent", traces[n], 0)  # blocked: reference for N = 1, 2, 3

    def test_opposite_locks(self):
        # Enumerated: either thread first, or both half-way.
        self.assert_traces("opposite_locks.cpp", None, 3, ["deadlock"])
        for reduction in ("source", "persistent"):
            self.assert_counts("opposite_locks.cpp", None, reduction, 3, 0, ["deadlock"])

    def test_three_critical(self):
        # 3! orders.
        self.assert_traces("three_critical.cpp", None, 6)
        for reduction in ("source", "persistent"):
            self.assert_counts("three_critical.cpp", None, reduction, 6, 0)

    def test_fig5_mixed(self):
        # Enumerated.
        self.assert_traces("fig5_mixed.cpp", None, 5)
        for reduction in ("source", "persistent"):
            self.assert_counts("fig5_mixed.cpp", None, reduction, 5, 0)

    def test_long_and_wide(self):
        # Of bench/growth: either thread first at each of two objects.
        for program, size in (("long.c", 100), ("wide.c", 2), ("wide.c", 64)):
            self.assert_traces(program, size, 4)


class Interleavings(Counting):
    """Without reduction, the programs have as many interleavings as their models: nothing else in them is visible."""

    def test_all(self):
        # Enumerated, with main's creations and joins.
        for program, size, interleavings in (
                ("two_writers.cpp", None, 19), ("readers.cpp", 2, 355), ("lastzero.cpp", 2, 362), ("indexer.cpp", 2, 251),
                ("filesystem.c", 2, 251), ("four_processes.cpp", None, 5221), ("fib.c", 1, 840),
                ("three_critical.cpp", None, 184), ("fig5_mixed.cpp", None, 69)):
            self.assert_counts(program, size, "none", interleavings, 0)
        self.assert_counts("opposite_locks.cpp", None, "none", 46, 0, ["deadlock"])


if __name__ == "__main__":
    sys.exit(command_tests.main(globals()))
