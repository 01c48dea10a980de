#!/usr/bin/env python3
"""Sessions that README.md and docs/ show are what the tool says.

  TILESIM_TOOL=build/dev/bin/tilesim sessions_test.py

A block of a page that shows a command (`$ tilesim …`) or the stepper's prompt (`(tilesim) …`) is carried out, if its
program is one of the repository's, in a copy of the folders that programs lie in. Each line that the page shows is to be there,
one behind the other; `…` stands for what is left out. A session that is not held is named in NOT_HELD with the reason.
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("TILESIM_TOOL", "")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = ("examples", "tests/bad_input", "tests/tools/explore", "tests/litmus", "tests/undefined", "tests/weak")
PROMPT = "(tilesim) "

# Blocks of prompts alone: what they step through, and in which folder.
PROGRAMS = {
    ("docs/step.md", "break op=atomic_add if $block == 3"): ("examples", "histogram.cu"),
    ("README.md", "break op=atomic_add if $block == 3"): (".", "examples/histogram.cu"),
}
# What a page shows of programs that only it has, or of other machines.
NOT_HELD = {
    ("docs/diff.md", "$ tilesim gpu build saxpy.cu -o saxpy          # NVIDIA's compiler; no GPU is needed"): "a GPU's",
    ("docs/diff.md", "$ tilesim diff three.cu --against three.rec"): "a GPU's",
    ("docs/diff.md", "$ tilesim diff rope.cu --against rope.rec"): "a GPU's",
    ("docs/recording.md", "$ tilesim gpu build -fmad=false saxpy.cu -o saxpy"): "a GPU's",
    ("docs/recording.md", "$ tilesim gpu show --sums saxpy.rec"): "a GPU's",
    ("docs/recording.md", "$ tilesim diff rope.cu --against full.rec --json rope.json"): "a GPU's",
    ("docs/explore.md", "$ tilesim merge --known known.json 1.json 2.json 3.json"): "reports of three machines",
    ("docs/explore.md", "$ tilesim merge 1.json 2.json 3.json"): "reports of three machines",
}


def blocks(page):
    """The fenced blocks of a page, with the line that each begins at."""
    lines = page.read_text().splitlines()
    begin = None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if begin is None:
                begin = number
            else:
                yield begin + 1, lines[begin:number - 1]
                begin = None


def sessions():
    """(page, line, first command, lines) of each block that shows one."""
    for page in PAGES:
        for number, lines in blocks(page):
            first = next((one for one in lines if one.startswith(("$ tilesim ", "$ ./tilesim ", PROMPT))), None)
            if first is not None:
                yield page.relative_to(ROOT).as_posix(), number, first, lines


def settled(line):
    """Without what differs from run to run."""
    line = re.sub(r"0x[0-9a-f]{6,}", "0x…", line)
    return line.rstrip()


class Sessions(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tilesim docs "))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, self.root / folder)
        self.env = dict(os.environ, XDG_STATE_HOME=str(self.root / "state"))
        for name in ("TILESIM_OPTIONS", "NO_COLOR"):
            self.env.pop(name, None)

    def run_tool(self, words, folder="."):
        result = subprocess.run([TOOL, *words], cwd=self.root / folder, text=True, env=self.env, timeout=300,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        return result.stdout

    def holds(self, shown, said, where):
        """Every shown line is said, in order; without a … between them they follow one another."""
        told = [settled(line) for line in said.splitlines()]
        at, gap = 0, True
        for line in map(settled, shown):
            if not line:
                continue
            if line.strip() == "…":
                gap = True
                continue
            found = next((i for i in range(at, len(told)) if told[i] == line), None) if gap else \
                (at if at < len(told) and told[at] == line else None)
            if found is None:
                self.fail(f"{where} shows\n  {line}\nwhich is not said{'' if gap else ' there'}:\n{said}")
            at, gap = found + 1, False

    def prompt_session(self, where, folder, program, lines):
        """Each command's output is what the page shows behind it."""
        commands, shown = [], []
        for line in lines:
            if line.startswith(PROMPT):
                commands.append(line.removeprefix(PROMPT))
                shown.append([])
            elif shown:
                shown[-1].append(line)
        words = ["step", "--batch"]
        for command in commands:
            words += ["--ex", command]
        said = self.run_tool([*words, *program], folder)
        self.holds([one for lines in shown for one in (["…", *lines] if lines else [])], said, where)

    def test_all(self):
        held = 0
        named = set()
        for page, number, first, lines in sessions():
            where = f"{page}:{number}"
            with self.subTest(where, first=first):
                key = (page, first.removeprefix(PROMPT))
                left_out = {n for n in NOT_HELD if n[0] == page and key[1].startswith(n[1])}
                named |= left_out
                if left_out:
                    continue
                held += 1
                if key in PROGRAMS:
                    folder, program = PROGRAMS[key]
                    self.prompt_session(where, folder, [program], lines)
                    continue
                self.assertFalse(first.startswith(PROMPT), "its program is to be named in PROGRAMS, or it in NOT_HELD")
                if any(line.startswith(PROMPT) for line in lines):
                    words = shlex.split(first)[2:]
                    self.prompt_session(where, ".", words[1:], lines[lines.index(first) + 1:])
                    continue
                self.commands(where, lines)
        self.assertGreater(held, 5)
        self.assertEqual(named, set(NOT_HELD), "what is left out is shown somewhere")

    def commands(self, where, lines):
        """Commands, each with what it says."""
        at = 0
        while at < len(lines):
            line = lines[at]
            end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("$ ")), len(lines))
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words and words[0] in ("tilesim", "./tilesim"):
                self.holds(["…", *lines[at + 1:end]], self.run_tool(words[1:]), where)
            at = end


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        unittest.main(verbosity=2)
