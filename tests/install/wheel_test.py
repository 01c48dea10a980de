#!/usr/bin/env python3
"""The wheel as pip installs it: the command, programs in C++ and in Python, a Python of one's own, pytest.

  TILESIM_BUILD_DIR=build/dev wheel_test.py

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "api" / "python" / "packaging"))
import tilesim_wheel  # noqa: E402

OTHERS = os.environ.get("TILESIM_TEST_PYTHON", sys.executable)
PROGRAM = """\
import numpy as np
import tilesim
tilesim.install()
import cuda.tile as ct

@ct.kernel
def racy(bins):
    zero = ct.arange(1, dtype=ct.int32) * 0
    ct.scatter(bins, zero, ct.gather(bins, zero) + 1)

def test_it():
    ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))

if __name__ == "__main__":
    with tilesim.check(on_findings="collect") as report:
        test_it()
    print(report.count("data-race"), "race")
"""


class Wheel(unittest.TestCase):
    SETTINGS = {}  # besides where the build is

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        root = pathlib.Path(cls.folder.name)
        cls.wheel = root / tilesim_wheel.build_wheel(root, {"build-dir": os.environ["TILESIM_BUILD_DIR"]} | cls.SETTINGS)
        cls.environment = {k: v for k, v in os.environ.items()
                           if k not in ("PYTHONPATH", "TILESIM_LIBRARY", "TILESIM_PYTHON", "TILESIM_TOOL")}
        cls.bin = root / "venv" / "bin"
        cls.said(sys.executable, "-m", "venv", root / "venv")
        cls.said(cls.bin / "python", "-m", "pip", "install", "--no-index", "--quiet", cls.wheel)
        # cuda-tile, NumPy and pytest, where there are any, are those of the tests' Python.
        found = subprocess.run([OTHERS, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True,
                               capture_output=True, check=True).stdout.strip()
        packages = next((root / "venv" / "lib").glob("python*/site-packages"))
        (packages / "others.pth").write_text(found + "\n")

    @classmethod
    def said(cls, *words, status=0):
        done = subprocess.run([str(w) for w in words], text=True, capture_output=True, timeout=300,
                              env=cls.environment, cwd=cls.folder.name)
        assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def needs(self, *modules):
        for module in modules:
            if subprocess.run([self.bin / "python", "-c", f"import {module}"], capture_output=True).returncode != 0:
                self.skipTest(f"no {module} for {OTHERS}")

    def test_its_name_and_its_files(self):
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        self.assertTrue(self.wheel.name.endswith(f"-py3-none-{platform}.whl"))
        names = zipfile.ZipFile(self.wheel).namelist()
        self.assertEqual(len(names), len(set(names)))
        for wanted in ("tilesim/_check.py", "tilesim/pytest_plugin.py", "tilesim/_installed/bin/tilesim",
                       "tilesim/_installed/include/tilesim-cuda/cuda_tile.h",
                       "tilesim/_installed/include/tilesim-cuda/python/sitecustomize.py"):
            self.assertIn(wanted, names)

    def test_a_source_distribution_makes_the_same_wheel(self):
        root = pathlib.Path(self.folder.name)
        sdist = root / tilesim_wheel.build_sdist(root)
        with tarfile.open(sdist) as tar:
            names = tar.getnames()
            tar.extractall(root / "sdist", filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(root / "sdist")
        top = sdist.name.removesuffix(".tar.gz")
        for wanted in ("PKG-INFO", "pyproject.toml", "CMakeLists.txt", "sim/context.cpp", "docs/python.md", "LICENSE"):
            self.assertIn(f"{top}/{wanted}", names)
        self.assertFalse([n for n in names if n.startswith(f"{top}/build/")])
        build = os.path.abspath(ROOT / os.environ["TILESIM_BUILD_DIR"])
        self.said(self.bin / "python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
                  f"--config-settings=build-dir={build}", "-w", root / "again", root / "sdist" / top)
        [again] = (root / "again").glob("*.whl")
        self.assertEqual(sorted(zipfile.ZipFile(again).namelist()), sorted(zipfile.ZipFile(self.wheel).namelist()))

    def test_the_command_runs_programs_in_cpp(self):
        self.assertIn("0 wrong", self.said(self.bin / "tilesim", "run", ROOT / "examples" / "saxpy.cu"))

    def test_the_command_checks_programs_in_python(self):
        self.needs("numpy", "cuda.tile")
        path = pathlib.Path(self.folder.name) / "program.py"
        path.write_text(PROGRAM.replace("if __name__", "test_it()\nif __name__"))
        self.assertIn("[data-race]", self.said(self.bin / "tilesim", "check", "--schedules", "2", path, status=1))

    def test_a_python_of_ones_own_checks(self):
        self.needs("numpy", "cuda.tile")
        path = pathlib.Path(self.folder.name) / "own.py"
        path.write_text(PROGRAM)
        self.assertEqual(self.said(self.bin / "python", path), "1 race\n")

    def test_pytest_knows_the_option(self):
        self.needs("numpy", "cuda.tile", "pytest")
        path = pathlib.Path(self.folder.name) / "test_own.py"
        path.write_text(PROGRAM)
        self.said(self.bin / "python", "-m", "pytest", "-q", path)
        said = self.said(self.bin / "python", "-m", "pytest", "-q", "--tilesim", path, status=1)
        self.assertIn("test_own.py:9", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
