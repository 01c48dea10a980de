#!/usr/bin/env python3
"""Blocks that poll: what is a deadlock, what may end by itself, and what either costs, in every mode.

  TILESIM_TOOL=build/dev/bin/tilesim waiting_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")

# Polls of the machine's operations, which every mode sees one by one.
SEEN = ("load", "cas_same", "cas_fails", "add_zero", "or_zero", "exchange", "store_same", "weak", "tile", "several",
        "two", "back_off", "reference", "reference_cas", "naps")
# Those that only code with hooks shows.
HOOKED = ("raw", "standard", "standard_set")


class Case(unittest.TestCase):
    def tool(self, code, *words, stdin=""):
        """What it tells, and what it costs in processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run([TOOL, *map(str, words)], cwd=HERE, text=True, input=stdin, capture_output=True,
                                timeout=240)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertEqual(result.returncode, code, f"{words}\n{result.stdout}\n{result.stderr}")
        return result.stdout + result.stderr

    def deadlocked(self, told, count, kernel):
        who = "1 block waits" if count == 1 else f"{count} blocks wait"
        self.assertRegex(told, rf"(?m)^polls.cu:\d+:\d+: error: deadlock: {who} for memory that nobody is left to "
                               r"change \[deadlock\]$")
        if count > 1:
            self.assertRegex(told, rf"(?m)^  {count} (blocks|threads) of {kernel} wait at polls.cu:\d+ \(after .*\): ")
        self.assertLess(told.count("\n"), 25, told)


class Run(Case):
    def run_mode(self, code, mode, *words, options=()):
        return self.tool(code, "run", *options, "polls.cu", "--", mode, *words)

    def test_every_way_of_polling(self):
        for mode in SEEN:
            with self.subTest(mode):
                for count in (1, 2, 13):
                    self.deadlocked(self.run_mode(101, mode, count), count, mode)

    def test_any_number_of_blocks(self):
        for count in (200, 5000):
            told = self.run_mode(101, "load", count)
            self.deadlocked(told, count, "load")
            self.assertIn(f"tile block (0,0,0) to tile block ({count - 1},0,0)", told)
            self.assertLess(self.cost, 10)  # some 0.5 s where nothing else runs
        for count in (200, 5000):  # weak loads of a tile: no livelock, and after a few polls
            told = self.tool(1, "check", "--schedules", "1", "polls.cu", "--", "tile", count)
            self.deadlocked(told, count, "tile")
            self.assertRegex(told, rf"{count} blocks of tile wait at polls.cu:\d+ \(after \d\d operations each\)")
            self.assertLess(self.cost, 10)

    def test_each_for_a_place_of_its_own(self):
        told = self.run_mode(101, "own_place", 15)
        self.deadlocked(told, 15, "own_place")
        self.assertRegex(told, r"tile block \(0,0,0\) for (\S+ of \S+, )?byte 0 of allocation")
        self.assertIn("and others for 11 places more, likewise", told)

    def test_who_is_waited_for_has_ended(self):
        for options in ((), ("--hooks",)):
            self.deadlocked(self.run_mode(101, "ends_early", 14, options=options), 13, "ends_early")

    def test_loops_that_give_up_are_no_deadlocks(self):
        for most in (10, 1000, 100_000):
            self.assertIn("5 ended", self.run_mode(0, "bounded", 5, most))
        self.assertIn("500 ended", self.run_mode(0, "bounded", 500, 1000))
        self.run_mode(0, "bounded_raw", 5, 100_000)
        self.assertIn("3 ended", self.run_mode(0, "timed", 3))
        self.run_mode(0, "computes", 3, 3_000_000)

    def test_more_polls(self):
        told = self.run_mode(101, "bounded", 2, 1500, options=("--polls", 200))
        self.assertIn("error: no progress: 2 blocks poll in vain, up to 200 times each, and nothing has changed [limit]",
                      told)
        self.assertIn("tilesim run --hooks", told)
        self.assertNotIn("deadlock", told)
        self.run_mode(0, "bounded", 2, 2_000_000, options=("--polls", 4_000_000))

    def test_what_is_not_seen_is_no_verdict(self):
        told = self.run_mode(101, "raw", 3)
        self.assertRegex(told, r"error: no progress for \d+ s: no block has ended or made an operation \[limit\]")
        self.assertIn("tilesim run --hooks", told)
        self.deadlocked(self.run_mode(101, "raw", 3, options=("--hooks",)), 3, "raw")
        for mode, count in (("notes", 3), ("tickets", 300)):
            told = self.run_mode(101, mode, count)
            self.assertIn("error: no progress: ", told)
            self.assertIn("tilesim run --hooks", told)
        self.assertIn("[livelock]", self.run_mode(101, "notes", 3, options=("--hooks",)))

    def test_raw_polls_of_any_number_of_blocks(self):
        for mode, count in (("raw", 2), ("raw", 100), ("raw_thread", 300), ("raw_thread", 1000), ("raw", 5000), ("raw", 9000)):
            with self.subTest(mode=mode, count=count):
                told = self.run_mode(101, mode, count)
                self.assertIn("error: no progress for 2 s: no block has ended or made an operation [limit]", told)
                self.assertRegex(told, rf"(?m)^  {count} (blocks|threads) of {mode} may go on at polls.cu:\d+ \(after 0 ")
                self.assertLess(self.cost, 15)  # 2 to 5 s where nothing else runs

    def test_who_waits_for_a_later_copy_is_in_no_livelock(self):
        for count in (2, 30):
            self.assertIn("0 ended\n", self.run_mode(0, "look_for_copy", count, options=("--hooks",)))

    def test_who_computes_or_hands_on_makes_progress(self):
        for mode, count, most in (("arithmetic", 300, 10_000_000), ("raw_for", 100, 1_500_000_000),
                                  ("hands_on", 50, 600)):
            with self.subTest(mode):
                self.assertIn("0 ended\n", self.run_mode(0, mode, count, most))


class HostThread(Case):
    """A thread of the host's changes what blocks poll, seconds later."""

    def test_one_that_ends_when_it_has_written_was_there(self):
        told = self.tool(0, "run", "--hooks", "host_thread_ends.cu")
        self.assertRegex(told, r"(?m)^done$")

    def test_it_may_call_the_runtime_first(self):
        for command in (("run",), ("run", "--hooks"), ("check", "--schedules", 2, "--keep-schedules"), ("step", "--batch", "--ex", "run")):
            with self.subTest(command=command):
                told = self.tool(0, *command, "host_thread_calls.cu")
                self.assertRegex(told, r"(?m)^cudaSuccess, 5, 1$")
                self.assertNotRegex(told, "error:|limit:")

    def test_host_code_may_wait_for_a_kernel_by_itself(self):
        for mode in ("load", "exchange", "compare", "pinned"):
            for command in (("run",), ("run", "--hooks"), ("check", "--schedules", 4, "--keep-schedules"), ("step", "--batch", "--ex", "run")):
                with self.subTest(mode=mode, command=command):
                    told = self.tool(0, *command, "host_polls.cu", "--", mode)
                    self.assertRegex(told, r"(?m)^answered$")
                    self.assertNotRegex(told, "error:|limit:")

    def test_blocks_that_wait_for_it_are_no_livelock(self):
        for mode in ("poll", "raw", "tickets", "token"):
            for command in (("run",), ("run", "--hooks"), ("check", "--schedules", 1, "--keep-schedules"),
                            ("step", "--batch", "--ex", "run")):
                with self.subTest(mode=mode, command=command):
                    told = self.tool(0, *command, "host_thread.cu", "--", mode)
                    self.assertRegex(told, r"(?m)^ended$")
                    self.assertNotRegex(told, "error:|limit:")


class Check(Case):
    def check(self, code, mode, *words, options=()):
        return self.tool(code, "check", "--schedules", 2, *options, "polls.cu", "--", mode, *words)

    def test_every_way_of_polling(self):
        for mode in SEEN + HOOKED:
            with self.subTest(mode):
                for count in (1, 13):
                    told = self.check(1, mode, count)
                    self.deadlocked(told, count, mode)
                    self.assertRegex(told, r": 1 finding\n")

    def test_atomics_of_the_standard_library_are_told_by_the_line_that_calls_them(self):
        # Their members are functions of their own, in a header.
        for mode in ("standard", "standard_set", "standard_float"):
            told = self.check(1, mode, 2, options=("-O0",))
            self.deadlocked(told, 2, mode)
            self.assertNotIn("unknown", told)
            self.assertRegex(told, rf"(?m)^  in {mode} \(polls.cu:\d+:\d+\)$")

    def test_an_unlucky_program_ends(self):
        self.assertIn("no findings", self.tool(0, "check", "--schedules", 4, "unlucky.cu"))

    def test_a_livelock_that_the_host_looks_at_by_queries(self):
        told = self.tool(1, "check", "--schedules", 1, "unlucky.cu", "--", "look")
        self.assertRegex(told, r"error: livelock: \d+ operations, and no block has ended in them")

    def test_any_number_of_blocks(self):
        # Of so many that each polls a place of its own, livelocks are looked for before all of them sleep.
        for mode, count in (("load", 200), ("raw", 5000), ("own_place", 5000)):
            with self.subTest(mode=mode, count=count):
                self.deadlocked(self.check(1, mode, count), count, mode)
                self.assertLess(self.cost, 25)  # two runs of some 0.5 s

    def test_any_number_of_threads(self):
        for blocks, threads in ((13, 32), (200, 64)):
            with self.subTest(blocks=blocks, threads=threads):
                told = self.tool(1, "check", "--schedules", 2, "threads.cu", "--", "spin", blocks, threads)
                self.assertRegex(told, rf"error: deadlock: {blocks * threads} threads of {blocks} blocks wait for memory that "
                                       r"nobody is left to change \[deadlock\]\n")
                self.assertLess(self.cost, 40)

    def test_livelocks_are_findings(self):
        told = self.check(1, "counted", 13)
        self.assertRegex(told, r"(?m)^polls.cu:\d+:\d+: error: livelock: 13 blocks poll in vain, up to \d+ times each, "
                               r"and nothing has changed \[livelock\]$")
        told = self.check(1, "notes", 3)
        self.assertRegex(told, r"(?m)^polls.cu:\d+:\d+: error: livelock: \d+ operations, and no block has ended in them "
                               r"\[livelock\]$")
        self.assertIn("tile block (0,0,0) of notes ", told)

    def test_livelocks_of_any_number_of_blocks(self):
        for mode in ("tickets", "token"):
            for count in (2, 300):
                with self.subTest(mode=mode, count=count):
                    told = self.check(1, mode, count)
                    self.assertRegex(told, r"(?m)^polls.cu:\d+:\d+: error: livelock: \d{5,7} operations, and no block has "
                                           r"ended in them \[livelock\]$")
                    self.assertNotIn("limit:", told)
                    self.assertNotIn("have not started", told)
                    self.assertLess(told.count("\n"), 30, told)
                    self.assertLess(self.cost, 40)  # two runs of a second or two, and looking for shorter ones
        told = self.tool(1, "check", "--schedules", 1, "--keep-schedules", "polls.cu", "--", "tickets", 5000)
        self.assertRegex(told, r"(?m)^  tile block \(\d+,0,0\) of tickets and \d+ more go on and on, each:$")
        self.assertLess(self.cost, 20)

    def test_memory_that_changes_and_changes_back(self):
        # Where each round is seen to be closed: by how many operations. (Who gives its lock back by an exchange reads it,
        # too, and is never given what others find there; nor is a block that is alone.)
        closed = {"look": 250_000, "look_reference": 250_000, "token": 100_000}
        # Those of others are told as soon as each block has shown that its states recur.
        shown = {mode: 1_000_000 for mode in ("look_exchange", "test_and_set", "up_and_down", "down_and_up", "exchanges")}
        for mode, counts in (("look", (1, 2, 40, 200, 1000)), ("look_reference", (2, 200, 1000)), ("token", (2, 40)),
                             ("look_exchange", (1, 2, 40, 200, 1000)), ("test_and_set", (13, 1000)), ("up_and_down", (2, 1000)), ("down_and_up", (2, 1000)),
                             ("exchanges", (2, 1000))):
            for count in counts:
                with self.subTest(mode=mode, count=count):
                    told = self.tool(1, "check", "--schedules", 1, "--keep-schedules", "polls.cu", "--", mode, count)
                    made = re.search(r"(?m)^polls.cu:\d+:\d+: error: livelock: (\d{5,7}) operations, and no block has "
                                     r"ended in them \[livelock\]$", told)
                    self.assertIsNotNone(made, told)
                    most = shown.get(mode) or closed[mode]
                    self.assertLess(int(made.group(1)), most if count > 1 else 1_500_000)
                    self.assertNotIn("limit:", told)
                    self.assertLess(self.cost, 25)  # 0.2 to 2 s where nothing else runs, but for the compiler

    def test_a_lock_that_somebody_needs_more_often_is_no_livelock(self):
        for words in (("look_for_last", 40, 1000), ("look_for_last", 200, 1), ("look_at_most", 3, 100_000)):
            with self.subTest(words=words):
                self.assertIn("no findings", self.tool(0, "check", "--schedules", 3, "polls.cu", "--", *words))

    def test_a_livelock_ends_the_search_when_time_is_over(self):
        left_out = "remark: not all of 8 schedules were run, since some do not come to an end: after 0.1 s no more were begun"
        told = self.tool(1, "check", "--time", 0.1, "polls.cu", "--", "token", 100)
        self.assertIn(f"{left_out}; --schedules 8 runs them all\n", told)
        self.assertRegex(told, r"(?m)^checked: 1 schedule \(1 round-robin\), .*: 1 finding$")
        self.assertIn("to repeat: tilesim check --schedules 1 --seed 0 polls.cu -- token 100\n", told)
        # As many as were asked for, as those that end do, and what is known.
        told = self.tool(1, "check", "--schedules", 3, "--time", 0.1, "polls.cu", "--", "token", 2)
        self.assertRegex(told, r"(?m)^checked: [3-9] schedules ")
        self.assertNotIn("not all of", told)
        self.assertRegex(self.tool(0, "check", "--time", 0.1, "polls.cu", "--", "bounded", 5, 1000),
                         r"(?m)^checked: \d+ schedules \(1 round-robin, .*: no findings$")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as known:
            known.write("livelock *\n")
            known.flush()
            told = self.tool(0, "check", "--time", 0.1, "--suppress", known.name, "polls.cu", "--", "tickets", 2)
            self.assertRegex(told, r"(?m)^checked: [89] schedules ")

    def test_who_is_waited_for_is_no_livelock(self):
        self.assertIn("no findings\n", self.tool(0, "check", "--schedules", 1, "polls.cu", "--", "tickets_for", 300, 500_000))
        self.assertIn("no findings\n", self.tool(0, "check", "--schedules", 1, "polls.cu", "--", "steps", 100, 3000))
        self.assertIn("no findings\n", self.tool(0, "check", "--schedules", 1, "polls.cu", "--", "queue", 100, 700_000))

    def test_who_computes_is_no_livelock(self):
        self.assertIn("no findings\n", self.tool(0, "check", "--schedules", 1, "polls.cu", "--", "computes", 1, 1_500_000))

    def test_loops_that_give_up_are_no_findings(self):
        self.assertIn("no findings\n", self.check(0, "bounded", 5, 100_000))
        self.assertIn("no findings\n", self.check(0, "timed", 2))


@unittest.skipIf("clang" in os.environ.get("CXX", ""), "clang++ reads once, and computes for ever")
class Plain(Case):
    """Plain reads, which C++ lets a compiler take for all the same: in a loop that is seen, each is made."""
    LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")

    def test_a_thread_of_the_host_may_call_the_runtime_first(self):
        # Without hooks nobody sees the reads: turns end by the clock.
        self.assertRegex(self.tool(0, "run", "host_thread_calls.cu", "--", "plainly"), r"(?m)^cudaSuccess, 5, 1$")

    def test_what_nobody_writes_is_a_deadlock(self):
        for level in self.LEVELS:
            for mode in ("threads", "tiles"):
                with self.subTest(level=level, mode=mode):
                    told = self.tool(1, "check", "--schedules", "2", level, "plain.cu", "--", mode)
                    self.assertRegex(told, r"(?m)^plain.cu:\d+:\d+: error: deadlock: 1 block waits for memory that nobody is "
                                           r"left to change \[deadlock\]$")

    def test_what_another_block_writes_is_a_race(self):
        for level in self.LEVELS:
            with self.subTest(level=level):
                told = self.tool(1, "check", "--schedules", "2", level, "plain.cu", "--", "passed")
                self.assertIn("[data-race]", told)
                self.assertIn("in 2 of 2 schedules", told)

    def test_without_hooks_it_is_no_success(self):
        told = self.tool(101, "run", "--stall", "1", "plain.cu", "--", "threads")
        self.assertIn("error: no progress for", told)


class Trace(Case):
    def trace(self, mode, *words, options=()):
        with tempfile.TemporaryDirectory() as folder:
            told = self.tool(101, "trace", "-o", f"{folder}/t.json", "--html", f"{folder}/t.html", *options, "polls.cu",
                             "--", mode, *words)
            sizes = [os.path.getsize(f"{folder}/t.{end}") for end in ("json", "html")]
            self.assertLess(max(sizes), 2_000_000)
            return told, json.loads(pathlib.Path(folder, "t.json").read_text())

    def test_a_deadlock_is_a_few_polls(self):
        told, loaded = self.trace("load", 132)
        self.deadlocked(told, 132, "load")
        slices = [e for e in loaded["traceEvents"] if e["ph"] == "X"]
        self.assertLess(len(slices), 132 * 20)
        self.assertEqual(sum(e["ph"] == "i" for e in loaded["traceEvents"]), 1)

    def test_many_polls_are_folded(self):
        told, loaded = self.trace("counted", 2, options=("--polls", 50_000))
        self.assertIn("[livelock]", told)
        slices = [e for e in loaded["traceEvents"] if e["ph"] == "X"]
        self.assertLess(len(slices), 200)
        folded = [e["args"]["polls_on"] for e in slices if "polls_on" in e["args"]]
        self.assertEqual(len(folded), 2, slices)
        self.assertGreater(int(folded[0].split()[0]), 10_000)
        finding, = (e for e in loaded["traceEvents"] if e["ph"] == "i")
        self.assertIn(int(finding["ts"]), [e["ts"] for e in slices]) # in the middle of one


class Step(Case):
    def step(self, commands, mode, *words, options=()):
        told = self.tool(0, "step", "--batch", *options, *(w for c in commands for w in ("--ex", c)), "polls.cu", "--",
                         mode, *words)
        return told

    def begins(self, mode, count, times, *options):
        """Where reverse-continue goes from the end of a run: blocks and positions, and what it tells."""
        told = self.step(["run"] + times * ["reverse-continue"], mode, count, options=options)
        behind = told[told.index("tilesim ends the program here"):]
        waits = re.findall(r"(?m)^this block begins to wait here(.*)\n(?:\[now .*\n)?"
                           r"(?:tile |thread \(0,0,0\) of )block \((\d+),0,0\) of " + mode
                           + r" \[position (\d+)\], next: (\w+) at polls.cu:", behind)
        return [(int(block), int(position)) for _, block, position, _ in waits], [w[0] for w in waits], behind

    def test_back_to_where_a_block_began_to_wait(self):
        waits, earlier, told = self.begins("load", 3, 4)
        self.assertEqual([block for block, _ in waits], [2, 1, 0], told)
        self.assertEqual(sorted((p for _, p in waits), reverse=True), [p for _, p in waits], told)
        self.assertEqual(waits[-1][1], 0)
        self.assertEqual(earlier, ["; 2 more began before: reverse-continue goes to the last of them",
                                   "; one more began before: reverse-continue goes there", ""])
        self.assertIn("no earlier stop: this is where the kernels begin", told)

    def test_every_way_of_polling(self):
        # How many operations each block makes before its first poll.
        before = {"tile": 2, "store_same": 1}
        for mode in SEEN + HOOKED:
            with self.subTest(mode):
                waits, _, told = self.begins(mode, 2, 2)
                self.assertEqual([block for block, _ in waits], [1, 0], told)
                self.assertEqual(waits[1][1], before.get(mode, 0), told)
                listed = self.step([f"goto {waits[0][1]}", "print $operations"], mode, 2)
                self.assertIn(f"$1 = {before.get(mode, 0)}\n", listed)

    def test_any_number_of_blocks(self):
        for count, *options in ((13,), (13, "--schedule", "random", "--seed", 3), (200,)):
            times = min(count, 20)
            waits, _, told = self.begins("load", count, times, *options)
            self.assertEqual(len({block for block, _ in waits}), times, told)
            self.assertEqual(sorted({p for _, p in waits}, reverse=True), [p for _, p in waits], told)

    def test_with_breakpoints(self):
        # Those that stop later come first; where blocks wait to the end is told between them.
        told = self.step(["run", "break op=load if $block == 1 && $position > 5", "reverse-continue", "reverse-continue",
                          "reverse-continue", "delete 1", "reverse-continue"], "load", 3)
        stops = re.findall(r"(?m)^(breakpoint 1,|this block begins to wait here|no earlier stop)", told)
        self.assertIn("breakpoint 1,", stops)
        self.assertEqual(stops.count("this block begins to wait here") + stops.count("breakpoint 1,"), 4, told)
        positions = [int(p) for p in re.findall(r"\[position (\d+)\]", told)]
        self.assertEqual(positions, sorted(positions, reverse=True), told)

    def test_a_switch_makes_another_run(self):
        told = self.step(["run", "reverse-continue", "reverse-continue", "block 2", "reverse-continue"], "load", 3)
        behind = told[told.rindex("position 3]"):] if "position 3]" in told else told
        self.assertNotIn("tile block (1,0,0) of load [position 6]", behind)
        self.assertIn("this block begins to wait here\n[now tile block (0,0,0) of load, launch 1]", behind)

    def test_livelocks_are_told_as_soon_as_elsewhere(self):
        for mode in ("tickets", "token"):
            told = self.step(["run"], mode, 30)
            self.assertRegex(told, r"(?m)^polls.cu:\d+: error: livelock: \d{5,7} operations, and no block has ended in them "
                                   r"\[livelock\]$")
            self.assertLess(self.cost, 30)  # 3 s

    def test_polls_are_one_step_back(self):
        told = self.step(["run", "reverse-step", "reverse-step"], "counted", 1, options=("--polls", 2000))
        self.assertIn("[livelock]", told)
        positions = [int(n) for n in re.findall(r"\[position (\d+)\]", told)]
        self.assertGreater(positions[-2], 2000, told)
        self.assertLess(positions[-1], 40, told)


class Threads(Case):
    """Threads of a block are told as such: of which block, which of them, by line."""

    LINES = (HERE / "threads.cu").read_text().splitlines()

    def line(self, mark):
        return next(n for n, text in enumerate(self.LINES, 1) if text.endswith(f"// @{mark}"))

    def in_part(self, told, prefix="  "):
        one, barrier = self.line("spin"), self.line("barrier")
        self.assertIn("deadlock: 1 thread of block (0,0,0) waits for memory that nobody is left to change, and 3 threads of "
                      "block (0,0,0) for others that never come", told)
        self.assertRegex(told, rf"(?m)^{prefix}thread \(0,0,0\) of block \(0,0,0\) of in_part waits at threads.cu:{one} \(")
        self.assertRegex(told, rf"(?m)^{prefix}3 threads of in_part wait in __syncthreads at threads.cu:{barrier} \(.*\): "
                               r"threads 1\.\.3 of block \(0,0,0\)$")
        self.assertNotRegex(told, r"\d blocks?( \w+)? wait")

    def test_in_every_mode(self):
        self.in_part(self.tool(101, "run", "--hooks", "threads.cu", "--", "in_part"))
        self.in_part(self.tool(0, "step", "--batch", "--ex", "run", "threads.cu", "--", "in_part"))
        with tempfile.TemporaryDirectory() as folder:
            report, sarif, page = (os.path.join(folder, name) for name in ("r.json", "r.sarif", "r.html"))
            self.in_part(self.tool(1, "check", "--schedules", "2", f"--json={report}", f"--sarif={sarif}", f"--html={page}",
                                   "threads.cu", "--", "in_part"))
            found = json.loads(pathlib.Path(report).read_text())["findings"][0]
            self.in_part("\n".join([found["message"], *found["details"]]), "")
            for file in (sarif, page):
                self.assertIn("deadlock: 1 thread of block (0,0,0) waits for memory", pathlib.Path(file).read_text())

    def test_explored(self):
        told = self.tool(1, "explore", "threads.cu", "--", "in_part")
        self.assertIn("deadlock: 1 thread of block (0,0,0) waits for memory that nobody is left to change, and 3 threads of "
                      "block (0,0,0) for others that never come [deadlock]", told)
        self.assertRegex(told, rf"(?m)^  thread \(0,0,0\) of block \(0,0,0\) of in_part waits at threads.cu:{self.line('spin')} for ")
        self.assertIn(f"  threads 1..3 of block (0,0,0) of in_part wait at threads.cu:{self.line('barrier')} for others of "
                      "its block\n", told)

    def test_of_several_blocks(self):
        told = self.tool(101, "run", "threads.cu", "--", "spin")
        self.assertIn("error: deadlock: 8 threads of 2 blocks wait for memory that nobody is left to change [deadlock]", told)
        self.assertRegex(told, rf"8 threads of spin wait at threads.cu:{self.line('all')} \(.*\): threads 0..3 of block "
                               r"\(0,0,0\), threads 0..3 of block \(1,0,0\)\n")
        self.assertIn("to fix: make sure that the value is written by a thread that does not itself wait", told)
        told = self.tool(101, "run", "threads.cu", "--", "votes")
        self.assertIn("error: deadlock: 4 threads of block (0,0,0) wait for others that never come [deadlock]", told)

    def test_a_livelock(self):
        told = self.tool(1, "check", "--schedules", "1", "threads.cu", "--", "counts")
        self.assertRegex(told, r"error: livelock: \d+ operations, and no thread has ended in them \[livelock\]")
        self.assertIn("to fix: make sure that what the threads wait for comes about", told)


if __name__ == "__main__":
    unittest.main()
