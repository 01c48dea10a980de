"""tilesim: cuTile programs on any machine, exactly.

`tilesim run PROGRAM.py` and `tilesim check PROGRAM.py` run a program as it is. `install()` does the same for the
Python that calls it: from then on, cuTile's launches run here. `check()` does so, and looks for defects.
`record()` writes down what launches do, on a GPU or here; `compare()` and `tilesim diff` hold launches against that.

SPDX-License-Identifier: Apache-2.0
"""
from ._check import Finding, FindingsError, FindingWarning, Frame, Report, check
from ._cutile import NotKnown, install
from ._record import Comparison, DifferenceError, RecordingError, compare, record
from ._trace import Trace, trace

__all__ = ["Comparison", "DifferenceError", "Finding", "FindingWarning", "FindingsError", "Frame", "NotKnown", "RecordingError", "Report",
           "Trace", "check", "compare", "install", "record", "trace"]
