#!/usr/bin/env python3
"""Static partial-order reduction, as a user meets it, and what it leaves out of the papers' programs.

  test_static.py --heddle PATH --source PATH_OF_REPOSITORY [arguments of unittest]
"""
import json
import math
import os
import pathlib
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

# What the analysis has to see through: a helper called by two threads, a pointer, a thread created by a thread, a heap block.
HELPERS_C = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic int mine, yours;
static void set(_Atomic int *where, int what) { atomic_store(where, what); }
static void *grandchild(void *a) { set(a, 3); return NULL; }
static void *child(void *a)
{
    pthread_t other;
    pthread_create(&other, NULL, grandchild, a);
    pthread_join(other, NULL);
    return NULL;
}
int main(void)
{
    pthread_t one;
    _Atomic int *block = malloc(sizeof *block);
    pthread_create(&one, NULL, child, &mine);
    set(&yours, 1);
    set(BLOCK, 2);
    pthread_join(one, NULL);
    free(block);
    return 0;
}
"""

# A loop that begins on the line of a call, and a function that two threads call, of which one goes on where the other does not.
LINES_C = """
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int done, other, top, next;
static int pop(void) {
    return top;
}
static void *set(void *a) { pop(); done = 1; return a; }
static void *push(void *a)
{
    if (pop())
        next = 1;
    return a;
}
int main(int argc, char **argv)
{
    pthread_t one;
    pthread_create(&one, NULL, argc > 1 ? push : set, argv); while (argc == 1 && !done)
        other = 2;
    pthread_join(one, NULL);
    return 0;
}
"""

C11_C = """
#include <threads.h>
static mtx_t mutex;
static int count;
static int add(void *a)
{
    mtx_lock(&mutex);
    ++count;
    mtx_unlock(&mutex);
    return a != NULL;
}
int main(void)
{
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, add, NULL);
    if (mtx_trylock(&mutex) == thrd_success) {
        ++count;
        mtx_unlock(&mutex);
    }
    thrd_join(thread, NULL);
    return 0;
}
"""

LOCALS_C = """
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct pair { long a[4], b; };
static void *thread(void *a)
{
    long cleared[8] = {0};
    struct pair one = {{1}, 2}, two;
    two = one;
    _Atomic int own = 1;
    atomic_store(&own, 2);
    (void)cleared;
    return two.b == atomic_load(&own) ? a : NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
"""

# Threads that end by pthread_exit: the unwinder allocates, and that is an operation where all accesses are visible.
ENDS_C = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int seen;
static void *set(void *a)
{
    atomic_store(&seen, 2);
    pthread_exit(a);
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    atomic_store(&seen, 1);
    pthread_exit(NULL);
}
"""

# A lock is used when the block that it is in may have been freed.
FREED_C = """
#include <pthread.h>
#include <stdlib.h>
static void *use(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}
static void *release(void *lock)
{
    free(lock);
    return NULL;
}
int main(void)
{
    pthread_t user, owner;
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    pthread_create(&user, NULL, use, lock);
    pthread_create(&owner, NULL, release, lock);
    pthread_join(user, NULL);
    pthread_join(owner, NULL);
    return 0;
}
"""


class Static(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle-static-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_heddle(self, *arguments):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")}
        return subprocess.run([HEDDLE, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT, env={**kept, "HEDDLE_CACHE": CACHE}, cwd=self.folder)

    def check(self, program, *options, arguments=(), status=0):
        file = self.folder / "result.json"
        process = self.run_heddle("check", f"--json={file}", *options, SOURCE / program, *(["--", *arguments] if arguments else []))
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        return json.loads(file.read_text())

    def executions(self, program, *options, **further):
        return self.check(program, *options, **further)["statistics"]["executions"]

    def test_what_it_does_not_go_with(self):
        for program, options, words in (
                ("bench/programs/por_indexer.c", ("--spurious-wakeups=1",), ("--spurious-wakeups", "counted over all threads")),
                ("bench/programs/por_indexer.c", ("--alloc-failures=1",), ("--alloc-failures",)),
                ("bench/programs/por_indexer.c", ("--dynamic", "--stateful"), ("--dynamic", "--stateful")),
                ("bench/programs/por_indexer.c", ("--stateful", "--jobs=2"), ("--jobs", "static")),
                ("bench/programs/por_indexer.c", ("--persistent-variant=clocks",), ("--persistent-variant", "--reduction=persistent")),
                ("bench/programs/indexer.cpp", (), ("C only", "indexer.cpp", "--reduction=optimal")),
                ("scripts/soak", (), ("needs C sources", "soak"))):
            with self.subTest(program=program, options=options):
                process = self.run_heddle("check", "--reduction=static", *options, SOURCE / program)
                self.assertEqual(process.returncode, 2, process.stdout)
                self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)
                for word in words:
                    self.assertIn(word, process.stderr)
        process = self.run_heddle("check", "--dynamic", SOURCE / "bench/programs/por_indexer.c")
        self.assertEqual(process.returncode, 2)
        self.assertIn("--reduction=static", process.stderr)

    def test_elements_of_an_array_are_one_object(self):
        # Two threads of 4 compare-and-swaps each, at different entries: C(8,4) interleavings of one trace, all of which the
        # analysis has to leave in.
        program = "bench/programs/por_indexer.c"
        self.assertEqual(self.executions(program, "--reduction=none", arguments=["2"]), math.comb(8, 4))
        self.assertEqual(self.executions(program, "--reduction=static", "--no-sleep-sets", arguments=["2"]), math.comb(8, 4))
        self.assertEqual(self.executions(program, "--reduction=static", arguments=["2"]), 1)
        refined = self.check(program, "--reduction=static", "--dynamic", arguments=["2"])
        self.assertEqual((refined["statistics"]["executions"], refined["statistics"]["blocked"]), (1, 0))
        self.assertEqual((refined["search"]["reduction"], refined["search"]["dynamic"]), ("static", True))

    def test_what_locks_guard_is_not_interleaved(self):
        # Of 8 transitions each, two acquire a lock. Locks of inodes are one object, those of blocks another: N! orders of each.
        program = "bench/programs/por_filesystem.c"
        for n in (2, 3):
            options = ("--reduction=static", "--no-sleep-sets", "--visible=all")
            self.assertEqual(self.executions(program, *options, arguments=[str(n)]), math.factorial(n) ** 2)
        self.assertEqual(self.executions(program, "--reduction=none", "--visible=all", arguments=["2"]), math.comb(16, 8))

    def test_states(self):
        program = "bench/programs/por_filesystem.c"
        for options in ((), ("--no-sleep-sets",)):
            result = self.check(program, "--stateful", "--reduction=static", *options, arguments=["2"])
            self.assertIn("expanded by static reduction", result["coverage"]["statement"])
            self.assertTrue(result["search"]["stateful"])
            full = self.check(program, "--stateful", "--reduction=none", arguments=["2"])
            self.assertLess(result["statistics"]["states"], full["statistics"]["states"])

    def test_calls_pointers_and_threads_to_come(self):
        # block points to a variable of main's own, or to the variable that the grandchild writes: one trace, or two.
        for block, traces in (("block", 1), ("&mine", 2)):
            source = self.folder / "helpers.c"
            source.write_text(HELPERS_C.replace("BLOCK", block))
            for options in ((), ("--dynamic",)):
                self.assertEqual(self.executions(source, "--reduction=static", *options), traces, block)
            # The helper is one for the analysis, and writes what any caller passes: main's two calls and the grandchild's one
            # in C(3,1) orders. Creating and joining adds nothing.
            if traces == 1:
                self.assertEqual(self.executions(source, "--reduction=static", "--no-sleep-sets"), math.comb(3, 1))
                self.assertGreater(self.executions(source, "--reduction=none"), math.comb(3, 1))

    def test_a_line_leads_to_all_that_its_lines_lead_to(self):
        """A thread is known by its line alone: on the next one it must not seem to have come from somewhere else."""
        source = self.folder / "lines.c"
        source.write_text(LINES_C)
        for arguments in ((), ("1",)):
            for options in ((), ("--no-sleep-sets",)):
                self.check(source, "--reduction=static", *options, arguments=arguments)

    def test_threads_of_c11(self):
        source = self.folder / "c11.c"
        source.write_text(C11_C)
        # The attempt comes before the other thread's section, in it or after it.
        self.assertEqual(self.executions(source, "--reduction=static"), self.executions(source, "--reduction=optimal"))

    def test_local_variables_that_are_operations(self):
        # Clearing an array, copying a structure, an atomic local: nothing of it is left when locals have become registers, but
        # with --visible=all all of it is performed. One thread at a time, so one execution.
        source = self.folder / "locals.c"
        source.write_text(LOCALS_C)
        self.assertEqual(self.executions(source, "--reduction=static", "--no-sleep-sets", "--visible=all"), 1)
        self.assertEqual(self.check(source, "--reduction=static", "--stateful")["verdict"], "verified")

    def test_threads_that_end_by_a_call(self):
        source = self.folder / "ends.c"
        source.write_text(ENDS_C)
        self.assertEqual(self.check(source, "--reduction=static", "--stateful")["verdict"], "verified")

    def test_a_free_conflicts_with_locks_in_the_block(self):
        source = self.folder / "freed.c"
        source.write_text(FREED_C)
        for options in (["--visible=all", "--races=off"], ["--stateful"], ["--stateful", "--no-sleep-sets"]):
            with self.subTest(options=options):
                result = self.check(source, "--reduction=static", *options, status=1)
                self.assertEqual(result["findings"][0]["kind"], "use-after-free")

    def test_the_end_of_a_thread_conflicts_with_accesses_to_its_stack(self):
        for name in ("progress-on-stack", "progress-on-stack-later", "latch-on-stack"):
            for options in ([], ["--visible=all"], ["--visible=all", "--dynamic"], ["--stateful"], ["--stateful", "--no-sleep-sets"]):
                with self.subTest(name=name, options=options):
                    result = self.check(f"tests/programs/use-after-free-{name}.c", "--reduction=static", *options, status=1)
                    self.assertEqual(result["findings"][0]["kind"], "use-after-free")

    def test_a_finding_is_replayed(self):
        program = "tests/programs/assertion-semaphore-off-by-one.c"
        self.check(program, "--reduction=static", status=1)
        process = self.run_heddle("replay", self.folder / "result.json")
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)


if __name__ == "__main__":
    sys.exit(command_tests.main(globals()))
