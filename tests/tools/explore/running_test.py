#!/usr/bin/env python3
"""`tilesim explore` of what is too large, or has no end: when it stops, what it tells then, and what a terminal shows meanwhile.

  TILESIM_TOOL=build/dev/bin/tilesim running_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
LARGE = ["many.cu", "-DSTEPS=3", "-DBLOCKS=4"]
# A busy machine, a sanitizer.
SLACK = float(os.environ.get("TILESIM_TEST_SLACK", "12"))


def environment():
    return {k: v for k, v in os.environ.items() if k not in ("TILESIM_OPTIONS", "NO_COLOR")}


def explored(*words):
    """What it prints, its status, and how long it took; the program is compiled before."""
    subprocess.run([TOOL, "explore", "--time", "0.01", *words], cwd=HERE, env=environment(), capture_output=True, timeout=240)
    begun = time.monotonic()
    done = subprocess.run([TOOL, "explore", *words], cwd=HERE, env=environment(), capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
    return done.stdout, done.returncode, time.monotonic() - begun


def on_terminal(*words, then=None, until=b"executions, "):
    """All that it writes to a terminal, and its status. `then`: what is typed once it has shown `until`."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(HERE)
        os.execve(TOOL, [TOOL, "explore", *words], environment())
    text = b""
    begun = time.monotonic()
    while time.monotonic() - begun < 240:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
        if then is not None and until in text:
            os.write(terminal, then)
            then = None
    os.close(terminal)
    return text.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


class Interrupted(unittest.TestCase):
    """Ctrl-C tells what there is, however much that is."""

    def test_ctrl_c_while_executions_are_explored(self):
        for jobs in ("1", "2"):
            with self.subTest(jobs):
                told, status = on_terminal("--jobs", jobs, *LARGE, then=b"\x03")
                self.assertEqual(status, 3, told[-2000:])
                self.assertRegex(told, r"incomplete\S*: [1-9]\d* executions under ptx, [1-9]\d* states")
                self.assertRegex(told, r"interrupted; explored so far: about \S+ % of what there is to try")
                self.assertNotIn("the time is over", told)

    def test_ctrl_c_in_the_host_s_code(self):
        told, status = on_terminal("--jobs", "1", "many.cu", "-DSTEPS=1", "-DBLOCKS=2", "-DHOST_WAITS", then=b"\x03", until=b"host code behind 0 of")
        self.assertEqual(status, 3, told[-2000:])
        self.assertRegex(told, r"incomplete\S*: [1-9]\d* executions under ptx, [1-9]\d* states")
        self.assertIn("interrupted, and host code has not come to its end", told)
        self.assertIn("the host's code was not run", told)
        self.assertNotIn("ends with", told)

    def test_a_signal_to_the_command_alone(self):
        explored("--time", "0.1", *LARGE)  # it is compiled
        process = subprocess.Popen([TOOL, "explore", "--jobs", "1", *LARGE], cwd=HERE, env=environment(), stdout=subprocess.PIPE, text=True)
        time.sleep(4)
        process.send_signal(signal.SIGTERM)
        told, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3, told[-2000:])
        self.assertRegex(told, r"incomplete: [1-9]\d* executions")

    def test_a_kernel_without_an_end(self):
        told, status = on_terminal("never_ends.cu", then=b"\x03", until=b"exploring: 0 executions")
        self.assertEqual(status, 3, told[-2000:])
        self.assertRegex(told, r"interrupted, and tile block \(0,0,0\) goes on at \S*never_ends.cu:\d+ without an access of shared memory")


class Time(unittest.TestCase):
    """--time is for all of it, and says what was not done."""

    def test_many_states(self):
        told, status, seconds = explored("--time", "3", *LARGE)
        self.assertEqual(status, 3)
        self.assertLess(seconds, 3 + SLACK)
        self.assertRegex(told, r"the time is over; explored so far: about \S+ % of what there is to try: all of it may be [\d ]+ executions and take ")
        self.assertIn("to fix: explore only executions with few stale reads (--bound 0, then 1, 2), or some that are drawn (--sample 100000)", told)

    def test_within_a_bound_a_lower_one_is_proposed(self):
        told, status, _ = explored("--time", "1", "--bound", "8", *LARGE)
        self.assertEqual(status, 3)
        self.assertIn("to fix: explore fewer stale reads (--bound 7), or", told)

    def test_as_json(self):
        told, status, _ = explored("--json", "--time", "1", *LARGE)
        report = json.loads(told)
        self.assertEqual((status, report["complete"], report["why"]), (3, False, "the time is over"))
        self.assertTrue(0 < report["share"] < 1)
        self.assertGreater(report["estimate"]["executions"], report["executions"])
        self.assertGreater(report["estimate"]["seconds"], 0)
        self.assertIn("--bound 0", report["remedy"])

    def test_a_block_without_an_end(self):
        for jobs in ("1", "2"):
            told, status, seconds = explored("--json", "--time", "1", "--jobs", jobs, "never_ends.cu")
            report = json.loads(told)
            self.assertEqual((status, report["complete"], report["executions"], report["states"], report["share"]), (3, False, 0, [], None))
            self.assertRegex(report["why"], r"^the time is over, and tile block \(0,0,0\) goes on at \S*never_ends.cu:\d+ without an access of shared memory$")
            self.assertLess(seconds, 1 + SLACK)

    def test_a_loop_of_shared_accesses_without_an_end(self):
        """It is found, or named when the time is over."""
        told, status, seconds = explored("loops.cu", "-DHOW=0")
        self.assertEqual(status, 3)
        self.assertRegex(told, r"makes more than 10000 accesses of shared memory, the last at loops.cu:\d+: a loop that does not end, and is no wait, is not explored")
        self.assertLess(seconds, SLACK)
        told, status, _ = explored("--time", "2", "loops.cu", "-DHOW=1")
        self.assertEqual(status, 3)
        self.assertRegex(told, r"no execution has come to its end: thread \S+ of block \S+ has made \d+ accesses of shared memory, the last at loops.cu:\d+|"
                               r"makes more than 1000 accesses of shared memory at loops.cu:\d+")
        self.assertNotIn("% of what", told)

    def test_host_code_without_an_end(self):
        told, status, seconds = explored("--time", "2", "many.cu", "-DSTEPS=1", "-DBLOCKS=2", "-DHOST_WAITS")
        self.assertEqual(status, 3)
        self.assertIn("the time is over, and host code has not come to its end", told)
        self.assertLess(seconds, 2 + SLACK)


class Killed(unittest.TestCase):
    """Who is killed takes the programs along that it has started."""

    def processes_below(self, of):
        below = []
        for task in pathlib.Path(f"/proc/{of}/task").glob("*/children"):
            for child in task.read_text().split():
                below += [int(child), *self.processes_below(child)]
        return below

    def goes_on(self, process):
        try:
            return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def test_the_program_ends_with_its_command(self):
        for words in (["explore", "--jobs", "1", *LARGE], ["explore", "--jobs", "2", *LARGE], ["check", "--schedules", "1", "never_ends.cu"],
                      ["explore", "--jobs", "1", "many.cu", "-DSTEPS=1", "-DBLOCKS=2", "-DHOST_WAITS"]):
            with self.subTest(words):
                subprocess.run([TOOL, "explore", "--time", "0.01", *words[1 + 2:]], cwd=HERE, env=environment(), capture_output=True, timeout=240)
                process = subprocess.Popen([TOOL, *words], cwd=HERE, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(3)
                below = self.processes_below(process.pid)
                self.assertTrue(below)
                process.kill()
                process.wait()
                until = time.monotonic() + SLACK
                while any(map(self.goes_on, below)) and time.monotonic() < until:
                    time.sleep(0.1)
                self.assertEqual([p for p in below if self.goes_on(p)], [])


class Progress(unittest.TestCase):
    def test_on_a_terminal(self):
        told, status = on_terminal("--time", "4", "--jobs", "1", *LARGE)
        self.assertEqual(status, 3)
        self.assertRegex(told, "\r\x1b\\[Ktilesim: exploring: \\d+ executions, \\d+ states, about \\S+ %, \\d+ (s|min|h|days) to go; \\d+\\.\\d s")
        self.assertRegex(told.split("Test many")[0], "\r\x1b\\[K[^\r]*$")  # it is erased

    def test_nowhere_else(self):
        done = subprocess.run([TOOL, "explore", "--time", "3", *LARGE], cwd=HERE, env=environment(), capture_output=True, text=True, timeout=240)
        self.assertEqual((done.returncode, done.stderr), (3, ""))


if __name__ == "__main__":
    if not TOOL:
        raise SystemExit("set TILESIM_TOOL to the tool that is to be tested")
    unittest.main(verbosity=2)
