#!/usr/bin/env python3
"""The commands that a report of tilesim::check prints step into the test.

  TILESIM_TOOL=build/dev/bin/tilesim step_into_test.py build/dev/tests/library/library_check .../library_example
"""
# SPDX-License-Identifier: Apache-2.0
import os
import re
import shlex
import subprocess
import sys

TOOL, PROGRAM, EXAMPLE = os.environ["TILESIM_TOOL"], sys.argv[1], sys.argv[2]


def run(words, code):
    done = subprocess.run(words, text=True, capture_output=True, timeout=120)
    told = f"{shlex.join(words)}\nstatus {done.returncode}\n{done.stdout}\n{done.stderr}"
    if done.returncode != code:
        sys.exit(told)
    return done.stdout + done.stderr, told


def wanted(text, told, pattern):
    if not re.search(pattern, text):
        sys.exit(f"no '{pattern}' in\n{told}")


report, told = run([PROGRAM, "shows its reports"], 0)
commands = re.findall(r"(?m)^  to step: tilesim (step --program .*)$", report)
by_check = {re.search(r"--check (\d+)", c).group(1): shlex.split(c) for c in commands}
if sorted(by_check) != ["2", "3"]:
    sys.exit(f"no commands for the checks 2 and 3 in\n{told}")
for words in by_check.values():
    script = ["--batch", "--ex", "print cells[0]", "--ex", "reverse-step", "--ex", "where"]
    text, told = run([TOOL, words[0], *script, *words[1:]], 0)
    code, line = re.match(r"([a-z-]+)@.*check\.test\.cu:(\d+)", words[words.index("--finding") + 1]).groups()
    wanted(text, told, rf"\[{code}\]")
    wanted(text, told, r"check\.test\.cu:\d+")
    wanted(text, told, r"(?m)^block \(\d,0,0\)|tile block \(\d,0,0\) of count")
    # What strong reads take can be chosen there, too.
    text, told = run([TOOL, words[0], "--batch", "--model", "ptx", "--ex", "info reads", *words[1:]], 0)
    wanted(text, told, r"(?m)^what comes next (is no strong read|reads and writes in one)|a strong read comes next")
    text, told = run([TOOL, words[0], "--batch", "--ex", "info reads", *words[1:]], 0)
    wanted(text, told, r"begin with --model ptx")
# Another test, another check: told, and no hang.
words = by_check["2"]
words[words.index("--check") + 1] = "3"
_, told = run([TOOL, words[0], "--batch", *words[1:]], 64)
wanted(told, told, "belongs to a check of another name")
words[words.index("--check") + 1] = "9"
_, told = run([TOOL, words[0], "--batch", *words[1:]], 64)
wanted(told, told, "has ended before its check 9")

# As a user does: each command is one line of what a failing test prints, and is pasted into a shell.
report, told = run([EXAMPLE, "[fails]"], 1)
commands = re.findall(r"(?m)^ *to step: tilesim (step .*)$", report)
if len(commands) != 3:
    sys.exit(f"not three commands in\n{told}")
if "--finding schedule-dependent@" not in commands[2]:  # a note of host code: it leads to what it depends on
    sys.exit(f"the third command is another:\n{told}")
for command in commands[:2]:
    pasted = command.replace("step", f"{shlex.quote(TOOL)} step --batch --ex 'info locals' --ex finish --ex reverse-step", 1)
    text, told = run(["sh", "-c", pasted], 0)
    wanted(text, told, r"\[(data-race|duplicate-store)\]")
    wanted(text, told, r"(?m)^tile block \(\d,0,0\) of plain_histogram \[position \d+\], next: \w+_ptr_tko at .*histogram\.cuh:27$")
    wanted(text, told, r"(?m)^counts = &counts\[0\]$")
