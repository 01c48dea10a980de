#!/usr/bin/env python3
"""cuTile programs in the stepper, the tracer and the editor's adapter: lines and variables are Python's.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(ROOT / "tests" / "tools" / "dap"))
from client import Client  # noqa: E402

RACY = """\
import cuda.tile as ct
import numpy as np

@ct.kernel
def histogram(values, bins, size: ct.Constant[int]):
    v = ct.gather(values, ct.bid(0) * size + ct.arange(size, dtype=ct.int32))
    old = ct.gather(bins, v)
    new = old + 1
    ct.scatter(bins, v, new)

values = np.arange(64, dtype=np.int32) % 32
bins = np.zeros(40, np.int32)
print("before")
ct.launch(0, (2,), histogram, (values, bins, 32))
print("after", bins.sum())
"""
NAMES = """\
import cuda.tile as ct, numpy as np
@ct.kernel
def k(x, y):
    a, b = ct.load(x, (0,), (4,)), ct.load(x, (1,), (4,))
    a, b = b, a
    c = a
    if ct.bid(0) == 0:
        # c is b from here on
        c = b
        d = c + 1.0
    else: d = a + 2.0
    for i in range(2):
        d = d + b
    a = a + d
    ct.store(y, (0,), a)

x, y = np.arange(12, dtype=np.float32), np.zeros(4, np.float32)
ct.launch(0, (1,), k, (x, y))
"""
LOOP = """\
import cuda.tile as ct
import numpy as np

def twice(x):
    doubled = x + x
    return doubled

def make():
    @ct.kernel
    def inner(values, n: int, factor: ct.Constant[float]):
        t = ct.load(values, index=(0,), shape=(4,))
        for i in range(n):
            t = twice(t)
            u = t + i
            t += u
        a, b = t * factor, ct.bid(0) + 7

        ct.store(values, index=(0,), tile=ct.maximum(a, b))
    return inner

values = np.arange(4, dtype=np.float32)
ct.launch(0, (1,), make(), (values, 3, 0.5))
print(values)
"""
FOLDED = """\
import cuda.tile as ct
import numpy as np

@ct.kernel
def sums(xs, out, N: ct.Constant[int], mode: ct.Constant[bool]):
    acc = ct.zeros((N,), dtype=ct.float32)
    off = 1.5
    for k in range(len(xs)):
        acc += ct.load(xs[k], (0,), (N,))
    def shifted(v):

        return v + off
    if mode:
        acc = acc * 2
    # the end
    ct.store(out, (0,), shifted(acc))
    return

@ct.kernel
def other(out):
    ct.store(out, (0,), ct.full((8,), 1, ct.float32))

out = np.zeros(8, np.float32)
if __name__ == "__main__":
    ct.launch(0, (1,), other, (out,))
    ct.launch(0, (1,), sums, ([out, out + 1], out.copy(), 8, True))
"""
STRONG = """\
import cuda.tile as ct
import numpy as np

@ct.kernel
def pass_on(message, seen):
    if ct.bid(0) == 0:
        ct.atomic_xchg(message, 0, 41, memory_order=ct.MemoryOrder.RELAXED)
        ct.atomic_xchg(message, 0, 42, memory_order=ct.MemoryOrder.RELAXED)
    else:
        got = ct.load(message, index=(0,), shape=(1,), memory_order=ct.MemoryOrder.RELAXED,
                      memory_scope=ct.MemoryScope.DEVICE)
        ct.store(seen, index=(0,), tile=got)

message, seen = np.zeros(1, np.int32), np.zeros(1, np.int32)
ct.launch(0, (2,), pass_on, (message, seen))
print("seen", seen[0])
"""


class Case(cases.Case):
    BEGINNING = ""

    def tool(self, *words):
        return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=100, cwd=self.folder)

    def step(self, text, *commands, options=()):
        self.program(text)
        words = [w for c in commands for w in ("--ex", c)]
        done = self.tool("step", "--batch", *options, *words, "program.py")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


class Stepping(Case):
    def test_a_breakpoint_by_line_shows_source_and_variables(self):
        said = self.step(RACY, "break program.py:8", "run", "list", "print old[0:3]", "print size", "print bins[2:4]",
                         "info locals", "step", "print new", "backtrace")
        self.assertIn("it waits for that", said)
        self.assertIn("next: addi at program.py:8", said)
        self.assertIn("8\t    new = old + 1", said)
        self.assertIn("$1 = i32[3] 0 0 0", said)
        self.assertIn("$2 = 32", said)
        self.assertIn("$3 = i32[2] 0 0", said)
        self.assertIn("v = i32[32] 0 1 2 3", said)
        self.assertNotIn("new = i32", said.split("step")[0].split("#20")[0])
        self.assertIn("$4 = i32[32] all 1", said)
        self.assertIn("#0 histogram at program.py:9", said)
        self.assertRegex(said, "#1 launched at .*program.py:14")

    def test_a_line_without_operations_stops_at_the_next_of_its_kernel(self):
        for line, then in ((6, 9), (7, 9), (8, 9), (10, 12), (11, 12), (13, 16), (14, 16), (15, 16)):
            with self.subTest(line=line):
                said = self.step(FOLDED, f"break program.py:{line}", "run", "info breakpoints", f"break {line}", "continue")
                self.assertIn(f"breakpoint 1, program.py:{line}\n"
                              f"  line {line} performs no operation: it stops at line {then}, the next that does\n", said)
                self.assertRegex(said, rf"next: \w+ at program.py:{then}\n")
                self.assertIn(f"1: break program.py:{line} (stopped 1 time)\n", said)
                self.assertEqual(said.count(f"line {line} performs no operation"), 2, said)
                self.assertNotIn("of other", said)
        for line in (17, 18):  # the next lines are another kernel's
            said = self.step(FOLDED, f"break program.py:{line}", "run")
            self.assertNotIn("breakpoint 1, ", said)
            self.assertIn("the program has ended", said)

    def test_arrays_are_buffers_and_watched_by_their_parameters_names(self):
        said = self.step(RACY, "break histogram", "run", "info buffers", "watch bins[3]", "continue")
        self.assertRegex(said, "bins: 40 i32, 160 bytes of host memory")
        self.assertRegex(said, "values: 64 i32, 256 bytes")
        self.assertIn("is:  1", said)
        self.assertIn("program.py:9", said)

    def test_going_back_is_exact(self):
        said = self.step(RACY, "break 9", "run", "step 2", "reverse-step 2", "print new[0:2]", "reverse-continue")
        self.assertIn("i32[2] 1 1", said)
        self.assertEqual(said.count("before"), 1)

    def test_loops_functions_and_pairs_have_their_variables(self):
        said = self.step(LOOP, "break 14 if i == 2", "run", "info locals", "break 17", "continue", "print a", "print b",
                         "print factor")
        self.assertRegex(said, "(?m)^i = 2$")
        self.assertRegex(said, "(?m)^n = 3$")
        self.assertRegex(said, r"(?m)^t = f32\[4\] ")
        # Line 17 is empty: it stops at the next that performs something.
        self.assertRegex(said, r"next: \S+ at program.py:18")
        self.assertRegex(said, r"\$1 = f32\[4\] ")
        self.assertIn("$2 = 7", said)
        self.assertIn("$3 = 0.5", said)

    def test_a_variable_has_the_value_that_python_would_give_it(self):
        """What a loop and a branch leave, names for values that have one, and those of which nothing is left."""
        said = self.step(NAMES, "break 7", "run", "info locals", "break 10", "continue", "info locals", "break 13", "continue", "info locals",
                         "continue", "info locals", "break 15", "continue", "info locals")
        stops = [re.findall(r"(?m)^(\w) = (?:f32\[4\] )?([-0-9 ]+)$", part) for part in said.split("next: ")[1:]]
        swapped = [("a", "4 5 6 7"), ("b", "0 1 2 3")]
        self.assertEqual(sorted(stops[0]), [*swapped, ("c", "4 5 6 7")], said)
        self.assertEqual(sorted(stops[1]), swapped, said)  # c is another in one of the branches
        self.assertEqual(sorted(stops[2]), [*swapped, ("d", "1 2 3 4"), ("i", "0")], said)
        self.assertEqual(sorted(stops[3]), [*swapped, ("d", "1 3 5 7"), ("i", "1")], said)
        self.assertEqual(sorted(stops[4]), [("a", "5 9 13 17"), ("b", "0 1 2 3"), ("d", "1 4 7 10")], said)

    def test_a_function_that_a_kernel_calls_has_a_frame_of_its_own(self):
        said = self.step(LOOP, "break 5", "run", "backtrace", "info locals")
        self.assertIn("program.py:5", said)
        self.assertIn("program.py:13", said)
        self.assertRegex(said, "(?m)^i = 0$")

    def test_ctrl_c_stops_before_the_next_operation(self):
        said, status = cases.interrupted(self.folder, "step", "--batch", "--ex", "run", "--ex", "info locals", "--ex", "step")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"interrupted\ntile block \(0,0,0\) of endless \[position \d+\], next: \w+ at program.py:[56]\n")
        self.assertRegex(said, "(?m)^i = 1$")

    def test_a_variable_is_watched(self):
        said = self.step(LOOP, "break 13", "run", "watch t", "delete 1", "continue")
        # Line 13 only calls: what it does stands in the function.
        self.assertRegex(said, r"next: \S+ at program.py:14")
        self.assertRegex(said, r"was: f32\[4\] 0 2 4 6\n")
        self.assertRegex(said, r"by #\d+ addf of .*program.py:15")

    def test_what_a_strong_read_takes_is_chosen(self):
        said = self.step(STRONG, "break choice", "run", "choose 1", "step", "reverse-step", "info reads", "choose 2", "delete",
                         f"save {self.folder / 'saved'}", "continue", options=("--model", "ptx"))
        self.assertIn("message[0] may take one of 3 writes (choose N):", said)
        self.assertRegex(said, r"  \* 0: 42, #\d+ relaxed update of device scope by tile block \(0,0,0\) of pass_on "
                         r"\(program.py:8\); the newest\n")
        self.assertRegex(said, r"result: +i32\[1\] 41\n")
        self.assertIn("seen 0\n", said)
        done = self.tool("run", "--replay", "saved", "program.py")
        self.assertEqual((done.stdout, done.returncode), ("seen 0\n", 0), done.stderr)

    def test_the_program_ends_and_what_it_printed_is_shown_once(self):
        said = self.step(RACY, "continue", "continue")
        self.assertEqual((said.count("before"), said.count("after")), (1, 1))

    def test_a_findings_line_to_step_stands_at_it(self):
        self.program(RACY)
        report = self.tool("check", "--schedules", "2", "program.py").stderr
        line = re.search(r"to step: tilesim (step .*)", report).group(1)
        done = self.tool(*line.split(), "--batch", "--ex", "print bins[0:3]")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("[data-race]", done.stdout)
        self.assertRegex(done.stdout, r"tile block \(\d,0,0\) of histogram \[position \d+\], next: load_ptr_tko at program.py:7")
        self.assertRegex(done.stdout, r"\$1 = i32\[3\] ")

    def test_a_program_without_kernels_and_one_that_fails(self):
        self.assertIn("ended with status 0", self.step("print(1)\n", "continue"))
        self.assertIn("ended with status 3", self.step("raise SystemExit(3)\n", "continue"))


class Tracing(Case):
    def test_operations_and_arrays_have_pythons_names(self):
        self.program(RACY)
        done = self.tool("trace", "-o", "t.json", "--html", "t.html", "program.py")
        self.assertEqual(done.returncode, 102, done.stderr)  # it has a race
        text = (self.folder / "t.json").read_text()
        json.loads(text)
        self.assertIn("program.py:7", text)
        self.assertIn("histogram", text)
        self.assertIn("bins[", text)
        self.assertIn("program.py:9", (self.folder / "t.html").read_text())


class Editing(Case):
    def client_of(self, text):
        path = self.program(text)
        client = Client(TOOL, self.folder, dict(os.environ))
        self.addCleanup(client.close)
        client.ask("initialize", adapterID="tilesim", linesStartAt1=True, columnsStartAt1=True, pathFormat="path",
                   supportsVariablePaging=True)
        client.ask("launch", program=str(path))
        client.wait_for("process")
        client.wait_for("initialized")
        return client, path

    def test_breakpoints_are_verified_when_their_kernel_has_been_compiled(self):
        client, path = self.client_of(FOLDED)
        found = client.ask("setBreakpoints", source={"path": str(path)},
                           breakpoints=[{"line": line} for line in (8, 9, 17)])["breakpoints"]
        self.assertEqual([(b["verified"], b["line"]) for b in found], [(False, 8), (False, 9), (False, 17)])
        client.ask("configurationDone")
        changed = [client.wait_for("breakpoint") for _ in range(2)]
        self.assertEqual([(c["reason"], c["breakpoint"]["id"], c["breakpoint"]["verified"], c["breakpoint"]["line"])
                          for c in changed], [("changed", b["id"], True, 9) for b in found[:2]])
        self.assertEqual(changed[0]["breakpoint"]["message"],
                         "line 8 performs no operation: it stops at line 9, the next that does")
        self.assertNotIn("message", changed[1]["breakpoint"])
        stopped = client.wait_for("stopped")
        self.assertEqual(stopped["hitBreakpointIds"], [b["id"] for b in found[:2]])
        top = client.ask("stackTrace", threadId=stopped["threadId"])["stackFrames"][0]
        self.assertEqual((top["line"], top["name"].split()[0]), (9, "sums,"))

    def test_the_adapter_stops_at_a_line_and_shows_variables(self):
        client, path = self.client_of(RACY)
        client.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": 8}])
        client.ask("configurationDone")
        self.assertTrue(client.wait_for("breakpoint")["breakpoint"]["verified"])
        thread = client.wait_for("stopped")["threadId"]
        top = client.ask("stackTrace", threadId=thread)["stackFrames"][0]
        self.assertEqual((top["line"], top["source"]["name"]), (8, "program.py"))
        seen = {}
        for scope in client.ask("scopes", frameId=top["id"])["scopes"]:
            for v in client.ask("variables", variablesReference=scope["variablesReference"])["variables"]:
                seen[v["name"]] = v["value"]
        self.assertIn("old", seen)
        self.assertIn("bins", seen)
        said = client.ask("evaluate", expression="old[0:2]", frameId=top["id"], context="watch")
        self.assertIn("0", said["result"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
