#!/usr/bin/env python3
"""The command line of Heddle, as a user meets it.

  test_cli.py --heddle PATH --source PATH_OF_REPOSITORY [arguments of unittest]

Everything happens in temporary directories. Results are read through --json; of human text only single words count.
"""
import contextlib
import functools
import json
import math
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import command_tests

LIMIT = 240  # seconds until a command counts as hanging
EXIT_STATUS = {"verified": 0, "bug": 1, "incomplete": 3, "unsupported": 4}
KINDS = {"assertion", "deadlock", "data-race", "crash", "uncaught-exception", "abnormal-exit", "use-after-free", "double-free",
         "out-of-bounds", "leak", "lock-misuse", "livelock", "no-progress", "nondeterminism"}
NUMBER = (int, float)

HEDDLE = None
SOURCE = None
CACHE = None

# Two atomic additions: two executions, no bug.
CLEAN_C = """
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int hits;
    static void *hit(void *arg) { atomic_fetch_add(&hits, 1); return arg; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, hit, NULL);
        atomic_fetch_add(&hits, 1);
        pthread_join(thread, NULL);
        assert(atomic_load(&hits) == 2);
        return 0;
    }
    """

CLEAN_CXX = """
    #include <atomic>
    #include <cassert>
    #include <thread>
    std::atomic<int> hits{0};
    int main() {
        std::thread thread([] { ++hits; });
        ++hits;
        thread.join();
        assert(hits == 2);
    }
    """

LOST_UPDATE_CXX = """
    #include <atomic>
    #include <cassert>
    #include <thread>
    std::atomic<int> hits{0};
    void hit() { hits = hits + 1; }
    int main() {
        std::thread thread(hit);
        hit();
        thread.join();
        assert(hits == 2);
    }
    """

LOST_UPDATE_C = """
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int hits;
    static void *hit(void *arg) { atomic_store(&hits, atomic_load(&hits) + 1); return arg; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, hit, NULL);
        hit(NULL);
        pthread_join(thread, NULL);
        assert(atomic_load(&hits) == 2);
        return 0;
    }
    """

# More schedules than anybody can run.
HUGE_CXX = """
    #include <atomic>
    #include <thread>
    std::atomic<long> total{0};
    void work() { for (int i = 0; i < 60; ++i) ++total; }
    int main() {
        std::thread a(work), b(work), c(work), d(work);
        a.join(); b.join(); c.join(); d.join();
    }
    """

RACE_CXX = """
    #include <thread>
    int plain = 0;
    int main() {
        std::thread a([] { plain = 1; }), b([] { plain = 2; });
        a.join(); b.join();
    }
    """


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_") and k not in ("NO_COLOR", "CXX", "CC")}
    return {**kept, "HEDDLE_CACHE": CACHE, "LC_ALL": "C", **more}


def running(path):
    """Whether a process shows up in /proc and has used processor time."""
    try:
        fields = pathlib.Path(path, "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[11]) + int(fields[12]) > 0


def catches(process, number):
    """Whether the process has a handler for the signal."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16) >> (number - 1) & 1 == 1


def children_of(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(child) for child in task.read_text().split()]
    return found


class CliTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="heddle-cli-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def run_command(self, command, stdin=subprocess.DEVNULL, cwd=None, env=None, **more):
        return subprocess.run([str(word) for word in command], stdin=stdin, capture_output=True, text=True, errors="replace",
                              timeout=LIMIT, cwd=cwd or self.folder, env=env or environment(), **more)

    def heddle(self, *arguments, **more):
        return self.run_command([HEDDLE, *arguments], **more)

    def build(self, *command, **more):
        process = self.run_command(command, **more)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process

    def check(self, *arguments, options=(), **more):
        """`heddle check`, which must come to a verdict: the process and the result."""
        file = self.folder / "result.json"
        file.unlink(missing_ok=True)
        process = self.heddle("check", f"--json={file}", *options, *arguments, **more)
        self.assertTrue(file.exists(), f"no result; status {process.returncode}: {process.stderr}")
        result = json.loads(file.read_text())
        self.assertEqual(process.returncode, EXIT_STATUS[result["verdict"]], process.stderr)
        self.assert_well_formed(result)
        return process, result

    def check_text(self, text, *arguments, name="program.cpp", **more):
        return self.check(self.write(name, text), *arguments, **more)

    def assert_verdict(self, result, verdict, kind=None):
        found = [f["kind"] + ": " + f["message"] for f in result["findings"]]
        self.assertEqual(result["verdict"], verdict, f"{result.get('reason')} {found}")
        if kind:
            self.assertEqual(result["findings"][0]["kind"], kind, found)

    def assert_refused(self, process, *words):
        """Status 2 with one sentence on standard error and nothing on standard output."""
        self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
        self.assert_one_line(process.stderr)
        self.assertEqual(process.stdout, "")
        for word in words:
            self.assertIn(word, process.stderr)

    def assert_one_line(self, text):
        self.assertEqual(len(text.strip("\n").split("\n")), 1, text)
        self.assertTrue(text.endswith("\n") and text.strip(), repr(text))
        for word in ("internal error", "terminate called", "what()", "json.exception", "Traceback"):
            self.assertNotIn(word, text)

    def assert_location(self, location):
        if location is None:
            return
        self.assertIsInstance(location["file"], str)
        self.assertIsInstance(location["line"], int)
        self.assertIsInstance(location["function"], str)

    def assert_well_formed(self, result):
        """The fields of design.md, section 6."""
        for field, kind in {"heddle": str, "schema": int, "program": str, "arguments": list, "verdict": str, "coverage": dict,
                            "search": dict, "statistics": dict, "findings": list, "warnings": list}.items():
            self.assertIsInstance(result.get(field), kind, field)
        self.assertEqual(result["schema"], 1)
        self.assertIn(result["coverage"]["kind"], {"all-schedules", "preemption-bound", "sampled", "steps-bound"})
        self.assertIsInstance(result["coverage"]["statement"], str)
        self.assertTrue(result["coverage"]["statement"])
        self.assertTrue(all(isinstance(note, str) for note in result["coverage"]["not_modelled"]))
        self.assertIsInstance(result["search"]["reduction"], str)
        self.assertIn(result["search"]["visible"], {"sync", "all"})
        for field in ("executions", "blocked", "events", "states", "transitions", "max_depth", "threads", "peak_rss_kib"):
            self.assertIsInstance(result["statistics"].get(field), int, field)
            self.assertGreaterEqual(result["statistics"][field], 0, field)
        self.assertIsInstance(result["statistics"]["seconds"], NUMBER)
        for finding in result["findings"] + result["warnings"]:
            self.assertIn(finding["kind"], KINDS)
            self.assertTrue(finding["message"])
            self.assert_location(finding["location"])
            self.assertIsInstance(finding["schedule"], str)
            self.assertIsInstance(finding["events"], list)
            for event in finding["events"]:
                self.assertIsInstance(event["thread"], str)
                self.assertIsInstance(event["kind"], str)


class Check(CliTest):
    def test_c_source_without_bug(self):
        _, result = self.check_text(CLEAN_C, name="clean.c")
        self.assert_verdict(result, "verified")
        self.assertEqual(result["findings"], [])
        self.assertEqual(result["statistics"]["executions"], 2)
        self.assertEqual(result["statistics"]["threads"], 2)
        self.assertEqual(result["coverage"]["kind"], "all-schedules")
        self.assertTrue(result["program"].endswith("clean.c"))

    def test_cxx_source_with_bug(self):
        _, result = self.check_text(LOST_UPDATE_CXX)
        self.assert_verdict(result, "bug", "assertion")
        self.assertTrue(result["findings"][0]["location"]["file"].endswith("program.cpp"))
        self.assertEqual(result["findings"][0]["location"]["line"], 11)
        self.assertTrue(result["findings"][0]["schedule"])
        self.assertTrue(result["findings"][0]["events"])

    def test_c_source_with_bug_and_cxx_without(self):
        self.assert_verdict(self.check_text(LOST_UPDATE_C, name="program.c")[1], "bug", "assertion")
        self.assert_verdict(self.check_text(CLEAN_CXX)[1], "verified")

    def test_result_goes_to_stdout_and_nothing_to_stderr(self):
        process, _ = self.check_text(CLEAN_C, name="clean.c")
        self.assertIn("verified", process.stdout)
        self.assertEqual(process.stderr, "")

    def test_several_sources(self):
        main = self.write("main.cpp", """
            #include <cassert>
            #include <thread>
            extern "C" void hit(void);
            extern "C" int hits(void);
            int main() { std::thread thread(hit); hit(); thread.join(); assert(hits() == 2); }
            """)
        other = self.write("other.c", """
            #include <stdatomic.h>
            static atomic_int count;
            void hit(void) { atomic_store(&count, atomic_load(&count) + 1); }
            int hits(void) { return atomic_load(&count); }
            """)
        _, result = self.check(main, other)
        self.assert_verdict(result, "bug", "assertion")
        lines = {(pathlib.Path(e["location"]["file"]).name) for e in result["findings"][0]["events"] if e["location"]}
        self.assertEqual(lines, {"main.cpp", "other.c"})

    ARGUMENTS = """
        #include <cassert>
        #include <cstring>
        int main(int argc, char** argv) {
            assert(argc == 4);
            assert(!std::strcmp(argv[1], "one") && !std::strcmp(argv[2], "--order=nonsense") && !std::strcmp(argv[3], ""));
        }
        """

    def test_arguments_after_dashes(self):
        _, result = self.check_text(self.ARGUMENTS, "--", "one", "--order=nonsense", "")
        self.assert_verdict(result, "verified")
        self.assertEqual(result["arguments"], ["one", "--order=nonsense", ""])

    def test_arguments_of_an_executable(self):
        source = self.write("program.cpp", self.ARGUMENTS)
        self.build(HEDDLE, "c++", source, "-o", "program")
        _, result = self.check(self.folder / "program", "one", "--order=nonsense", "")
        self.assert_verdict(result, "verified")
        _, result = self.check(self.folder / "program", "--", "one", "--order=nonsense", "")
        self.assert_verdict(result, "verified")
        self.assertEqual(result["arguments"], ["one", "--order=nonsense", ""])

    def test_a_source_as_argument_after_dashes(self):
        text = "#include <cassert>\nint main(int argc, char**) { assert(argc == 2); }\n"
        _, result = self.check_text(text, "--", "data.c")
        self.assert_verdict(result, "verified")
        self.assertEqual(result["arguments"], ["data.c"])

    def test_options_before_the_program(self):
        _, result = self.check_text(CLEAN_C, name="clean.c", options=["--visible=all", "--order", "highest", "--seed=7"])
        self.assertEqual(result["search"]["visible"], "all")
        self.assertEqual(result["search"]["order"], "highest")
        self.assertEqual(result["search"]["seed"], 7)

    def test_cflags(self):
        text = "#include <assert.h>\nint main(void) { assert(X == 3); return 0; }\n"
        _, result = self.check_text(text, name="flag.c", options=["--cflags=-DX=3"])
        self.assert_verdict(result, "verified")
        _, result = self.check_text(text, name="flag.c", options=["--cflags=-DX=4 -O2"])
        self.assert_verdict(result, "bug", "assertion")

    def test_cflags_come_last(self):
        _, result = self.check_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n", name="flag.c",
                                    options=["--cflags=-DNDEBUG"])
        self.assert_verdict(result, "verified")

    def test_environment_options(self):
        source = self.write("clean.c", CLEAN_C)
        _, result = self.check(source, env=environment(HEDDLE_OPTIONS="visible=all:order=highest:seed=9"))
        self.assertEqual([result["search"][k] for k in ("visible", "order", "seed")], ["all", "highest", 9])
        _, result = self.check(source, options=["--order=lowest"], env=environment(HEDDLE_OPTIONS="order=highest"))
        self.assertEqual(result["search"]["order"], "lowest")
        process = self.heddle("check", source, env=environment(HEDDLE_OPTIONS="nonsense=1"))
        self.assert_refused(process, "nonsense")

    def test_the_order_changes_no_count(self):
        counts = {order: self.check_text(LOST_UPDATE_CXX.replace("assert(hits == 2);", ""), options=[f"--order={order}"])[1]
                  for order in ("lowest", "highest")}
        self.assert_verdict(counts["lowest"], "verified")
        self.assertGreater(counts["lowest"]["statistics"]["executions"], 1)
        self.assertEqual(counts["lowest"]["statistics"]["executions"], counts["highest"]["statistics"]["executions"])

    def test_keep_going_reports_each_finding_once(self):
        text = """
            #include <atomic>
            #include <cassert>
            #include <thread>
            std::atomic<int> x{0}, y{0};
            int main() {
                std::thread a([] { x = x + 1; }), b([] { y = y + 1; });
                x = x + 1;
                y = y + 1;
                a.join(); b.join();
                if (x != 2) assert(!"x");
                assert(y == 2);
            }
            """
        _, first = self.check_text(text)
        self.assertEqual(len(first["findings"]), 1)
        _, all_of_them = self.check_text(text, options=["--keep-going"])
        self.assert_verdict(all_of_them, "bug", "assertion")
        self.assertEqual(sorted(f["location"]["line"] for f in all_of_them["findings"]), [11, 12])
        self.assertGreater(all_of_them["statistics"]["executions"], first["statistics"]["executions"])

    def test_visible_all_finds_atomicity_bugs_and_no_races(self):
        text = LOST_UPDATE_CXX.replace("std::atomic<int> hits{0}", "int hits = 0")
        _, result = self.check_text(text, options=["--visible=all", "--keep-going"])
        self.assert_verdict(result, "bug", "assertion")
        self.assertEqual({f["kind"] for f in result["findings"]}, {"assertion"})
        _, result = self.check_text(text)
        self.assert_verdict(result, "bug", "data-race")
        _, result = self.check_text(text, options=["--visible=all", "--races=on", "--keep-going"])
        self.assertIn("data-race", {f["kind"] for f in result["findings"]})

    def test_states_of_a_program_that_never_ends(self):
        source = str(SOURCE / "tests" / "programs" / "forever-token-ring.c")
        for options in (("--stateful",), ("--stateful", "--reduction=none", "--state-hash-only"), ("--reduction=cartesian",),
                        ("--stateful", "--reduction=none", "--jobs=2"), ("--reduction=cartesian", "--jobs=2")):
            with self.subTest(options):
                _, result = self.check(*options, source)
                self.assertEqual(result["verdict"], "verified")
                self.assertIn("no bug", result["coverage"]["statement"])
                self.assertGreater(result["statistics"]["bytes_per_state"], 0)
                self.assertTrue(result["search"]["stateful"])
                self.assertEqual("hash_collision_probability" in result["coverage"], "--state-hash-only" in options)

    def test_telling_of_a_finding_leaves_no_trace_in_states(self):
        # Stacks are captured for it, by an unwinder that the program uses, too: the search goes on as if nothing had been.
        for name in ("deadlock-opposite-locks.c", "deadlock-barrier-missing-party.cpp"):
            with self.subTest(name):
                _, result = self.check("--stateful", "--keep-going", str(SOURCE / "tests" / "programs" / name))
                self.assertEqual([f["kind"] for f in result["findings"]], ["deadlock"])

    def test_what_libc_keeps_is_shared_over_states(self):
        # Races are not looked for there: the other thread's time shows in the assertion.
        source = str(SOURCE / "tests" / "programs" / "data-race-gmtime.c")
        for options in (["--stateful"], ["--reduction=cartesian"], ["--visible=all", "--races=off"]):
            with self.subTest(options=options):
                process = self.heddle("check", *options, source)
                self.assertEqual(process.returncode, 1, process.stdout)
                self.assertIn("data-race-gmtime.c:9: assertion", process.stdout)

    def test_files_that_are_written_are_no_part_of_states(self):
        # Put back to a state before the file was removed, the program would find it gone: that is not its fault.
        source = str(SOURCE / "tests" / "programs" / "nondeterminism-journal-fixed.c")
        for options in (["--stateful"], ["--stateful", "--reduction=none"], ["--reduction=cartesian"]):
            with self.subTest(options=options):
                process, result = self.check(*options, source)
                self.assertEqual(process.returncode, 4, process.stdout)
                self.assertIn("the program writes to files", result["reason"])

    def test_a_livelock_has_a_lasso_and_replays(self):
        source = str(SOURCE / "tests" / "programs" / "forever-token-ring-lost.c")
        process = self.heddle("check", "--stateful", "--json=result.json", source)
        self.assertEqual(process.returncode, 1)
        self.assertIn("for ever", process.stdout)
        self.assertIn("The last 3 steps (from O on) lead back to where they begin", process.stdout)
        finding = json.loads((self.folder / "result.json").read_text())["findings"][0]
        self.assertEqual((finding["kind"], finding["loop"]), ("livelock", 3))
        self.assertEqual(self.heddle("replay", "result.json").returncode, 1)

    def test_the_memory_of_a_search_over_states_is_limited(self):
        source = str(SOURCE / "tests" / "programs" / "forever-server.cpp")
        process = self.heddle("check", "--stateful", "--reduction=none", "--max-memory=1M", "--json=result.json", source)
        self.assertEqual(process.returncode, 3)
        self.assertIn("--max-memory", json.loads((self.folder / "result.json").read_text())["reason"])

    def test_heap_reuse_finds_aba(self):
        # A reader takes "the same address again" for "nothing happened".
        text = """
            #include <assert.h>
            #include <pthread.h>
            #include <stdatomic.h>
            #include <stdint.h>
            #include <stdlib.h>
            static _Atomic uintptr_t current;
            static atomic_int version;
            static void *replace(void *arg) {
                uintptr_t old = atomic_exchange(&current, 0);
                free((void *)old);
                void *fresh = malloc(40);
                atomic_store(&version, 2);
                atomic_store(&current, (uintptr_t)fresh);
                return arg;
            }
            int main(void) {
                pthread_t thread;
                atomic_store(&current, (uintptr_t)malloc(40));
                pthread_create(&thread, NULL, replace, NULL);
                uintptr_t seen = atomic_load(&current);
                int before = atomic_load(&version), after = atomic_load(&version);
                if (seen != 0 && atomic_load(&current) == seen) assert(before == after);
                pthread_join(thread, NULL);
                free((void *)atomic_load(&current));
                return 0;
            }
            """
        _, result = self.check_text(text, name="aba.c", options=["--heap=reuse"])
        self.assert_verdict(result, "bug", "assertion")
        self.assertEqual(result["search"]["heap"], "reuse")
        _, result = self.check_text(text, name="aba.c", options=["--heap=quarantine"])
        self.assert_verdict(result, "verified")
        _, result = self.check_text(text, name="aba.c")
        self.assert_verdict(result, "verified")

    def test_program_output_is_hidden_unless_asked_for(self):
        text = """
            #include <cstdio>
            #include <iostream>
            int main() { std::puts("from the program"); std::cerr << "and a complaint\\n"; }
            """
        process, _ = self.check_text(text)
        self.assertNotIn("from the program", process.stdout + process.stderr)
        self.assertNotIn("a complaint", process.stdout + process.stderr)
        process, _ = self.check_text(text, options=["--show-output"])
        self.assertIn("from the program", process.stdout)
        self.assertIn("and a complaint", process.stderr)

    def test_buffered_output_of_a_c_program_is_shown(self):
        text = "#include <stdio.h>\nint main(void) { printf(\"from the program\"); return 0; }\n"
        process, _ = self.check_text(text, name="program.c", options=["--show-output"])
        self.assertIn("from the program", process.stdout)

    def test_standard_input_is_the_same_in_every_execution(self):
        text = """
            #include <assert.h>
            #include <pthread.h>
            #include <stdatomic.h>
            #include <stdio.h>
            #include <string.h>
            static atomic_int hits;
            static void *hit(void *arg) { atomic_fetch_add(&hits, 1); atomic_fetch_add(&hits, 1); return arg; }
            int main(void) {
                pthread_t thread;
                char line[100] = "";
                pthread_create(&thread, NULL, hit, NULL);
                atomic_fetch_add(&hits, 1);
                assert(fgets(line, sizeof line, stdin) && !strcmp(line, "first line\\n"));
                assert(fgets(line, sizeof line, stdin) && !strcmp(line, "second line\\n"));
                assert(!fgets(line, sizeof line, stdin));
                pthread_join(thread, NULL);
                return 0;
            }
            """
        data = self.write("data.txt", "first line\nsecond line\n")
        for mode in ("auto", "memory", "fork"):
            with self.subTest(mode), data.open() as stdin:
                _, result = self.check_text(text, name="reader.c", stdin=stdin, options=[f"--isolate={mode}"])
                self.assert_verdict(result, "verified")
                self.assertEqual(result["statistics"]["executions"], 3)

    def test_no_escape_codes(self):
        source = self.write("program.cpp", LOST_UPDATE_CXX)
        process, _ = self.check(source)
        self.assertNotIn("\033", process.stdout + process.stderr)
        process, _ = self.check(source, env=environment(NO_COLOR="1"))
        self.assertNotIn("\033", process.stdout + process.stderr)
        self.assertNotIn("\r", process.stdout + process.stderr)

    def test_no_colour_on_a_terminal(self):
        source = self.write("program.cpp", LOST_UPDATE_CXX)
        ours, theirs = pty.openpty()
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            process = subprocess.Popen([HEDDLE, "check", source], stdin=subprocess.DEVNULL, stdout=theirs,
                                       stderr=subprocess.PIPE, cwd=self.folder, env=environment(NO_COLOR="1", TERM="xterm"))
            os.close(theirs)
            shown = b""
            with contextlib.suppress(OSError):  # a terminal nobody writes to any more
                while piece := terminal.read(65536):
                    shown += piece
            complaints = process.communicate(timeout=LIMIT)[1]
        self.assertEqual(process.returncode, 1, complaints)
        self.assertIn(b"assertion", shown)
        self.assertNotIn(b"\033", shown + complaints)


class Loops(CliTest):
    def test_recognised_whatever_is_left_on_stacks(self):
        """Without optimisation functions have words in their frames that they never write. If what the runtime or an earlier
        execution left there counted, a loop would be recognised in one execution and not in the next, and the search have no end."""
        for name in ("await-try-lock-local", "await-scoped-lock-local", "await-two-handshakes", "await-atomic-shared-ptr-local"):
            for level in ("-O0", "-O2"):
                with self.subTest(name, level=level):
                    counts = set()
                    for backtrack in ("restore", "replay"):
                        _, result = self.check(f"--cflags={level}", "--max-executions=20000", f"--backtrack={backtrack}",
                                               SOURCE / "tests/programs" / f"{name}.cpp")
                        self.assert_verdict(result, "verified")
                        counts.add(result["statistics"]["executions"])
                    self.assertEqual(len(counts), 1, counts)


class Isolation(CliTest):
    def signature(self, result):
        return [result["verdict"], result["statistics"]["executions"], result["statistics"]["events"],
                sorted((f["kind"], f["schedule"]) for f in result["findings"])]

    def test_fork_gives_the_same_results(self):
        for text in (LOST_UPDATE_CXX, CLEAN_CXX, RACE_CXX):
            results = [self.check_text(text, options=[f"--isolate={mode}", "--keep-going"])[1] for mode in ("memory", "fork")]
            self.assertEqual(self.signature(results[0]), self.signature(results[1]))
            self.assertEqual([r["search"]["isolate"] for r in results], ["memory", "fork"])

    CHDIR = """
        #include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <unistd.h>
        static atomic_int hits;
        static void *hit(void *arg) { atomic_fetch_add(&hits, 1); return arg; }
        int main(void) {
            pthread_t thread;
            char before[4096], after[4096];
            pthread_create(&thread, NULL, hit, NULL);
            atomic_fetch_add(&hits, 1);
            assert(getcwd(before, sizeof before) && chdir("..") == 0 && getcwd(after, sizeof after));
            assert(chdir("inner") == 0 && chdir("..") == 0);
            pthread_join(thread, NULL);
            return 0;
        }
        """

    def test_chdir_switches_to_fork(self):
        source = self.write("changer.c", self.CHDIR)
        inner = self.folder / "inner"
        inner.mkdir()
        process, result = self.check(source, cwd=inner)
        self.assert_verdict(result, "verified")
        self.assertEqual(result["statistics"]["executions"], 2)
        self.assertEqual(result["search"]["isolate"], "fork")
        self.assert_one_line(process.stderr)
        self.assertIn("--isolate=fork", process.stderr)

    def test_chdir_in_memory_is_refused(self):
        source = self.write("changer.c", self.CHDIR)
        inner = self.folder / "inner"
        inner.mkdir()
        self.assert_refused(self.heddle("check", "--isolate=memory", source, cwd=inner), "fork")

    def test_a_finding_under_fork_replays(self):
        text = self.CHDIR.replace("pthread_join", "assert(atomic_load(&hits) == 2); pthread_join")
        inner = self.folder / "inner"
        inner.mkdir()
        _, result = self.check(self.write("changer.c", text), cwd=inner)
        self.assert_verdict(result, "bug", "assertion")
        process = self.heddle("replay", self.folder / "result.json", cwd=inner)
        self.assertEqual(process.returncode, 1, process.stderr)


class Compilers(CliTest):
    def test_separate_steps_and_a_shared_library(self):
        self.write("count.h", "#pragma once\nvoid hit();\nint hits();\n")
        self.write("count.cpp", """
            #include <atomic>
            #include "count.h"
            static std::atomic<int> count{0};
            void hit() { count = count + 1; }
            int hits() { return count; }
            """)
        self.write("main.cpp", """
            #include <cassert>
            #include <thread>
            #include "count.h"
            int main() { std::thread thread(hit); hit(); thread.join(); assert(hits() == 2); }
            """)
        self.build(HEDDLE, "c++", "-O1", "-fPIC", "-c", "count.cpp", "-o", "count.o", "-MMD", "-MF", "count.d")
        self.build(HEDDLE, "c++", "-O1", "-c", "main.cpp", "-o", "main.o", "-MMD", "-MF", "main.d")
        self.assertIn("count.h", (self.folder / "count.d").read_text())
        self.assertIn("count.h", (self.folder / "main.d").read_text())
        self.build(HEDDLE, "c++", "main.o", "count.o", "-o", "whole")
        _, result = self.check(self.folder / "whole")
        self.assert_verdict(result, "bug", "assertion")
        self.build(HEDDLE, "c++", "-shared", "count.o", "-o", "libcount.so")
        self.build(HEDDLE, "c++", "main.o", "-L.", "-lcount", f"-Wl,-rpath,{self.folder}", "-o", "parts")
        self.assertTrue((self.folder / "libcount.so").exists())
        _, result = self.check(self.folder / "parts")
        self.assert_verdict(result, "bug", "assertion")
        files = {pathlib.Path(e["location"]["file"]).name for e in result["findings"][0]["events"] if e["location"]}
        self.assertIn("count.cpp", files)

    def test_c_compiler(self):
        self.write("program.c", LOST_UPDATE_C)
        self.build(HEDDLE, "cc", "-g", "program.c", "-o", "program")
        self.assert_verdict(self.check(self.folder / "program")[1], "bug", "assertion")

    def test_it_fails_as_a_compiler_does(self):
        self.write("broken.cpp", "int main() { return nothing; }\n")
        process = self.heddle("c++", "-c", "broken.cpp")
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("nothing", process.stderr)
        self.assertEqual(self.heddle("c++", "--version").returncode, 0)

    ALONE = """
        #include <condition_variable>
        #include <cstdio>
        #include <filesystem>
        #include <iterator>
        #include <mutex>
        #include <thread>
        std::mutex mutex;
        std::condition_variable changed;
        int turn = 0;
        int tasks = 0;
        void wait_for(int mine) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return turn == mine; });
            if (mine == 2) {
                std::filesystem::directory_iterator all("/proc/self/task");
                tasks = static_cast<int>(std::distance(begin(all), end(all)));
            }
            ++turn;
            changed.notify_all();
        }
        int main() {
            std::thread a(wait_for, 2), b(wait_for, 1);
            wait_for(0);
            a.join(); b.join();
            std::printf("turn %d, %s\\n", turn, tasks > 1 ? "real threads" : "no threads");
            return turn == 3 ? 7 : 1;
        }
        """

    def test_a_cmake_project(self):
        self.write("project/CMakeLists.txt", """
            cmake_minimum_required(VERSION 3.16)
            project(tiny CXX)
            set(CMAKE_CXX_STANDARD 20)
            find_package(Threads REQUIRED)
            add_library(count SHARED count.cpp)
            add_executable(tiny main.cpp)
            target_link_libraries(tiny count Threads::Threads)
            add_executable(alone alone.cpp)
            target_link_libraries(alone Threads::Threads)
            """)
        self.write("project/count.cpp", "#include <atomic>\nstd::atomic<int> count;\nvoid hit() { count = count + 1; }\n"
                                        "int hits() { return count; }\n")
        self.write("project/main.cpp", "#include <cassert>\n#include <thread>\nvoid hit();\nint hits();\n"
                                       "int main() { std::thread t(hit); hit(); t.join(); assert(hits() == 2); }\n")
        self.write("project/alone.cpp", self.ALONE)
        build = self.folder / "project" / "build"
        build.mkdir()
        self.build("cmake", "..", cwd=build, env=environment(CXX=f"{HEDDLE} c++"))
        self.build("cmake", "--build", ".", cwd=build)
        _, result = self.check(build / "tiny")
        self.assert_verdict(result, "bug", "assertion")
        process = self.run_command([build / "alone"])
        self.assertEqual((process.returncode, process.stdout, process.stderr), (7, "turn 3, real threads\n", ""))

    def test_an_executable_by_itself(self):
        self.write("alone.cpp", self.ALONE)
        self.build(HEDDLE, "c++", "-std=c++20", "alone.cpp", "-o", "alone")
        for _ in range(5):
            process = self.run_command([self.folder / "alone"])
            self.assertEqual((process.returncode, process.stdout, process.stderr), (7, "turn 3, real threads\n", ""))

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_a_stock_thread_sanitizer_executable(self):
        self.write("program.cpp", LOST_UPDATE_CXX)
        self.write("race.cpp", RACE_CXX)
        self.build("g++", "-std=c++20", "-g", "-fsanitize=thread", "program.cpp", "-o", "program")
        self.build("g++", "-std=c++20", "-g", "-fsanitize=thread", "race.cpp", "-o", "race")
        before = (self.folder / "program").read_bytes()
        _, result = self.check(self.folder / "program")
        self.assert_verdict(result, "bug", "assertion")
        self.assertEqual(result["findings"][0]["location"]["line"], 11)
        self.assertEqual((self.folder / "program").read_bytes(), before)
        self.assert_verdict(self.check(self.folder / "race")[1], "bug", "data-race")

    def test_clang_behind_the_compiler_command(self):
        self.write("program.cpp", LOST_UPDATE_CXX)
        for compiler in ("clang++-14", "clang++-19"):
            if not shutil.which(compiler):
                continue
            for level in ("-O0", "-O2"):
                with self.subTest(compiler + level):
                    self.build(HEDDLE, "c++", "-std=c++20", level, "program.cpp", "-o", "program",
                               env=environment(HEDDLE_CXX=compiler))
                    self.assert_verdict(self.check(self.folder / "program")[1], "bug", "assertion")

    @unittest.skipUnless(shutil.which("clang++-14"), "no clang++-14")
    def test_clangs_own_thread_sanitizer_executable_is_refused(self):
        self.write("program.cpp", LOST_UPDATE_CXX)
        self.build("clang++-14", "-fsanitize=thread", "program.cpp", "-o", "program")
        self.assert_refused(self.heddle("check", self.folder / "program"), "ThreadSanitizer")

    def test_address_sanitizer_is_refused(self):
        self.write("program.cpp", CLEAN_CXX)
        self.assert_refused(self.heddle("c++", "-fsanitize=address", "program.cpp", "-o", "program"), "-fsanitize=address")
        self.assert_refused(self.heddle("c++", "-fsanitize=undefined,address", "program.cpp", "-o", "program"), "address")
        self.assertFalse((self.folder / "program").exists())
        self.assertEqual(self.heddle("check", "--cflags=-fsanitize=address", "program.cpp").returncode, 2)
        self.build("g++", "-std=c++20", "-fsanitize=address", "program.cpp", "-o", "program")
        self.assert_refused(self.heddle("check", self.folder / "program"))

    def test_static_is_refused(self):
        self.write("program.cpp", CLEAN_CXX)
        self.assert_refused(self.heddle("c++", "-static", "program.cpp", "-o", "program"), "-static")
        self.build("g++", "-std=c++20", "-static", "program.cpp", "-o", "program")
        self.assert_refused(self.heddle("check", self.folder / "program"), "static")

    def test_an_ordinary_executable_is_refused(self):
        self.write("program.cpp", CLEAN_CXX)
        self.build("g++", "-std=c++20", "program.cpp", "-o", "program")
        self.assert_refused(self.heddle("check", self.folder / "program"), "heddle c++")
        self.assert_refused(self.heddle("check", "/bin/true"))


class CommandLineErrors(CliTest):
    def test_options_without_a_value(self):
        self.assert_refused(self.heddle("check", "--max-time"), "--max-time needs a value")
        self.assert_refused(self.heddle("check", "--json=", "program.c"), "--json needs a value")
        source = self.write("program.c", CLEAN_C)
        self.assertEqual(self.heddle("check", "--cflags=", source).returncode, 0)
        self.assertEqual(self.heddle("check", "--max-time", "60s", "--cflags=", source, "--cflags=").returncode, 0)

    def test_no_command_and_unknown_command(self):
        self.assertEqual(self.heddle().returncode, 2)
        self.assert_refused(self.heddle("frobnicate"), "frobnicate")
        self.assert_refused(self.heddle("check"), "program")
        self.assert_refused(self.heddle("replay"))

    def test_help_and_version(self):
        for words in (["help"], ["--help"], ["check", "--help"], ["replay", "--help"], ["version"]):
            process = self.heddle(*words)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            self.assertTrue(process.stdout)

    def test_a_limit_on_the_address_space(self):
        source = self.write("program.c", CLEAN_C)
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (64 << 30, most))}
        self.assert_refused(self.heddle("check", source, **limited), "the address space is limited", "ulimit -v")

    def test_things_that_are_no_programs(self):
        text = self.write("notes.txt", "nothing to run\n")
        text.chmod(0o755)
        script = self.write("script.sh", "#!/bin/sh\necho hello\n")
        script.chmod(0o755)
        empty = self.write("empty", "")
        empty.chmod(0o755)
        for path in ("missing", "missing.cpp", self.folder, text, script, empty, ""):
            with self.subTest(str(path)):
                self.assert_refused(self.heddle("check", path))

    def test_a_folder_named_like_a_source(self):
        (self.folder / "folder.c").mkdir()
        process = self.heddle("check", "folder.c")
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertNotIn("internal error", process.stderr)

    def test_a_source_that_does_not_compile(self):
        self.write("broken.cpp", "int main() { return nothing; }\n")
        process = self.heddle("check", "--json=result.json", "broken.cpp")
        self.assertEqual(process.returncode, 2)
        self.assertEqual(process.stdout, "")
        self.assertIn("nothing", process.stderr)  # the compiler's words
        self.assert_one_line(process.stderr.splitlines()[-1] + "\n")
        self.assertIn("broken.cpp", process.stderr.splitlines()[-1])
        self.assertFalse((self.folder / "result.json").exists())

    def test_a_source_that_does_not_link(self):
        self.write("loose.cpp", "void nowhere();\nint main() { nowhere(); }\n")
        process = self.heddle("check", "loose.cpp")
        self.assertEqual(process.returncode, 2)
        self.assertIn("link", process.stderr.splitlines()[-1])

    def test_a_compiler_that_does_not_exist(self):
        self.write("clean.c", CLEAN_C)
        process = self.heddle("check", "clean.c", env=environment(HEDDLE_CC="no-such-compiler"))
        self.assert_refused(process, "no-such-compiler")

    def test_unknown_options(self):
        self.write("clean.c", CLEAN_C)
        for option in ("--frobnicate", "--frobnicate=1", "-q"):
            with self.subTest(option):
                self.assert_refused(self.heddle("check", option, "clean.c"), option.partition("=")[0])
        self.assert_refused(self.heddle("replay", "--frobnicate", "x.json"), "--frobnicate")

    def test_options_that_do_not_go_together(self):
        self.write("clean.c", CLEAN_C)
        for option in ("--persistent-variant=clocks", "--no-sleep-sets"):
            with self.subTest(option):
                self.assert_refused(self.heddle("check", option, "clean.c"), "--reduction=persistent")

    def test_searches_over_states_that_make_no_sense(self):
        self.write("clean.c", CLEAN_C)
        for options, words in ((("--stateful", "--reduction=optimal"), ("none, sleep, static or cartesian", "optimal")),
                               (("--stateful", "--visible=sync"), ("--visible=sync",)),
                               (("--stateful", "--races=on"), ("--races=on",)),
                               (("--stateful", "--isolate=fork"), ("--isolate=fork",)),
                               (("--reduction=cartesian", "--sample=pct"), ("--reduction", "--sample")),
                               (("--reduction=cartesian", "--preemptions=2"), ("--preemptions",)),
                               (("--stateful", "--max-executions=3"), ("--max-executions",)),
                               (("--stateful", "--reduction=sleep", "--jobs=2"), ("--jobs", "sleep sets")),
                               (("--stateful", "--max-memory=lots"), ("--max-memory=lots", "512M")),
                               (("--stateful", "--max-memory=3"), ("--max-memory=3", "1M")),
                               (("--jobs=2",), ("--jobs", "--stateful")),
                               (("--max-memory=1G",), ("--max-memory", "--stateful"))):
            with self.subTest(options):
                self.assert_refused(self.heddle("check", *options, "clean.c"), *words)

    BAD = {"--reduction": ["", "nonsense"], "--persistent-variant": ["", "nonsense"], "--visible": ["", "some"], "--races": ["", "maybe"], "--order": ["", "random"],
           "--keep-going": ["maybe"], "--show-output": ["maybe"],
           "--timeouts": ["", "-1", "x", "1.5", "99999999999999999999"],
           "--spurious-wakeups": ["", "-1", "x", "99999999999999999999"],
           "--heap": ["", "nonsense"], "--heap-limit": ["", "-1", "x", "0", "99999999999999999999", "18446744073709551615"],
           "--seed": ["", "-1", "x"], "--max-executions": ["", "-1", "x", "0", "99999999999999999999"],
           "--max-steps": ["", "-1", "x", "0"],
           "--max-time": ["", "x", "-1s", "0", "0s", "5parsecs", "s", "nan", "inf", "1e300h"],
           "--step-timeout": ["", "x", "0", "-1", "nan", "inf", "1e300"], "--isolate": ["", "nonsense"], "--json": [""]}

    def test_bad_values(self):
        for option, values in self.BAD.items():
            for value in values:
                with self.subTest(f"{option}={value}"):
                    source = self.write("clean.c", CLEAN_C)
                    before = source.read_bytes()
                    self.assert_refused(self.heddle("check", f"{option}={value}", "clean.c"))
                    self.assertEqual(source.read_bytes(), before)

    def test_an_option_without_its_value(self):
        self.assert_refused(self.heddle("check", "--max-steps"))


class ResultFile(CliTest):
    MARKER = """
        #include <stdio.h>
        int main(int argc, char **argv) {
            FILE *file = fopen(argv[1], "w");
            if (file) fclose(file);
            return 0;
        }
        """

    def assert_refused_before_searching(self, target):
        source = self.write("marker.c", self.MARKER)
        marker = self.folder / "ran"
        process = self.heddle("check", f"--json={target}", source, "--", marker)
        self.assert_refused(process)
        self.assertFalse(marker.exists(), "the search ran all the same")

    def test_the_marker_marks(self):
        marker = self.folder / "ran"
        self.check_text(self.MARKER, "--", marker, name="marker.c")
        self.assertTrue(marker.exists())

    def test_in_a_missing_folder(self):
        self.assert_refused_before_searching(self.folder / "missing" / "result.json")

    def test_in_an_unwritable_folder(self):
        self.assert_refused_before_searching("/proc/self/result.json")
        if os.getuid() != 0:
            locked = self.folder / "locked"
            locked.mkdir()
            locked.chmod(0o500)
            self.addCleanup(locked.chmod, 0o700)
            self.assert_refused_before_searching(locked / "result.json")

    def test_at_a_folder(self):
        (self.folder / "taken").mkdir()
        self.assert_refused_before_searching(self.folder / "taken")
        self.assertEqual(list((self.folder / "taken").iterdir()), [])

    def test_standard_output_on_a_full_device(self):
        source = self.write("clean.c", CLEAN_C)
        with open("/dev/full", "wb") as full:
            process = subprocess.run([HEDDLE, "check", source], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True,
                                     check=False)
        self.assertEqual(process.returncode, 2)
        self.assertIn("cannot write to standard output: No space left", process.stderr)

    def test_on_a_full_device(self):
        # A node of our own: whoever may write in /dev must not be able to damage it with this test.
        place = self.folder / "devices"
        place.mkdir()
        target = pathlib.Path("/dev/full")
        if os.getuid() == 0:
            target = place / "full"
            try:
                os.mknod(target, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
                with open(target, "wb", buffering=0) as node, self.assertRaises(OSError) as caught:
                    node.write(b"x")
            except PermissionError:
                self.skipTest("no device nodes here")
            self.assertEqual(caught.exception.errno, 28)
        process = self.heddle("check", f"--json={target}", self.write("clean.c", CLEAN_C))
        self.assertTrue(stat.S_ISCHR(target.stat().st_mode), "the device was replaced by a file")
        self.assertLessEqual({p.name for p in place.iterdir()}, {"full"})
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assert_one_line(process.stderr)

    def test_into_a_pipe(self):
        # --json=/dev/stdout and the like: what is no regular file is written to, not replaced.
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with os.fdopen(os.open(pipe, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as reader:
            process = self.heddle("check", f"--json={pipe}", self.write("clean.c", CLEAN_C))
            self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode), "the pipe was replaced by a file")
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertEqual(json.loads(reader.read(1 << 20))["verdict"], "verified")

    def test_nothing_is_left_beside_it(self):
        results = self.folder / "results"
        results.mkdir()
        process = self.heddle("check", f"--json={results / 'r.json'}", self.write("clean.c", CLEAN_C))
        self.assertEqual(process.returncode, 0)
        self.assertEqual([p.name for p in results.iterdir()], ["r.json"])

    def test_it_replaces_an_older_one(self):
        self.write("result.json", "old" * 100000)
        process = self.heddle("check", "--json=result.json", self.write("clean.c", CLEAN_C))
        self.assertEqual(process.returncode, 0)
        self.assert_well_formed(json.loads((self.folder / "result.json").read_text()))


class Replay(CliTest):
    def found(self, text=LOST_UPDATE_CXX, **more):
        _, result = self.check_text(text, **more)
        self.assertEqual(result["verdict"], "bug")
        return self.folder / "result.json", result

    def write_result(self, result, name="changed.json"):
        path = self.folder / name
        path.write_text(json.dumps(result))
        return path

    def assert_replays(self, file, result, *options, number=0):
        again = self.folder / "again.json"
        process = self.heddle("replay", f"--json={again}", *options, file)
        self.assertEqual(process.returncode, 1, process.stderr)
        repeated = json.loads(again.read_text())
        self.assert_well_formed(repeated)
        self.assertEqual(repeated["verdict"], "bug")
        for field in ("kind", "message", "location", "events", "schedule"):
            self.assertEqual(repeated["findings"][0][field], result["findings"][number][field])

    def test_the_same_events(self):
        file, result = self.found()
        for _ in range(3):
            self.assert_replays(file, result)

    def test_from_another_folder_with_arguments(self):
        text = LOST_UPDATE_CXX.replace("int main()", "int main(int argc, char**)").replace("hits == 2", "hits == argc")
        source = self.write("program.cpp", text)
        process = self.heddle("check", "--json=result.json", "program.cpp", "--", "x")
        self.assertEqual(process.returncode, 1)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.assertEqual(self.heddle("replay", "../result.json", cwd=elsewhere).returncode, 1)
        self.build(HEDDLE, "c++", source, "-o", "program")
        self.assertEqual(self.heddle("check", "--json=result.json", "./program", "x").returncode, 1)
        self.assertEqual(self.heddle("replay", "../result.json", cwd=elsewhere).returncode, 1)

    def test_each_finding_of_several(self):
        file, result = self.found("""
            #include <atomic>
            #include <cassert>
            #include <thread>
            std::atomic<int> x{0};
            int main() {
                std::thread a([] { x = x + 1; });
                x = x + 1;
                if (x == 2) assert(!"two");
                a.join();
                assert(x == 2);
            }
            """, options=["--keep-going"])
        self.assertEqual(len(result["findings"]), 2)
        self.assert_replays(file, result, "--finding=1", number=0)
        self.assert_replays(file, result, "--finding=2", number=1)
        for number in ("0", "3", "99"):
            self.assert_refused(self.heddle("replay", f"--finding={number}", file), number)
        for number in ("-1", "x", ""):
            self.assert_refused(self.heddle("replay", f"--finding={number}", file))

    def test_a_failure_inside_the_library_is_placed_where_the_other_thread_is(self):
        # Exit destroys the map: nothing of the program's own has called that.
        file, result = self.found("""
            #include <map>
            #include <string>
            #include <thread>
            std::map<int, std::string> names{{1, "one"}};
            int found;
            void look() { found = static_cast<int>(names.count(1)); }
            int main() { std::thread(look).detach(); }
            """)
        self.assertEqual(result["findings"][0]["location"]["function"], "look()")
        lines = self.heddle("report", file).stdout.splitlines()
        self.assertTrue(any("std::map<..>::~map() at stl_map.h:" in line for line in lines), lines)
        self.assertFalse([line for line in lines if len(line) > 80])

    def test_what_should_have_come_first_may_not_have_come_at_all(self):
        # The second thing produced would have been there, had it come before the other consumer's turn.
        file, result = self.found("""
            #include <cassert>
            #include <condition_variable>
            #include <mutex>
            #include <thread>
            std::mutex m;
            std::condition_variable filled;
            int items;
            void consume() {
                std::unique_lock<std::mutex> lock(m);
                if (items == 0) filled.wait(lock);
                assert(items > 0);
                --items;
            }
            void produce() {
                { std::lock_guard<std::mutex> lock(m); ++items; }
                filled.notify_one();
            }
            int main() {
                std::thread a(consume), b(consume), c(produce), d(produce);
                a.join(); b.join(); c.join(); d.join();
            }
            """)
        self.assertIn("blocked", result["findings"][0]["decisive"])
        shown = self.heddle("report", file).stdout
        marks = re.findall(r"(?m)^ ([ABX])>", shown)
        self.assertEqual(marks, ["A", "B", "X"])
        self.assertIn("The order of A and B decides", shown)

    def test_findings_of_one_execution_have_their_own_places(self):
        # Both threads fail in every execution; the one that fails second is not where the first one was.
        _, result = self.found("""
            #include <atomic>
            #include <cassert>
            #include <thread>
            std::atomic<int> x{0};
            void first() { ++x; assert(x < 0); }
            void second() { ++x; assert(x > 10); }
            int main() {
                std::thread a(first), b(second);
                a.join();
                b.join();
            }
            """, options=["--keep-going"])
        places = {f["message"]: f["location"]["function"] for f in result["findings"]}
        self.assertEqual(places, {"assertion `x < 0` failed": "first()", "assertion `x > 10` failed": "second()"})
        # Nothing but two creations and the thread's own two operations is needed for either.
        self.assertEqual([len(f["events"]) for f in result["findings"]], [4, 4])

    def test_shows_output_when_asked(self):
        text = LOST_UPDATE_CXX.replace("hits == 2", 'hits == 2 && "counted"').replace(
            "thread.join();", 'thread.join(); std::puts("joined"); std::fflush(stdout);').replace("<thread>", "<thread>\n#include <cstdio>")
        file, _ = self.found(text)
        self.assertNotIn("joined\n", re.sub(r"(?m)^ .*\n", "", self.heddle("replay", file).stdout))
        self.assertIn("joined\n", self.heddle("replay", "--show-output", file).stdout)

    def test_a_changed_program(self):
        file, result = self.found()
        source = self.folder / "program.cpp"
        for old, new in (("thread.join();", "thread.join(); ++hits; ++hits; ++hits;"),
                         ("std::thread thread(hit);", "std::thread thread([] {});")):
            with self.subTest(new):
                changed = textwrap.dedent(LOST_UPDATE_CXX).replace(old, new)
                self.assertNotEqual(changed, textwrap.dedent(LOST_UPDATE_CXX))
                source.write_text(changed)
                process = self.heddle("replay", file)
                self.assert_refused(process)
                self.assertRegex(process.stderr, r"choice")
        source.write_text(textwrap.dedent(LOST_UPDATE_CXX).replace("hits = hits + 1", "(void)0"))
        process = self.heddle("replay", file)
        self.assert_refused(process)
        self.assertRegex(process.stderr, r"choice \d+")

    def test_a_program_that_was_repaired(self):
        file, _ = self.found()
        source = self.folder / "program.cpp"
        source.write_text(source.read_text().replace("assert(hits == 2)", "assert(hits >= 1)"))
        self.assertEqual(self.heddle("replay", file).returncode, 0)

    def test_a_program_that_is_gone(self):
        file, _ = self.found()
        (self.folder / "program.cpp").unlink()
        self.assert_refused(self.heddle("replay", file), "program.cpp")

    def test_no_findings(self):
        self.check_text(CLEAN_CXX)
        self.assert_refused(self.heddle("replay", self.folder / "result.json"), "finding")

    def test_what_is_no_result(self):
        self.found()
        for name, text in {"empty.json": "", "text.json": "hello", "list.json": "[]", "object.json": "{}", "number.json": "5",
                           "null.json": "null"}.items():
            with self.subTest(name):
                self.assert_refused(self.heddle("replay", self.write(name, text)))
        self.assert_refused(self.heddle("replay", "missing.json"), "missing.json")
        self.assert_refused(self.heddle("replay", self.folder))

    def test_a_truncated_file(self):
        file, _ = self.found()
        text = file.read_text()
        self.assert_refused(self.heddle("replay", self.write("half.json", text[:len(text) // 2])))

    def test_damaged_fields(self):
        # A harmless field may be let pass; whatever happens, a damaged file is no internal error.
        _, result = self.found()
        wrong = []
        for path in (["schema"], ["findings"], ["program"], ["arguments"], ["search"], ["build"], ["search", "visible"],
                     ["search", "races"], ["search", "timeouts"], ["search", "heap_limit_mib"], ["search", "seed"],
                     ["build", "sources"], ["build", "cflags"], ["findings", 0], ["findings", 0, "schedule"]):
            for damage in ("removed", None, -1, "nonsense", [], {}):
                if path == ["build", "cflags"] and damage == "nonsense":
                    continue  # goes to the compiler, which says in its own words what it thinks of it
                copy = json.loads(json.dumps(result))
                holder = copy
                for step in path[:-1]:
                    holder = holder[step]
                if damage == "removed":
                    del holder[path[-1]]
                else:
                    holder[path[-1]] = damage
                process = self.heddle("replay", self.write_result(copy))
                if process.returncode not in (1, 2) or process.returncode == 2 and process.stderr.count("\n") != 1:
                    wrong.append(f"{path} {damage!r}: status {process.returncode}, {process.stderr.strip()}")
        self.assertEqual(wrong, [], f"{len(wrong)} kinds of damage")

    def test_a_damaged_schedule(self):
        _, result = self.found()
        for schedule in ("", "x", "0*", "0*-1", "0.1*99999999999999999999", "7.7.7", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "0*4000000000"):
            with self.subTest(schedule):
                result["findings"][0]["schedule"] = schedule
                self.assert_refused(self.heddle("replay", self.write_result(result)))

    def test_another_schema(self):
        _, result = self.found()
        result["schema"] = 2
        self.assert_refused(self.heddle("replay", self.write_result(result)), "version")

    def test_an_unwritable_result(self):
        file, _ = self.found()
        self.assert_refused(self.heddle("replay", f"--json={self.folder}/missing/again.json", file), "missing")


class Budgets(CliTest):
    def assert_incomplete(self, result, word):
        self.assert_verdict(result, "incomplete")
        self.assertIn(word, result["reason"])

    def test_executions(self):
        _, result = self.check_text(HUGE_CXX, options=["--max-executions=10"])
        self.assert_incomplete(result, "--max-executions")
        self.assertEqual(result["statistics"]["executions"], 10)

    def test_exactly_enough_executions(self):
        _, result = self.check_text(CLEAN_C, name="clean.c", options=["--max-executions=2"])
        self.assert_verdict(result, "verified")

    def test_steps(self):
        _, result = self.check_text(CLEAN_C, name="clean.c", options=["--max-steps=3"])
        self.assert_incomplete(result, "--max-steps")

    def test_time(self):
        for text in ("1s", "500ms", "0.5", "0.01m"):
            with self.subTest(text):
                _, result = self.check_text(HUGE_CXX, options=[f"--max-time={text}"])
                self.assert_incomplete(result, "--max-time")

    def test_a_bug_before_the_budget(self):
        _, result = self.check_text(LOST_UPDATE_CXX, options=["--max-executions=1000", "--max-time=60s"])
        self.assert_verdict(result, "bug", "assertion")

    def test_a_bug_and_then_the_budget(self):
        text = HUGE_CXX.replace("int main() {", "int main() { ").replace("d.join();", "d.join(); if (total) __builtin_trap();")
        _, result = self.check_text(text, options=["--keep-going", "--max-executions=50"])
        self.assert_verdict(result, "bug", "crash")
        self.assertEqual(result["statistics"]["executions"], 50)
        self.assertIn("was not finished", result["coverage"]["statement"])
        self.assertIn("--max-executions", result["coverage"]["statement"])

    def test_bugs_do_not_finish_a_search(self):
        for options, statement in (([], "stopped at the first finding"), (["--keep-going"], "the search was finished"),
                                   (["--keep-going", "--sample=random", "--runs=40"], "40 executions drawn at random")):
            with self.subTest(options):
                _, result = self.check_text(LOST_UPDATE_CXX, options=options)
                self.assert_verdict(result, "bug", "assertion")
                self.assertIn(statement, result["coverage"]["statement"])


class Interruptions(CliTest):
    def search(self, *options, text=None):
        """A search without end whose worker is under way: the process and its worker's id."""
        self.write("huge.cpp", text or HUGE_CXX)
        self.build(HEDDLE, "c++", "-O1", "huge.cpp", "-o", "huge")
        process = subprocess.Popen([HEDDLE, "check", f"--json={self.folder / 'result.json'}", *options, self.folder / "huge"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder, env=environment())
        self.addCleanup(self.end, process)
        for _ in range(LIMIT * 100):
            workers = [child for child in children_of(process.pid) if running(f"/proc/{child}")]
            if workers:
                return process, workers[0]
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.01)
                self.fail(f"ended with {process.returncode}: {process.stderr.read()}")
        self.fail("no worker in sight")

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def result_of(self, process):
        out, err = process.communicate(timeout=LIMIT)
        self.assertTrue((self.folder / "result.json").exists(), f"no result; {process.returncode}: {err}")
        result = json.loads((self.folder / "result.json").read_text())
        self.assert_well_formed(result)
        self.assertEqual(process.returncode, EXIT_STATUS[result["verdict"]], err)
        self.assertNotIn("internal error", err)
        self.assertNotIn("terminate called", err)
        return result

    def test_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                process, worker = self.search()
                process.send_signal(number)
                result = self.result_of(process)
                self.assert_verdict(result, "incomplete")
                self.assertGreater(result["statistics"]["executions"], 0)
                self.assertFalse(pathlib.Path(f"/proc/{worker}").exists())

    def test_interrupt_under_fork(self):
        process, _ = self.search("--isolate=fork")
        process.send_signal(signal.SIGINT)
        self.assert_verdict(self.result_of(process), "incomplete")

    def test_interrupted_searches_over_states(self):
        counters = """#include <atomic>
                      #include <thread>
                      std::atomic<int> x[3];
                      void count(int i) { for (;;) ++x[i]; }
                      int main() { std::thread a(count, 0), b(count, 1); count(2); }"""
        for reduction in ("none", "cartesian"):
            for jobs in (1, 2):
                with self.subTest(reduction=reduction, jobs=jobs):
                    process, worker = self.search("--stateful", f"--reduction={reduction}", f"--jobs={jobs}", "--progress=json", text=counters)
                    for line in process.stderr:
                        if line.startswith("{"):
                            break  # it has begun
                    process.send_signal(signal.SIGINT)
                    result = self.result_of(process)
                    self.assert_verdict(result, "incomplete")
                    checkpoint = re.fullmatch(r"interrupted; --resume=(\S+) goes on from there", result["reason"])
                    self.assertTrue(checkpoint, result["reason"])
                    self.assertGreater(pathlib.Path(checkpoint[1]).stat().st_size, 0)
                    self.assertGreater(result["statistics"]["states"], 0)
                    self.assertFalse(pathlib.Path(f"/proc/{worker}").exists())

    def test_two_interrupts(self):
        process, _ = self.search()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.assert_verdict(self.result_of(process), "incomplete")

    def test_the_worker_is_killed_from_outside(self):
        for mode in ("memory", "fork"):
            with self.subTest(mode):
                process, worker = self.search(f"--isolate={mode}")
                os.kill(worker, signal.SIGKILL)
                result = self.result_of(process)
                self.assertIn(result["verdict"], {"bug", "incomplete"})

    def test_asked_again_and_again_to_give_up_a_thread(self):
        """What the supervisor does at every look once a thread has run on for too long: the thread may be on its way out of the runtime,
        step by step, and on a machine under load that takes more than one look."""
        give_up = 62  # kGiveUpSignal
        counter = """#include <thread>
                     volatile long rounds;
                     int main() { std::thread a([] { for (;;) rounds = rounds + 1; }); a.join(); }"""
        for _ in range(5):
            process, worker = self.search(text=counter)
            while process.poll() is None:
                with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                    if catches(worker, give_up):
                        os.kill(worker, give_up)
                    process.wait(0.0002)
            self.assert_verdict(self.result_of(process), "bug", "no-progress")

    def test_the_worker_goes_with_its_supervisor(self):
        process, worker = self.search()
        process.kill()
        process.wait(LIMIT)
        for _ in range(LIMIT * 10):
            try:
                state = pathlib.Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                return
            if state in "ZX":
                return
            os.sched_yield()
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(["true"], timeout=1)
        self.fail("the worker lives on")


class HostilePrograms(CliTest):
    def test_segmentation_fault(self):
        _, result = self.check_text("int* volatile p;\nint main() { *p = 1; }\n")
        self.assert_verdict(result, "bug", "crash")
        self.assertEqual(result["findings"][0]["location"]["line"], 2)

    def test_segmentation_fault_in_a_thread_in_one_schedule(self):
        _, result = self.check_text("""
            #include <atomic>
            #include <thread>
            std::atomic<int*> where{nullptr};
            int value = 0;
            int main() {
                std::thread reader([] { volatile int seen = *where.load(); (void)seen; });
                where = &value;
                reader.join();
            }
            """)
        self.assert_verdict(result, "bug", "crash")

    def test_exception(self):
        _, result = self.check_text("""
            #include <stdexcept>
            #include <thread>
            int main() { std::thread([] { throw std::runtime_error("ouch"); }).join(); }
            """)
        self.assert_verdict(result, "bug", "uncaught-exception")

    def test_exit(self):
        for call in ("exit(3)", "_exit(3)", "quick_exit(3)", "_Exit(3)"):
            with self.subTest(call):
                _, result = self.check_text(f"""
                    #include <cstdlib>
                    #include <thread>
                    #include <unistd.h>
                    int main() {{ std::thread([] {{ {call}; }}).join(); }}
                    """)
                self.assert_verdict(result, "bug", "abnormal-exit")

    def test_uncaught_exceptions_say_what_they_are(self):
        _, result = self.check_text("""
            #include <stdexcept>
            #include <thread>
            int main() { std::thread([] { throw std::out_of_range("index 7"); }).join(); }
            """)
        self.assert_verdict(result, "bug", "uncaught-exception")
        self.assertEqual(result["findings"][0]["message"], "uncaught exception of type std::out_of_range: index 7")

    def test_exit_status_of_main(self):
        _, result = self.check_text("int main() { return 3; }\n")
        self.assert_verdict(result, "bug", "abnormal-exit")

    def test_loop_without_visible_operation(self):
        _, result = self.check_text("""
            #include <thread>
            volatile int forever = 1;
            int main() { std::thread([] { while (forever) {} }).join(); }
            """, options=["--step-timeout=1"])
        self.assert_verdict(result, "bug", "no-progress")

    def test_loop_on_a_volatile_flag(self):
        # The loop is in an interceptor nearly all the time; it is given up on all the same, and then is a data race.
        _, result = self.check_text("""
            #include <thread>
            volatile bool ready = false;
            void look() { while (!ready) {} }
            int main() {
                std::thread waiter(look);
                ready = true;
                waiter.join();
            }
            """, options=["--step-timeout=1", "--no-minimize"])
        self.assert_verdict(result, "bug", "data-race")
        self.assertEqual(result["findings"][0]["location"]["function"], "main")
        self.assertIn("look()", [i["location"]["function"] for i in result["findings"][0]["involved"]])

    def test_loop_without_any_access(self):
        _, result = self.check_text("int main() { for (;;) __asm__ volatile(\"\"); }\n", options=["--step-timeout=1"])
        self.assert_verdict(result, "bug", "no-progress")

    def test_sleep_outside_control(self):
        # A raw system call that blocks: whatever the verdict, Heddle ends.
        _, result = self.check_text("""
            #include <unistd.h>
            int main() {
                int ends[2];
                char c;
                if (pipe(ends) == 0) (void)!read(ends[0], &c, 1);
            }
            """, options=["--step-timeout=1"])
        self.assertIn(result["verdict"], {"unsupported", "incomplete", "bug"})

    def test_allocation_without_end(self):
        for allocate in ("new char[1 << 20]", "new int"):
            with self.subTest(allocate):
                _, result = self.check_text(f"int main() {{ for (;;) {{ void* volatile p = {allocate}; (void)p; }} }}\n",
                                            options=["--heap-limit=64"])
                self.assert_verdict(result, "incomplete")

    def test_stack_overflow(self):
        text = """
            #include <thread>
            int deeper(volatile int* above) { volatile int here[100] = {}; here[0] = *above + 1; return deeper(here) + here[0]; }
            void dive() { volatile int top = 0; deeper(&top); }
            int main() { PLACE }
            """
        for place in ("dive();", "std::thread(dive).join();"):
            with self.subTest(place):
                _, result = self.check_text(text.replace("PLACE", place))
                self.assert_verdict(result, "bug", "crash")

    def test_two_hundred_threads(self):
        _, result = self.check_text("""
            #include <thread>
            #include <vector>
            int main() {
                std::vector<std::thread> threads;
                for (int i = 0; i < 200; ++i) threads.emplace_back([] {});
                for (auto& thread : threads) thread.join();
            }
            """)
        self.assert_verdict(result, "verified")
        self.assertEqual(result["statistics"]["threads"], 201)

    def test_fork(self):
        _, result = self.check_text("#include <unistd.h>\nint main() { if (fork() == 0) _exit(0); }\n")
        self.assert_verdict(result, "unsupported")
        self.assertIn("fork", result["reason"])

    def test_reads_standard_input(self):
        # Nothing there, a closed descriptor, and a pipe nobody writes to any more.
        source = self.write("reader.c", """
            #include <stdio.h>
            int main(void) { while (getchar() != EOF) {} return 0; }
            """)
        self.assert_verdict(self.check(source)[1], "verified")
        reader, writer = os.pipe()
        os.close(writer)
        with os.fdopen(reader) as stdin:
            self.assert_verdict(self.check(source, stdin=stdin)[1], "verified")
        self.assert_verdict(self.check(source, stdin=None, preexec_fn=lambda: os.close(0))[1], "verified")

    def test_output_without_end(self):
        # Hidden output is thrown away, not collected.
        _, result = self.check_text("""
            #include <cstdio>
            int main() { for (int i = 0; i < 200000; ++i) std::puts("a line of output that nobody wants to read"); }
            """)
        self.assert_verdict(result, "verified")

    def test_constructor_that_fails(self):
        source = self.write("early.cpp", "struct S { S() { __builtin_trap(); } } s;\nint main() {}\n")
        process = self.heddle("check", source)
        self.assertIn(process.returncode, {1, 2}, process.stderr)
        self.assertNotIn("internal error", process.stderr)

    def test_closes_every_descriptor(self):
        _, result = self.check_text("""
            #include <unistd.h>
            int main() { for (int fd = 0; fd < 1024; ++fd) close(fd); }
            """)
        self.assert_verdict(result, "verified")

    def test_strange_bytes_in_output_and_messages(self):
        _, result = self.check_text("""
            #include <cstdio>
            #include <stdexcept>
            int main() { std::puts("\\xff\\xfe\\x80 \\033[31m"); std::fflush(stdout); throw std::runtime_error("\\xff\\"\\n\\\\"); }
            """)
        self.assert_verdict(result, "bug", "uncaught-exception")

    def test_strange_file_names(self):
        source = self.write("a b'c/d \"e$f.cpp", LOST_UPDATE_CXX)
        _, result = self.check(source)
        self.assert_verdict(result, "bug", "assertion")
        self.assertEqual(result["findings"][0]["location"]["file"], str(source))
        self.assertEqual(self.heddle("replay", self.folder / "result.json").returncode, 1)


@functools.lru_cache(maxsize=None)
def create_join_interleavings(main, done, operations):
    """Interleavings from here on: main creates len(done) threads in turn, then joins them in turn; each performs so many
    operations from its creation on. By recursion over how far everybody is, which shares nothing with any search."""
    threads = len(done)
    following = []
    if main < threads or main < 2 * threads and done[main - threads] == operations:
        following.append((main + 1, done))
    for n in range(min(main, threads)):
        if done[n] < operations:
            following.append((main, done[:n] + (done[n] + 1,) + done[n + 1:]))
    return sum(create_join_interleavings(*state, operations) for state in following) if following else 1


class UnseenCode(CliTest):
    """Code that was not compiled for Heddle is named in the coverage statement, unless it is declared harmless."""

    LIBRARY = "int shared_counter; void bump_counter(void) { ++shared_counter; } void reset_counter(void) { shared_counter = 0; }\n"
    CALLER = "void bump_counter(void);\nint main(void) { bump_counter(); return 0; }\n"
    ASSEMBLY = """
        static int counter;
        __attribute__((noinline)) static void lock_add(int *at) { __asm__ volatile("lock; incl %0" : "+m"(*at)); }
        int main(void) { lock_add(&counter); return counter != 1; }
        """

    def build_library(self):
        self.build("gcc", "-shared", "-fPIC", self.write("counter.c", self.LIBRARY), "-o", "libcounter.so")
        self.build(HEDDLE, "cc", "-g", self.write("caller.c", self.CALLER), "-L.", "-lcounter", "-Wl,-rpath," + str(self.folder),
                   "-o", "caller")

    def notes(self, program, *options):
        _, result = self.check(*options, program)
        self.assert_verdict(result, "verified")
        return "\n".join(result["coverage"]["not_modelled"])

    def test_what_clang_leaves_out(self):
        """clang 14 and 19 do not instrument main's store, so that the race goes unseen: at least that is said."""
        source = self.write("local.c", """
            #include <pthread.h>
            struct pair { int a, b; };
            static void *change(void *pair) { ((struct pair *)pair)->b = 1; return NULL; }
            int main(void) {
                struct pair pair;
                pthread_t thread;
                pthread_create(&thread, NULL, change, &pair);
                pair.b = 2;
                pthread_join(thread, NULL);
                return pair.b == 7;
            }
            """)
        self.build(HEDDLE, "cc", "-g", source, "-o", "by_gcc", env=environment(HEDDLE_CC="gcc"))
        self.assert_verdict(self.check("./by_gcc")[1], "bug", "data-race")
        for compiler in ("clang-14", "clang-19"):
            self.build(HEDDLE, "cc", "-g", source, "-o", compiler, env=environment(HEDDLE_CC=compiler))
            self.assertIn("compiled by clang", self.notes("./" + compiler))
        self.assertNotIn("clang", self.notes(self.write("empty.c", "int main(void) { return 0; }")))

    def test_library_without_instrumentation(self):
        self.build_library()
        notes = self.notes("./caller")
        self.assertIn("libcounter.so", notes)
        self.assertIn("bump_counter", notes)
        self.assertNotIn("reset_counter", notes)  # which the program does not call

    def test_instrumented_library_is_not_named(self):
        self.build(HEDDLE, "cc", "-g", "-shared", "-fPIC", self.write("counter.c", self.LIBRARY), "-o", "libcounter.so")
        self.build(HEDDLE, "cc", "-g", self.write("caller.c", self.CALLER), "-L.", "-lcounter", "-Wl,-rpath," + str(self.folder),
                   "-o", "caller")
        self.assertNotIn("libcounter", self.notes("./caller"))

    def test_inline_assembly(self):
        notes = self.notes(self.write("assembly.c", self.ASSEMBLY))
        self.assertIn("lock_add", notes)
        self.assertNotIn("lock_add", self.notes(self.write("clean.c", CLEAN_C)))

    def test_names_are_brief(self):
        notes = self.notes(self.write("assembly.cpp", """
            namespace {
            template <class T> struct Counter {
                T value{};
                template <class U> __attribute__((noinline)) void operator()(U by) {
                    __asm__ volatile("lock; addl %1, %0" : "+m"(value) : "r"(by));
                }
            };
            }
            int main() { Counter<int> counter; counter(1); Counter<unsigned> other; other(2U); }
            """))
        self.assertRegex(notes, r"in void \(anonymous namespace\)::Counter::operator\(\)$")

    def test_declared_harmless(self):
        self.build_library()
        for pattern in ("libcounter", "^bump_*", "counter$"):
            with self.subTest(pattern):
                file = self.write("harmless.txt", f"# we know\n\nuninstrumented:{pattern}\n")
                notes = self.notes("./caller", f"--suppressions={file}")
                self.assertNotIn("was not compiled for Heddle", notes)
                self.assertIn("declared harmless", notes)
        file = self.write("harmless.txt", "uninstrumented:^counter\nassembly:bump_counter\n")
        self.assertIn("was not compiled for Heddle", self.notes("./caller", f"--suppressions={file}"))
        file = self.write("harmless.txt", "assembly:lock_*\n")
        notes = self.notes(self.write("assembly.c", self.ASSEMBLY), f"--suppressions={file}")
        self.assertNotIn("not instrumented", notes)

    def test_leak_declared_harmless(self):
        program = self.write("leak.c", """
            #include <stdlib.h>
            __attribute__((noinline)) static void make_singleton(void) { *(volatile char *)malloc(7) = 1; }
            int main(void) { make_singleton(); return 0; }
            """)
        _, result = self.check(program)
        self.assertEqual([w["kind"] for w in result["warnings"]], ["leak"])
        _, result = self.check(f"--suppressions={self.write('harmless.txt', 'leak:make_singleton')}", program)
        self.assertEqual(result["warnings"], [])

    def test_bad_suppressions(self):
        program = self.write("clean.c", CLEAN_C)
        self.assert_refused(self.heddle("check", "--suppressions=nowhere.txt", program), "nowhere.txt")
        for text in ("race:main\n", "leak\n", "leak:\n"):
            with self.subTest(text):
                file = self.write("bad.txt", "# first\n" + text)
                self.assert_refused(self.heddle("check", f"--suppressions={file}", program), "bad.txt:2")


class Counts(CliTest):
    """Threads of k atomic increments, created and joined by main: without a reduction exactly as many executions as there are
    interleavings, with one as many as there are orders of the increments."""

    def test_two_and_three_threads(self):
        self.build(HEDDLE, "c++", "-O1", "-g", SOURCE / "bench" / "programs" / "atomics.cpp", "-o", "atomics")
        sizes = [(2, k) for k in range(1, 6)] + [(3, k) for k in range(1, 4)]
        if os.environ.get("HEDDLE_SOAK"):
            sizes += [(3, 4), (3, 5)]
        for threads, operations in sizes:
            with self.subTest(threads=threads, operations=operations):
                _, result = self.check("--reduction=none", "./atomics", str(threads), str(operations))
                self.assert_verdict(result, "verified")
                self.assertEqual(result["statistics"]["executions"],
                                 create_join_interleavings(0, (0,) * threads, operations))

    def test_orders_of_increments(self):
        self.build(HEDDLE, "c++", "-O1", "-g", SOURCE / "bench" / "programs" / "atomics.cpp", "-o", "atomics")
        for threads, operations in [(2, 1), (2, 3), (2, 5), (3, 1), (3, 2), (3, 3)]:
            orders = math.factorial(threads * operations) // math.factorial(operations) ** threads
            for reduction in ("optimal", "source", "persistent", "sleep"):
                with self.subTest(threads=threads, operations=operations, reduction=reduction):
                    _, result = self.check(f"--reduction={reduction}", "--self-check", "./atomics", str(threads), str(operations))
                    self.assert_verdict(result, "verified")
                    self.assertEqual(result["search"]["reduction"], reduction)
                    self.assertEqual(result["statistics"]["executions"], orders)
                    if reduction == "optimal":
                        self.assertEqual(result["statistics"]["blocked"], 0)

    def test_published_persistent_sets_run_every_order(self):
        self.build(HEDDLE, "c++", "-O1", "-g", SOURCE / "bench" / "programs" / "atomics.cpp", "-o", "atomics")
        for variant in ("general", "clocks", "last-access", "read-write-clocks"):
            with self.subTest(variant):
                _, result = self.check("--reduction=persistent", f"--persistent-variant={variant}", "./atomics", "2", "2")
                self.assert_verdict(result, "verified")
                self.assertEqual(result["search"]["persistent_variant"], variant)
                self.assertFalse(result["search"]["sleep_sets"])
                self.assertGreaterEqual(result["statistics"]["executions"], 6)  # C(4,2), perhaps some twice


class Reports(CliTest):
    """Stories, forms, and ways to replay."""

    def finding(self, text=LOST_UPDATE_CXX, options=()):
        self.check_text(text, options=options)
        return self.folder / "result.json"

    def test_stories_fit_eighty_columns(self):
        process, _ = self.check_text(LOST_UPDATE_CXX)
        self.assertTrue(all(len(line) <= 80 for line in process.stdout.splitlines()), process.stdout)
        self.assertIn("A>", process.stdout)
        self.assertIn("B>", process.stdout)

    def test_report_prints_what_check_printed(self):
        process, _ = self.check_text(LOST_UPDATE_CXX)
        again = self.heddle("report", "result.json")
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, process.stdout, ""))

    def test_report_refuses_what_is_no_result(self):
        self.assert_refused(self.heddle("report"), "result")
        self.assert_refused(self.heddle("report", "missing.json"), "missing.json")
        self.assert_refused(self.heddle("report", self.write("text.json", "no")), "text.json")
        file = self.finding()
        self.assert_refused(self.heddle("report", "--finding=2", file), "there is no number 2")
        damaged = json.loads(file.read_text())
        damaged["findings"][0]["events"][0]["thread"] = 7
        self.assert_refused(self.heddle("report", self.write("damaged.json", json.dumps(damaged))), "damaged")

    def test_forms_that_cannot_be_written_are_refused_before_the_search(self):
        source = self.write("huge.cpp", HUGE_CXX)
        for form in ("html", "sarif", "junit", "graphviz", "trace"):
            self.assert_refused(self.heddle("check", f"--{form}=missing/file", source), "missing/file")
            self.assert_refused(self.heddle("check", f"--{form}=.", source), "folder")

    def test_without_a_finding_nothing_is_drawn(self):
        process, _ = self.check_text(CLEAN_C, name="clean.c", options=["--graphviz=graph.dot"])
        self.assertIn("graph.dot was not written", process.stderr)
        self.assertFalse((self.folder / "graph.dot").exists())

    def test_minimised_and_not(self):
        options = ["--order=highest", "--reduction=none"]
        _, small = self.check_text(LOST_UPDATE_CXX, options=options)
        _, plain = self.check_text(LOST_UPDATE_CXX, options=[*options, "--no-minimize"])
        self.assertNotIn("minimised", plain["findings"][0])
        minimised = small["findings"][0]["minimised"]
        self.assertEqual(minimised["original"], plain["findings"][0]["schedule"])
        self.assertEqual(minimised["after"]["preemptions"], 1)
        self.assertTrue(minimised["fewest_preemptions"])

    def test_replay_until(self):
        file = self.finding()
        steps = len(json.loads(file.read_text())["findings"][0]["events"])
        process = self.heddle("replay", "--until=3", file)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertIn(f"stopped after step 3 of {steps}", process.stdout)
        self.assertIn("next: ", process.stdout)
        self.assertNotIn("X>", process.stdout)
        self.assert_refused(self.heddle("replay", f"--until={steps + 1}", file), f"only {steps} steps")

    def test_replay_builds_again_if_the_cache_is_gone(self):
        with tempfile.TemporaryDirectory() as cache:
            source = self.write("program.cpp", LOST_UPDATE_CXX)
            self.heddle("check", "--json=result.json", source, env=environment(HEDDLE_CACHE=cache))
            built = list(pathlib.Path(cache).glob("programs/*/program"))
            self.assertEqual(len(built), 1)
            shutil.rmtree(pathlib.Path(cache) / "programs")
            self.assertEqual(self.heddle("replay", "result.json", env=environment(HEDDLE_CACHE=cache)).returncode, 1)
            self.assertTrue(built[0].exists())

    def test_replay_builds_with_the_compiler_of_the_check(self):
        source = self.write("program.cpp", LOST_UPDATE_CXX)
        self.heddle("check", "--json=result.json", source, env=environment(HEDDLE_CXX="clang++-14"))
        self.assertEqual(json.loads((self.folder / "result.json").read_text())["build"]["cxx"], "clang++-14")
        with tempfile.TemporaryDirectory() as cache:
            self.assertEqual(self.heddle("replay", "result.json", env=environment(HEDDLE_CACHE=cache)).returncode, 1)
            program = next(pathlib.Path(cache).glob("programs/*/program"))
            self.assertIn("clang version 14", self.run_command(["readelf", "-p", ".comment", program]).stdout)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_replay_under_gdb_steps_both_ways(self):
        file = self.finding()
        steps = len(json.loads(file.read_text())["findings"][0]["events"])
        with tempfile.TemporaryFile("w+") as commands:
            commands.write("heddle-back\nheddle-back\nheddle-next\nheddle-until 3\nheddle-back\nheddle-next\nheddle-until 99\nquit\n")
            commands.seek(0)
            process = self.heddle("replay", "--gdb", file, stdin=commands)
        self.assertEqual(process.returncode, 0, process.stderr)
        shown = [int(n) for n in re.findall(rf"step (\d+) of {steps}", process.stdout)]
        # At the failure; its own step; one back; one on; 3; 2; 3.
        self.assertEqual(shown, [steps, steps, steps - 1, steps, 3, 2, 3], process.stdout)
        self.assertIn("assert(hits == 2)", process.stdout)
        self.assertIn(f"from 1 to {steps}", process.stdout)

    def test_progress_for_machines(self):
        process = self.heddle("check", "--progress=json", "--max-time=1s", self.write("huge.cpp", HUGE_CXX))
        self.assertEqual(process.returncode, 3)
        lines = [json.loads(line) for line in process.stderr.splitlines()]
        self.assertGreaterEqual(len(lines), 2)
        for name in ("seconds", "executions", "rate", "blocked", "abandoned", "events", "depth", "findings"):
            self.assertTrue(all(isinstance(line[name], NUMBER) for line in lines), name)
        counts = [line["executions"] for line in lines]
        self.assertEqual(counts, sorted(counts))

    def test_sigterm_ends_with_a_verdict_and_files(self):
        source = self.write("huge.cpp", HUGE_CXX)
        process = subprocess.Popen([HEDDLE, "check", "--progress=json", "--json=result.json", "--junit=junit.xml", source], cwd=self.folder,
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while json.loads(process.stderr.readline())["executions"] == 0:
            pass
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 3, output)
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual(result["verdict"], "incomplete")
        self.assertTrue(result["reason"].startswith("interrupted; --resume="), result["reason"])
        self.assertGreater(result["statistics"]["executions"], 0)
        self.assertIn("interrupted", (self.folder / "junit.xml").read_text())


    # What a thread was about to do when it was asked to end it does not do; and the lane of one that may go on is solid.
    def test_what_a_cancelled_thread_did_not_do(self):
        text = """
            #include <assert.h>
            #include <pthread.h>
            #include <semaphore.h>
            sem_t s;
            void *a(void *unused) { sem_wait(&s); return unused; }
            int main(void) {
                pthread_t t;
                int left;
                pthread_create(&t, 0, a, 0);
                sem_post(&s);
                pthread_cancel(t);
                pthread_join(t, 0);
                sem_getvalue(&s, &left);
                assert(left == 0);
            }
            """
        process, result = self.check_text(text, name="cancelled.c")
        self.assert_verdict(result, "bug", "assertion")
        events = result["findings"][0]["events"]
        self.assertEqual([event["thread"] for event in events if event.get("cancelled")], ["0.1"])
        post = next(event for event in events if event["kind"] == "SemPost")
        self.assertEqual(post["unblocks"], ["0.1"])
        self.assertIn("1  is cancelled in semaphore wait s", process.stdout)
        self.assertIn("M |  semaphore post s: 0 -> 1", process.stdout)

    # That a thread ends with a robust mutex is a step of its own.
    def test_the_end_of_an_owner(self):
        text = """
            #include <assert.h>
            #include <errno.h>
            #include <pthread.h>
            pthread_mutex_t m;
            void *a(void *unused) { pthread_mutex_lock(&m); return unused; }
            int main(void) {
                pthread_mutexattr_t robust;
                pthread_t t;
                pthread_mutexattr_init(&robust);
                pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
                pthread_mutex_init(&m, &robust);
                pthread_create(&t, 0, a, 0);
                int found = pthread_mutex_lock(&m);
                pthread_mutex_unlock(&m);
                pthread_join(t, 0);
                assert(found != EOWNERDEAD);
            }
            """
        process, result = self.check_text(text, name="robust.c")
        self.assert_verdict(result, "bug", "assertion")
        self.assertIn("1  end holding m", process.stdout)


class Documentation(CliTest):
    """What the documentation shows is what happens, and the options it lists are those there are."""

    def test_readme_example(self):
        text = (SOURCE / "README.md").read_text()
        shown = re.search(r"```console\n\$ heddle check (\S+)\n(.*?)```", text, re.S)
        process = self.heddle("check", shown.group(1), cwd=SOURCE)
        self.assertEqual(process.returncode, 1)
        for line in shown.group(2).splitlines():
            if line.strip() != "...":
                self.assertIn(line, process.stdout.splitlines())

    def test_corrected_example(self):
        _, result = self.check(SOURCE / "examples" / "bank_fixed.cpp")
        self.assert_verdict(result, "verified")

    def test_manual_lists_every_option(self):
        manual = (SOURCE / "docs" / "manual.md").read_text()
        offered = set(re.findall(r"--[a-z-]+", self.heddle("check", "--help").stdout)) - {"--help"}
        listed = set(re.findall(r"`(--[a-z-]+)", manual))
        self.assertEqual(offered - listed, set())
        section = manual.split("### heddle check\n")[1].split("\nExit status")[0]
        rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `--")]
        self.assertGreater(len(rows), 30)
        self.assertEqual(set(re.findall(r"`(--[a-z-]+)", "".join(rows))) - offered, set())

    def test_commands_of_the_readme(self):
        source = self.write("queue_test.cpp", LOST_UPDATE_CXX)
        self.assertEqual(self.heddle("check", "--json=result.json", source).returncode, 1)
        self.assertEqual(self.heddle("replay", "result.json").returncode, 1)
        self.build(HEDDLE, "c++", "-O1", "-g", source, "-o", "t")
        self.assertEqual(self.heddle("check", "./t", "its", "arguments").returncode, 1)
        self.assertEqual(self.heddle("version").returncode, 0)


if __name__ == "__main__":
    sys.exit(command_tests.main(globals()))
