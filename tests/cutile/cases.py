"""What tests of cuTile programs begin with: a folder of their own, and programs in it.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ["TILESIM_TOOL"]


class Case(unittest.TestCase):
    BEGINNING = "import cuda.tile as ct\nimport numpy as np\n"  # of each program

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, text):
        path = self.folder / "program.py"
        path.write_text(self.BEGINNING + textwrap.dedent(text))
        return path
