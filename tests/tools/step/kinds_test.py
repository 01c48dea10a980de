#!/usr/bin/env python3
"""Whatever `tilesim check` finds, the command that it prints for the stepper leads there: a finding of every kind.

  TILESIM_TOOL=build/dev/bin/tilesim kinds_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
KINDS = re.findall(r'(?m)^TILESIM_\w+\(\w+,\s+"([a-z-]+)"', (HERE.parents[2] / "api/tilesim/findings.def").read_text())
LINES = (HERE / "each_kind.cu").read_text().splitlines()

# What each_kind.cu does by its first argument: the kind that is found, and the mark of the line that the stepper stands at.
# Of host code it is the operation that the finding is about, or the run's last one. None: no kernel has run: it stands behind the
# program's end.
ROWS = [
    ("trap", "crash", "trap"),
    ("bare-trap", "crash", "bare-trap"),
    ("throw", "crash", "throw"),
    ("abort", "crash", "abort"),
    ("divide", "crash", "divide"),
    ("raise", "crash", "raise"),
    ("threads-trap", "crash", "threads-trap"),
    ("exit", "wrong-context", "exit"),
    ("null-raw", "null-pointer", "null-raw"),
    ("null-tile", "null-pointer", "null-tile"),
    ("assert", "assertion-failed", "assert"),
    ("stack", "stack-overflow", "stack", "--stack-bytes", "1048576"),
    ("outside", "out-of-bounds", "outside"),
    ("raw-outside", "out-of-bounds", "raw-outside"),
    ("misaligned", "misaligned", "misaligned"),
    ("wild", "wild-pointer", "there"),
    ("host-memory", "host-memory", "there"),
    ("freed", "use-after-free", "there"),
    ("wait", "deadlock", "wait"),
    ("threads-wait", "deadlock", "spin"),
    ("vain", "livelock", "vain"),
    ("race", "data-race", "race"),
    ("twice", "duplicate-store", "twice"),
    ("narrow", "narrow-scope", "narrow"),
    ("sizes", "mixed-size-race", "narrower"),
    ("diverge", "barrier-divergence", "and"),
    ("arrive", "barrier-arrivals", "arrive"),
    ("numbered", "named-barrier", "numbered"),
    ("constant", "constant-write", "constant"),
    ("in-step", "warp-synchronous", ("in-step", "behind-in-step")),
    ("uninitialised", "uninitialised-read", "read"),
    ("view-bounds", "view-bounds", "view-bounds"),
    ("view-index", "view-index", "view-index"),
    ("warp-mask", "warp-mask", "warp-mask"),
    ("inactive-lane", "inactive-lane", "inactive-lane"),
    ("launch", "bad-launch", "fill"),
    ("api", "null-pointer", None),
    ("free", "api-misuse", "fill"),
    ("host-race", "host-race", "fill"),
    ("host", "host-access", "host"),
    ("host-first", "host-access", "host-first"),
    ("leak", "leak", ("fill", "ones")),
    ("overlap", "overlapping-store", "overlap"),
    *((kind, kind, kind) for kind in (
        "signed-overflow", "reduction-overflow", "division-by-zero", "unrepresentable-quotient", "shift-out-of-range",
        "conversion-out-of-range", "pointer-difference", "extract-index", "broken-assumption", "print-format",
        "atomic-overflow")),
    ("pointer-out-of-range", "pointer-out-of-range", "pointer-out-of-range", "--notes"),
    ("pointer-order", "pointer-order", "pointer-order", "--notes"),
    ("reload", "reloaded-value", "reload", "--notes"),
    ("barrier-left", "barrier-left", "behind-barrier", "--notes"),
]
# Of two runs together, no schedule by itself shows it: the program, its options and arguments, the kind, and the end of the line
# that the stepper stands at.
CHECK = HERE.parent / "check"
COMPARED = [
    (CHECK / "unspecified.cu", ["--schedules", "1"], ["sum"], "unspecified-dependent", "// origin: sum"),
    (CHECK / "unspecified.cu", ["--schedules", "1"], ["stays"], "unspecified-in-memory", "// origin: copy"),
    (CHECK / "modes.cu", ["--schedules", "20"], ["last"], "schedule-dependent", "ct::atomic_store(cells, block, relaxed, device);"),
    (CHECK / "modes.cu", ["--schedules", "20"], ["last-line"], "schedule-dependent", "ct::atomic_store(cells, block, relaxed, device);"),
    (CHECK / "modes.cu", ["--schedules", "20"], ["last-status"], "schedule-dependent", "ct::atomic_store(cells, block, relaxed, device);"),
    (HERE.parents[1] / "weak" / "message.cu", ["--schedules", "60", "-DWEAKENED"], [], "weak-dependent", "// stale"),
]
# Limits, and Ctrl-C, are no findings of a check. No C++ call makes the others: tests/cutile has token-race.
ELSEWHERE = {"limit", "interrupted", "unsupported", "token-race", "unsigned-overflow"}


def tilesim(*words):
    env = {k: v for k, v in os.environ.items() if k not in ("TILESIM_OPTIONS", "NO_COLOR")}
    return subprocess.run([TOOL, *words], cwd=HERE, text=True, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


class Kinds(unittest.TestCase):
    maxDiff = None

    def test_no_kind_is_left_out(self):
        self.assertGreater(len(KINDS), 40)
        self.assertEqual(set(KINDS) - {row[1] for row in ROWS} - {row[3] for row in COMPARED} - ELSEWHERE, set())

    def test_the_printed_command_stands_at_the_finding(self):
        for way, kind, mark, *options in ROWS:
            with self.subTest(way):
                checked = tilesim("check", "--schedules", "2", "--json", *options, "each_kind.cu", "--", way)
                self.assertEqual(checked.returncode, 0 if kind in ("leak", "warp-synchronous", "inactive-lane") or options == ["--notes"] else 1, checked.stderr)
                names = [f["name"] for f in json.loads(checked.stdout)["findings"] if f["code"] == kind]
                commands = [shlex.split(c) for c in re.findall(r"(?m)^  to step: tilesim (.*)$", checked.stderr)]
                commands = [c for c in commands if c[c.index("--finding") + 1] in names]
                self.assertTrue(names, checked.stderr)
                self.assertEqual(len(commands), len(names), checked.stderr)
                for command in commands:
                    done = tilesim(command[0], "--batch", *command[1:])
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.stands(done.stdout, kind, mark)

    def test_of_two_runs_it_stands_where_the_difference_comes_from(self):
        for program, options, arguments, kind, mark in COMPARED:
            with self.subTest(kind, arguments=arguments):
                checked = tilesim("check", *options, program, *(["--", *arguments] if arguments else []))
                commands = [c for c in re.findall(r"(?m)^  to step: tilesim (.*)$", checked.stderr) if f"--finding {kind}" in c]
                self.assertEqual(len(commands), 1, checked.stderr)
                command = shlex.split(commands[0])
                done = tilesim(command[0], "--batch", *command[1:])
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^\S+:\d+: (error|note): .* \[{kind}\]$")
                self.assertRegex(done.stdout, rf" \[position \d+\], next: .*\n\d+\t.*{re.escape(mark)}\n")

    def stands(self, told, kind, mark):
        self.assertRegex(told, rf"(?m)^each_kind\.cu:\d+: (error|note): .* \[{kind}\]$")
        self.assertNotIn("does not come up", told)
        last = told.splitlines()
        if mark is None:
            self.assertIn("the program has ended with status 0", last[-1])
            return
        if isinstance(mark, tuple):
            mark = next((m for m in mark if last[-1].endswith(f"// @{m}")), mark[0])
        line = next(n for n, text in enumerate(LINES, 1) if text.endswith(f"// @{mark}"))
        if mark.startswith("host"):
            self.assertIn(f"each_kind.cu:{line}: error: host code", told)
            self.assertIn("ends the program here", last[-1])
            return
        self.assertEqual(last[-1], f"{line}\t{LINES[line - 1]}", told)
        self.assertRegex(last[-2], rf" \[position \d+\], .*at each_kind\.cu:{line}$")

    def test_where_a_crash_stands_its_variables_and_frames_can_be_seen(self):
        for way, kernel, line in (("trap", "traps", "trap"), ("throw", "throws", "throw"), ("bare-trap", "bare_trap", "bare-trap")):
            with self.subTest(way):
                number = next(n for n, text in enumerate(LINES, 1) if text.endswith(f"// @{line}"))
                done = tilesim("step", "--batch", "--finding", "crash", "--ex", "where", "--ex", "print size(p)", "--ex",
                               "reverse-continue", "each_kind.cu", "--", way)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"(?m)^the program ends here; reverse-step goes back, run starts again$")
                self.assertRegex(done.stdout, rf"(?m)^#0 {kernel} at each_kind\.cu:{number}$")
                self.assertIn("$1 = 4", done.stdout)


if __name__ == "__main__":
    if not TOOL:
        raise SystemExit("set TILESIM_TOOL to the tool that is to be tested")
    unittest.main(verbosity=2)
