#!/usr/bin/env python3
"""What `tilesim explore` prints to go on with: commands that lead to their finding, names of buffers, its order to the program.

  TILESIM_TOOL=build/dev/bin/tilesim commands_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")


def tilesim(*words, **env):
    env = {**{k: v for k, v in os.environ.items() if k not in ("TILESIM_OPTIONS", "NO_COLOR")}, **env}
    return subprocess.run([TOOL, *words], cwd=HERE, text=True, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=240)


class Commands(unittest.TestCase):
    maxDiff = None

    def explored(self, *words):
        """The findings, each with the words of its two commands."""
        done = tilesim("explore", *words)
        self.assertEqual(done.returncode, 1, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "r.json")
            tilesim("explore", f"--json={file}", *words)
            findings = [f for f in json.loads(pathlib.Path(file).read_text())["findings"] if f["replay"]]
        commands = [[shlex.split(c) for c in re.findall(rf"(?m)^  to {what}: tilesim (.*)$", done.stdout)] for what in ("replay", "step")]
        self.assertEqual([len(commands[0]), len(commands[1])], [len(findings)] * 2, done.stdout)
        for finding, replay, step in zip(findings, *commands):
            for command in (replay, step):
                self.assertEqual(command[command.index("--finding") + 1], finding["name"])
        return list(zip(findings, *commands))

    def leads(self, finding, replay, step):
        done = tilesim(*replay[:1], "--json", *replay[1:])
        self.assertEqual(done.returncode, 1, done.stderr)
        replayed = json.loads(done.stdout)["findings"]
        self.assertEqual([f["code"] for f in replayed], [finding["code"]], done.stderr)
        done = tilesim(step[0], "--batch", *step[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"[{finding['code']}]", done.stdout)
        self.assertNotIn("does not come up", done.stdout)
        return done.stdout, replayed[0]

    def test_several_findings_of_one_schedule(self):
        found = self.explored("several.cu")
        self.assertEqual(sorted(f["code"] for f, *_ in found), ["data-race", "data-race", "signed-overflow"])
        self.assertEqual(len({f["replay"] for f, *_ in found}), 1)
        names = [f["name"] for f, *_ in found]
        self.assertEqual(len(set(names)), 3, names)
        for finding, replay, step in found:
            with self.subTest(finding["name"]):
                told, replayed = self.leads(finding, replay, step)
                # check joins what shares its lines: the one that is asked for stands for all.
                columns = [{frame["column"] for frame in f["where"][:1] + f["other"][:1]} for f in (replayed, finding)]
                self.assertEqual(*columns)
                self.assertEqual(replayed["name"].count(":"), finding["name"].count(":"))
                line = finding["where"][0]["line"]
                self.assertRegex(told.splitlines()[-2], rf"\[position \d+\], next: .*at several\.cu:{line}$")
                # The two races of one line are told apart by what they store to.
                if finding["code"] == "data-race":
                    place = finding["details"][0].split(" of ")[0]
                    stands = told[told.rindex("nothing orders them"):]
                    self.assertIn(f"{place} of ", stands, told)

    def test_other_kinds(self):
        for words in (["lock.cu", "-DKIND=0", "-DNEVER"], ["bad_place.cu"], ["message.cu", "-DWEAK", "-DRELAXED_LOAD"], ["two_streams.cu"]):
            for finding, replay, step in self.explored(*words):
                with self.subTest(words=words, name=finding["name"]):
                    self.leads(finding, replay, step)

    def test_what_the_stepper_tells_in_other_words(self):
        """Of each place one pair of accesses is told."""
        found = [f for f in self.explored("two_streams.cu") if f[0]["where"][0]["column"] == f[0]["other"][0]["column"]]
        self.assertEqual(len(found), 1)
        told, _ = self.leads(*found[0])
        self.assertRegex(told, r"(?m)^the schedule tells data-race@two_streams.cu:6:\d+\+two_streams.cu:6:\d+ in place of "
                               r"data-race@two_streams.cu:6:\d+\+two_streams.cu:6:\d+$")
        self.assertRegex(told.splitlines()[-2], r"next: .* at two_streams\.cu:6$")

    def test_a_finding_of_another_schedule(self):
        _, replay, step = self.explored("several.cu")[0]
        for command in (replay, step):
            command[command.index("--finding") + 1] = "data-race@several.cu:3"
        done = tilesim(*replay)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("data-race@several.cu:3 does not come up under this schedule; without --finding what does is told", done.stderr)
        self.assertIn("data-race@several.cu:3 does not come up under this schedule", tilesim(step[0], "--batch", *step[1:]).stdout)
        done = tilesim("check", "--finding", "data-race@several.cu:3", "several.cu")
        self.assertEqual(done.returncode, 64)
        self.assertIn("--finding is for --replay", done.stderr)

    def test_a_report_s_file_is_no_source(self):
        done = tilesim("explore", "--json", "several.json", "several.cu")
        self.assertEqual(done.returncode, 64)
        self.assertIn("--json takes its file as --json=several.json", done.stderr)


class Words(unittest.TestCase):
    def test_a_leak_is_no_matter_of_stale_reads(self):
        program = ["many.cu", "-DSTEPS=1", "-DBLOCKS=4"]  # it frees nothing
        report = json.loads(tilesim("explore", "--json", *program).stdout)
        replay = next(s["replay"] for s in report["states"] if "_r" in (s["replay"] or ""))
        done = tilesim("check", "--leaks", "--replay", replay, *program)
        self.assertIn("[leak]", done.stderr)
        for told in re.split(r"(?m)^(?=\S)", done.stderr):
            if "[leak]" in told:
                self.assertNotIn("stale read", told)
                self.assertNotIn("weak execution", told)
        self.assertNotIn("stale read", tilesim("run", "--hooks", "--leaks", "--replay", replay, *program).stderr.split("[leak]")[-1])

    def test_what_is_not_simulated_is_no_defect(self):
        done = tilesim("explore", "-w", "not_simulated.cu")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^incomplete: .*, 0 findings\n  .*inline PTX is not simulated")
        self.assertIn("[unsupported]", done.stdout)
        report = json.loads(tilesim("explore", "-w", "--json", "not_simulated.cu").stdout)
        self.assertEqual((report["complete"], [f["code"] for f in report["findings"]]), (False, ["unsupported"]))

    def test_what_one_run_tells(self):
        for define, code in (("-DBARRIER", "barrier-divergence"), ("-DUNWRITTEN", "uninitialised-read")):
            with self.subTest(code):
                done = tilesim("explore", define, "one_run.cu")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertRegex(done.stdout, rf"(?m)^one_run.cu:\d+:\d+:? error: .* \[{code}\]$")
                self.assertIn("  in the first schedule of 'tilesim check', the one in which it is looked for", done.stdout)
                self.assertRegex(done.stdout, r"(?m)^complete: .*, 1 finding$")
        self.assertEqual(tilesim("explore", "one_run.cu").returncode, 0)

    def test_what_kernels_print_is_part_of_the_state(self):
        for words in ([], ["--jobs", "2"], ["--load-buffering", "off", "--no-reduction"]):
            with self.subTest(words):
                done = tilesim("explore", *words, "prints.cu")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout.split("Test prints")[0], "before\n")
                self.assertNotIn("sees", "".join(line for line in done.stdout.splitlines() if "prints" not in line))
                report = json.loads(tilesim("explore", "--json", *words, "prints.cu").stdout)
                self.assertEqual([(s["printed"], s["executions"]) for s in report["states"]],
                                 [("sees 0\nsees 1\nbehind 2\n", 1), ("sees 1\nsees 0\nbehind 2\n", 1)])

    def test_a_shard_says_that_it_is_one(self):
        done = tilesim("explore", "--load-buffering", "off", "--shard", "1/3", "four_threads.cu", "-DORDER=relaxed")
        self.assertRegex(done.stdout, r"(?m)^complete, part 1 of 3: \d+ executions? under ptx")

    def test_no_share_where_launches_are_not_explored_together(self):
        done = tilesim("explore", "--json", "overlap.cu", "-DMEETS")
        self.assertEqual((done.returncode, json.loads(done.stdout)["share"]), (3, None))
        self.assertNotIn("explored so far", tilesim("explore", "overlap.cu", "-DMEETS").stdout)

    def test_blocks_and_threads_that_wait(self):
        told = tilesim("explore", "mixed_wait.cu")
        self.assertEqual(told.returncode, 1, told.stderr)
        self.assertIn("deadlock: 1 block and 2 threads of block (0,0,0) wait for memory that nobody is left to change", told.stdout)


class Names(unittest.TestCase):
    """Variables may be swapped between a launch and where the host waits for it."""

    def report(self, *words):
        return json.loads(tilesim("explore", "--json", *words, "swapped.cu").stdout)

    def test_the_name_is_that_of_the_launch(self):
        for level in ("-O0", "-O2"):
            report = self.report(level)
            self.assertEqual({name for s in report["states"] for name in s["values"]}, {"next"}, report)
            self.assertRegex(self.report(level, "-DRACY")["findings"][0]["details"][0], r"^both are at next\[0\] of int\[1\], ")

    def test_no_name_where_two_launches_differ(self):
        for level in ("-O0", "-O2"):
            report = self.report(level, "-DTWICE")
            for name in {name for s in report["states"] for name in s["values"]}:
                self.assertRegex(name, r"^buffer#\d$")
            for finding in self.report(level, "-DTWICE", "-DRACY")["findings"]:
                self.assertNotRegex(" ".join(finding["details"]), r"\b(cur|next)\b")


class Order(unittest.TestCase):
    """What the tool asks of the program is never taken for nothing."""

    def test_an_unreadable_one_is_an_internal_error(self):
        for text, fact in (("{", "it is no JSON object"), ("[]", "it is no JSON object"), ('{"sequential": true}', "key '"),
                           ("nonsense", "it is no JSON object")):
            with self.subTest(text):
                done = tilesim("run", "several.cu", TILESIM_EXPLORE=text)
                self.assertEqual(done.returncode, 70, done.stderr)
                self.assertIn("tilesim: internal error: TILESIM_EXPLORE cannot be read: ", done.stderr)
                self.assertIn(fact, done.stderr)
                self.assertIn(f"it holds '{text}'", done.stderr)

    def test_an_empty_one_is_none(self):
        self.assertEqual(tilesim("run", "--no-ub", "several.cu", TILESIM_EXPLORE="").returncode, 0)


class Orders(unittest.TestCase):
    """--order random: the order of a sum is drawn for the operation, whoever has run before."""

    def printed(self, *words):
        done = tilesim("run", "--order", "random", *words, "orders.cu")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_schedule_does_not_change_it(self):
        sums = {seed: self.printed("--seed", seed) for seed in "123456"}
        self.assertGreater(len(set(sums.values())), 1)
        for seed, printed in sums.items():
            self.assertEqual(printed, self.printed("--seed", seed, "--schedule", "random"))

    def test_check_tells_it_from_the_schedule(self):
        done = tilesim("check", "--schedules", "12", "--order", "random", "orders.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("depends on the schedule", done.stderr)
        self.assertRegex(done.stderr, r"the result depends on the order in which numbers are combined, which each schedule "
                                      r"draws anew: the program prints '.*' instead of '.*'")
        done = tilesim("check", "--schedules", "12", "orders.cu")
        self.assertNotIn("depends on", done.stderr)

    def test_explore_finds_one_state_and_its_replay_gives_it(self):
        done = tilesim("explore", "--order", "random", "orders.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("States 1\n", done.stdout)
        self.assertIn(self.printed().strip(), done.stdout)

if __name__ == "__main__":
    if not TOOL:
        raise SystemExit("set TILESIM_TOOL to the tool that is to be tested")
    unittest.main(verbosity=2)
