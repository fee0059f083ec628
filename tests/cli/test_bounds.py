#!/usr/bin/env python3
"""Bounds on preemptions, samples, budgets and estimates, as a user meets them.

  test_bounds.py --heddle PATH --source PATH_OF_REPOSITORY [arguments of unittest]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import command_tests

LIMIT = 240  # seconds until a command counts as hanging

HEDDLE = None
SOURCE = None
CACHE = None


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle-bounds-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_heddle(self, *arguments):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")}
        return subprocess.run([HEDDLE, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT, env={**kept, "HEDDLE_CACHE": CACHE}, cwd=self.folder)

    def check(self, program, *options, arguments=(), status=None):
        """The result; the program is named from the root of the repository."""
        file = self.folder / "result.json"
        words = ["--", *arguments] if arguments else []
        process = self.run_heddle("check", f"--json={file}", *options, SOURCE / program, *words)
        self.assertTrue(file.exists(), f"no result; status {process.returncode}: {process.stderr}")
        result = json.loads(file.read_text())
        if status is not None:
            self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        return result

    def assert_refused(self, word, *options):
        process = self.run_heddle("check", *options, SOURCE / "examples/bank.cpp")
        self.assertEqual(process.returncode, 2, process.stdout)
        self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)
        self.assertIn(word, process.stderr)


class Bounds(Commands):
    def test_what_is_covered_is_said(self):
        result = self.check("bench/programs/work_stealing.cpp", "--preemptions=1", status=0)
        self.assertEqual(result["verdict"], "verified")
        self.assertEqual((result["coverage"]["kind"], result["coverage"]["bound"]), ("preemption-bound", 1))
        self.assertIn("at most 1 preemption,", result["coverage"]["statement"])
        self.assertEqual((result["search"]["reduction"], result["search"]["preemptions"]), ("happens-before", "1"))

    def test_bounds_one_after_another_run_nothing_twice(self):
        whole = self.check("bench/programs/work_stealing.cpp", "--preemptions=0..3", status=0)
        bounds = whole["coverage"]["bounds"]
        self.assertEqual([bound["bound"] for bound in bounds], [0, 1, 2, 3])
        self.assertTrue(all(bound["complete"] for bound in bounds))
        sum_so_far = 0
        for bound in bounds:
            sum_so_far += bound["executions"]
            alone = self.check("bench/programs/work_stealing.cpp", f"--preemptions={bound['bound']}")
            self.assertEqual(alone["statistics"]["executions"], sum_so_far)
        self.assertEqual(whole["statistics"]["executions"], sum_so_far)

    def test_until_everything_is_covered(self):
        # Two writers have 3 partial orders (enumerated).
        for algorithm in (1, 2):
            result = self.check("bench/programs/two_writers.cpp", "--preemptions=0..", f"--bound-algorithm={algorithm}", status=0)
            self.assertEqual(result["coverage"]["kind"], "all-schedules")
            self.assertEqual(result["statistics"]["executions"], 3)

    def test_reduced_executions_are_the_partial_orders_of_the_plain_ones(self):
        # Those are counted by their vector clocks, not by happens-before states.
        for bound in range(4):
            with self.subTest(bound=bound):
                plain = self.check("bench/programs/work_stealing.cpp", "--reduction=none", "--self-check", f"--preemptions={bound}")
                partial_orders = plain["statistics"]["partial_orders"]
                self.assertLessEqual(partial_orders, plain["statistics"]["executions"])
                for algorithm in (1, 2):
                    reduced = self.check("bench/programs/work_stealing.cpp", "--self-check", f"--preemptions={bound}",
                                         f"--bound-algorithm={algorithm}")
                    self.assertEqual(reduced["statistics"]["executions"], partial_orders)

    def test_bugs_are_found_at_their_bound_and_replay(self):
        for name in ("signal-before-wait", "lost-update", "test-and-set-in-two", "read-between-three"):
            with self.subTest(program=name):
                source = f"bench/bugs/{name}.cpp"
                bound = int(re.search(r"bound (\d+)", (SOURCE / source).read_text()).group(1))
                result = self.check(source, "--preemptions=0..", status=1)
                self.assertEqual(result["coverage"]["bound"], bound)
                self.assertEqual(self.run_heddle("replay", self.folder / "result.json").returncode, 1)
                self.check(source, "--reduction=none", f"--preemptions={bound}", status=1)
                if bound > 0:
                    self.check(source, f"--preemptions={bound - 1}", status=0)
                    self.check(source, "--reduction=none", f"--preemptions={bound - 1}", status=0)

    def test_a_limit_of_states_is_a_verdict(self):
        result = self.check("bench/programs/fib.c", "--preemptions=4", "--max-states=100", arguments=["3"], status=3)
        self.assertEqual(result["verdict"], "incomplete")
        self.assertIn("--max-states", result["reason"])

    def test_wrong_options_get_a_sentence(self):
        self.assert_refused("--preemptions", "--preemptions=two")
        self.assert_refused("--preemptions", "--preemptions=3..1")
        self.assert_refused("--preemptions", "--preemptions=2", "--sample=pct")
        self.assert_refused("--preemptions", "--preemptions=2", "--reduction=sleep")
        self.assert_refused("single bound", "--preemptions=0..2", "--reduction=none")
        self.assert_refused("--bound-algorithm", "--bound-algorithm=1")
        self.assert_refused("--runs", "--runs=5")
        self.assert_refused("--depth", "--sample=pos", "--depth=3")
        self.assert_refused("--budget", "--budget=soon")
        self.assert_refused("--max-time", "--budget=5s", "--max-time=5s")


class Samples(Commands):
    def test_without_a_bug(self):
        for sampler in ("random", "pct", "pos"):
            result = self.check("examples/bank_fixed.cpp", f"--sample={sampler}", "--runs=20", "--seed=3", status=0)
            self.assertEqual((result["verdict"], result["coverage"]["kind"]), ("incomplete", "sampled"))
            self.assertEqual((result["statistics"]["executions"], result["coverage"]["sample"]["runs"]), (20, 20))

    def test_with_a_bug_and_again(self):
        for sampler in ("random", "pct", "pos"):
            schedules = []
            for _ in range(2):
                result = self.check("bench/bugs/lost-update.cpp", f"--sample={sampler}", "--runs=500", "--seed=5", status=1)
                schedules.append((result["statistics"]["executions"], result["findings"][0]["schedule"]))
            self.assertEqual(*schedules)

    def test_the_promise_of_pct(self):
        result = self.check("bench/bugs/lost-update.cpp", "--sample=pct", "--depth=2", "--runs=1000", "--keep-going", status=1)
        sample = result["coverage"]["sample"]
        self.assertAlmostEqual(sample["probability_per_run"], 1 / (sample["threads"] * sample["decisions"]))
        self.assertGreaterEqual(result["statistics"]["failures"] / 1000, sample["probability_per_run"])


class Budgets(Commands):
    def test_all_schedules_if_there_is_time(self):
        result = self.check("bench/programs/readers.cpp", "--budget=60s", arguments=["3"], status=0)
        self.assertEqual((result["verdict"], result["coverage"]["kind"]), ("verified", "all-schedules"))
        self.assertEqual(result["statistics"]["executions"], 8)  # 2^3

    def test_less_if_there_is_not(self):
        # 11,600,000,000,000,000 or so partial orders.
        result = self.check("bench/programs/fib.c", "--budget=2s", arguments=["20"], status=3)
        self.assertEqual(result["verdict"], "incomplete")
        self.assertIn("--budget", result["reason"])
        self.assertEqual(result["coverage"]["kind"], "preemption-bound")
        self.assertTrue(result["coverage"]["bounds"][0]["complete"])
        self.assertGreater(result["coverage"]["sample"]["runs"], 0)

    def test_a_bug_ends_it(self):
        self.check("bench/bugs/lost-update.cpp", "--budget=60s", status=1)


class Estimates(Commands):
    def test_early(self):
        # 2^8 executions.
        result = self.check("bench/programs/readers.cpp", "--estimate=on", "--max-executions=13", arguments=["8"])
        estimate = result["statistics"]["estimate"]
        self.assertFalse(estimate["rough"])
        self.assertTrue(256 / 3 <= estimate["executions"] <= 256 * 3, estimate)

    def test_off(self):
        result = self.check("bench/programs/readers.cpp", "--estimate=off", arguments=["8"])
        self.assertNotIn("estimate", result["statistics"])


class Manual(Commands):
    def test_commands_of_the_manual(self):
        manual = (SOURCE / "docs/manual.md").read_text()
        commands = re.findall(r"^    heddle (check --(?:preemptions|sample|budget).*)$", manual, re.MULTILINE)
        self.assertEqual(len(commands), 4)
        for command in commands:
            with self.subTest(command=command):
                words = command.split()
                process = self.run_heddle(*words[:-1], SOURCE / words[-1])
                self.assertEqual(process.returncode, 1, process.stdout + process.stderr)  # the bank has a bug


if __name__ == "__main__":
    sys.exit(command_tests.main(globals()))
