"""tilesim: cuTile programs on any machine, exactly.

`tilesim run PROGRAM.py` and `tilesim check PROGRAM.py` run a program as it is. `install()` does the same for the
Python that calls it: from then on, cuTile's launches run here. `check()` does so, and looks for defects.
`record()` writes down what launches do, on a GPU or here; `compare()` and `tilesim diff` hold launches against that.

SPDX-License-Identifier: Apache-2.0
"""
import sys

if sys.version_info < (3, 10):  # in words that every Python can read
    _why = "tilesim needs Python 3.10 or newer, and this is %d.%d" % sys.version_info[:2]
    if sys.argv[:1] == ["-m"]:
        sys.stderr.write("tilesim: error: %s: set TILESIM_PYTHON to a newer one\n" % _why)
        sys.exit(69)
    raise ImportError(_why)

from ._check import Finding, FindingsError, FindingWarning, Frame, Report, check  # noqa: E402
from ._cutile import NotKnown, install  # noqa: E402
from ._record import Comparison, DifferenceError, RecordingError, compare, record  # noqa: E402
from ._trace import Trace, trace  # noqa: E402

__all__ = ["Comparison", "DifferenceError", "Finding", "FindingWarning", "FindingsError", "Frame", "NotKnown", "RecordingError", "Report",
           "Trace", "check", "compare", "install", "record", "trace"]
