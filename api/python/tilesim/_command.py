"""The command `tilesim`, where pip has installed it.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).resolve().parent / "_installed" / "bin" / "tilesim"
    if not program.exists():
        sys.exit("tilesim: error: this package holds no tool: pip install it from a checkout, or start build/…/bin/tilesim")
    os.environ.setdefault("TILESIM_PYTHON", sys.executable)
    os.execv(program, ["tilesim", *sys.argv[1:]])
