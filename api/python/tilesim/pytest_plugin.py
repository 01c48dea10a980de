"""pytest --tilesim: the launches of every test are checked, and a finding fails the test.

SPDX-License-Identifier: Apache-2.0
"""
import pytest

from . import FindingsError, _cutile, _processes, check, install

_FOUND = pytest.StashKey()  # of a test: what was raised for its findings


def pytest_addoption(parser):
    group = parser.getgroup("tilesim")
    group.addoption("--tilesim", action="store_true", help="run cuTile's launches in the simulator, and fail a test "
                    "whose launches have findings: races, accesses out of bounds, …")
    group.addoption("--tilesim-schedule", default="round-robin", help="the order of blocks: round-robin, random, "
                    "bursts or pct")
    group.addoption("--tilesim-seed", type=int, default=0, help="of the schedule")


def pytest_configure(config):
    config.addinivalue_line("markers", "tilesim_off: under --tilesim, findings of this test are not looked for")
    if config.getoption("tilesim"):
        install()
        if _cutile.is_installed_here():
            _cutile.library().outlives_runs()  # also where a runner of tests has been started by one
            _processes.hand_on()


def _checked(item, phase):
    """A part of a test: what its launches are found to do fails it."""
    if not item.config.getoption("tilesim"):
        yield
        return
    checked = check(on_findings="collect", schedule=item.config.getoption("tilesim_schedule"),
                    seed=item.config.getoption("tilesim_seed"))
    with checked as report:
        outcome = yield
    if not report.clean and item.get_closest_marker("tilesim_off") is None:
        error = FindingsError(report)
        item.stash[_FOUND] = error
        if outcome.excinfo:  # which is shown first, and the findings below it
            error.__cause__ = outcome.excinfo[1]
            item.add_report_section(phase, "tilesim", str(report))
        outcome.force_exception(error)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    """With the fixtures that it is the first to ask for."""
    yield from _checked(item, "setup")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    yield from _checked(item, "call")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    """With the fixtures that it is the last to need."""
    yield from _checked(item, "teardown")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Findings are told without the calls of pytest's own that lead here."""
    outcome = yield
    error = item.stash.get(_FOUND, None)
    report = outcome.get_result()
    if error is None or call.excinfo is None or call.excinfo.value is not error or report.outcome != "failed":
        return
    if error.__cause__ is None:
        shown = call.excinfo.getrepr(style="value")
    else:
        shown = item.repr_failure(pytest.ExceptionInfo.from_exception(error.__cause__))
    if hasattr(shown, "reprcrash"):
        shown.reprcrash.message = str(error.report.defects[0]).splitlines()[0]
    report.longrepr = shown
