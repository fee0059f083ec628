#!/usr/bin/env python3
"""Searches that are interrupted or killed, and go on from their checkpoints.

  test_resume.py --heddle PATH --source PATH_OF_REPOSITORY [--kills N] [--seed S]

A search that nobody disturbed says what each must come to: the same totals and the same findings. A few are killed (kill -9) as
soon as their checkpoint has come so far; with --kills N (scripts/kill-and-resume), N more of each kind of search (or of those named by
--kinds) at random moments, and no other test is run.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LIMIT = 240
MEASURED = ("seconds", "peak_rss_kib")  # not compared
HEDDLE = None
SOURCE = None
KILLS = 0
SEED = 0
CHOSEN = None

# Additions to one variable, and a look at it: 3 threads of 3 additions and main's one have 10! / (3!)^3 = 16,800 orders.
ADDITIONS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int sum;
static void *add(void *arg) {
    for (int i = 0; i < 3; ++i) atomic_fetch_add(&sum, 1);
    return arg;
}
int main(int argc, char **argv) {
    pthread_t threads[8];
    int count = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, add, NULL);
    int before = atomic_load(&sum);
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
    assert(before != 5);
    return 0;
}
"""

# Threads that create threads, of which there are more or fewer by the schedule, and a spin lock: numbers of threads and what was
# learnt about loops belong to a checkpoint.
SPINNERS = """
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> lock{0}, turn{0};
void locked() {
    while (lock.exchange(1) != 0) {}
    ++turn;
    lock = 0;
}
void child() {
    if (turn == 0) {
        std::thread more(locked);
        locked();
        more.join();
    } else {
        locked();
    }
}
int main() {
    std::thread a(child), b(child);
    a.join();
    b.join();
    assert(lock == 0);
}
"""


# For ever: the two outer ones take their forks in one order, the one in between in the other.
PHILOSOPHERS = """
#include <pthread.h>
static pthread_mutex_t forks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static int meals[3];
static void *eat(void *number) {
    int me = (int)(long)number;
    pthread_mutex_t *first = &forks[me + me % 2], *second = &forks[me + 1 - me % 2];
    for (;;) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        meals[me] ^= 1;
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
}
int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, eat, (void *)i);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
"""


# Two threads that take turns, so that there is one way through many states, and only behind them the other two threads.
LATE_THREADS = """
#include <pthread.h>
#include <semaphore.h>
static sem_t turns[2];
static int calls;
static void *take_turns(void *number) {
    long me = (long)number;
    for (int i = 0; i < 6000; ++i) {
        sem_wait(&turns[me]);
        sem_post(&turns[1 - me]);
    }
    return NULL;
}
static void *call(void *arg) {
    ++calls;
    return arg;
}
int main(void) {
    pthread_t threads[4];
    sem_init(&turns[0], 0, 1);
    sem_init(&turns[1], 0, 0);
    for (long i = 0; i < 4; ++i) {
        pthread_create(&threads[i], NULL, i < 2 ? take_turns : call, (void *)i);
        if (i == 1) pthread_join(threads[0], NULL), pthread_join(threads[1], NULL);
    }
    pthread_join(threads[2], NULL);
    pthread_join(threads[3], NULL);
}
"""

# What main does for ever changes something, because another thread looks at its stack: in the branch that is searched first.
LOOKED_AT = """
#include <heddle/heddle.h>
#include <pthread.h>
static volatile int count, seen;
static void *look(void *at) {
    if (heddle_choose(2) == 0) {
        seen = *(volatile int *)at;
    } else {
        for (int i = 0; i < 30000; ++i) count = i;
    }
    return NULL;
}
int main(void) {
    volatile int mine = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, look, (void *)&mine);
    for (;;) mine = !mine;
}
"""


# The solver takes several seconds for it, in growing parts for the depths.
SYMBOLIC = "tests/symbolic/programs/overflow-fixed.c"


def symbolic_works():
    """Whether this heddle has a solver and a front end."""
    process = subprocess.run([HEDDLE, "check", "--symbolic", "--steps=1", str(SOURCE / SYMBOLIC)], env=environment(),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    return "built without" not in process.stderr


def how_far(statistics):
    """What a search counts: depths, executions, or, over states, those."""
    if "symbolic" in statistics:
        return statistics["symbolic"]["depth"]
    return statistics["executions"] or statistics["states"]


def environment():
    return {**os.environ, "HEDDLE_OPTIONS": ""}


class ResumeTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.checkpoint = self.folder / "search.checkpoint"

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def command(self, *words):
        return [HEDDLE, "check", "--json=result.json", "--no-minimize", "--progress=none", *words]

    def run_check(self, *words):
        """The exit status, the result, and what was printed."""
        file = self.folder / "result.json"
        file.unlink(missing_ok=True)
        process = subprocess.run(self.command(*words), cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, text=True,
                                 capture_output=True, timeout=LIMIT)
        result = json.loads(file.read_text()) if file.exists() else None
        return process.returncode, result, process.stdout + process.stderr

    def start(self, *words):
        return subprocess.Popen(self.command(*words), cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def so_far(self):
        if not self.checkpoint.exists():
            return 0
        described = self.described()
        return len(described["depths"]) if "depths" in described else how_far(described["statistics"])

    def described(self, path=None):
        """The line of JSON in a checkpoint."""
        return json.loads((path or self.checkpoint).read_bytes().split(b"\n", 2)[1])

    def kill_after(self, executions, *words):
        """kill -9 as soon as a checkpoint has this many executions. False if the search was over before."""
        process = self.start("--checkpoint=search.checkpoint", "--checkpoint-every=0", *words)
        while self.so_far() < executions and process.poll() is None:
            time.sleep(0.01)
        over = process.poll() is not None
        process.kill()
        process.communicate()
        return not over

    def essence(self, result):
        """What must be the same: everything but how long it took, and explanations, which are bounded in time."""
        statistics = {name: value for name, value in result["statistics"].items() if name not in MEASURED}
        if result["search"].get("jobs", 1) > 1:  # who expands which state is left to chance
            statistics = {name: statistics[name] for name in ("states", "transitions", "events")}
        if "symbolic" in statistics:  # a solver that begins anew takes other ways, and what it is asked next depends on its answers
            statistics["symbolic"] = [depth["depth"] for depth in statistics["symbolic"]["depths"]]
        findings = [{name: value for name, value in finding.items() if name != "decisive"} for finding in result["findings"]]
        exploration = result.get("exploration", {}).get("branches")
        return (result["verdict"], statistics, findings, result["warnings"], result["coverage"], exploration)

    def assert_same_end(self, result, whole):
        self.maxDiff = 2000
        for part, expected in zip(self.essence(result), self.essence(whole)):
            self.assertEqual(part, expected)


class Killed(ResumeTest):
    def killed_anew(self, executions, *words):
        """On a busy machine a search may be over before anybody has looked at its checkpoint: five attempts."""
        for _ in range(5):
            self.checkpoint.unlink(missing_ok=True)
            if self.kill_after(executions, *words):
                return True
        return False

    def check_killed(self, program, points, *words):
        status, whole, text = self.run_check(*words, program)
        self.assertIn(status, (0, 1), text)
        total = how_far(whole["statistics"])
        killed = 0
        for share in points:
            if not self.killed_anew(int(total * share) + 1, *words, program):
                continue
            killed += 1
            self.assertGreater(self.so_far(), 0)
            status, result, text = self.run_check("--resume=search.checkpoint", *words, program)
            self.assertIn(status, (0, 1), text)
            self.assert_same_end(result, whole)
        self.assertGreater(killed, 0)
        return whole

    def test_optimal(self):
        whole = self.check_killed(self.write("additions.c", ADDITIONS), (0.0, 0.5), "--keep-going")
        self.assertEqual(whole["statistics"]["executions"], 16800)
        self.assertEqual(len(whole["findings"]), 1)

    def test_other_searches(self):
        program = self.write("additions.c", ADDITIONS)
        for words in (["--reduction=source"], ["--sample=pct", "--runs=20000"], ["--preemptions=0..2"],
                      ["--preemptions=2", "--bound-algorithm=1"], ["--budget=600s"]):
            with self.subTest(words):
                self.check_killed(program, (0.1,), "--keep-going", *words)

    def test_over_states(self):
        program = self.write("philosophers.c", PHILOSOPHERS)
        for words in (["--stateful"], ["--stateful", "--reduction=none", "--jobs=2"], ["--reduction=cartesian"],
                      ["--reduction=cartesian", "--jobs=2"]):
            with self.subTest(words):
                self.check_killed(program, (0.1, 0.6), "--keep-going", *words)

    def test_over_states_before_all_threads_are_known(self):
        """Who goes on has to number further threads after those that the checkpoint knows."""
        program = self.write("late.c", LATE_THREADS)
        for words in (["--stateful"], ["--reduction=cartesian"]):
            with self.subTest(words):
                _, whole, text = self.run_check(*words, program)
                self.assertEqual(whole["statistics"]["threads"], 5, text)
                known = 5
                while known == 5:
                    self.checkpoint.unlink(missing_ok=True)
                    self.assertTrue(self.kill_after(5, *words, program))
                    known = self.described()["statistics"]["threads"]
                _, result, text = self.run_check("--resume=search.checkpoint", *words, program)
                self.assertIsNotNone(result, text)
                self.assert_same_end(result, whole)

    def test_over_states_what_is_known_about_stacks(self):
        program = self.write("looked_at.c", LOOKED_AT)
        _, whole, text = self.run_check("--stateful", program)
        self.assertEqual(whole["verdict"], "verified", text)
        self.assertTrue(self.kill_after(whole["statistics"]["states"] // 4, "--stateful", program))
        _, result, text = self.run_check("--resume=search.checkpoint", "--stateful", program)
        self.assertIsNotNone(result, text)
        self.assert_same_end(result, whole)

    def test_killed_again_and_again(self):
        program = self.write("additions.c", ADDITIONS)
        _, whole, _ = self.run_check("--keep-going", program)
        total = whole["statistics"]["executions"]
        words = ["--keep-going"]
        for share in (0.2, 0.4, 0.6):
            if not self.kill_after(int(total * share), *words, program):
                break
            words = ["--keep-going", "--resume=search.checkpoint"]
        _, result, text = self.run_check(*words, program)
        self.assertIsNotNone(result, text)
        self.assert_same_end(result, whole)


    def test_symbolic(self):
        if symbolic_works():
            shutil.copy(SOURCE / SYMBOLIC, self.folder / "program.c")
            self.check_killed("program.c", (0.7,), "--symbolic")


class Interrupted(ResumeTest):
    def test_signals(self):
        program = self.write("additions.c", ADDITIONS)
        _, whole, _ = self.run_check("--keep-going", program)
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                self.checkpoint.unlink(missing_ok=True)
                process = self.start("--keep-going", "--checkpoint=search.checkpoint", "--checkpoint-every=0", program)
                while self.so_far() == 0 and process.poll() is None:
                    time.sleep(0.01)
                process.send_signal(number)
                out, err = process.communicate(timeout=LIMIT)
                self.assertIn(process.returncode, (1, 3), out + err)  # 1: the finding had been met
                result = json.loads((self.folder / "result.json").read_text())
                self.assertGreater(result["statistics"]["executions"], 0)
                self.assertEqual(self.so_far(), result["statistics"]["executions"])
                _, resumed, text = self.run_check("--keep-going", "--resume=search.checkpoint", program)
                self.assertIsNotNone(resumed, text)
                self.assert_same_end(resumed, whole)

    def test_symbolic(self):
        if not symbolic_works():
            return
        shutil.copy(SOURCE / SYMBOLIC, self.folder / "program.c")
        words = ["--symbolic", "--checkpoint=search.checkpoint", "--checkpoint-every=0", "program.c"]
        process = self.start(*words)
        while self.so_far() < 7 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 3, out + err)
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["verdict"], "incomplete")
        self.assertIn("interrupted; --resume=search.checkpoint", result["reason"])
        self.assertGreaterEqual(self.so_far(), 7)
        # Depth by depth: more steps may be asked for than before.
        for steps in (8, 100):
            status, result, text = self.run_check("--symbolic", "--resume=search.checkpoint", f"--steps={steps}", "program.c")
            self.assertEqual(status, 0, text)
        self.assertEqual(result["coverage"]["kind"], "all-schedules")
        self.refuse_symbolic("--peephole", "--peephole=none")
        self.refuse_symbolic("arguments", arguments=["1"])
        (self.folder / "program.c").write_text((self.folder / "program.c").read_text() + "int more;\n")
        self.refuse_symbolic("changed")

    def refuse_symbolic(self, word, *words, arguments=()):
        status, _, text = self.run_check("--symbolic", "--resume=search.checkpoint", *words, "program.c", *arguments)
        self.assertEqual(status, 2, text)
        self.assertIn(word, text)

    def test_a_place_of_its_own(self):
        """Without --checkpoint an interrupted search says where it left one."""
        program = self.write("additions.c", ADDITIONS.replace("before != 5", "before != -1"))
        process = self.start("--progress=json", program, "4")
        while json.loads(process.stderr.readline())["executions"] == 0:
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 3, out + err)
        reason = json.loads((self.folder / "result.json").read_text())["reason"]
        self.assertIn("--resume=", reason)
        file = reason.split("--resume=")[1].split()[0]
        before = self.described(pathlib.Path(file))["statistics"]["executions"]
        status, result, text = self.run_check(f"--resume={file}", f"--max-executions={before + 10}", program, "4")
        self.assertEqual(status, 3, text)
        self.assertEqual(result["statistics"]["executions"], before + 10)
        os.unlink(file)

    def test_budgets(self):
        program = self.write("additions.c", ADDITIONS.replace("i < 3", "i < 2"))
        for words in ([], ["--isolate=fork"], ["--reduction=sleep"], ["--self-check"], ["--preemptions=0..", "--self-check"]):
            with self.subTest(words):
                self.check_budget(program, 100, "--keep-going", "--max-executions=300", *words)

    def check_budget(self, program, executions, *words):
        _, whole, text = self.run_check(*words, program)
        self.assertIsNotNone(whole, text)
        self.assertGreater(whole["statistics"]["executions"], executions)
        status, _, text = self.run_check(*words, "--checkpoint=search.checkpoint", f"--max-executions={executions}", program)
        self.assertIn(status, (1, 3), text)
        _, result, text = self.run_check("--resume=search.checkpoint", *words, program)
        self.assertIsNotNone(result, text)
        self.assert_same_end(result, whole)

    def test_threads_and_loops(self):
        program = self.write("spinners.cpp", SPINNERS)
        for executions in (1, 20):
            with self.subTest(executions):
                self.check_budget(program, executions)


class Refused(ResumeTest):
    def refuse(self, word, *words):
        status, result, text = self.run_check(*words)
        self.assertEqual((status, result), (2, None), text)
        self.assertIn(word, text)
        self.assertEqual(text.count("\n"), 1, text)

    def test_what_does_not_fit(self):
        program = self.write("additions.c", ADDITIONS)
        status, _, text = self.run_check("--checkpoint=search.checkpoint", "--max-executions=20", program)
        self.assertEqual(status, 3, text)
        resume = "--resume=search.checkpoint"
        self.refuse("another program", resume, self.write("other.c", ADDITIONS))
        self.refuse("arguments", resume, program, "2")
        self.refuse("--timeouts", resume, "--timeouts=3", program)
        self.refuse("--reduction", resume, "--reduction=source", program)
        self.refuse("--isolate", resume, "--isolate=fork", program)
        self.refuse("another kind of search", resume, "--preemptions=2", program)
        self.refuse("another kind of search", resume, "--stateful", program)
        if symbolic_works():
            self.refuse("without --symbolic", resume, "--symbolic", program)
        self.refuse("No such file", "--resume=nowhere", program)
        self.refuse("folder", "--resume=.", program)
        self.refuse("not a checkpoint", "--resume=additions.c", program)
        self.refuse("No such file", "--checkpoint=nowhere/search.checkpoint", program)
        whole = self.checkpoint.read_bytes()
        for damaged in (whole[:-64], whole + b"x", whole[:100], whole[:-200] + bytes([whole[-200] ^ 1]) + whole[-199:],
                        whole.replace(b"statistics", b"stotistics"), whole.split(b"\n")[0]):
            self.checkpoint.write_bytes(damaged)
            self.refuse("damaged", resume, program)
        self.checkpoint.write_bytes(whole.replace(b"heddle checkpoint 2", b"heddle checkpoint 1"))
        self.refuse("another version", resume, program)
        self.checkpoint.write_bytes(whole)
        self.write("additions.c", ADDITIONS + "\n/* changed */ int more;\n")
        self.refuse("changed", resume, program)


# Searches of about a second each.
KINDS = {
    "reduction": (ADDITIONS, ["--keep-going"]),
    "source": (ADDITIONS, ["--keep-going", "--reduction=source"]),
    "persistent": (ADDITIONS, ["--keep-going", "--reduction=persistent"]),
    "sleep": (ADDITIONS, ["--keep-going", "--reduction=sleep"]),
    "none": (ADDITIONS.replace("i < 3", "i < 2"), ["--keep-going", "--reduction=none"]),
    "static": (ADDITIONS, ["--keep-going", "--reduction=static"]),
    "fork": (ADDITIONS.replace(": 3;", ": 2;"), ["--keep-going", "--isolate=fork"]),
    "preemptions": (ADDITIONS, ["--keep-going", "--preemptions=0..3"]),
    "states": (ADDITIONS, ["--keep-going", "--preemptions=3", "--bound-algorithm=1"]),
    "sample": (ADDITIONS, ["--keep-going", "--sample=pct", "--runs=100000"]),
    "budget": (ADDITIONS, ["--keep-going", "--budget=600s"]),
    "symbolic": (None, ["--symbolic"]),
    "stateful": (PHILOSOPHERS, ["--stateful", "--keep-going"]),
    "cartesian": (PHILOSOPHERS, ["--reduction=cartesian", "--keep-going"]),
    "jobs": (PHILOSOPHERS, ["--stateful", "--reduction=none", "--jobs=2", "--keep-going"]),
    "cartesian-jobs": (PHILOSOPHERS, ["--reduction=cartesian", "--jobs=2", "--keep-going"]),
}


class RandomMoments(ResumeTest):
    """kill -9 at random moments from the start to the end, each resumed."""

    def test_kills(self):
        for kind in CHOSEN or KINDS:
            with self.subTest(kind):
                self.kill_at_random(kind, *KINDS[kind])

    def measure(self, *words):
        """After how many seconds there is a checkpoint, and the search is over."""
        began = time.monotonic()
        process = self.start("--checkpoint=search.checkpoint", "--checkpoint-every=0", *words)
        while not self.checkpoint.exists() and process.poll() is None:
            time.sleep(0.01)
        first = time.monotonic() - began
        process.communicate(timeout=LIMIT)
        return first, time.monotonic() - began

    def kill_at_random(self, kind, text, words):
        draw = random.Random(SEED)
        program = self.write("program.c", text or (SOURCE / SYMBOLIC).read_text())
        _, whole, _ = self.run_check(*words, program)
        first, seconds = self.measure(*words, program)
        lost = killed = 0
        while killed < KILLS:
            self.checkpoint.unlink(missing_ok=True)
            process = self.start("--checkpoint=search.checkpoint", "--checkpoint-every=0", *words, program)
            # Four of five from when their first checkpoint is there: how long that takes depends on what else runs.
            late = killed % 5 != 0
            while late and not self.checkpoint.exists() and process.poll() is None:
                time.sleep(0.002)
            try:
                process.wait(draw.uniform(0, seconds - first) if late else draw.uniform(first / 2, seconds))
                process.communicate()
                continue  # it was over before
            except subprocess.TimeoutExpired:
                killed += 1
            process.kill()
            process.communicate()
            resume = ["--resume=search.checkpoint"] if self.checkpoint.exists() else []
            lost += not resume
            status, result, text = self.run_check(*resume, *words, program)
            self.assertIsNotNone(result, f"{status}: {text}")
            self.assert_same_end(result, whole)
        print(f"{kind}: {KILLS} searches killed at random moments of {seconds:.1f} s: {lost} before the first checkpoint, "
              f"{KILLS - lost} after it; the same end each time", flush=True)


def load_tests(loader, tests, pattern):
    del tests, pattern
    cases = [RandomMoments] if KILLS else [Killed, Interrupted, Refused]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    options, rest = parser.parse_known_args()
    SOURCE = pathlib.Path(options.source).resolve()
    HEDDLE, KILLS, SEED, CHOSEN = os.path.abspath(options.heddle), options.kills, options.seed, options.kinds
    unittest.main(argv=[sys.argv[0], *rest])
