#!/usr/bin/env python3
"""tilesim.record(), tilesim.compare() and `tilesim diff prog.py`: what one run recorded, another is held against.

A GPU's launches are recorded by the same code, from a device's memory: here the simulator's are.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import json
import os
import subprocess
import sys
import unittest

import numpy as np

import tilesim

tilesim.install()
import cuda.tile as ct  # noqa: E402

# Three launches, each of which goes on from the one before; what is recorded is the first program.
PROGRAM = """
    import os
    import tilesim

    @ct.kernel
    def scale(x, y, factor: ct.Constant[int]):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (16,)) * factor{scale})

    @ct.kernel
    def root(y, parts):
        i = ct.bid(0)
        ct.store(parts[0], (i,), ct.{root}(ct.load(y, (i,), (16,)).astype(np.float32)))

    x = np.arange(64, dtype=np.int32){input}
    y = np.full(64, {output}, np.int32)
    parts = [np.zeros(64, np.float32), np.zeros(16, np.float32)]

    def launches():
        ct.launch(0, (4,), scale, (x, y, 3))
        ct.launch(0, (4,), root, (y, parts))
        ct.launch(0, (4,), scale, (y, x, 2))

    if "RECORD" in os.environ:
        with tilesim.record(os.environ["RECORD"]):
            launches()
    else:
        launches()
    print("x", x[1])
    """
SAME = {"scale": "", "root": "sqrt", "input": "", "output": 0}


@ct.kernel
def add_one(x):
    ct.store(x, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) + 1)


@ct.kernel
def add_two(x):
    ct.store(x, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) + 2)


@ct.kernel
def threes(x):
    ct.store(x, (ct.bid(0),), ct.full((16,), 3, ct.int32))


class Recordings(cases.Case):
    def tool(self, *words, **environment):
        return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=300, cwd=ROOT,
                              env=os.environ | environment)

    def recorded(self):
        recording = self.folder / "program.rec"
        done = self.tool("run", self.program(PROGRAM.format(**SAME)), RECORD=str(recording))
        self.assertEqual(done.returncode, 0, done.stderr)
        return recording

    def diff(self, **changes):
        recording = self.recorded()
        path = self.program(PROGRAM.format(**SAME | changes))
        done = self.tool("diff", "--json", "-", path, "--against", recording)
        self.assertTrue(done.stdout.startswith("{"), done.stdout + done.stderr)
        return done.returncode, json.loads(done.stdout)

    def test_what_is_the_same_agrees(self):
        recording = self.recorded()
        done = self.tool("diff", self.program(PROGRAM.format(**SAME)), "--against", recording)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("agrees: 3 of 3 launches compared", done.stdout)
        self.assertIn("3 the same, 0 differ", done.stdout)

    def test_another_kernel_is_told_with_launch_array_and_element(self):
        status, told = self.diff(scale=" + ct.where(ct.arange(16, dtype=ct.int32) == 5, 1, 0)")
        self.assertEqual(status, 1)
        by_number = {launch["launch"]: launch for launch in told["launches"]}
        self.assertEqual([launch["verdict"] for launch in told["launches"]], ["differs", "same", "differs"], told)
        [buffer] = by_number[1]["buffers"]
        self.assertEqual((buffer["name"], buffer["differing"], buffer["first"][0]["index"]), ("y", 4, 5))
        text = self.tool("diff", self.folder / "program.py", "--against", self.folder / "program.rec").stdout
        self.assertIn("4 of 64 elements of y differ", text)
        self.assertIn("y[5]: ", text)
        self.assertIn("program.py", text)

    # What is approximate is held to what its operands allow, as in C++.
    def test_an_approximate_operation_is_held_to_its_bounds(self):
        status, told = self.diff(root="rsqrt")
        self.assertEqual(status, 1)  # far outside
        [launch] = [one for one in told["launches"] if one["buffers"]]
        self.assertEqual((launch["kernel"], launch["buffers"][0]["name"]), ("root", "parts[0]"))

    def test_another_input_is_told_before_a_kernel_is_blamed(self):
        status, told = self.diff(input=" + 1")
        self.assertEqual(status, 3)
        self.assertEqual(told["launches"][0]["inputs"][0]["name"], "x")

    # np.empty holds something else in each process: no input of a launch that only writes it.
    def test_what_a_launch_never_reads_is_no_input(self):
        status, told = self.diff(output=7)
        self.assertEqual((status, [launch["verdict"] for launch in told["launches"]]), (0, ["same"] * 3), told)

    def test_within_a_program(self):
        path = self.folder / "own.rec"
        x = np.zeros(32, np.int32)
        with tilesim.record(path):
            ct.launch(0, (2,), add_one, (x,))
            ct.launch(0, (2,), add_one, (x,))
        self.assertEqual(list(x), [2] * 32)
        x = np.zeros(32, np.int32)
        with tilesim.compare(path) as comparison:
            ct.launch(0, (2,), add_one, (x,))
            ct.launch(0, (2,), add_one, (x,))
        self.assertTrue(comparison.agrees)
        self.assertEqual(str(comparison), "2 launches agree, bit for bit")

    def test_within_a_program_what_is_only_written_may_hold_anything(self):
        path = self.folder / "own.rec"
        with tilesim.record(path):
            ct.launch(0, (2,), threes, (np.zeros(32, np.int32),))
        with tilesim.compare(path) as comparison:
            ct.launch(0, (2,), threes, (np.full(32, 7, np.int32),))
        self.assertTrue(comparison.agrees)

    def test_a_difference_is_none_of_the_next_launch(self):
        path = self.folder / "own.rec"
        x = np.zeros(32, np.int32)
        with tilesim.record(path):
            for _ in range(3):
                ct.launch(0, (2,), add_one, (x,))
        x = np.zeros(32, np.int32)
        with tilesim.compare(path, on_difference="collect") as comparison:
            ct.launch(0, (2,), add_one, (x,))
            x += 5  # the host writes something else
            ct.launch(0, (2,), add_one, (x,))
            ct.launch(0, (2,), add_one, (x,))
        self.assertFalse(comparison.agrees)
        self.assertEqual([len(told["inputs"]) for told in comparison.launches], [0, 1, 0])
        self.assertEqual([told["buffers"] for told in comparison.launches], [[], [], []])
        self.assertIn("x holds something else before it", str(comparison))

    def test_a_block_that_launches_something_else(self):
        path = self.folder / "own.rec"
        with tilesim.record(path):
            ct.launch(0, (2,), add_one, (np.zeros(32, np.int32),))
        with self.assertRaises(tilesim.DifferenceError) as raised:
            with tilesim.compare(path):
                ct.launch(0, (2,), add_two, (np.zeros(32, np.int32),))
        self.assertIn("launch 1: add_two here, add_one there", str(raised.exception))
        with self.assertRaises(tilesim.DifferenceError):
            with tilesim.compare(path):
                pass

    def test_files_that_are_no_recordings(self):
        with self.assertRaises(tilesim.RecordingError) as raised:
            with tilesim.compare(self.folder / "none.rec"):
                pass
        self.assertIn("none.rec", str(raised.exception))
        (self.folder / "bad.rec").write_bytes(b"TILESREC and no more")
        with self.assertRaises(tilesim.RecordingError):
            with tilesim.compare(self.folder / "bad.rec"):
                pass
        with self.assertRaises(tilesim.RecordingError):
            with tilesim.record(self.folder / "missing" / "x.rec"):
                ct.launch(0, (2,), add_one, (np.zeros(32, np.int32),))

    def test_what_a_recording_holds(self):
        recording = self.recorded()
        done = self.tool("gpu", "show", recording)
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("scale", "root", "parts[0]", "array"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main()
