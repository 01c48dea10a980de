#!/usr/bin/env python3
"""The order within a block is that of cuTile's tokens: programs that have it, and the same without.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import os
import subprocess
import sys
import textwrap
import unittest

NO_TOKENS = {"CUDA_TILE_TESTING_DISABLE_TOKEN_ORDER": "1"}

# A block that comes back to what it has accessed, each time in another way. The lines that race without tokens say so.
NEEDS_ORDER = {
    "a store, then a load": """
        @ct.kernel
        def kernel(x, y):
            ct.store(x, (0,), ct.full((16,), 3, np.int32))  # race
            ct.store(y, (0,), ct.load(x, (0,), (16,)))  # race
        """,
    "loads, then a store": """
        @ct.kernel
        def kernel(x, y):
            one = ct.load(x, (0,), (16,))  # race
            two = ct.load(x, (1,), (16,))
            ct.store(x, (0,), one + two)  # race
        """,
    "a scatter in each turn of a loop": """
        @ct.kernel
        def kernel(x, y):
            i = ct.arange(16, dtype=ct.int32)
            for turn in range(3):
                ct.scatter(x, i, ct.gather(x, i) + turn)  # race
        """,
    "a store in a branch": """
        @ct.kernel
        def kernel(x, y):
            if ct.load(y, (0,), (1,)).item() == 0:
                ct.store(x, (0,), ct.full((16,), 3, np.int32))  # race
            else:
                ct.store(x, (1,), ct.full((16,), 4, np.int32))
            ct.store(y, (1,), ct.load(x, (0,), (16,)))  # race
        """,
    "a store before a loop is left": """
        @ct.kernel
        def kernel(x, y):
            turn = 0
            while turn < 9:
                ct.store(x, (turn,), ct.full((16,), 3, np.int32))  # race
                if turn == 2:
                    break
                turn = turn + 1
            ct.store(y, (0,), ct.load(x, (2,), (16,)))  # race
        """,
    "an atomic update, then a load": """
        @ct.kernel
        def kernel(x, y):
            ct.atomic_add(x, ct.arange(16, dtype=ct.int32), 1)  # race
            ct.store(y, (0,), ct.load(x, (0,), (16,)))  # race
        """,
}
LAUNCH = "ct.launch(0, (1,), kernel, (np.zeros(64, np.int32), np.zeros(64, np.int32)))\n"

# Blocks that hand on what they have done by a flag.
MESSAGE = """
    @ct.kernel
    def kernel(x, flag):
        if ct.bid(0) == 0:
            ct.store(x, (0,), ct.full((16,), 3, np.int32))  # race
            ct.atomic_xchg(flag, 0, 1, memory_order=ct.MemoryOrder.RELEASE)
        else:
            while ct.atomic_or(flag, 0, 0, memory_order=ct.MemoryOrder.ACQUIRE) == 0:
                pass
            ct.store(x, (1,), ct.load(x, (0,), (16,)))  # race
    ct.launch(0, (2,), kernel, (np.zeros(32, np.int32), np.zeros(1, np.int32)))
    """

TWO_NAMES = """
    @ct.kernel
    def kernel(x, y):
        i = ct.bid(0)
        t = ct.load(x, (i,), (16,))
        ct.store(y, (i,), t + 1)
    a = np.zeros(128, np.int32)
    ct.launch(0, (4,), kernel, {})
    """


class Tokens(cases.Case):
    def tool(self, path, *words, **environment):
        return subprocess.run([TOOL, *words, str(path)], text=True, capture_output=True, timeout=100,
                              env=os.environ | environment, cwd=ROOT)

    def check(self, path, **environment):
        return self.tool(path, "check", "--schedules", "2", **environment)

    def racy_lines(self, path):
        return [n for n, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# race")]

    def test_with_tokens_there_is_nothing_to_find_and_without_each_pair_of_lines_is(self):
        for name, text in NEEDS_ORDER.items():
            with self.subTest(program=name):
                path = self.program(textwrap.dedent(text) + LAUNCH)
                done = self.check(path)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                done = self.check(path, **NO_TOKENS)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                said = done.stdout + done.stderr
                self.assertIn("[token-race]", said)
                self.assertNotIn("[data-race]", said)
                for line in self.racy_lines(path):
                    self.assertIn(f"program.py:{line}:", said)
                self.assertIn("no token orders them", said)
                # Without the race detector nobody asks, and what is computed is what the text says.
                self.assertEqual(self.tool(path, "run", **NO_TOKENS).returncode, 0)

    def test_a_release_hands_on_what_it_has_waited_for(self):
        path = self.program(MESSAGE)
        done = self.check(path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.check(path, **NO_TOKENS)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("[data-race]", done.stdout + done.stderr)
        for line in self.racy_lines(path):
            self.assertIn(f"program.py:{line}:", done.stdout + done.stderr)

    def test_one_array_under_two_names(self):
        for arguments, kinds in (("(a[:64], a[:64])", ["broken-assumption", "token-race"]),
                                 ("(a[:64], a[8:72])", ["broken-assumption", "data-race", "token-race"]),
                                 ("(a[:64], a[64:])", [])):
            with self.subTest(arguments=arguments):
                path = self.program(textwrap.dedent(TWO_NAMES).format(arguments))
                done = self.check(path)
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 1 if kinds else 0, said)
                for kind in ("broken-assumption", "data-race", "token-race"):
                    self.assertEqual(f"[{kind}]" in said, kind in kinds, said)
                self.assertEqual(self.tool(path, "run").returncode, 102 if kinds else 0)
                self.assertEqual(self.tool(path, "run", "--no-ub=broken-assumption").returncode, 0)

    def test_examples_that_are_right_need_their_tokens_or_race_nowhere(self):
        for name, needs_them in (("spin_lock", True), ("message_passing", True), ("histogram", False),
                                 ("vector_add", False)):
            with self.subTest(example=name):
                path = ROOT / "examples" / "python" / f"{name}.py"
                done = self.check(path)
                self.assertEqual(done.returncode, 0, done.stderr)
                done = self.check(path, **NO_TOKENS)
                self.assertEqual(done.returncode, 1 if needs_them else 0, done.stderr)

    def test_within_a_program(self):
        path = self.program(textwrap.dedent(NEEDS_ORDER["loads, then a store"]) + textwrap.dedent("""
            import tilesim
            with tilesim.check(on_findings="collect") as report:
                ct.launch(0, (1,), kernel, (np.zeros(64, np.int32), np.zeros(64, np.int32)))
            print(sorted(f.code for f in report.findings))
            """))
        for environment, told in (({}, "[]\n"), (NO_TOKENS, "['token-race']\n")):
            with self.subTest(told=told):
                done = subprocess.run([sys.executable, str(path)], text=True, capture_output=True, timeout=100,
                                      env=os.environ | environment, cwd=ROOT)
                self.assertEqual((done.returncode, done.stdout), (0, told), done.stderr)


if __name__ == "__main__":
    unittest.main()
