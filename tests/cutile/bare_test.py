#!/usr/bin/env python3
"""Programs in Python where cuTile is not installed, and command lines that name none.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ["TILESIM_TOOL"]


def tool(*words, **environment):
    return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=100,
                          env=os.environ | environment)


class Bare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "program.py"
        # A Python that has no packages but its own.
        self.python = pathlib.Path(self.folder.name) / "python"
        self.python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        self.python.chmod(0o755)

    def test_a_missing_package_is_said_with_the_line_that_installs_it(self):
        self.path.write_text("import sys\nimport cuda.tile\n")
        for command in ("run", "check"):
            done = tool(command, self.path, TILESIM_PYTHON=str(self.python))
            self.assertEqual(done.returncode, 69)
            self.assertIn("program.py:2: error: cuTile is not installed: ", done.stderr)
            self.assertIn("-m pip install cuda-tile\n", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_program_may_do_without_the_missing_package(self):
        self.path.write_text("try:\n    import cuda.tile\nexcept ImportError as why:\n    print('not so:', why)\n")
        done = tool("run", self.path, TILESIM_PYTHON=str(self.python))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("not so: cuTile is not installed", done.stdout)

    def test_a_program_without_cutile_runs(self):
        self.path.write_text("print('hello')\n")
        done = tool("run", self.path, TILESIM_PYTHON=str(self.python))
        self.assertEqual((done.returncode, done.stdout), (0, "hello\n"), done.stderr)

    def test_a_program_knows_of_itself_what_it_does_under_python(self):
        self.path.write_text("import pickle, sys\nclass One: pass\npickle.dumps(One())\n"
                             "print(__file__, sys.argv, sys.path[0], __name__, __package__, __spec__, __builtins__, "
                             "sys.modules['__main__'].One, One.__qualname__)\n")
        link = self.path.parent / "elsewhere" / "link.py"
        link.parent.mkdir()
        link.symlink_to(self.path)
        for program in (self.path.name, f"./{self.path.name}", f"../{self.path.parent.name}/program.py", str(self.path),
                        "elsewhere/link.py"):
            where = {"cwd": self.folder.name, "text": True, "capture_output": True, "timeout": 100}
            plain = subprocess.run([sys.executable, program, "--x", "1"], **where)
            self.assertEqual(plain.returncode, 0, plain.stderr)
            done = subprocess.run([TOOL, "run", program, "--", "--x", "1"], **where)
            self.assertEqual((done.stdout, done.stderr), (plain.stdout, ""))

    def test_the_module_says_how_it_is_used(self):
        def module(*words):
            return subprocess.run([sys.executable, "-m", "tilesim", *words], text=True, capture_output=True, timeout=100,
                                  env=os.environ | {"PYTHONPATH": str(ROOT / "api" / "python")})

        done = module("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("usage: python3 -m tilesim PROGRAM.py [arguments]\n", done.stdout)
        for words in ((), ("--unknown",)):
            done = module(*words)
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn("usage: ", done.stderr)
        done = module("no/such.py")
        self.assertEqual((done.returncode, done.stderr), (64, "tilesim: error: cannot read 'no/such.py'\n"))

    def test_no_such_program_and_no_such_python(self):
        done = tool("run", self.path)
        self.assertEqual(done.returncode, 64)
        self.assertIn("cannot read", done.stderr)
        self.path.write_text("")
        done = tool("run", self.path, TILESIM_PYTHON="no-such-python")
        self.assertEqual(done.returncode, 69)
        self.assertIn("TILESIM_PYTHON", done.stderr)

    def test_a_python_that_is_too_old_is_said(self):
        for begin, status, said in (("'-m'", 69, "tilesim: error: tilesim needs Python 3.10 or newer, and this is 3.9: set TILESIM_PYTHON"),
                                    ("'-c'", 1, "ImportError: tilesim needs Python 3.10 or newer, and this is 3.9")):
            done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.version_info = (3, 9, 2); sys.argv[0] = {begin}; "
                                   "import tilesim"], text=True, capture_output=True, timeout=100,
                                  env=os.environ | {"PYTHONPATH": str(ROOT / "api" / "python")})
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(said, done.stderr)

    def test_commands_that_compile_say_which_take_a_program_in_python(self):
        self.path.write_text("print(1)\n")
        for command in ("build",):
            done = tool(command, self.path)
            self.assertEqual(done.returncode, 64, done.stderr)
            self.assertIn("run, check, step, trace, dap, explore and diff take one", done.stderr)

    def test_diff_without_a_recording_says_what_a_program_in_python_is_compared_with(self):
        self.path.write_text("print(1)\n")
        done = tool("diff", self.path)
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        self.assertRegex(done.stderr, r"^tilesim: error: [^\n]*--against FILE\.rec[^\n]*tilesim\.record[^\n]*\n$")
        self.assertIn("FILE.py --against FILE.rec", tool("diff", "--help").stdout)

    def test_bytecode_is_sent_to_the_command_that_prints_it(self):
        path = pathlib.Path(self.folder.name) / "x.tilebc"
        path.write_bytes(b"\x7fTileIR\0")
        for command in ("run", "check"):
            done = tool(command, path)
            self.assertEqual(done.returncode, 64, done.stderr)
            self.assertIn(f"tilesim ir {path}", done.stderr)

    def test_two_programs_are_one_too_many(self):
        self.path.write_text("")
        done = tool("run", self.path, self.path)
        self.assertEqual(done.returncode, 64)
        self.assertIn("is no source file", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
