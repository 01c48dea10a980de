"""What the tests of cuTile programs need; without it they are skipped, and say so.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import sys

SKIPPED = 77


def _has(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


missing = [package for name, package in (("numpy", "numpy"), ("cuda.tile", "cuda-tile")) if not _has(name)]
if missing:
    print(f"skipped: {sys.executable} has no {' and no '.join(missing)}; set TILESIM_TEST_PYTHON to a Python that has")
    sys.exit(SKIPPED)
