"""What tests of the command line share: a folder to work in, what a command ended with, a terminal.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import shutil
import tempfile
import unittest


class FolderCase(unittest.TestCase):
    """A folder of its own to work in."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilesim test "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, result, code=0, out=None, err=None):
        """A command's exit status, and what it has printed, where that is told."""
        told = f"\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, code, told)
        if out is not None:
            self.assertEqual(result.stdout, out, told)
        if err is not None:
            self.assertEqual(result.stderr, err, told)
        return result


def read_terminal(end):
    """All that is printed on a terminal, whose end this is, until nobody has the other."""
    text = b""
    try:
        while piece := os.read(end, 65536):
            text += piece
    except OSError:
        pass  # the other end is closed
    os.close(end)
    return text.decode()
