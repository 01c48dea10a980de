"""tilesim: cuTile programs on any machine, exactly.

`tilesim run PROGRAM.py` and `tilesim check PROGRAM.py` run a program as it is. `install()` does the same for the
Python that calls it: from then on, cuTile's launches run here.

SPDX-License-Identifier: Apache-2.0
"""
from ._cutile import NotKnown, install

__all__ = ["NotKnown", "install"]
