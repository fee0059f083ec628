#!/usr/bin/env python3
"""The HTML report in a real browser: opened from a file, used by keyboard only.

  test_html.py --heddle PATH --source PATH_OF_REPOSITORY [--screenshots FOLDER] [arguments of unittest]

With --screenshots the pictures of docs/ are taken anew.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import synthetic

HEDDLE = None
SOURCE = None
SCREENSHOTS = None


def browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,900",
                     "--force-device-scale-factor=1"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="heddle-html-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.driver = browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.pages = {}

    @classmethod
    def page(cls, name, result):
        """The page of a made-up result, through `heddle report`."""
        if name not in cls.pages:
            source, page = cls.folder / f"{name}.json", cls.folder / f"{name}.html"
            source.write_text(json.dumps(result()))
            subprocess.run([HEDDLE, "report", source, f"--html={page}"], check=True, capture_output=True, timeout=120)
            cls.pages[name] = page
        return cls.pages[name]

    @classmethod
    def checked(cls, program, *options):
        """The page of a real check."""
        if program not in cls.pages:
            page = cls.folder / (pathlib.Path(program).name + ".html")
            subprocess.run([HEDDLE, "check", f"--html={page}", *options, program], cwd=SOURCE, capture_output=True, timeout=300,
                           env={**os.environ, "HEDDLE_OPTIONS": ""})
            cls.pages[program] = page
        return cls.pages[program]

    def open(self, page):
        self.driver.get(page.as_uri())
        self.addCleanup(self.assert_no_complaints)
        self.list = self.driver.find_element(By.ID, "list")

    def assert_no_complaints(self):
        self.assertEqual([e for e in self.driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING")], [])

    def press(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def here(self):
        """The row under the cursor, read in one go: rows are made anew whenever something moves."""
        return self.driver.execute_script("""
            const row = document.querySelector(".row.here"), part = (name) => (row.querySelector(name) || {}).innerText || "";
            return {text: row.innerText, fold: row.classList.contains("fold"), expanded: row.getAttribute("aria-expanded"),
                    number: part(".number"), badge: part(".badge")};""")

    def text_of(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def count(self, selector):
        return len(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def test_opens_at_the_failure_with_the_list_in_focus(self):
        self.open(self.page("small", synthetic.result))
        self.assertIn("assertion", self.text_of("h1"))
        self.assertIn("failed", self.here()["text"])
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "list")
        self.assertIn("decides", self.text_of("#decisive"))

    def test_steps_and_everything_follows(self):
        self.open(self.page("small", synthetic.result))
        self.press("o", Keys.HOME)
        # Every operation in turn: the number, the source line and the values are those of the result.
        events = synthetic.result()["findings"][0]["events"]
        hits = None
        seen = 0
        while "failed" not in self.here()["text"]:
            if not self.here()["fold"]:
                event = events[seen]
                self.assertEqual(self.here()["number"], str(seen + 1))
                self.assertEqual(self.text_of(".source.acting .code-line.now i"), str(event["location"]["line"]))
                if event.get("object") == "hits":
                    hits = event["value"]
                if hits is not None:
                    row = next(r for r in self.driver.find_elements(By.CSS_SELECTOR, "#state tbody tr") if r.text.startswith("hits"))
                    self.assertEqual(row.find_element(By.CSS_SELECTOR, ".value").text, str(hits))
                seen += 1
            self.press(Keys.ARROW_DOWN)
        self.assertEqual(seen, len(events))
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.here()["number"], str(seen))

    def test_arrows_follow_the_cursor(self):
        self.open(self.page("small", synthetic.result))
        self.press("o", Keys.HOME)
        events = synthetic.result()["findings"][0]["events"]
        later = {i: [k for k, e in enumerate(events) if i in e.get("follows", [])] for i in range(len(events))}
        for _ in range(len(events)):
            number = self.here()["number"]
            if number:
                i = int(number) - 1
                drawn = self.driver.execute_script("""return [...document.querySelectorAll("path.arrow.active")].map(
                    (arrow) => [Number(arrow.dataset.from), Number(arrow.dataset.to)])""")
                self.assertEqual(sorted(map(tuple, drawn)), sorted([(e, i) for e in events[i].get("follows", [])] + [(i, k) for k in later[i]]))
            self.press("j")

    def test_folds_open_and_close_by_key(self):
        self.open(self.page("small", synthetic.result))
        self.press(Keys.HOME)
        self.assertTrue(self.here()["fold"])
        self.assertEqual(self.here()["expanded"], "false")
        count = int(self.here()["text"].split()[1])
        before = self.driver.execute_script("return list.rows.length")
        self.press(Keys.ENTER)
        self.assertEqual(self.here()["expanded"], "true")
        self.assertEqual(self.driver.execute_script("return list.rows.length"), before + count)
        self.press(Keys.SPACE)
        self.assertEqual(self.driver.execute_script("return list.rows.length"), before)

    def test_keys_for_the_decisive_operations_and_for_one_thread(self):
        self.open(self.page("small", synthetic.result))
        self.press("a")
        self.assertEqual(self.here()["badge"], "A")
        self.press("b")
        self.assertEqual(self.here()["badge"], "B")
        events = synthetic.result()["findings"][0]["events"]
        at = int(self.here()["number"]) - 1
        self.press("p")
        before = int(self.here()["number"]) - 1
        self.assertEqual(before, max(i for i in range(at) if events[i]["thread"] == events[at]["thread"]))
        self.press("n")
        self.assertEqual(int(self.here()["number"]) - 1, at)

    def test_light_dark_help_and_exploration_by_key(self):
        self.open(self.page("small", synthetic.result))
        background = "return getComputedStyle(document.body).backgroundColor"
        first = self.driver.execute_script(background)
        self.press("t")
        self.assertNotEqual(self.driver.execute_script(background), first)
        self.press("t")
        self.assertEqual(self.driver.execute_script(background), first)
        self.press("?")
        self.assertTrue(self.driver.find_element(By.ID, "help").is_displayed())
        self.press(Keys.ESCAPE)
        self.assertFalse(self.driver.find_element(By.ID, "help").is_displayed())
        self.press("x")
        view = self.driver.find_element(By.ID, "exploration-view")
        self.assertTrue(view.is_displayed())
        self.assertIn("1,234", view.text)
        self.assertEqual(self.count("#exploration-view svg.chart"), 2)
        self.press("x")
        self.assertTrue(self.list.is_displayed())

    def test_everything_can_be_reached_with_tab(self):
        self.open(self.page("small", synthetic.result))
        reached = set()
        for _ in range(60):
            self.press(Keys.TAB)
            reached.add(self.driver.switch_to.active_element.get_attribute("id"))
        self.assertLessEqual({"show-finding", "show-exploration", "theme", "help-button", "list"}, reached)

    def test_ten_thousand_events(self):
        self.open(self.page("large", lambda: synthetic.result(events=10_000, threads=8)))
        WebDriverWait(self.driver, 60).until(lambda d: d.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd > 0"))
        loaded = self.driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
        print(f"10,000 events: loaded after {loaded:.0f} ms", flush=True)
        self.press("o")
        self.assertGreaterEqual(self.driver.execute_script("return list.rows.length"), 10_000)
        # What keeps it quick: only what is in view exists, wherever one is.
        slowest = 0
        for key in [Keys.HOME] + [Keys.PAGE_DOWN] * 20 + [Keys.END] + [Keys.ARROW_UP] * 20:
            self.press(key)
            self.assertLess(self.count(".row"), 120)
            self.assertLess(self.count("#lanes *"), 4000)
            slowest = max(slowest, self.driver.execute_script("const t = performance.now(); list.render(); return performance.now() - t"))
        print(f"10,000 events: slowest of 42 renderings {slowest:.1f} ms", flush=True)

    def test_real_findings(self):
        for program, word in {"examples/bank.cpp": "assertion", "tests/programs/deadlock-opposite-locks.c": "deadlock",
                              "tests/programs/data-race-struct-copy.cpp": "data-race"}.items():
            with self.subTest(program=program):
                self.open(self.checked(program))
                self.assertIn(word, self.text_of("h1"))
                rows = self.driver.execute_script("return list.rows.length")
                self.press(Keys.HOME, *["j"] * rows)
                self.assertGreater(self.count(".source .code-line.now"), 0)
                self.assert_no_complaints()

    def test_what_never_happened_in_a_deadlock_has_rows_of_its_own(self):
        self.open(self.checked("tests/programs/deadlock-opposite-locks.c"))
        self.assertNotIn("main", self.text_of("#event-pane"))  # nobody's failure alone
        self.assertEqual(self.count(".row.waiting"), 3)
        self.press("a")
        self.assertEqual(self.here()["badge"], "A")
        self.press("b")
        self.assertEqual(self.here()["badge"], "B")
        self.assertIn("waits for mutex", self.here()["text"])
        # The lock in the sentence about A and B is the one that this thread waits for, where the picture says that it does.
        self.assertIn(self.text_of("#decisive").split("`")[1].split()[-1], self.here()["text"])
        self.assertEqual(self.text_of(".source.acting .code-line.now i"), "16")
        self.press("p")  # the last operation of the same thread
        self.assertIn("lock", self.here()["text"])
        self.press(Keys.HOME, *["n"] * 5, Keys.END)
        # Everybody is shown where it waits.
        shown = [pane.get_attribute("data-line") for pane in self.driver.find_elements(By.CSS_SELECTOR, "#sources .source")]
        self.assertEqual(shown, ["39", "16", "16"])

    def test_a_result_without_findings_shows_the_exploration(self):
        self.open(self.checked("examples/bank_fixed.cpp"))
        self.assertIn("verified", self.text_of("h1"))
        self.assertTrue(self.driver.find_element(By.ID, "exploration-view").is_displayed())

    @unittest.skipUnless("--screenshots" in sys.argv, "pictures are taken on request")
    def test_screenshots(self):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.open(self.checked("examples/bank.cpp"))
        self.press("b")
        self.driver.save_screenshot(str(SCREENSHOTS / "report-light.png"))
        self.press("t")
        self.driver.save_screenshot(str(SCREENSHOTS / "report-dark.png"))
        self.press("t", "x")
        self.driver.save_screenshot(str(SCREENSHOTS / "report-exploration.png"))
        self.open(self.checked("tests/programs/deadlock-opposite-locks.c"))
        self.driver.save_screenshot(str(SCREENSHOTS / "report-deadlock.png"))
        self.open(self.page("large", lambda: synthetic.result(events=10_000, threads=8)))
        self.driver.save_screenshot(str(SCREENSHOTS / "report-large.png"))


def main():
    global HEDDLE, SOURCE, SCREENSHOTS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    options, rest = parser.parse_known_args()
    HEDDLE, SOURCE = os.path.abspath(options.heddle), options.source.resolve()
    SCREENSHOTS = options.screenshots and options.screenshots.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
