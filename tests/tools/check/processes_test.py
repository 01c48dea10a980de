#!/usr/bin/env python3
"""`tilesim check` of programs that make processes: one report of all.

  TILESIM_TOOL=build/dev/bin/tilesim processes_test.py

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import pathlib
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")


class Children(unittest.TestCase):
    def check(self, *does, options=("--schedules", "3"), status):
        done = subprocess.run([TOOL, "check", *options, "processes.cu", "--", *does], cwd=HERE, text=True, capture_output=True,
                              timeout=120)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def findings(self, *does):
        done = self.check(*does, options=("--schedules", "3", "--json"), status=1)
        return json.loads(done.stdout)["findings"]

    def test_what_they_find_is_told_however_they_end(self):
        for does in (("race",), ("race and exit",), ("here", "race"), ("fine", "here", "race", "race and exit")):
            with self.subTest(does=does):
                [finding] = self.findings(*does)
                self.assertEqual((finding["code"], finding["where"][0]["line"], finding["other"][0]["line"]), ("data-race", 17, 15))
                self.assertEqual(finding["details"][-1], "in a process that the program has made")
                self.assertEqual(finding["schedules"], 3)

    def test_its_replay_string_shows_it(self):
        [finding] = self.findings("here", "race")
        done = self.check("here", "race", options=("--replay", finding["replay"]), status=1)
        self.assertIn("[data-race]", done.stderr)
        self.assertNotIn("to step:", done.stderr)

    def test_what_they_do_is_counted_once(self):
        # Eight operations of the parent's are not the child's.
        def judged(*does):
            report = json.loads(self.check(*does, options=("--schedules", "1", "--json"), status=0).stdout)
            return report["runs"][0]["operations"], report["runs"][0]["judged"]

        for child in ("fine", "term"):
            with self.subTest(child):
                one, two, three = judged(child), judged("here", child), judged("here", "here", child)
                self.assertGreater(one[1], 0)
                self.assertEqual(two, (2 * one[0], 2 * one[1]))
                self.assertEqual(three, (3 * one[0], 3 * one[1]))

    def test_one_that_crashes_is_told(self):
        for does, signal in (("abort", "SIGABRT"), ("segv", "SIGSEGV")):
            for before in ((), ("here",)):
                with self.subTest(does, before=before):
                    done = self.check(*before, does, status=66)
                    self.assertIn(f"error: a process that the program has made ended by {signal} under round-robin, and failed in 3 of "
                                  "3 schedules", done.stderr)

    def test_ends_that_are_the_programs_affair(self):
        for does in ("term", "fine", "exec"):
            with self.subTest(does):
                done = self.check("here", does, status=0)
                self.assertIn("no findings", done.stderr)

    def test_one_that_ends_behind_the_program_is_waited_for(self):
        done = self.check("here", "late", status=0)
        self.assertIn("no findings", done.stderr)

    def test_nothing_is_left_behind(self):
        cache = pathlib.Path(os.environ["TILESIM_CACHE"])
        before = set(cache.rglob("*.child-*"))
        self.check("race", "abort", "here", "race", status=1)
        self.assertLessEqual(set(cache.rglob("*.child-*")), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
