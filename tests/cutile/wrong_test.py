#!/usr/bin/env python3
"""What a person does wrong with a cuTile program, or the machine is not made for: what is said then.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import os
import subprocess
import sys
import textwrap
import time
import unittest


class Case(cases.Case):
    def run_text(self, text, *command, **environment):
        path = self.program(textwrap.dedent(text))
        return subprocess.run([TOOL, *(command or ("run",)), path], text=True, capture_output=True, timeout=200, cwd=ROOT,
                              env=os.environ | environment)


class Installed(Case):
    """A package of cuTile's that this release does not know."""

    def with_packages(self, files, text="print('not here')\n"):
        for name, content in files.items():
            path = self.folder / "packages" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return self.run_text(text, PYTHONPATH=f"{self.folder / 'packages'}{os.pathsep}{os.environ['PYTHONPATH']}")

    @staticmethod
    def of_version(version):
        return {f"cuda_tile-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: cuda-tile\nVersion: {version}\n"}

    def test_a_version_that_is_not_known_is_said_not_guessed(self):
        for version in ("1.5.0", "1.8.0", "2.0"):
            with self.subTest(version=version):
                done = self.with_packages(self.of_version(version))
                for old in (self.folder / "packages").iterdir():
                    (old / "METADATA").unlink()
                    old.rmdir()
                self.assertEqual((done.returncode, done.stdout), (69, ""), done.stderr)
                self.assertEqual(done.stderr, f"tilesim: error: cuda-tile {version} is not known to this release; versions 1.6 and "
                                              "1.7 are: pip install 'cuda-tile<1.8'\n")

    def test_a_package_that_lacks_what_is_taken_over(self):
        done = self.with_packages(self.of_version("1.7.9") | {
            "cuda/tile/__init__.py": "", "cuda/tile/_compile.py": "", "cuda/tile/_cext.py": "",
            "cuda/tile/_bytecode/__init__.py": "",
            "cuda/tile/_bytecode/version.py": "class BytecodeVersion:\n    V_13_3 = 3\n"})
        self.assertEqual((done.returncode, done.stdout), (69, ""), done.stderr)
        self.assertIn("cuda-tile 1.7.9 has no BytecodeVersion.V_13_4, which tilesim takes over; versions 1.6 and 1.7 are known: "
                      "pip install 'cuda-tile<1.8'", done.stderr.replace("<class 'cuda.tile._bytecode.version.BytecodeVersion'>",
                                                                          "BytecodeVersion"))


class Launches(Case):
    KERNEL = """\
        @ct.kernel
        def kernel(x, y):
            ct.store(y, (0,), ct.load(x, (0,), (4,)))
        x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    """

    def test_wrong_arguments_are_cutiles_own_errors(self):
        for launch, said in (("0, (1,), kernel, (x,)", "kernel"),
                             ("0, (1,), kernel, (x, y, y)", "kernel"),
                             ("0, (1,), kernel, (x, object())", "object"),
                             ("0, (1, 1, 1, 1), kernel, (x, y)", "grid"),
                             ("0, (1,), print, (x, y)", "kernel")):
            with self.subTest(launch=launch):
                done = self.run_text(textwrap.dedent(self.KERNEL) + textwrap.dedent(f"""
                    try:
                        ct.launch({launch})
                    except Exception as error:
                        print(type(error).__name__, error)
                    ct.launch(0, (1,), kernel, (x, y))
                    print(y)
                """))
                self.assertEqual(done.returncode, 0, done.stderr)
                first, last = done.stdout.splitlines()[0], done.stdout.splitlines()[-1]
                self.assertRegex(first, "^[A-Za-z]*Error ")
                self.assertIn(said, done.stdout.lower())
                self.assertEqual(last, "[1. 1. 1. 1.]")


class Endless(Case):
    LOOPS = {
        "that writes": """\
            @ct.kernel
            def kernel(x):
                while ct.load(x, (0,), (1,)).item() < 1:
                    ct.store(x, (1,), ct.load(x, (1,), (1,)) + 1)
        """,
        "that accesses nothing": """\
            @ct.kernel
            def kernel(x):
                i = ct.load(x, (0,), (1,)).item()
                while i < 5:
                    i = i ^ 2
                ct.store(x, (0,), i)
        """,
    }
    LAUNCH = """
        print("begun", flush=True)
        ct.launch(0, (1,), kernel, (np.zeros(2, np.int32),))
        print("not here")
    """

    def test_a_kernel_that_loops_for_ever_is_ended_by_each_limit(self):
        for what, kernel in self.LOOPS.items():
            for option, said in ((("--timeout", "2"), "--timeout"), (("--max-ops", "20000"), "--max-ops"),
                                 (("--idle-ops", "20000"), "no block has ended")):
                with self.subTest(what, option=option):
                    begun = time.monotonic()
                    done = self.run_text(textwrap.dedent(kernel) + textwrap.dedent(self.LAUNCH), "run", *option)
                    self.assertEqual((done.returncode, done.stdout), (101, "begun\n"), done.stderr)
                    self.assertIn(said, done.stderr)
                    self.assertRegex(done.stderr, r"program\.py:\d+")
                    self.assertLess(time.monotonic() - begun, 60)

    def test_check_ends_by_itself(self):
        for what, kernel in self.LOOPS.items():
            with self.subTest(what):
                done = self.run_text(textwrap.dedent(kernel) + textwrap.dedent(self.LAUNCH), "check", "--schedules", "1")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertRegex(done.stderr, r"limit: .*program\.py:\d+")


if __name__ == "__main__":
    unittest.main(verbosity=2)
