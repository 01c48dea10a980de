#!/usr/bin/env python3
"""Every execution of small cuTile programs, by tilesim explore.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import json
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

    def tool(self, *words):
        return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=300, cwd=ROOT)

    def explore(self, path, *options):
        done = self.tool("explore", "--json", *options, path)
        self.assertTrue(done.stdout.startswith("{"), done.stdout + done.stderr)
        return done.returncode, json.loads(done.stdout)

    def states(self, told, *names):
        return sorted(tuple(s["values"][n] for n in names) for s in told["states"])

    # [PTX: store buffering] Both reads may miss the other block's store: not so under sc.
    def test_store_buffering(self):
        path = self.program(BUFFERING)
        status, told = self.explore(path)
        self.assertEqual((status, told["complete"]), (1, True))
        self.assertEqual(self.states(told, "seen"), [([0, 0],), ([0, 1],), ([1, 0],), ([1, 1],)])
        self.assertEqual({s["printed"] for s in told["states"]}, {"seen 0 0\n", "seen 0 1\n", "seen 1 0\n", "seen 1 1\n"})
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

    def test_several_processes_find_the_same(self):
        path = self.program(BUFFERING)
        one, several = (self.explore(path, "--jobs", n)[1] for n in ("1", "3"))
        for told in (one, several):
            told.pop("seconds", None)
        self.assertEqual(one["states"], several["states"])


if __name__ == "__main__":
    unittest.main()
