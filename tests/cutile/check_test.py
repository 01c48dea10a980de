#!/usr/bin/env python3
"""tilesim.check() in a Python of the user's own, and pytest --tilesim.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing

import asyncio
import contextlib
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest
import warnings

import numpy as np

import tilesim

tilesim.install()
import cuda.tile as ct  # noqa: E402


@ct.kernel
def racy(bins):
    zero = ct.arange(1, dtype=ct.int32) * 0
    old = ct.gather(bins, zero)
    ct.scatter(bins, zero, old + 1)


@ct.kernel
def copy(source, target):
    ct.store(target, (ct.bid(0),), ct.load(source, (ct.bid(0),), (16,)))


@ct.kernel
def sum_of(arrays, target):
    total = ct.zeros((16,), ct.float32)
    for i in range(len(arrays)):
        total = total + ct.load(arrays[i], (0,), (16,))
    ct.store(target, (0,), total)


@ct.kernel
def outside(x):
    ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)


def launch_racy():
    ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))


def launch_clean():
    target = np.zeros(32, np.float32)
    ct.launch(0, (2,), copy, (np.ones(32, np.float32), target))
    return target


class Checks(unittest.TestCase):
    def test_a_clean_block_has_a_clean_report(self):
        with tilesim.check() as report:
            target = launch_clean()
        self.assertTrue(report.clean)
        self.assertEqual(report.findings, [])
        self.assertEqual((report.judged, target.sum()), (64, 32))
        self.assertIn("no findings", str(report))

    def test_lists_of_arrays_in_one_check_after_the_other_and_in_none(self):
        ones = np.ones(16, np.float32)
        for some in ([ones, ones.copy()], [ones], [ones, ones.copy(), ones.copy()]):
            target = np.zeros(16, np.float32)
            with tilesim.check() as report:  # cuTile keeps the memory of a list's table
                ct.launch(0, (1,), sum_of, (some, target))
            self.assertEqual((report.findings, target.sum()), ([], 16 * len(some)))
            ct.launch(0, (1,), sum_of, (some, target))
            self.assertEqual(target.sum(), 16 * len(some))

    def test_a_race_is_raised_with_both_lines(self):
        with self.assertRaises(tilesim.FindingsError) as caught:
            with tilesim.check():
                launch_racy()
        report = caught.exception.report
        self.assertEqual(report.count("data-race"), 1)
        race = next(f for f in report.findings if f.code == "data-race")
        here = pathlib.Path(__file__).name
        lines = pathlib.Path(__file__).read_text().splitlines()
        number = 1 + next(i for i, t in enumerate(lines) if "old = ct.gather" in t)
        self.assertEqual({race.where[0].line, race.other[0].line}, {number, number + 1})
        self.assertIn(f"{here}:{number}", str(caught.exception))
        self.assertIn("bins[0] of int32[8]", str(caught.exception))

    def test_blocks_that_wait_for_ever_are_told(self):
        @ct.kernel
        def waits(flag):
            while ct.atomic_or(flag, 0, 0) == 0:
                pass

        with self.assertRaises(tilesim.FindingsError) as caught:
            with tilesim.check():
                ct.launch(0, (1,), waits, (np.zeros(1, np.int32),))
        self.assertEqual(caught.exception.report.count("deadlock"), 1)
        self.assertEqual(launch_clean().sum(), 32)

    def test_a_notebook_shows_a_report(self):
        with tilesim.check(on_findings="collect") as report:
            launch_racy()
        self.assertIn("weak load", report._repr_html_())
        self.assertTrue(report._repr_html_().startswith("<pre>"))

    def test_what_is_found_can_be_collected_or_warned_of(self):
        with tilesim.check(on_findings="collect") as report:
            launch_racy()
        self.assertFalse(report.clean)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with tilesim.check(on_findings="warn"):
                launch_racy()
        self.assertTrue(any(issubclass(w.category, tilesim.FindingWarning) for w in told))

    def test_as_a_decorator_with_arguments_and_without(self):
        self.assertEqual(tilesim.check(launch_clean)().sum(), 32)
        self.assertEqual(launch_clean.__name__, tilesim.check(launch_clean).__name__)
        for decorated in (tilesim.check(launch_racy), tilesim.check(schedule="random", seed=3)(launch_racy)):
            with self.assertRaises(tilesim.FindingsError):
                decorated()

    def test_of_coroutines_and_generators_the_check_goes_with_the_call(self):
        @tilesim.check
        async def task(launches):
            await asyncio.sleep(0)
            launches()
            await asyncio.sleep(0)
            return 5

        @tilesim.check(on_findings="raise")
        def steps(launches):
            got = yield 1
            launches()
            return got

        async def both():
            return await asyncio.gather(task(launch_clean), task(launch_clean))

        self.assertEqual(asyncio.run(both()), [5, 5])
        self.assertEqual(list(steps(launch_clean)), [1])
        with self.assertRaises(tilesim.FindingsError):
            asyncio.run(task(launch_racy))
        with self.assertRaises(tilesim.FindingsError):
            list(steps(launch_racy))
        with self.assertRaisesRegex(TypeError, "asynchronous generator"):
            @tilesim.check
            async def neither():
                yield 1

    def test_one_that_ends_before_another_that_began_later(self):
        first, second = (tilesim.check(on_findings="collect") for _ in range(2))
        one = first.__enter__()
        launch_racy()
        two = second.__enter__()
        launch_clean()
        first.__exit__(None, None, None)
        launch_racy()
        launch_racy()
        second.__exit__(None, None, None)
        self.assertEqual((one.count("data-race"), two.count("data-race")), (1, 1))
        self.assertGreater(two.operations, one.operations)
        launch_racy()
        with tilesim.check() as report:
            launch_clean()
        self.assertTrue(report.clean)

    def test_an_access_outside_is_an_exception_and_python_lives_on(self):
        for _ in range(3):
            with self.assertRaises(tilesim.FindingsError) as caught:
                with tilesim.check():
                    ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))
            self.assertIn("[out-of-bounds]", str(caught.exception))
            self.assertIn("it is x[4] of int32[4]", str(caught.exception))
            self.assertIsInstance(caught.exception.__cause__, Exception)  # cuTile's own, of the launch
        self.assertEqual(launch_clean().sum(), 32)
        with tilesim.check() as report:
            launch_clean()
        self.assertTrue(report.clean)

    def test_after_a_stop_the_checks_other_launches_fail(self):
        with tilesim.check(on_findings="collect") as report:
            with self.assertRaisesRegex(Exception, "out of bounds"):
                ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))
            with self.assertRaises(Exception):
                launch_clean()
        self.assertEqual(report.count("out-of-bounds"), 1)

    def test_going_on_drops_the_bad_elements(self):
        x = np.zeros(4, np.int32)
        with tilesim.check(on_findings="collect", keep_going=True) as report:
            ct.launch(0, (1,), outside, (x,))
        self.assertEqual(report.count("out-of-bounds"), 1)
        self.assertEqual(x.sum(), 4)

    def test_findings_of_one_check_are_not_anothers(self):
        with tilesim.check(on_findings="collect") as outer:
            with tilesim.check(on_findings="collect") as inner:
                launch_racy()
            launch_clean()
        self.assertFalse(inner.clean)
        self.assertTrue(outer.clean)

    def test_exceptions_of_the_programs_own_pass(self):
        with self.assertRaisesRegex(KeyError, "mine"):
            with tilesim.check():
                launch_clean()
                raise KeyError("mine")

    def test_exceptions_of_the_programs_own_pass_where_something_is_found_too(self):
        for on_findings in ("raise", "warn"):
            with self.assertRaisesRegex(ValueError, "mine") as caught:
                with tilesim.check(on_findings=on_findings):
                    launch_racy()
                    raise ValueError("mine")
            if hasattr(caught.exception, "add_note"):
                self.assertIn("[data-race]", caught.exception.__notes__[0])
        for kind in (KeyboardInterrupt, SystemExit):  # which Python shows no notes of, or only some

            @tilesim.check
            def ends():
                launch_racy()
                raise kind(3)

            told = io.StringIO()
            with contextlib.redirect_stderr(told), self.assertRaises(kind):
                ends()
            self.assertIn("tilesim.check() has found, too:\n", told.getvalue())
            self.assertIn("[data-race]", told.getvalue())

    def test_an_exception_of_the_programs_own_for_a_failed_launch_passes(self):
        with self.assertRaisesRegex(KeyError, "mine"):
            with tilesim.check():
                try:
                    ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))
                except RuntimeError as error:
                    raise KeyError("mine") from error

    def test_a_generator_that_is_closed_tells_what_it_has_found(self):
        @tilesim.check
        def steps():
            launch_racy()
            yield 1

        begun = steps()
        next(begun)
        with self.assertRaises(tilesim.FindingsError):
            begun.close()

    def test_wrong_options_are_said(self):
        with self.assertRaisesRegex(ValueError, "on_findings is one of"):
            tilesim.check(on_findings="scream")
        with self.assertRaisesRegex(ValueError, "schedule"):
            with tilesim.check(schedule="sideways"):
                pass


class OwnPython(unittest.TestCase):
    """tilesim.install() in a program or a notebook: nothing that a kernel does ends it."""

    BEGINNING = """
        import tilesim
        tilesim.install()
        import cuda.tile as ct
        import numpy as np

        @ct.kernel
        def outside(x):
            ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)

        @ct.kernel
        def waits(flag):
            while ct.atomic_or(flag, 0, 0) == 0:
                pass

        @ct.kernel
        def fine(x):
            ct.store(x, (0,), ct.load(x, (0,), (4,)) + 1)

        def launch(kernel):
            x = np.zeros(4, np.int32)
            ct.launch(0, (1,), kernel, (x,))
            return x.tolist()
    """

    def run_text(self, text):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.py"  # cuTile reads the source
            program.write_text(textwrap.dedent(self.BEGINNING) + textwrap.dedent(text))
            return subprocess.run([sys.executable, program], text=True, capture_output=True, timeout=100, env=os.environ)

    def test_what_stops_a_kernel_is_an_exception(self):
        done = self.run_text("""
            for kernel in (outside, waits, outside):
                try:
                    launch(kernel)
                except RuntimeError as error:
                    print(str(error).splitlines()[0].partition("[")[2])
                print(launch(fine))
        """)
        self.assertEqual(done.stdout, "out-of-bounds]\n[1, 1, 1, 1]\ndeadlock]\n[1, 1, 1, 1]\nout-of-bounds]\n[1, 1, 1, 1]\n",
                         done.stderr)
        self.assertEqual(done.stderr.count("summary: out-of-bounds"), 2, done.stderr)
        self.assertEqual(done.stderr.count("summary: deadlock"), 1, done.stderr)
        self.assertEqual(done.returncode, 102)  # it ended, and something was found

    def test_one_that_is_not_caught_ends_the_program_as_python_does(self):
        done = self.run_text("launch(outside)\n")
        self.assertIn("RuntimeError: Failed to launch cuTile kernel: ", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_in_a_thread(self):
        done = self.run_text("""
            import threading
            def work():
                try:
                    launch(outside)
                except RuntimeError:
                    print("told", launch(fine))
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            print(launch(fine))
        """)
        self.assertEqual(done.stdout, "told [1, 1, 1, 1]\n[1, 1, 1, 1]\n", done.stderr)


@unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
class Pytest(unittest.TestCase):
    PROGRAM = """\
        import pytest
        import cuda.tile as ct
        import numpy as np

        @ct.kernel
        def racy(bins):
            zero = ct.arange(1, dtype=ct.int32) * 0
            old = ct.gather(bins, zero)
            ct.scatter(bins, zero, old + 1)

        @ct.kernel
        def outside(x):
            ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)

        def test_racy():
            ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))

        def test_fine():
            ct.launch(0, (1,), racy, (np.zeros(8, np.int32),))

        def test_outside():
            ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))

        @pytest.mark.tilesim_off
        def test_known():
            ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))
    """

    def pytest(self, *words, program=None):
        text = textwrap.dedent(self.PROGRAM)
        if program is not None:
            text = text[:text.index("def test_racy")] + textwrap.dedent(program)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_it.py").write_text(text)
            return subprocess.run([sys.executable, "-m", "pytest", "-p", "tilesim.pytest_plugin", "-p", "no:cacheprovider",
                                   *words], cwd=folder, text=True, capture_output=True, timeout=100,
                                  env=os.environ | {"COLUMNS": "300"})

    def test_a_finding_fails_its_test_with_both_lines(self):
        done = self.pytest("--tilesim")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("2 failed, 2 passed", done.stdout)
        self.assertIn("[data-race]", done.stdout)
        self.assertIn("test_it.py:8", done.stdout)
        self.assertIn("test_it.py:9", done.stdout)
        self.assertIn("[out-of-bounds]", done.stdout)

    def test_launches_of_fixtures_are_tests_launches_too(self):
        done = self.pytest("--tilesim", "-q", program="""
            @pytest.fixture
            def before():
                ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))

            @pytest.fixture(scope="module")
            def stops():
                ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))

            @pytest.fixture
            def behind():
                yield
                ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))

            @pytest.fixture
            def own():
                import tilesim
                with tilesim.check(on_findings="collect") as report:
                    ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))
                    yield
                assert report.count("data-race") == 1

            def test_before(before): pass
            def test_stops(stops): pass
            def test_behind(behind): pass
            def test_own(own): ct.launch(0, (1,), racy, (np.zeros(8, np.int32),))

            @pytest.mark.tilesim_off
            def test_stops_and_is_known():
                with pytest.raises(RuntimeError):
                    ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))

            def test_fine(): ct.launch(0, (1,), racy, (np.zeros(8, np.int32),))
        """)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("4 passed, 3 errors", done.stdout)
        for test, kind in (("before", "data-race"), ("stops", "out-of-bounds"), ("behind", "data-race")):
            self.assertRegex(done.stdout, rf"(?m)^ERROR test_it.py::test_{test} - .*test_it.py:\d+:\d+: error: .* \[{kind}\]$")

    def test_a_python_that_a_test_starts_runs_in_the_simulator_too(self):
        done = self.pytest("--tilesim", program="""
            import subprocess, sys
            SCRIPT = "import test_it, sys, numpy as np; test_it.ct.launch(0, (1,), getattr(test_it, sys.argv[1]), (np.zeros(4, np.int32),))"

            def test_child():
                status = {name: subprocess.run([sys.executable, "-c", SCRIPT, name]).returncode for name in ("racy", "outside")}
                assert status == {"racy": 0, "outside": 101}
        """)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_finding_is_shown_without_pytests_own_calls(self):
        done = self.pytest("--tilesim")
        self.assertNotIn("pluggy/", done.stdout)
        self.assertIn("RuntimeError: Failed to launch cuTile kernel: ", done.stdout)  # as the launch that was stopped has it
        self.assertRegex(done.stdout, r"(?m)^FAILED test_it.py::test_racy - .*test_it.py:8:\d+: error: weak load by .* \[data-race\]$")

    def test_a_test_that_fails_by_itself_too_shows_both(self):
        done = self.pytest("--tilesim", program="""
            def test_both():
                ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))
                assert 1 == 2
        """)
        self.assertIn("[data-race]", done.stdout)
        self.assertIn("assert 1 == 2", done.stdout)

    def test_without_the_option_nothing_is_taken_over(self):
        done = self.pytest("--collect-only", "-q")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Traces(unittest.TestCase):
    def test_a_trace_shows_itself_as_a_page(self):
        with tilesim.trace("a <copy>") as trace:
            launch_clean()
        self.assertGreater(trace.operations, 4)
        self.assertIn("<html", trace.page)
        self.assertIn("load_view_tko", trace.page)
        shown = trace._repr_html_()
        self.assertTrue(shown.startswith("<iframe srcdoc=") and shown.endswith("</iframe>"), shown[:80])
        self.assertIn('title="a &lt;copy&gt;"', shown)
        self.assertNotIn("<html", shown)  # all of it is quoted
        with tempfile.TemporaryDirectory() as folder:
            trace.save(pathlib.Path(folder) / "t.html")
            self.assertEqual((pathlib.Path(folder) / "t.html").read_text(), trace.page)

    def test_a_trace_has_the_findings(self):
        with tilesim.trace() as trace:
            launch_racy()
        self.assertIn("data-race", trace.page)
        with tilesim.check(on_findings="collect") as report:  # and a check beside it is as ever
            launch_racy()
        self.assertEqual(report.count("data-race"), 1)
        self.assertIn("data-race", report._repr_html_())


if __name__ == "__main__":
    unittest.main(verbosity=2)
