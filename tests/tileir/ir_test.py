#!/usr/bin/env python3
"""tilesim ir from outside: its output, its refusals.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ["TILESIM_TOOL"]


def ir(*words):
    return subprocess.run([TOOL, "ir", *map(str, words)], text=True, capture_output=True, timeout=60)


class Ir(unittest.TestCase):
    def test_the_text_of_files_one_after_the_other(self):
        names = ("softmax", "cuda_saxpy")
        done = ir(*(HERE / "recorded" / f"{n}.tilebc" for n in names))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "".join((HERE / "text" / f"{n}.txt").read_text() for n in names))

    def test_places(self):
        done = ir("--places", HERE / "recorded" / "softmax.tilebc")
        self.assertRegex(done.stdout, r"= reduce .*\n(.*\n)*.* // tests/tileir/kernels\.py:\d+:\d+\n")

    def test_a_damaged_file_is_refused_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "damaged.tilebc"
            file.write_bytes((HERE / "recorded" / "softmax.tilebc").read_bytes()[:200])
            done = ir(file)
        self.assertEqual((done.returncode, done.stdout), (65, ""))
        self.assertRegex(done.stderr, r"damaged\.tilebc: section \w+, offset 0x")

    def test_no_file(self):
        self.assertEqual(ir().returncode, 64)
        self.assertEqual(ir("/nowhere/at.all").returncode, 64)


if __name__ == "__main__":
    unittest.main(verbosity=2)
