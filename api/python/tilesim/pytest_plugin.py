"""pytest --tilesim: the launches of every test are checked, and a finding fails the test.

SPDX-License-Identifier: Apache-2.0
"""
import pytest

from . import FindingsError, check, install


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


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    if not item.config.getoption("tilesim") or item.get_closest_marker("tilesim_off") is not None:
        yield
        return
    checked = check(on_findings="collect", schedule=item.config.getoption("tilesim_schedule"),
                    seed=item.config.getoption("tilesim_seed"))
    with checked as report:
        outcome = yield
    if not report.clean:
        error = FindingsError(report)
        error.__cause__ = outcome.excinfo[1] if outcome.excinfo else None
        item.add_report_section("call", "tilesim", str(report))
        outcome.force_exception(error)
