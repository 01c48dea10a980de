#!/usr/bin/env python3
"""Every execution of small cuTile programs, by tilesim explore.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import json
import os
import subprocess
import unittest

BEGINNING = """\
import cuda.tile as ct
import numpy as np

DEVICE = ct.MemoryScope.DEVICE
ACQUIRE, RELAXED, RELEASE = ct.MemoryOrder.ACQUIRE, ct.MemoryOrder.RELAXED, ct.MemoryOrder.RELEASE

"""

BUFFERING = """
    @ct.kernel
    def buffering(x, y, seen):
        one = ct.full((1,), 1, np.int32)
        if ct.bid(0) == 0:
            ct.store(x, (0,), one, memory_order=RELAXED, memory_scope=DEVICE)
            ct.store(seen, (0,), ct.load(y, (0,), (1,), memory_order=RELAXED, memory_scope=DEVICE))
        else:
            ct.store(y, (0,), one, memory_order=RELAXED, memory_scope=DEVICE)
            ct.store(seen, (1,), ct.load(x, (0,), (1,), memory_order=RELAXED, memory_scope=DEVICE))

    x, y, seen = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32)
    ct.launch(0, (2,), buffering, (x, y, seen))
    print("seen", *seen)
    raise SystemExit(int(seen.sum() == 0))
    """

BUFFERING_IN_ORDER = BUFFERING.replace("x, y, seen = np", "both = np.zeros(2, np.int32)\n    x, y, seen = np").replace(
    "def buffering(x, y, seen)", "def buffering(both, seen)").replace("(x, y, seen))", "(both, seen))").replace(
    "ct.store(x, (0,)", "ct.store(both, (0,)").replace("ct.store(y, (0,)", "ct.store(both, (1,)").replace(
    "ct.load(y, (0,)", "ct.load(both, (1,)").replace("ct.load(x, (0,)", "ct.load(both, (0,)")

NO_TOKENS = {"CUDA_TILE_TESTING_DISABLE_TOKEN_ORDER": "1"}

# A block that comes back to what it has accessed: arrays, states with tokens, and without.
ONE_BLOCK = {
    "a store, then a load": ("""
        @ct.kernel
        def kernel(x, seen):
            ct.store(x, (0,), ct.full((1,), 3, np.int32))  # race
            ct.store(seen, (0,), ct.load(x, (0,), (1,)))  # race
        """, ("seen",), [([3],)], [([0],), ([3],)]),
    "a load, then a store": ("""
        @ct.kernel
        def kernel(x, seen):
            ct.store(seen, (0,), ct.load(x, (0,), (1,)))  # race
            ct.store(x, (0,), ct.full((1,), 3, np.int32))  # race
        """, ("seen",), [([0],)], [([0],), ([3],)]),
    "two stores": ("""
        @ct.kernel
        def kernel(x, seen):
            ct.store(x, (0,), ct.full((1,), 3, np.int32))  # race
            ct.store(x, (0,), ct.full((1,), 4, np.int32))  # race
        """, ("x",), [([4],)], [([3],), ([4],)]),
    "a value that cannot come of itself": ("""
        @ct.kernel
        def kernel(x, seen):
            t = ct.load(x, (0,), (1,))  # race
            ct.store(x, (0,), t + 1)  # race
            ct.store(seen, (0,), t)
        """, ("x", "seen"), [([1], [0])], [([1], [0])]),
}
ONE_LAUNCH = """
        ct.launch(0, (1,), kernel, (np.zeros(1, np.int32), np.zeros(1, np.int32)))
        """

OWN_STORE = """
    @ct.kernel
    def kernel(x, seen):
        ct.store(x, (0,), ct.full((1,), 1, np.int32), memory_order=RELAXED, memory_scope=DEVICE)
        ct.store(seen, (0,), ct.load(x, (0,), (1,), memory_order=RELAXED, memory_scope=DEVICE))

    x, seen = np.zeros(1, np.int32), np.zeros(1, np.int32)
    ct.launch(0, (1,), kernel, (x, seen))
    print("seen", *seen)
    """

MESSAGE = """
    @ct.kernel
    def message(x, flag, seen):
        if ct.bid(0) == 0:
            ct.store(x, (0,), ct.full((1,), 1, np.int32))  # written
            ct.store(flag, (0,), ct.full((1,), 1, np.int32), memory_order={}, memory_scope=DEVICE)
        else:
            while ct.load(flag, (0,), (1,), memory_order={}, memory_scope=DEVICE).item() == 0:
                pass
            ct.store(seen, (0,), ct.load(x, (0,), (1,)))  # read

    x, flag, seen = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    ct.launch(0, (2,), message, (x, flag, seen))
    raise SystemExit(int(seen[0] != 1))
    """

LOCK = """
    @ct.kernel
    def count(lock, total):
        while ct.atomic_cas(lock, 0, 0, 1, memory_order=ACQUIRE) == 1:
            pass
        ct.store(total, (0,), ct.load(total, (0,), (1,)) + 1)
        ct.atomic_xchg(lock, 0, 0, memory_order=RELEASE)

    lock, total = np.zeros(1, np.int32), np.zeros(1, np.int32)
    ct.launch(0, (2,), count, (lock, total))
    raise SystemExit(int(total[0] != 2))
    """

WAITS = """
    @ct.kernel
    def waits(flag):
        while ct.load(flag, (0,), (1,), memory_order=ACQUIRE, memory_scope=DEVICE).item() == 0:  # here
            pass
        ct.store(flag, (0,), ct.full((1,), 1, np.int32), memory_order=RELEASE, memory_scope=DEVICE)

    ct.launch(0, (2,), waits, (np.zeros(1, np.int32),))
    """


class Explorations(cases.Case):
    BEGINNING = BEGINNING

    def line_of(self, path, mark):
        return next(n for n, line in enumerate(path.read_text().splitlines(), 1) if line.endswith(f"# {mark}"))

    def tool(self, *words, **environment):
        return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=300, cwd=ROOT,
                              env=os.environ | environment)

    def explore(self, path, *options, **environment):
        done = self.tool("explore", "--json", *options, path, **environment)
        self.assertTrue(done.stdout.startswith("{"), done.stdout + done.stderr)
        return done.returncode, json.loads(done.stdout)

    def states(self, told, *names):
        return sorted(tuple(s["values"][n] for n in names) for s in told["states"])

    # [PTX: store buffering] Both reads may miss the other block's store: not so under sc, where a token orders the two.
    def test_store_buffering(self):
        path = self.program(BUFFERING)
        status, told = self.explore(path)
        self.assertEqual((status, told["complete"]), (1, True))
        self.assertEqual(self.states(told, "seen"), [([0, 0],), ([0, 1],), ([1, 0],), ([1, 1],)])
        self.assertEqual({s["printed"] for s in told["states"]}, {"seen 0 0\n", "seen 0 1\n", "seen 1 0\n", "seen 1 1\n"})
        # cuTile gives accesses of two arrays no order, so one after the other may be this one first.
        status, told = self.explore(path, "--model", "sc")
        self.assertEqual((status, told["complete"], len(told["states"])), (1, True, 4))
        path = self.program(BUFFERING_IN_ORDER)
        self.assertEqual(len(self.explore(path)[1]["states"]), 4)
        status, told = self.explore(path, "--model", "sc")
        self.assertEqual((status, self.states(told, "seen")), (0, [([0, 1],), ([1, 0],), ([1, 1],)]))

    def test_an_execution_is_replayed(self):
        path = self.program(BUFFERING)
        _, told = self.explore(path)
        state = next(s for s in told["states"] if s["values"]["seen"] == [0, 0])
        done = self.tool("run", "--replay", state["replay"], path)
        self.assertEqual((done.returncode, done.stdout), (1, "seen 0 0\n"), done.stderr)

    # [Tile IR: memory model] What is stored before a release is there for who acquires; relaxed, it may not be.
    def test_a_message(self):
        path = self.program(MESSAGE.format("RELEASE", "ACQUIRE"))
        status, told = self.explore(path)
        self.assertEqual((status, told["complete"], told["findings"]), (0, True, []))
        path = self.program(MESSAGE.format("RELAXED", "RELAXED"))
        status, told = self.explore(path)
        self.assertEqual((status, told["complete"]), (1, True))
        self.assertEqual(self.states(told, "seen"), [([0],), ([1],)])
        [race] = told["findings"]
        self.assertEqual(race["code"], "data-race")
        self.assertEqual({race["where"][0]["line"], race["other"][0]["line"]},
                         {self.line_of(path, "written"), self.line_of(path, "read")})

    def test_a_lock(self):
        status, told = self.explore(self.program(LOCK))
        self.assertEqual((status, told["complete"], told["findings"]), (0, True, []))
        self.assertEqual(self.states(told, "total", "lock"), [([2], [0])])

    def test_blocks_that_wait_for_ever(self):
        path = self.program(WAITS)
        status, told = self.explore(path)
        self.assertEqual(status, 1)
        self.assertEqual([(f["code"], f["where"][0]["line"]) for f in told["findings"]],
                         [("deadlock", self.line_of(path, "here"))])

    # [Tile IR: memory model] Within a block order is what tokens say: without, whatever a read may take it takes.
    def test_without_tokens_a_block_meets_itself(self):
        for name, (text, arrays, with_tokens, without) in ONE_BLOCK.items():
            with self.subTest(program=name):
                path = self.program(text + ONE_LAUNCH)
                status, told = self.explore(path)
                self.assertEqual((status, told["complete"], told["findings"]), (0, True, []))
                self.assertEqual(self.states(told, *arrays), with_tokens)
                status, told = self.explore(path, **NO_TOKENS)
                self.assertEqual((status, told["complete"]), (1, True))
                self.assertEqual(self.states(told, *arrays), without)
                self.assertEqual({f["code"] for f in told["findings"]}, {"token-race"})
                lines = {line for f in told["findings"] for line in (f["where"][0]["line"], f["other"][0]["line"])}
                racy = {n for n, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# race")}
                self.assertEqual(lines, racy)
                # The race detector says the same of the same lines.
                done = self.tool("check", "--schedules", "2", path, **NO_TOKENS)
                self.assertEqual(done.returncode, 1, done.stderr)
                for line in racy:
                    self.assertIn(f"program.py:{line}:", done.stdout + done.stderr)

    # A release hands on what its token has waited for, and no more.
    def test_without_tokens_a_message_may_be_missed(self):
        path = self.program(MESSAGE.format("RELEASE", "ACQUIRE"))
        status, told = self.explore(path, **NO_TOKENS)
        self.assertEqual((status, told["complete"]), (1, True))
        self.assertEqual(self.states(told, "seen"), [([0],), ([1],)])
        self.assertEqual([f["code"] for f in told["findings"]], ["data-race"])

    # Weak schedules choose among what tokens leave; so does the exploration, and finds no less.
    def test_what_strong_reads_may_take_of_their_own_block(self):
        path = self.program(OWN_STORE)
        self.assertEqual(self.states(self.explore(path)[1], "seen"), [([1],)])
        told = self.explore(path, **NO_TOKENS)[1]
        self.assertEqual((told["complete"], self.states(told, "seen")), (True, [([0],), ([1],)]))
        state = next(s for s in told["states"] if s["values"]["seen"] == [0])
        done = self.tool("check", "--replay", state["replay"], path, **NO_TOKENS)
        self.assertIn("seen 0", done.stdout + done.stderr)

    def test_what_is_not_explored_one_after_the_other(self):
        path = self.program(ONE_BLOCK["a load, then a store"][0] + ONE_LAUNCH)
        status, told = self.explore(path, "--model", "sc", **NO_TOKENS)
        self.assertEqual((status, told["complete"]), (3, False))
        self.assertIn("no token orders", told["why"])

    def test_ctrl_c_tells_what_there_is(self):
        said, status = cases.interrupted(self.folder, "explore")
        self.assertEqual(status, 3, said)
        self.assertIn("incomplete: 0 executions under ptx, 0 states, 0 findings\n  interrupted", said)

    def test_several_processes_find_the_same(self):
        path = self.program(BUFFERING)
        one, several = (self.explore(path, "--jobs", n)[1] for n in ("1", "3"))
        for told in (one, several):
            told.pop("seconds", None)
        self.assertEqual(one["states"], several["states"])


if __name__ == "__main__":
    unittest.main()
