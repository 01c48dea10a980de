"""tilesim.trace(): a block's launches as a page that shows every operation.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import ctypes
import html
import json
import os
import tempfile

from . import _cutile
from ._library import beside


class Trace:
    """A traced block: whole when it has been left."""

    def __init__(self, title):
        self._title = title
        self.page = ""  # HTML, which loads nothing from anywhere
        self.operations = 0  # tile operations

    def save(self, path):
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def __str__(self):
        return f"trace of {self.operations} tile operations"

    def _repr_html_(self):
        """What a notebook shows: the page, in a frame of its own."""
        return (f'<iframe srcdoc="{html.escape(self.page)}" style="width: 100%; height: 600px; border: 0" '
                f'title="{html.escape(self._title)}"></iframe>')


class Tracing(contextlib.AbstractContextManager):
    def __init__(self, title, elements):
        self._title = title
        self._elements = elements

    def __enter__(self):
        _cutile.install()
        page = ctypes.CDLL(beside("libtilesim_check.so")).tilesim_recording_page
        page.restype, page.argtypes = ctypes.c_char_p, (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
        self._page = page
        self._folder = tempfile.TemporaryDirectory()
        self._lines = os.path.join(self._folder.name, "lines")
        options = {"races": True, "quiet": True, "trace": self._lines, "trace_elements": self._elements,
                   "trace_events": 200_000}
        try:
            self._check = _cutile.library().check_begins(options)
        except ValueError:
            self._folder.cleanup()
            raise
        self._trace = Trace(self._title)
        return self._trace

    def __exit__(self, kind, exception, traceback):
        report = _cutile.library().check_ends(self._check)
        with self._folder:
            page = self._page(self._lines.encode(), report, self._title.encode())
        self._trace.page = (page or b"").decode()
        self._trace.operations = json.loads(report)["operations"]
        return False


def trace(title="trace", *, elements=64):
    """Traces the launches of a `with` block, under the race detector; of each result the first `elements`."""
    return Tracing(title, elements)
