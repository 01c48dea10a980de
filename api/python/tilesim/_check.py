"""tilesim.check(): launches with the race detector, and what was found as objects.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import dataclasses
import functools
import html
import inspect
import json
import sys
import warnings

from . import _cutile

ON_FINDINGS = ("raise", "warn", "collect")


@dataclasses.dataclass(frozen=True)
class Frame:
    """A line of the source."""

    file: str
    line: int
    column: int
    function: str

    def __str__(self):
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


@dataclasses.dataclass(frozen=True)
class Finding:
    """A defect, or a note: docs/findings.md has every kind."""

    code: str  # "data-race"
    severity: str  # "error" or "note"
    message: str
    details: tuple
    remedy: str
    count: int
    where: tuple  # of Frame, innermost first
    other: tuple  # of two accesses in conflict: the other one's

    @property
    def is_note(self):
        return self.severity == "note"

    def __str__(self):
        place = f"{self.where[0]}: " if self.where else ""
        lines = [f"{place}{self.severity}: {self.message} [{self.code}]", *(f"  {d}" for d in self.details)]
        for title, frames in (("in", self.where), ("other in", self.other)):
            lines += [f"  {title if i == 0 else 'called from'} {f.function} ({f})" for i, f in enumerate(frames)
                      if f.function]
        if self.remedy:
            lines.append(f"  to fix: {self.remedy}")
        return "\n".join(lines)


class Report:
    """What a check found: whole when its block has been left."""

    def __init__(self):
        self.findings = []  # notes too
        self.operations = 0  # tile operations
        self.judged = 0  # elements whose accesses were looked at

    @property
    def defects(self):
        return [f for f in self.findings if not f.is_note]

    @property
    def clean(self):
        return not self.defects

    def count(self, code):
        """How many findings of a kind there are: count("data-race")."""
        return sum(f.code == code for f in self.findings)

    def _read(self, text):
        told = json.loads(text)
        self.operations = told["operations"]
        self.judged = told["judged"]
        self.findings = [
            Finding(f["code"], f["severity"], f["message"], tuple(f["details"]), f["remedy"], f["count"],
                    tuple(Frame(w["file"], w["line"], w["column"], w["function"]) for w in f["where"]),
                    tuple(Frame(w["file"], w["line"], w["column"], w["function"]) for w in f["other"]))
            for f in told["findings"]
        ]

    def __str__(self):
        if not self.findings:
            return f"no findings in {self.operations} tile operations"
        return "\n".join(str(f) for f in self.findings)

    def _repr_html_(self):
        """What a notebook shows."""
        return f"<pre>{html.escape(str(self))}</pre>"


class FindingsError(Exception):
    """A check has found something: `report` has it."""

    def __init__(self, report):
        super().__init__("\n" + "\n".join(str(f) for f in report.defects))
        self.report = report


class FindingWarning(UserWarning):
    """A finding of a check that warns."""


def _tell_beside(exception, report):
    """An exception of the program's own passes, and what was found is shown with it."""
    text = "tilesim.check() has found, too:\n" + "\n".join(str(f) for f in report.defects)
    if isinstance(exception, Exception) and hasattr(exception, "add_note"):  # Python 3.11
        exception.add_note(text)
    else:  # what ends a program without a traceback: SystemExit, KeyboardInterrupt
        print(text, file=sys.stderr, flush=True)


class Check(contextlib.ContextDecorator):
    """A context manager, and a decorator of functions, each call of which is a check."""

    def __init__(self, on_findings, options):
        self._on_findings = on_findings
        self._options = options
        self._begun = []  # numbers and reports

    def __call__(self, function):
        """A call of a coroutine's or a generator's function runs none of it: the check goes with what it makes."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def checked(*args, **more):
                with self._recreate_cm():
                    return await function(*args, **more)

            return checked
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def checked_generator(*args, **more):
                with self._recreate_cm():
                    return (yield from function(*args, **more))

            return checked_generator
        if inspect.isasyncgenfunction(function):
            raise TypeError(f"tilesim.check() decorates no asynchronous generator; use `with` in {function.__qualname__}")
        return super().__call__(function)

    def _recreate_cm(self):
        return Check(self._on_findings, self._options)

    def __enter__(self):
        _cutile.install()
        self._begun.append((_cutile.library().check_begins(self._options), Report()))
        return self._begun[-1][1]

    def __exit__(self, kind, exception, trace):
        number, report = self._begun.pop()
        report._read(_cutile.library().check_ends(number))
        if report.clean or self._on_findings == "collect":
            return False
        if exception is not None and not isinstance(exception, GeneratorExit) and not _cutile.is_failed_launch(exception):
            _tell_beside(exception, report)
            return False
        if self._on_findings == "warn":
            for f in report.defects:
                warnings.warn(str(f), FindingWarning, stacklevel=2)
            return False
        raise FindingsError(report) from exception


def check(function=None, *, on_findings="raise", schedule="round-robin", seed=0, keep_going=False):
    """Checks the launches of a `with` block, or of each call of a function.

    on_findings: "raise" FindingsError, "warn" with FindingWarning, or "collect" them in the report alone.
    schedule, seed, keep_going: as of `tilesim run`.
    """
    if on_findings not in ON_FINDINGS:
        raise ValueError(f"on_findings is one of {', '.join(ON_FINDINGS)}, not {on_findings!r}")
    options = {"races": True, "quiet": True, "schedule": schedule, "seed": seed, "keep_going": keep_going}
    made = Check(on_findings, options)
    return made if function is None else made(function)
