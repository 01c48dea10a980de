#!/usr/bin/env python3
"""`tilesim check` from outside: what it reports, its exit status, streams, limits, replay.

  TILESIM_TOOL=build/dev/bin/tilesim check_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent / "check"
TOOL = os.environ.get("TILESIM_TOOL", "")


class Case(unittest.TestCase):
    """Runs where modes.cu lies; files are written elsewhere."""

    def setUp(self):
        self.folder = HERE
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim check "))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)
        self.env = dict(os.environ)
        for name in ("TILESIM_OPTIONS", "NO_COLOR"):
            self.env.pop(name, None)

    def tool(self, *words, stdin=None, cwd=None):
        return subprocess.run([TOOL, "check", *map(str, words)], cwd=cwd or self.folder, text=True,
                              env=self.env, input=stdin or "", capture_output=True, timeout=120)

    def check(self, code, *words, out=None, stdin=None):
        result = self.tool(*words, stdin=stdin)
        told = f"\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, code, told)
        if out is not None:
            self.assertEqual(result.stdout, out, told)
        return result.stderr

    def mode(self, code, name, *words, **more):
        return self.check(code, *words, "modes.cu", "--", name, **more)

    def last_line(self, text):
        return text.rstrip("\n").rsplit("\n", 1)[-1]


class Verdicts(Case):
    """Each way that a check can end."""

    def test_clean(self):
        told = self.mode(0, "clean", out="clean: 8 0\n")
        self.assertEqual(told, "checked: 8 schedules (1 round-robin, 4 random, 3 pct), 64 tile "
                               "operations, 64 elements judged: no findings\n")

    def test_race(self):
        told = self.mode(1, "race")
        self.assertRegex(told, r"(?m)^modes.cu:\d+:\d+: error: weak (load|store) by .*\[data-race\]$")
        self.assertRegex(told, r"(?m)^  \d+ times, in 8 of 8 schedules$")
        self.assertRegex(told, r"(?m)^summary: data-race: modes.cu:2\d:\d+ and modes.cu:2\d:\d+, \d+ "
                               r"times, in 8 of 8 schedules$")
        # One report for each kind and pair of lines.
        places = re.findall(r"(?m)^summary: data-race: modes.cu:(\d+):\d+ and modes.cu:(\d+)", told)
        pairs = [tuple(sorted(p)) for p in places]
        self.assertEqual(len(pairs), len(set(pairs)), told)

    def test_raw_accesses_count(self):
        told = self.mode(1, "raw")
        self.assertIn("[data-race]", told)

    def test_stopped(self):
        told = self.mode(1, "outside")
        self.assertRegex(told, r"summary: out-of-bounds: modes.cu:\d+:\d+, 8 times, in 8 of 8")
        self.assertIn("[deadlock]", self.mode(1, "deadlock", "--schedules", "2"))

    def test_nothing_was_checked(self):
        for mode in ("host", "nothing"):
            told = self.mode(3, mode)
            self.assertIn("0 elements judged: nothing was checked: no kernel accessed memory", told)
            self.assertNotIn("no findings", told)

    def test_program_fails(self):
        told = self.mode(66, "fail")
        self.assertIn("modes.cu: error: the program ended with status 7 under round-robin, and "
                      "failed in 8 of 8 schedules", told)
        self.assertIn("the program ended by SIGABRT under", self.mode(66, "abort"))

    def test_wrong_input(self):
        (self.kept / "broken.cu").write_text("int main() { oops; }\n")
        self.check(65, self.kept / "broken.cu")
        self.check(64, "none.cu")
        self.assertIn("--schedules", self.check(64, "--schedules", "0", "modes.cu"))
        self.assertIn("--seed takes a whole number or random, not 'x'",
                      self.check(64, "--seed", "x", "modes.cu"))
        self.assertIn("takes neither -c nor -o", self.check(64, "modes.cu", "-o", "kept"))


class Streams(Case):
    """The first run's output is shown, standard input is replayed."""

    def test_output_of_the_first_run_only(self):
        told = self.mode(0, "errors", out="errors: 8 0\n")
        self.assertEqual(told.count("to standard error\n"), 1)

    def test_input_is_replayed(self):
        self.mode(0, "sum", out="sum: 8 6\n", stdin="1 2\n3\n")
        numbers = " ".join(["1"] * 200_000)  # more than a pipe holds
        self.mode(0, "sum", out="sum: 8 200000\n", stdin=numbers)

    def test_input_that_nobody_reads(self):
        self.mode(0, "clean", stdin="x" * 1_000_000)

    def test_no_progress_and_no_colours_without_a_terminal(self):
        self.assertNotIn("\033", self.mode(1, "race"))
        self.assertNotIn("\r", self.mode(1, "race"))


class Notes(Case):
    """Results that differ between runs."""

    def test_schedule(self):
        told = self.mode(0, "last")
        self.assertRegex(told, r"(?m)^modes.cu:\d+:\d+: note: the result depends on the schedule: "
                               r"cudaMemcpy copies other bytes to the host \[schedule-dependent\]$")
        self.assertNotIn("unspecified-dependent", told)
        self.assertIn("elements judged: no findings, 1 note\n", told)
        self.mode(1, "last", "--strict")
        self.mode(0, "last", "--strict", "--schedules", "1")

    def test_unspecified_value(self):
        told = self.mode(0, "masked")
        self.assertRegex(told, r"(?m)^modes.cu:\d+:\d+: note: the result depends on an unspecified "
                               r"value: cudaMemcpy copies other bytes to the host \[unspecified-dep")
        self.assertNotIn("schedule-dependent", told)
        # The twin with padding.
        self.assertIn(": no findings\n", self.mode(0, "padded"))

    def test_lines_and_status(self):
        told = self.mode(0, "last-line")
        self.assertRegex(told, r"(?m)^modes.cu: note: the result depends on the schedule: the program "
                               r"prints 'block \d' instead of 'block 7' \[schedule-dependent\]$")
        told = self.mode(66, "last-status")
        self.assertRegex(told, r"the program ends with status \d instead of 7 \[schedule-dependent\]")
        # Blocks print in any order: the same lines.
        self.assertIn(": no findings\n", self.mode(0, "print"))

    def test_program_that_differs_by_itself(self):
        told = self.mode(0, "process")
        self.assertIn("remark: results were not compared", told)
        self.assertIn(": no findings\n", told)


class Limits(Case):
    """What stops a check before its end is told, and its status is 3."""

    def test_timeout(self):
        told = self.mode(3, "endless", "--timeout", "1")
        self.assertRegex(told, r"(?m)^limit: modes.cu:\d+: time was over, under round-robin$")
        self.assertIn("limit: --timeout of 1 seconds reached after 1 of 8 schedules\n", told)
        self.assertIn("checked: 1 schedule of 8 (1 round-robin)", told)

    def test_max_ops(self):
        told = self.mode(3, "endless", "--max-ops", "100", "--schedules", "2")
        self.assertIn("--max-ops 100 reached", told)

    def test_interrupt(self):
        for mode, schedules in (("endless", 8), ("clean", 1_000_000)):
            child = subprocess.Popen([TOOL, "check", "--schedules", str(schedules), "modes.cu", "--",
                                      mode], cwd=self.folder, env=self.env, text=True,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
            self.assertIn(child.stdout.readline(), ("starts\n", "clean: 8 0\n"))
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            told = child.communicate(timeout=20)[1]
            self.assertEqual(child.returncode, 3, told)
            self.assertRegex(told, rf"limit: interrupted after \d+ of {schedules} schedules\n")


class Replay(Case):
    """A finding's string shows it again."""

    def test_replay(self):
        told = self.mode(1, "race", "--seed", "5")
        strings = re.findall(r"--replay (\S+) modes.cu -- race\n", told)
        self.assertTrue(strings, told)
        for string in strings:
            self.assertLessEqual(len(string), 64)
            again = self.mode(1, "race", "--replay", string)
            self.assertIn("in 1 of 1 schedule\n", again)
        self.assertIn("belongs to another program", self.mode(64, "clean", "--replay", strings[0]))
        self.assertIn("'nonsense' is no replay string", self.mode(64, "race", "--replay", "nonsense"))


if __name__ == "__main__":
    if not TOOL:
        sys.exit("set TILESIM_TOOL to the tool that is to be tested")
    unittest.main()
