#!/usr/bin/env python3
"""Choosing by hand what strong reads take: `tilesim step --model ptx`, and what other commands make of it.

  TILESIM_TOOL=build/dev/bin/tilesim choose_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
PROGRAM = HERE / "choices.cu"
WEAK = HERE.parents[1] / "weak"


def line_of(marked, program=PROGRAM):
    """The number of the line that ends so."""
    return next(n for n, line in enumerate(program.read_text().splitlines(), 1) if line.rstrip().endswith(f"// {marked}"))


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim choose "))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)
        self.env = dict(os.environ, XDG_STATE_HOME=str(self.kept))
        for name in ("TILESIM_OPTIONS", "NO_COLOR"):
            self.env.pop(name, None)

    def tool(self, *words):
        return subprocess.run([TOOL, *map(str, words)], cwd=HERE, text=True, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=200)

    def step(self, *commands, what="message", options=("--model", "ptx"), code=0, program="choices.cu"):
        """What these commands print."""
        words = [word for command in commands for word in ("--ex", command)]
        arguments = ["--", what] if what else []
        done = self.tool("step", "--batch", *options, *words, program, *arguments)
        told = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, told)
        return told

    def at(self, marked):
        """Stops before the strong read of that line."""
        return f"break {line_of(marked)} choice", "run"


class Choosing(Case):
    """At the prompt."""

    def test_the_writes_are_listed(self):
        told = self.step(*self.at("the message"))
        store = line_of("the message") - 4
        self.assertRegex(told, rf"next: load_ptr_tko at choices.cu:{line_of('the message')}\n.*\n"
                         r"  flags\[0\] may take one of 3 writes \(choose N\):\n"
                         rf"  \* 0: 42, #\d+ relaxed store of device scope by tile block \(0,0,0\) of pass "
                         rf"\(choices.cu:{store}\); the newest\n"
                         rf"    1: 41, #\d+ relaxed store of device scope by tile block \(0,0,0\) of pass "
                         rf"\(choices.cu:{store - 1}\); stale: passes over 42\n"
                         r"    2: 0, there before any strong write; stale: passes over 42 and 41\n")

    def test_one_is_taken(self):
        for n, value in enumerate((42, 41, 0)):
            with self.subTest(n):
                told = self.step(*self.at("the message"), f"choose {n}", "step", "delete", "continue")
                self.assertIn(f"  * {n}: {value},", told)
                shown = told.split("choose N")[-1]
                self.assertRegex(shown, rf"result: +{value}\n")
                self.assertIn(f"seen 1 {value} {'42' if n == 0 else '42'}", told)
                # The read before: who wrote it, and what it passed over.
                stale = re.search(r"flags\[0\] stale: passes over what was written by (#\d+) store", shown)
                self.assertEqual(stale is None, n == 0, shown)
                source = re.search(r"flags\[0\] written by #\d+ store_ptr_tko of tile block \(0,0,0\)", shown)
                self.assertEqual(source is None, n == 2, shown)

    def test_without_a_choice_it_is_the_newest(self):
        self.assertIn("seen 1 42 42", self.step("run"))

    def test_coherence_hides_what_was_there_before(self):
        # [PTX: coherence] Nobody sees a place go back.
        told = self.step(*self.at("the message"), "choose 1", "step 2")
        self.assertIn("may take one of 2 writes", told.split("choose N")[-1] + told.split("next: ")[-1])
        told = self.step(*self.at("the message"), "step 2", "info reads")
        self.assertRegex(told, r"flags\[0\] can take one write only:\n  \* 0: 42, .*\n +nothing older: the relaxed load of "
                         r"device scope by tile block \(1,0,0\) of pass \(choices.cu:\d+\) comes before this one and has "
                         r"read the relaxed store")

    def test_back_and_another_one(self):
        told = self.step(*self.at("the message"), "choose 2", "step", "reverse-step", "choose 1", "step", "reverse-step",
                         "step", "delete", "continue", "reverse-continue", "goto 0", "continue")
        values = re.findall(r"result: +(\d+)\n", told)
        self.assertEqual(values[:3], ["0", "41", "41"], told)
        self.assertEqual(re.findall(r"^seen \d.*", told, re.M), ["seen 1 41 42, 0 0"])  # shown once, as ever
        self.assertEqual(told.count("the program has ended with status 1"), 2)

    def test_a_choice_stays_over_many_steps_back(self):
        told = self.step(*self.at("the message"), "choose 1", "delete", "continue", "goto 1", "continue", "info schedule")
        self.assertEqual(re.findall(r"^seen \d.*", told, re.M), ["seen 1 41 42, 0 0"])  # shown once, as ever
        self.assertEqual(told.count("the program has ended with status 1"), 2)
        self.assertRegex(told, r"at position \d+: strong read 1 of thread 1 of launch 1 passes over 1 write\n")

    def test_a_choice_makes_another_run_of_what_lies_ahead(self):
        # The second choice depends on the first: [PTX: coherence] 41 hides 0.
        told = self.step(*self.at("the message"), "choose 2", "step 2", "choose 2", "reverse-step 2", "choose 1", "delete",
                         "continue", "info schedule")
        self.assertIn("seen 1 41 42", told)
        self.assertEqual(len(re.findall(r"strong read \d", told)), 1, told)

    def test_switching_forgets_what_was_chosen_here(self):
        told = self.step("break 27 choice if $block == 1", "break pass", "run", "block 1", "info reads", "info schedule")
        self.assertNotIn("passes over", told)
        told = self.step(*self.at("the message"), "choose 1", "info schedule")
        self.assertIn("passes over 1 write", told)

    def test_running_again_forgets(self):
        told = self.step(*self.at("the message"), "choose 1", "delete", "continue", "run")
        self.assertEqual(re.findall(r"^seen \d.*", told, re.M), ["seen 1 41 42, 0 0", "seen 1 42 42, 0 0"])

    def test_elements_of_a_tile(self):
        told = self.step("break choice", "run", "choose 3:1", "step", "delete", "continue", what="tile")
        self.assertIn("element 1, cells[1] may take one of 2 writes", told)
        self.assertIn("element 3, cells[3] may take one of 3 writes", told)
        self.assertNotIn("element 0", told)
        self.assertRegex(told, r"f32\[4\] 0 1\.5 0 2\.5\n")
        self.assertIn(", 1.5 2.5\n", told)
        told = self.step("break choice", "run", "choose 1", "delete", "continue", what="tile")
        self.assertIn(", 0 2.5\n", told)  # each element that may
        told = self.step("break choice", "run", "choose 1:1 3:2", "delete", "continue", what="tile")
        self.assertIn(", 0 0\n", told)
        told = self.step("break choice", "run", "choose 0:1", code=64, what="tile")
        self.assertIn("the newest write is the only one that may be taken here: choose 0", told)

    def test_volatile_reads(self):
        told = self.step("break choice", "run", "choose 1", "step", "print flags[0]", "delete", "continue", what="volatile")
        self.assertRegex(told, r"1: 0, there before any strong write; stale: passes over 7\n")
        self.assertRegex(told, r"result: +0\n")
        self.assertIn("$1 = 7", told)  # memory holds the newest
        self.assertIn("seen 0 0 0", told)

    def test_sequentially_consistent_fences(self):
        # [PTX: Fence-SC order] Who comes second sees the other's store: nothing to choose.
        told = self.step("break choice", "run", what="fences")
        self.assertIn("ended with status 0", told)
        told = self.step(f"break {line_of('fenced')} if $block == 1", "run", "info reads", "choose 1", what="fences", code=64)
        self.assertRegex(told, r"places\[0\]|flags\[0\]")
        self.assertRegex(told, r"nothing older: the relaxed store of device scope by thread \(0,0,0\) of block \(0,0,0\) of "
                         r"look \(choices.cu:\d+\) comes before this read")

    def test_updates_take_the_newest(self):
        # [PTX: atomicity]
        told = self.step(f"break {line_of('an update')} if $block == 1", "run", "info reads", "choose 1", what="update",
                         code=64)
        self.assertEqual(told.count("what comes next reads and writes in one: it takes the newest write"), 2)

    def test_what_the_read_before_could_have_been(self):
        told = self.step(*self.at("the message"), "choose 1", "step", "info reads")
        self.assertRegex(told, r"the operation before was a strong read\n  flags\[0\] could take one of 3 writes:\n"
                         r"    0: 42, .*\n  \* 1: 41, .*\n    2: 0, ")

    def test_breakpoints(self):
        told = self.step("break choice", "run", "continue", "continue")
        self.assertEqual(len(re.findall(r"^breakpoint 1, choice", told, re.M)), 2, told)  # the flag, the message
        told = self.step("break pass choice if $block == 0", "run")
        self.assertNotIn("breakpoint 1, ", told.split("breakpoint 1: ")[-1].split("\n", 1)[1])


class Replays(Case):
    """What was chosen is in the replay string, and the other commands repeat it."""

    def saved(self, *commands, name="saved", **more):
        file = self.kept / name
        file.unlink(missing_ok=True)
        self.step(*commands, f"save {file}", **more)
        return file

    def test_a_saved_choice_is_repeated(self):
        for steps, name in (((), "pending"), (("step",), "made"), (("delete", "continue"), "to the end")):
            with self.subTest(name):
                file = self.saved(*self.at("the message"), "choose 1", *steps)
                self.assertIn("_r1@1:1-", file.read_text())
                run = self.tool("run", "--replay", file, "choices.cu", "--", "message")
                self.assertEqual((run.stdout, run.returncode), ("seen 1 41 42, 0 0\n", 1), run.stderr)
                check = self.tool("check", "--json", "--replay", file, "choices.cu", "--", "message")
                report = json.loads(check.stdout)
                self.assertEqual(report["limits"], [], check.stderr)
                self.assertEqual([run["status"] for run in report["runs"]], [1])
                self.assertIn("reads 41, although 42 was written", report["findings"][0]["stale_reads"][0]["message"])
                told = self.step(*(("continue",) if name != "to the end" else ()), options=("--replay", file))
                self.assertIn("seen 1 41 42", told)

    def test_a_pending_choice_stands_before_its_read(self):
        file = self.saved(*self.at("the message"), "choose 2")
        told = self.step("step", options=("--replay", file))
        self.assertIn("  * 2: 0, there before any strong write; stale: passes over 42 and 41\n", told)
        self.assertRegex(told, r"result: +0\n")

    def test_a_replay_string_brings_its_own_model(self):
        file = self.saved(*self.at("the message"), "choose 2", "step", "delete")
        told = self.step("reverse-step", "choose 1", "continue", options=("--replay", file))
        self.assertIn("seen 1 41 42", told)
        told = self.step("choose 0", options=("--replay", file, "--model", "sc"), code=64)
        self.assertIn("the replay string's schedule is weak", told)
        again = self.step("run", f"replay {file}", "info reads", options=())
        self.assertIn("could take one of 3 writes", again)
        told = self.step("run", f"replay {file}", options=("--model", "sc"), code=64)
        self.assertIn("the replay string's schedule is weak", told)

    def test_a_finding_of_a_weak_schedule_can_be_chosen_otherwise(self):
        done = self.tool("check", "--json", "--schedules", "60", "-DWEAKENED", WEAK / "message.cu")
        finding = next(f for f in json.loads(done.stdout)["findings"] if f["code"] == "weak-dependent")
        at = ["-DWEAKENED", WEAK / "message.cu"]
        words = ["--replay", finding["replay"]]
        stop = f"break {line_of('stale', WEAK / 'message.cu')} choice"
        told = self.tool("step", "--batch", *words, "--ex", stop, "--ex", "run", "--ex", "choose 0", "--ex", "delete",
                         "--ex", "continue", *at).stdout
        self.assertRegex(told, r"  \* 1: 0, there before any strong write; stale: passes over 42\n")
        self.assertIn("the message\n", told)
        told = self.tool("step", "--batch", *words, "--ex", "run", *at).stdout
        self.assertIn("an old message\n", told)

    def test_the_newest_by_hand_over_what_was_drawn(self):
        # choose 0 replaces what a string's list says, and is saved as that.
        file = self.saved(*self.at("the message"), "choose 2", "step", "delete")
        other = self.saved("reverse-step", "choose 0", "continue", name="other", options=("--replay", file))
        self.assertNotIn("_r", other.read_text())

    def test_it_is_deterministic(self):
        commands = (*self.at("the message"), "choose 1", "step", "info reads", "delete", "continue", "reverse-step 2", "step 2")
        self.assertEqual(self.step(*commands), self.step(*commands))


class Walks(Case):
    """Whatever is chosen at every read that may take several writes: the saved string repeats the run, here and elsewhere."""

    PROGRAMS = ([(PROGRAM, (), what) for what in ("message", "tile", "volatile", "fences")]
                + [(p, ("-DWEAKENED",), "") for p in sorted(WEAK.glob("*.cu"))])

    def walk(self, draw, program, flags, what):
        """Chooses at random until the program ends. What it has printed, its status, the replay string, how many were stale."""
        saved = self.kept / "saved"
        saved.unlink(missing_ok=True)
        session = subprocess.Popen([TOOL, "step", "--model", "ptx", *flags, program, "--", *([what] if what else [])],
                                   text=True, cwd=HERE, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        told = []

        def say(command):
            session.stdin.write(f"{command}\nhelp quit\n")
            session.stdin.flush()
            lines = []
            for line in session.stdout:
                if line.startswith("quit"):
                    break
                lines.append(line)
            told.extend(lines)
            return "".join(lines)

        stale = 0
        say("set stop-at-findings off")
        say("break choice")
        shown = say("run")
        for _ in range(60):
            if "the program has ended" in shown:
                break
            most = max(int(n) for n in re.findall(r"may take one of (\d+) writes", shown))
            n = draw.randrange(most)
            stale += n != 0
            self.assertRegex(say(f"choose {n}"), rf"(?m)^  \* {n}: ")
            if draw.randrange(4) == 0:  # there and back
                say("step")
                self.assertRegex(say("reverse-step"), rf"(?m)^  \* {n}: ")
            shown = say("continue")
        else:
            say("delete")
            shown = say("continue")
        say(f"save {saved}")
        session.stdin.close()
        session.stdout.close()
        session.wait()
        status = int(re.search(r"the program has ended with status (\d+)", shown)[1])
        return "".join(told), status, saved, stale

    def test_walks(self):
        some = 0
        for program, flags, what in self.PROGRAMS:
            for seed in range(3):
                with self.subTest(f"{program.name} {what} {seed}"):
                    told, status, saved, stale = self.walk(random.Random(seed), program, flags, what)
                    some += stale
                    done = self.tool("run", "--replay", saved, *flags, program, *(["--", what] if what else []))
                    self.assertEqual(done.returncode, status, saved.read_text() + done.stderr)
                    self.assertNotIn("could not follow", done.stderr)
                    for line in done.stdout.splitlines():
                        self.assertIn(line, told)
                    again = self.step("save " + str(saved) + "2", options=("--replay", saved, *flags), program=program,
                                      what=what)
                    self.assertIn("the schedule up to here", again)
                    self.assertEqual(pathlib.Path(str(saved) + "2").read_text(), saved.read_text())
        self.assertGreater(some, 12)


class Refusals(Case):
    """What cannot be chosen."""

    def test_under_sc(self):
        for commands in (("choose 1",), ("break choice",)):
            with self.subTest(commands):
                told = self.step("break pass", "run", *commands, options=(), code=64)
                self.assertIn("begin with --model ptx", told)
        told = self.step("break pass", "run", "info reads", options=("--model", "sc"))
        self.assertIn("reads take the newest write here: begin with --model ptx to choose others", told)
        self.assertNotIn("may take one of", told)

    def test_words(self):
        at = self.at("the message")
        for command, said in [("choose one", "choose takes the number of a write, or ELEMENT:NUMBER, not 'one'"),
                              ("choose 1:", "not '1:'"),
                              ("choose 3", "there is no write 3: they are numbered from 0, the newest, to 2"),
                              ("choose 5:1", "this operation reads no element 5"),
                              ("until choice", "until takes a line or op=NAME; break takes the rest")]:
            with self.subTest(command):
                self.assertIn(said, self.step(*at, command, code=64))
        told = self.step("break pass if $block == 1", "run", "choose 1", code=64)
        self.assertIn("what comes next is no strong read: weak reads take the newest write", told)
        told = self.step("choose 1", code=64)
        self.assertIn("no block stands here", told)
        done = self.tool("step", "--model", "tso", "choices.cu")
        self.assertEqual(done.returncode, 64)


if __name__ == "__main__":
    unittest.main()
