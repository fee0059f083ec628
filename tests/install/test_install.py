#!/usr/bin/env python3
"""An installation, as somebody uses it who has nothing but that: moved to another folder first.

  test_install.py --build BUILD_FOLDER --source PATH_OF_REPOSITORY [arguments of unittest]

The headers for unit tests, the CMake package, a CTest suite put under Heddle, pkg-config, manual pages, the Debian package.
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
import unittest

LIMIT = 300
os.environ.pop("CTEST_INTERACTIVE_DEBUG_MODE", None)  # this test is run by CTest; what it runs by itself is not
PROJECT = pathlib.Path(__file__).resolve().parent / "project"
BUILD = SOURCE = ROOT = PREFIX = None


def run(*command, cwd=None, **environment):
    env = {**os.environ, "HEDDLE_CACHE": str(ROOT / "cache"), "HEDDLE_OPTIONS": "", "NO_COLOR": "1",
           "PATH": f"{PREFIX / 'bin'}:{os.environ['PATH']}", **environment}
    for name in ("CXX", "CC", "HEDDLE_CXX", "HEDDLE_CC", "GTEST_FILTER"):
        if name not in environment:
            env.pop(name, None)
    return subprocess.run([str(word) for word in command], cwd=cwd or ROOT, env=env, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=LIMIT)


def ran(*command, **more):
    process = run(*command, **more)
    if process.returncode != 0:
        raise AssertionError(f"{command} ended with {process.returncode}:\n{process.stdout}\n{process.stderr}")
    return process.stdout


def marked_line(source):
    return next(n for n, line in enumerate(source.read_text().splitlines(), 1) if "// BUG" in line)


def setUpModule():
    global ROOT, PREFIX
    ROOT = pathlib.Path(tempfile.mkdtemp(prefix="heddle-install-"))
    PREFIX = ROOT / "moved"
    ran("cmake", "--install", BUILD, "--prefix", ROOT / "installed")
    (ROOT / "installed").rename(PREFIX)
    ran("cmake", "-S", PROJECT, "-B", ROOT / "project", f"-DCMAKE_PREFIX_PATH={PREFIX}")
    ran("cmake", "--build", ROOT / "project", "--parallel", "2")


def tearDownModule():
    shutil.rmtree(ROOT)


class Package(unittest.TestCase):
    def test_ctest_runs_them_all(self):
        listed = ran("ctest", "--test-dir", ROOT / "project", "-N", "-L", "^heddle$")
        self.assertIn("Total Tests: 4", listed)
        self.assertIn("Total Tests: 1", ran("ctest", "--test-dir", ROOT / "project", "-N", "-L", "quick"))
        ran("ctest", "--test-dir", ROOT / "project", "--output-on-failure")

    def test_the_options_reach_heddle(self):
        text = ran("ctest", "--test-dir", ROOT / "project", "-R", "^explored$", "-V")
        self.assertIn("check --reduction=source", text.replace('"', "").replace("\" \"", " "))
        self.assertIn("2 executions", text)

    def test_check(self):
        text = ran(ROOT / "project" / "checks")
        self.assertIn("right: verified, 2 executions, nothing found", text)
        # Each thread reads and writes once: 4!/(2!2!) = 6 interleavings, 4 classes of them by the order of the two reads
        # relative to the other's write.
        self.assertIn("wrong: bug, 4 executions, assertion", text)
        # One thread: 1. Two: either order of the additions.
        self.assertIn("round: verified, 1 executions, nothing found\nround: verified, 2 executions", text)
        self.assertRegex(text, r"stuck: bug, \d+ executions, deadlock")
        self.assertIn("given up: incomplete, 1 executions", text)
        self.assertRegex(text, r"mistaken: error, 0 executions, nothing found\nerror: heddle: .*--no-such-option")
        self.assertIn("ends: bug, 1 executions, abnormal-exit", text)
        self.assertIn(f"wrong at {marked_line(PROJECT / 'checks.cpp')}\n", text)
        replays = re.findall(r"^heddle replay '(.*)'$", text, re.M)
        self.assertEqual(len(replays), 3)
        for result in replays:
            again = run("heddle", "replay", f"--json={ROOT / 'again.json'}", result)
            self.assertEqual(again.returncode, 1, again.stderr)
            old, new = (json.loads(pathlib.Path(f).read_text()) for f in (result, ROOT / "again.json"))
            # Where the stack lies, and so what has no name, depends on the environment.
            steps = [[{**e, "object": "", "address": 0} for e in r["findings"][0]["events"]] for r in (old, new)]
            self.assertEqual(*steps)

    def test_check_in_a_program_that_was_not_built_for_it(self):
        process = run(ROOT / "project" / "not_built_for_it")
        self.assertEqual(process.returncode, 1)
        self.assertIn("error: this program was not built for Heddle", process.stdout)

    def test_a_check_that_is_not_there(self):
        process = run("heddle", "check", "--at=elsewhere", ROOT / "project" / "checks")
        self.assertEqual(process.returncode, 2)
        self.assertIn("without coming to the heddle::check", process.stderr)

    def test_a_program_with_checks_explored_as_a_whole(self):
        process = run("heddle", "check", ROOT / "project" / "checks")
        self.assertEqual(process.returncode, 4)
        self.assertIn("--at", process.stdout)

    def test_google_test(self):
        report = ROOT / "google.json"
        process = run(ROOT / "project" / "google", f"--gtest_output=json:{report}", "--gtest_repeat=2",
                      GTEST_FILTER="*", GTEST_RANDOM_SEED="3")
        self.assertEqual(process.returncode, 1)
        suites = {s["name"]: s for s in json.loads(report.read_text())["testsuites"]}
        failures = {f"{name}.{t['name']}": t["failures"][0]["failure"] for name, suite in suites.items()
                    for t in suite["testsuite"] if "failures" in t}
        self.assertEqual(set(failures), {"Explored.Wrong"})
        text = failures["Explored.Wrong"]
        line = marked_line(PROJECT / "google.cpp")
        self.assertTrue(text.startswith(f"{PROJECT / 'google.cpp'}:{line}\n"), text)
        self.assertRegex(" ".join(text.split()), f"google.cpp:{line}: assertion: Expected equality of these values: .*one got lost")
        result = re.search(r"replay: heddle replay '(.*)'", text).group(1)
        self.assertEqual(run("heddle", "replay", result).returncode, 1)
        search = json.loads(pathlib.Path(result).read_text())["search"]
        self.assertEqual((search["reduction"], search["order"], search["at"]), ("source", "highest", "Explored.Wrong#1"))

    def test_catch2(self):
        process = run(ROOT / "project" / "catch")
        self.assertEqual(process.returncode, 1, process.stdout)
        self.assertIn("test cases: 3 | 2 passed | 1 failed", process.stdout)
        line = marked_line(PROJECT / "catch.cpp")
        unbroken = re.sub(r"\s", "", process.stdout)  # Catch2 breaks lines
        self.assertIn(f"catch.cpp:{line}:assertion:CHECK(counter.value()==2)withexpansion1==2", unbroken)
        self.assertIn("heddle replay '", process.stdout)


class ExistingSuite(unittest.TestCase):
    def test_the_example(self):
        """Without Heddle all pass (or hang, once in a long while); under it the third is found out."""
        folder = ROOT / "suite"
        flags = ran("heddle", "flags", "--cmake").split()
        ran("cmake", "-S", SOURCE / "examples" / "work_queue", "-B", folder, *flags, CXX="heddle c++")
        ran("cmake", "--build", folder, "--parallel", "2")
        self.assertTrue((folder / "generated" / "work_queue" / "version.hpp").exists())
        process = run("ctest", "--test-dir", folder, "-V")
        self.assertNotEqual(process.returncode, 0)
        outcome = dict(re.findall(r"Test #\d+: (\w+) \.+\s*\**(\w+)", process.stdout))
        self.assertEqual(outcome, {"order": "Passed", "capacity": "Passed", "shutdown": "Failed"})
        self.assertEqual(process.stdout.count("verified: no bug in all interleavings"), 2)
        self.assertRegex(process.stdout, r"work_queue.hpp:\d+: deadlock")


class Rest(unittest.TestCase):
    def test_pkg_config(self):
        def flags(*words):
            return ran("pkg-config", *words, "heddle", PKG_CONFIG_PATH=str(PREFIX / "lib" / "pkgconfig")).split()

        def clean(words):
            return [os.path.normpath(w) if w.startswith("/") else re.sub(r"(-[IL]|rpath,)(/.*)",
                    lambda m: m[1] + os.path.normpath(m[2]), w) for w in words]

        compile_words = ran("heddle", "flags", "--compile", "--language=c", "--compiler=gcc").split()
        link_words = ran("heddle", "flags", "--link", "--compiler=gcc").split()
        self.assertEqual(sorted(clean(flags("--cflags"))), sorted(clean(compile_words)))
        self.assertEqual(clean(flags("--libs")), clean(link_words))
        program = ROOT / "by-pkg-config"
        ran("gcc", "-O1", *flags("--cflags"), PROJECT / "explored.c", *flags("--libs"), "-o", program)
        self.assertIn("2 executions", ran("heddle", "check", program, "2"))

    def test_manual_pages_say_what_the_commands_say(self):
        def plain(text):
            return " ".join(text.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "").split())

        def page(name):
            return plain(re.sub(r'^\.(TP|B "?)|"$', "", (PREFIX / "share/man/man1" / name).read_text(), flags=re.M))

        self.assertIn(plain(ran("heddle", "help")), page("heddle.1"))
        for command in ("check", "replay", "report", "flags"):
            text = ran("heddle", command, "--help")
            options = text[text.index("Options:") + 8:].split("\n\n")[0]
            self.assertIn(plain(options), page(f"heddle-{command}.1"))

    def test_launch_outside_ctest(self):
        program = ROOT / "project" / "explored"
        self.assertEqual(ran("heddle", "launch", "--max-time=5s", program, "2"), "")
        self.assertIn("2 executions", ran("heddle", "launch", program, "2", CTEST_INTERACTIVE_DEBUG_MODE="0"))
        self.assertEqual(run("heddle", "launch").returncode, 2)

    def test_flags(self):
        self.assertEqual(run("heddle", "flags").returncode, 2)
        self.assertEqual(run("heddle", "flags", "--language=ada").returncode, 2)

    def test_debian_package(self):
        ran("cpack", "-G", "DEB", "-B", ROOT / "deb", cwd=BUILD)
        package, = (ROOT / "deb").glob("*.deb")
        fields = ran("dpkg-deb", "-f", package)
        self.assertRegex(fields, r"(?m)^Package: heddle$")
        self.assertRegex(fields, r"(?m)^Depends: .*libdw1")
        ran("dpkg-deb", "-x", package, ROOT / "unpacked")
        heddle = ROOT / "unpacked" / "usr" / "bin" / "heddle"
        self.assertIn("heddle", ran(heddle, "version"))
        self.assertIn("2 executions", ran(heddle, "check", PROJECT / "explored.c", "--", "2"))


def main():
    global BUILD, SOURCE
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    BUILD, SOURCE = options.build.resolve(), options.source.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
