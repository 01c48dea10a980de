#!/usr/bin/env python3
"""The wheel that is linked for an older glibc: what auditwheel says of it, and that it does what the other one does.

  TILESIM_BUILD_DIR=build/dev TILESIM_ELFUTILS=FOLDER older_glibc_test.py

FOLDER: elfutils' sources, unpacked, compiled or not. Nothing is fetched. The Python takes ziglang and auditwheel.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import os
import pathlib
import sys
import unittest
import zipfile

SKIPPED = 77
missing = [name for name in ("ziglang", "auditwheel") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: {sys.executable} has no {' and no '.join(missing)}")
    sys.exit(SKIPPED)
if not os.environ.get("TILESIM_ELFUTILS"):
    print("skipped: TILESIM_ELFUTILS names no sources of elfutils")
    sys.exit(SKIPPED)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import wheel_test  # noqa: E402


class Older(wheel_test.Wheel):
    SETTINGS = {"glibc": "2.28", "elfutils": os.environ["TILESIM_ELFUTILS"]}
    # Of the other one.
    test_a_source_distribution_makes_the_same_wheel = None

    def test_its_name_and_its_files(self):
        self.assertTrue(self.wheel.name.endswith("-py3-none-manylinux_2_28_x86_64.whl"), self.wheel.name)
        names = zipfile.ZipFile(self.wheel).namelist()
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual([n for n in names if n.endswith("/tilesim")], ["tilesim/_installed/bin/tilesim"])

    def test_auditwheel_finds_it_consistent(self):
        said = " ".join(self.said(sys.executable, "-m", "auditwheel", "show", self.wheel).split())
        self.assertRegex(said, r'consistent with the following platform tag: "manylinux_2_2[0-8]_x86_64"')

    def test_another_glibc_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "glibc=2.17: 2.28 is the one"):
            wheel_test.tilesim_wheel.build_wheel(self.folder.name, self.SETTINGS | {"glibc": "2.17", "build-dir": "."})


if __name__ == "__main__":
    unittest.main(verbosity=2)
