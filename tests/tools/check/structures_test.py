#!/usr/bin/env python3
"""Structures that calls return into memory: seen by both compilers without optimisation, and where they are put in line.

  TILESIM_TOOL=build/dev/bin/tilesim structures_test.py
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
COMPILERS = os.environ.get("TILESIM_TEST_COMPILERS", "g++").split()
KINDS = ("small", "large", "vector", "halves")


def told(compiler, *words):
    return subprocess.run([TOOL, *words], cwd=HERE, env={**os.environ, "CXX": compiler}, capture_output=True, text=True,
                          timeout=240)


class Structures(unittest.TestCase):
    def setUp(self):
        lines = (HERE / "structures.cu").read_text().splitlines()
        self.lines = {what: 1 + next(n for n, text in enumerate(lines) if text.endswith("// " + what))
                      for kind in KINDS for what in (kind + " read", kind + " written")}

    def in_each_way(self, test):
        for compiler in COMPILERS:
            for words in (("-O0",), ("-O0", "-DIN_LINE"), ("-O2", "-DIN_LINE")):
                with self.subTest(compiler=compiler, words=words):
                    test(compiler, words)

    def test_a_right_program_is_clean(self):
        def clean(compiler, words):
            result = told(compiler, "check", "--schedules", "2", *words, "structures.cu")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.in_each_way(clean)

    def test_what_no_hook_reports_counts_as_written(self):
        """Above -O0 g++ says nothing of the store of what a call returns; what stands there is no longer what stood there first."""
        for compiler in COMPILERS:
            for level in ("-O1", "-O2", "-O3"):
                with self.subTest(compiler=compiler, level=level):
                    result = told(compiler, "check", "--schedules", "2", level, "-DFIRST=1", "structures.cu")
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_races_are_found_and_nothing_else(self):
        def racy(compiler, words):
            result = told(compiler, "check", "--schedules", "2", *words, "structures.cu", "--", "racy")
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            # What is printed depends on who comes first.
            summaries = [line for line in (result.stdout + result.stderr).splitlines()
                         if line.startswith("summary: ") and not line.startswith("summary: schedule-dependent")]
            self.assertEqual({frozenset(map(int, re.findall(r"structures\.cu:(\d+):", line))) for line in summaries},
                             {frozenset((self.lines[k + " read"], self.lines[k + " written"])) for k in KINDS})
            self.assertTrue(all(line.startswith("summary: data-race: ") for line in summaries), summaries)
        self.in_each_way(racy)

    def test_the_stepper_stops_there(self):
        """It compiles without optimisation."""
        for compiler in COMPILERS:
            with self.subTest(compiler):
                found = told(compiler, "check", "--schedules", "1", "-DIN_LINE", "structures.cu", "--", "racy")
                steps = [line.split(": ", 1)[1].split()[1:] for line in (found.stdout + found.stderr).splitlines()
                         if line.strip().startswith("to step: ") and "data-race" in line]
                self.assertEqual(len(steps), len(KINDS))
                for step in steps:
                    result = told(compiler, step[0], "--batch", *step[1:])
                    self.assertEqual(result.returncode, 0, f"{step}\n{result.stdout}{result.stderr}")


if __name__ == "__main__":
    unittest.main()
