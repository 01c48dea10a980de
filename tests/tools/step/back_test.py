#!/usr/bin/env python3
"""Going forward and back again: the same places (position, block, line), at the prompt and in an editor.

  TILESIM_TOOL=build/dev/bin/tilesim back_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "dap"))
from client import Client  # noqa: E402
TOOL = os.environ.get("TILESIM_TOOL", "")

MOST = 12  # steps of one walk: long programs are walked where they begin, and where they end
# Programs with what they are given, and what they come by: several launches, findings in the middle
# of a block and behind its last operation, waiting blocks, threads, and every way to end.
PROGRAMS = (
    [(p,) for p in sorted((ROOT / "examples").glob("*.cu"))[::2]]
    + [(p,) for p in sorted(HERE.glob("*.cu")) if p.name != "endings.cu"]
    + [(HERE / "endings.cu", how) for how in ("three", "abort", "nowhere")]
    + [(ROOT / "examples" / "kernels" / f"{name}.cu",) for name in ("softmax", "moe_align")]
    + [(ROOT / "tests" / "waiting" / "polls.cu", how, "2") for how in ("load", "reference_cas", "bounded")]
    + [(HERE.parent / "dap" / "scale.cu", how) for how in ("race", "outside")])
# Where a block stands, or what has ended.
PLACE = re.compile(r"^(?:.* of .* \[position \d+\], .*|the program has ended [^;]*|tilesim ends the program here|"
                   r"that was the last operation of [^;\n]*)", re.MULTILINE)


def short(program):
    return " ".join([program[0].name, *program[1:]])


class Session:
    """A prompt that answers one command after the other."""

    def __init__(self, program):
        self.process = subprocess.Popen([TOOL, "step", program[0], "--", *program[1:]], text=True, cwd=ROOT,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def place(self, command):
        """Where the command leads."""
        self.process.stdin.write(f"{command}\nhelp quit\n")
        self.process.stdin.flush()
        told = ""
        for line in self.process.stdout:
            if line.startswith("quit"):
                break
            told += line
        found = PLACE.findall(told)
        assert found, f"{command}: {told}"
        return found


class Prompt(unittest.TestCase):
    def there_and_back(self, session, begin, command):
        """How many steps each way."""
        there = [session.place(begin)]
        while len(there) <= MOST and not there[-1][0].startswith(("the program has ended", "tilesim ends")):
            there.append(session.place(command))
        for wanted, after in zip(there[-2::-1], there[:0:-1]):
            self.assertEqual(session.place("reverse-" + command), wanted, f"from {after}")
        return len(there) - 1

    def all_programs(self, command):
        walked = 0
        for program in PROGRAMS:
            with self.subTest(short(program)), Session(program) as session:
                walked += self.there_and_back(session, "step", command)
                session.place("set stop-at-findings off\nrun")
                position = int(re.search(r"\[position (\d+)\]", session.place("reverse-step")[-1]).group(1))
                session.place("set stop-at-findings on\ngoto 0")
                if position > MOST:
                    walked += self.there_and_back(session, f"goto {position - MOST // 2}", command)
        self.assertGreater(walked, 2 * len(PROGRAMS))

    def test_steps(self):
        self.all_programs("step")

    def test_lines(self):
        self.all_programs("next")

    def test_blocks(self):
        self.all_programs("finish")


class Editor(unittest.TestCase):
    def place(self, client, stop):
        """What the client sees of it."""
        thread = stop["threadId"]
        frames = client.ask("stackTrace", threadId=thread)["stackFrames"]
        at = [(f["name"], f["line"]) for f in frames]
        position = None
        # (A program that a signal has ended has a place in host code, and nobody left to ask.)
        if at and "has ended by signal" not in stop.get("description", ""):
            position = client.ask("evaluate", expression="$position", context="watch")["result"]
        return thread, position, at, stop["reason"] if not at else None

    def walk(self, program, forward):
        with tempfile.TemporaryDirectory() as folder:
            client = Client(TOOL, folder, dict(os.environ))
            try:
                client.ask("initialize", adapterID="tilesim")
                client.ask("launch", program=str(program[0]), args=list(program[1:]), stopOnEntry=True, stopAtEnd=True)
                client.wait_for("process")
                client.wait_for("initialized")
                client.ask("setExceptionBreakpoints", filters=["findings"])
                client.ask("configurationDone")
                places = [self.place(client, client.wait_for("stopped"))]
                for i in range(MOST):
                    client.ask(forward[i % len(forward)], threadId=places[-1][0])
                    stop = client.wait_for("stopped")
                    places.append(self.place(client, stop))
                    told = stop.get("description", "")
                    if stop["reason"] == "end" or "ends the program" in told or "has ended by signal" in told:
                        break
                for wanted, now in zip(places[-2::-1], places[:0:-1]):
                    client.ask("stepBack", threadId=now[0])
                    self.assertEqual(self.place(client, client.wait_for("stopped"))[:3], wanted[:3])
                return len(places) - 1
            finally:
                client.close()

    def all_programs(self, *forward):
        for program in PROGRAMS[::4]:
            with self.subTest(short(program)):
                self.assertGreater(self.walk(program, forward), 0)

    def test_over(self):
        self.all_programs("next")

    def test_in(self):
        self.all_programs("stepIn")

    def test_all_in_turns(self):
        self.all_programs("stepIn", "next", "stepIn", "stepIn", "stepOut")


if __name__ == "__main__":
    unittest.main()
