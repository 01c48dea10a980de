#!/usr/bin/env python3
"""`tilesim check` from outside: what it reports, its exit status, streams, limits, replay.

  TILESIM_TOOL=build/dev/bin/tilesim check_test.py [Class]

One file in spite of its length: one command's tests over one case; ctest runs each class by itself.
"""
# SPDX-License-Identifier: Apache-2.0
import html.parser
import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import sarif  # noqa: E402
from tool_case import read_terminal  # noqa: E402
TOOL = os.environ.get("TILESIM_TOOL", "")


class Page(html.parser.HTMLParser):
    """Reads a page and holds it to its rules: tags nest, and nothing is loaded or run."""
    VOID = {"meta", "br", "hr"}

    def __init__(self, text):
        super().__init__()
        self.open, self.errors, self.parts = [], [], []
        self.places, self.links = set(), []
        self.feed(text)
        self.close()
        self.errors += [f"<{tag}> is not closed" for tag in self.open]
        self.errors += [f"a link to {link}" for link in self.links if link not in self.places]

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "link", "img", "iframe", "object", "base", "form"):
            self.errors.append(f"<{tag}>")
        self.errors += [f"{name}={value}" for name, value in attributes
                        if name in ("src", "style") or name.startswith("on")]
        for name, value in attributes: # links lead to places in the page
            if name == "id":
                self.places.add(f"#{value}")
            elif name == "href":
                self.links.append(value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.errors.append(f"</{tag}>")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style" and ("url(" in data or "@import" in data):
            self.errors.append("a style that loads")
        self.parts.append((self.open[-1] if self.open else "", data))

    def text(self, tag=None):
        return "".join(data for t, data in self.parts if tag in (None, t))


class Case(unittest.TestCase):
    """Runs where modes.cu lies; files are written elsewhere."""

    def setUp(self):
        self.folder = HERE
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim check "))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)
        self.env = dict(os.environ)
        for name in ("TILESIM_OPTIONS", "NO_COLOR"):
            self.env.pop(name, None)

    def tool(self, *words, stdin=None, cwd=None):
        """Eight schedules, unless the words say how many: the default has no number."""
        words = [str(w) for w in words]
        bounds = ("--schedules", "--time", "--replay", "--preemptions")
        if not any(w.startswith(bounds) for w in words):
            words = ["--schedules", "8", *words]
        return subprocess.run([TOOL, "check", *words], cwd=cwd or self.folder, text=True,
                              env=self.env, input=stdin or "", capture_output=True, timeout=120)

    def check(self, code, *words, out=None, stdin=None):
        result = self.tool(*words, stdin=stdin)
        told = f"\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, code, told)
        if out is not None:
            self.assertEqual(result.stdout, out, told)
        return result.stderr

    def mode(self, code, name, *words, **more):
        return self.check(code, *words, "modes.cu", "--", name, **more)

    def last_line(self, text):
        """What was checked; behind it stands only how to repeat it."""
        lines = [l for l in text.splitlines() if not l.startswith("to repeat: ")]
        return lines[-1]


class Verdicts(Case):
    """Each way that a check can end."""

    def test_clean(self):
        told = self.mode(0, "clean", out="clean: 8 0\n")
        self.assertEqual(told, "checked: 8 schedules (1 round-robin, 2 random, 3 pct, 2 bursts; 1 of them weak), 64 tile "
                               "operations, 64 elements judged: no findings\n"
                               "to repeat: tilesim check --schedules 8 --seed 0 modes.cu -- clean\n")

    def test_race(self):
        told = self.mode(1, "race")
        self.assertRegex(told, r"(?m)^modes.cu:\d+:\d+: error: weak (load|store) by .*\[data-race\]$")
        self.assertRegex(told, r"(?m)^  \d+ times, in 8 of 8 schedules$")
        self.assertRegex(told, r"(?m)^summary: data-race: modes.cu:2\d:\d+ and modes.cu:2\d:\d+, \d+ "
                               r"times, in 8 of 8 schedules$")
        # One report for each kind and pair of lines.
        places = re.findall(r"(?m)^summary: data-race: modes.cu:(\d+):\d+ and modes.cu:(\d+)", told)
        pairs = [tuple(sorted(p)) for p in places]
        self.assertEqual(len(pairs), len(set(pairs)), told)

    def test_raw_accesses_count(self):
        told = self.mode(1, "raw")
        self.assertIn("[data-race]", told)

    def test_stopped(self):
        told = self.mode(1, "outside")
        self.assertRegex(told, r"summary: out-of-bounds: modes.cu:\d+:\d+, 8 times, in 8 of 8")
        self.assertIn(" 0 elements judged: 1 finding\n", told)
        self.assertIn("[deadlock]", self.mode(1, "deadlock", "--schedules", "2"))

    def test_one_deadlock_is_one_finding(self):
        told = self.mode(1, "two-locks")
        self.assertEqual(len(re.findall(r"(?m)^summary: deadlock: ", told)), 1, told)
        self.assertRegex(told, r"summary: deadlock: modes.cu:\d+:\d+, 8 times, in 8 of 8 schedules\n")
        self.assertRegex(told, r"to replay: tilesim check --replay 2-rr-")
        awaited = re.findall(r"(?m)^      for byte .*$", told)
        self.assertEqual(len(awaited), len(set(awaited)), told)

    def test_nothing_was_checked(self):
        for mode in ("host", "nothing"):
            told = self.mode(3, mode)
            self.assertIn("0 elements judged: nothing was checked: no kernel accessed memory", told)
            self.assertNotIn("no findings", told)

    def test_the_program_crashes_before_any_kernel(self):
        told = self.mode(66, "crash")
        self.assertIn("the program ended by SIGSEGV under round-robin", told)
        self.assertIn("nothing was checked: the program failed before any kernel accessed memory\n", told)

    def test_a_program_that_leaves_without_exit_tells_what_it_did(self):
        done = "64 tile operations, 64 elements judged: no findings\n"
        for mode in ("_exit", "quick_exit", "exec"):
            self.assertIn(done, self.check(0, "leave.cu", "--", mode))
        for mode, end in (("kill", "SIGKILL"), ("throw", "SIGABRT"), ("abort", "SIGABRT"), ("raise-segv", "SIGSEGV"),
                          ("raise-bus", "SIGBUS"), ("raise-fpe", "SIGFPE")):
            told = self.check(66, "leave.cu", "--", mode)
            self.assertIn(f"the program ended by {end} under round-robin", told)
            self.assertIn(done, told)
        told = self.check(1, "--schedules", "1", "leave.cu", "--", "abort-inside")
        self.assertIn("error: the kernel aborts the program [crash]", told)
        self.assertIn("1 tile operation, 1 element judged: 1 finding\n", told)

    def test_threads_that_flags_order(self):
        """What tilesim does not follow of the host's threads is no finding; what main does is."""
        self.assertIn(": no findings\n", self.check(0, "threads.cu"))
        told = self.check(1, "threads.cu", "-DRACY")
        self.assertRegex(told, r"(?m)^threads.cu:\d+:\d+: error: weak (load by the host|store by tile block).*\[host-race\]$")
        self.assertIn("judged: 1 finding", told)

    def test_callers_are_the_persons_own(self):
        told = self.check(1, "pairs.cu", "--", "callers")
        self.assertRegex(told, r"(?m)^  called from two_callers \(pairs.cu:\d+:\d+\)$")
        self.assertNotIn("operator()", told)

    def test_program_fails(self):
        told = self.mode(66, "fail")
        self.assertIn("modes.cu: error: the program ended with status 7 under round-robin, and "
                      "failed in 8 of 8 schedules", told)
        self.assertIn("the program ended by SIGABRT under", self.mode(66, "abort"))

    def test_what_a_failed_program_printed_last(self):
        """It is shown of the first run only while it runs, and of others nowhere else."""
        source = self.kept / "says.cu"
        source.write_text("""
            #include <cuda_runtime.h>
            #include <cstdio>
            __tile_global__ void k() {}
            int main() {
              k<<<1, 1>>>();
              cudaDeviceSynchronize();
              std::puts("before");
              std::fputs("wrong \\x1b[1m <at> 3\\n\\n", stderr);
              return 7;
            }""")
        page, data = self.kept / "x.html", self.kept / "x.json"
        told = self.check(66, "--schedules", "1", f"--html={page}", f"--json={data}", source)
        last = "wrong \\x1b[1m <at> 3"
        self.assertIn(f"\n  it printed last: {last}\n  to replay: ", told)
        self.assertEqual(json.loads(data.read_text())["runs"][0]["printed_last"], last)
        self.assertIn(last, Page(page.read_text(encoding="utf-8")).text("pre"))

    def test_a_failed_assertion_is_no_programs_failure(self):
        """What the simulator says of itself is shown, also of a schedule that shows nothing else."""
        source = self.kept / "asserts.cu"
        source.write_text("""
            #include <cuda_runtime.h>
            #include <cstdio>
            #include <cstdlib>
            #include <unistd.h>
            __tile_global__ void k() {}
            int main() {
              k<<<1, 1>>>();
              cudaDeviceSynchronize();
              std::fputs("tilesim: internal error: 1 == 2 does not hold (x.cpp:3)\\n  in host code\\n", stderr);
              _exit(70);
            }""")
        told = self.check(70, source)
        self.assertIn("internal error: 1 == 2 does not hold (x.cpp:3)\n  in host code\n", told)
        self.assertNotIn("the program ended with status", told)

    def test_own_errors(self):
        """What is missing is told by another status than the program's failures."""
        self.env["CXX"] = "/no/such/compiler"
        self.assertIn("/no/such/compiler", self.check(69, "--schedules", "1", "modes.cu", "-DOTHER"))

    def test_wrong_input(self):
        (self.kept / "broken.cu").write_text("int main() { oops; }\n")
        self.check(65, self.kept / "broken.cu")
        self.check(64, "none.cu")
        self.assertIn("--schedules", self.check(64, "--schedules", "0", "modes.cu"))
        self.assertIn("--seed takes a whole number or random, not 'x'",
                      self.check(64, "--seed", "x", "modes.cu"))
        for option, value in (("--timeout", "nan"), ("--timeout", "inf"), ("--timeout", "-1"), ("--timeout", "1e999"),
                              ("--timeout", "1" * 300), ("--schedules", "-1"), ("--schedules", "1e5"),
                              ("--schedules", "9" * 300), ("--depth", "100"), ("--seed", "9" * 300),
                              ("--max-ops", "nan"), ("--idle-ops", "-1"), ("--device-memory", "9" * 300)):
            told = self.check(64, option, value, "modes.cu")
            self.assertIn(f"{option}", told)
            self.assertIn("takes", told)
            self.assertLess(len(told), 200, told)
        self.assertIn("takes neither -c nor -o", self.check(64, "modes.cu", "-o", "kept"))


class Streams(Case):
    """The first run's output is shown, standard input is replayed."""

    def test_output_of_the_first_run_only(self):
        told = self.mode(0, "errors", out="errors: 8 0\n")
        self.assertEqual(told.count("to standard error\n"), 1)

    def test_input_is_replayed(self):
        self.mode(0, "sum", out="sum: 8 6\n", stdin="1 2\n3\n")
        numbers = " ".join(["1"] * 200_000)  # more than a pipe holds
        self.mode(0, "sum", out="sum: 8 200000\n", stdin=numbers)

    def test_input_from_a_file(self):
        (self.kept / "numbers").write_text("4 5\n")
        self.mode(0, "sum", "--input", self.kept / "numbers", out="sum: 8 9\n", stdin="1")
        self.assertIn("--input takes a file", self.mode(64, "sum", "--input", self.kept / "none"))

    def test_input_that_nobody_reads(self):
        self.mode(0, "clean", stdin="x" * 1_000_000)

    def test_no_progress_and_no_colours_without_a_terminal(self):
        self.assertNotIn("\033", self.mode(1, "race"))
        self.assertNotIn("\r", self.mode(1, "race"))


class Notes(Case):
    """Results that differ between runs."""

    def test_schedule(self):
        told = self.mode(0, "last")
        self.assertRegex(told, r"(?m)^modes.cu:\d+:\d+: note: the result depends on the schedule: "
                               r"cudaMemcpy copies other bytes to the host \[schedule-dependent\]$")
        self.assertNotIn("unspecified-dependent", told)
        self.assertIn("elements judged: no findings, 1 note\n", told)
        self.mode(1, "last", "--strict")
        self.mode(0, "last", "--strict", "--schedules", "1")

    def test_count(self):
        """A note says in how many schedules the result was another one than in the first."""
        file = self.kept / "count.json"
        self.mode(0, "last-line", "--keep-schedules", f"--json={file}")
        report = json.loads(file.read_text())
        printed = [self.tool("--replay", run["replay"], "modes.cu", "--", "last-line").stdout for run in report["runs"]]
        others = sum("block 7" not in text for text in printed)
        self.assertGreater(others, 1)
        notes = [f for f in report["findings"] if f["code"] == "schedule-dependent"]
        self.assertEqual([(n["count"], n["schedules"]) for n in notes], [(others, others)])

    def test_lines_and_status(self):
        told = self.mode(0, "last-line")
        self.assertRegex(told, r"(?m)^modes.cu: note: the result depends on the schedule: the program "
                               r"prints 'block \d' instead of 'block 7' \[schedule-dependent\]$")
        told = self.mode(66, "last-status")
        self.assertRegex(told, r"the program ends with status \d instead of 7 \[schedule-dependent\]")
        # Blocks print in any order: the same lines.
        self.assertIn(": no findings\n", self.mode(0, "print"))

    def test_program_that_differs_by_itself(self):
        told = self.mode(0, "process")
        self.assertIn("remark: results were not compared", told)
        self.assertIn(": no findings\n", told)


class UnspecifiedValues(Case):
    """What depends on one is an error, with the operation that it comes from."""
    SOURCE = HERE / "unspecified.cu"

    def line(self, text):
        return next(n for n, line in enumerate(self.SOURCE.read_text().splitlines(), 1) if line.endswith(text))

    def of(self, mode, code, *words):
        result = self.tool("--json", "--keep-schedules", "--schedules", "1", *words, "unspecified.cu", "--", mode)
        told = f"\n{mode}: status {result.returncode}\n{result.stdout[:2000]}\n{result.stderr}"
        self.assertEqual(result.returncode, code, told)
        return [f for f in json.loads(result.stdout)["findings"] if f["code"].startswith("unspecified-")]

    def told(self, mode, use, origin=None):
        """The line of the use, and that of the origin, and no other."""
        finding, = (f for f in self.of(mode, 1) if f["level"] == "error")
        self.assertEqual(finding["code"], "unspecified-dependent")
        self.assertEqual((finding["where"][0]["line"], finding["other"][0]["line"]),
                         (self.line(f"// {use}"), self.line(f"// origin: {origin or mode}")), finding)
        return finding

    def test_copies(self):
        for mode in ("sum", "largest", "adds", "old", "choice", "poison-sum"):
            with self.subTest(mode):
                finding = self.told(mode, "copy")
                self.assertRegex(finding["message"], "^cudaMemcpy copies bytes to the host that depend on")
                self.assertIn("element (5) of an", finding["details"][-1])

    def test_a_product_with_zero_of_what_may_be_nan(self):
        self.assertIn("the first of them are among bytes 20 to 23 of 32", self.told("poison", "copy")["details"])

    def test_control(self):
        for mode, part in (("branch", "which way tile block"), ("address", "an address of this store"),
                           ("mask", "the mask of this store"), ("padded-mask", "the mask of this load"),
                           ("exchange", "whether this atomic_compare_exchange changes memory"),
                           ("raw-exchange", "whether this .* changes memory")):
            with self.subTest(mode):
                self.assertRegex(self.told(mode, f"use: {mode}")["message"], f"^{part}")

    def test_what_the_host_reads_and_what_is_printed(self):
        self.assertRegex(self.told("managed", "managed", "copy")["message"], "^the host reads 4 bytes")
        self.assertRegex(self.told("prints", "use: prints")["message"], "^what printf prints")

    def test_the_way_through_memory(self):
        finding = self.told("through", "copy", "copy")
        self.assertRegex("\n".join(finding["details"]),
                         rf"in memory, and read by the load at .*:{self.line('// use: again')}")

    def test_the_one_of_three_loads(self):
        self.told("both", "copy")

    def test_what_drops_it(self):
        for mode in ("drop", "keep-out", "gather", "dead", "overwritten", "other-part", "inner-choice", "same-bits",
                     "exchange-inside"):
            with self.subTest(mode):
                self.assertEqual(self.of(mode, 0), [])

    def test_what_stays_in_memory_is_a_note(self):
        self.assertEqual({f["level"] for f in self.of("exchange-what-is-there", 0)}, {"note"})
        finding, = self.of("stays", 0)
        self.assertEqual((finding["code"], finding["level"]), ("unspecified-in-memory", "note"))
        self.assertEqual(finding["where"][0]["line"], self.line("// use: again"))
        self.of("stays", 1, "--strict")

    def test_text_and_replay(self):
        told = self.check(1, "unspecified.cu", "--", "sum")
        self.assertRegex(told, r"(?m)^  it comes from unspecified.cu:\d+: the mask of a load without padding leaves out "
                               r"element \(5\) of an f32 tile \[8\], by tile block \(0,0,0\) of sum$")
        self.assertIn("  to fix: give the load a padding", told)
        self.assertNotIn("schedule-dependent", told)
        string = re.search(r"--replay (\S+) unspecified.cu -- sum\n", told).group(1)
        self.assertIn("[unspecified-dependent]", self.check(1, "--replay", string, "unspecified.cu", "--", "sum"))

    def test_what_run_says(self):
        def said(mode, *flags):
            result = subprocess.run([TOOL, "run", *flags, "unspecified.cu", "--", mode], cwd=self.folder, text=True,
                                    env=self.env, capture_output=True, timeout=120)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stderr
        for mode, what, use in (("sum", "cudaMemcpy copies to the host", "copy"),
                                ("largest", "cudaMemcpy copies to the host", "copy"),
                                ("adds", "cudaMemcpy copies to the host", "copy"),
                                ("through", "cudaMemcpy copies to the host", "copy"),
                                ("choice", "cudaMemcpy copies to the host", "copy"),
                                ("poison", "cudaMemcpy copies to the host", "copy"),
                                ("poison-sum", "cudaMemcpy copies to the host", "copy"),
                                ("mask", "a mask decides", "use: mask"),
                                ("padded-mask", "a mask decides", "use: padded-mask"),
                                ("address", "an address decides", "use: address"),
                                ("exchange", "a comparand decides", "use: exchange"),
                                ("prints", "printf prints", "use: prints")):
            origin = "copy" if mode == "through" else mode
            with self.subTest(mode):
                self.assertEqual(said(mode), f"tilesim: what {what} at unspecified.cu:{self.line('// ' + use)} depends on "
                                 f"an unspecified value, from unspecified.cu:{self.line('// origin: ' + origin)}: "
                                 "the same command with 'check' for 'run' has more\n")
        for mode in ("drop", "keep-out", "gather", "dead", "overwritten", "other-part", "stays", "inner-choice",
                     "same-bits", "exchange-inside", "exchange-what-is-there"):
            with self.subTest(mode):
                self.assertEqual(said(mode), "")

    def test_an_overflow_says_which_operands_are_unspecified(self):
        def told(mode, *command):
            return subprocess.run([TOOL, *command, "unspecified.cu", "--", mode], cwd=self.folder, text=True,
                                  env=self.env, capture_output=True, timeout=120).stderr
        for command in (["run"], ["check", "--schedules", "1"]):
            self.assertRegex(told("overflow", *command),
                             r"\[reduction-overflow\]\n(?:  .*\n)*  3 of these elements depend on an unspecified value, "
                             rf"from unspecified.cu:{self.line('// origin: overflow')}: the mask of a load without padding ")
            own = told("own-overflow", *command)
            self.assertIn("[reduction-overflow]", own)
            self.assertNotIn("unspecified value", own)

    def test_suppression(self):
        known = self.kept / "known"
        known.write_text(f"unspecified-dependent unspecified.cu:{self.line('// origin: sum')}\n")
        self.check(0, "--schedules", "1", "--suppress", known, "unspecified.cu", "--", "sum")

    def test_a_program_that_differs_by_itself(self):
        told = self.check(0, "--schedules", "1", "unspecified.cu", "--", "differs")
        self.assertIn("remark: results were not compared", told)

    def test_lines_that_the_host_prints(self):
        finding, = self.of("host-line", 1)
        self.assertRegex(finding["message"], "^the (host reads|result depends)")


class Reports(Case):
    """--json, --sarif and --suppress."""

    def json(self, code, name, *words):
        result = self.tool("--json", *words, "modes.cu", "--", name)
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)  # nothing else on standard output

    def sarif(self, code, name, *words):
        file = self.kept / "report.sarif"
        self.mode(code, name, f"--sarif={file}", *words)
        log = json.loads(file.read_text())
        self.assertEqual(sarif.errors(log), [])
        return log["runs"][0]

    def test_json(self):
        report = self.json(1, "race")
        self.assertEqual(report["schema"], 1)
        self.assertEqual((report["exit_code"], report["verdict"]), (1, "findings"))
        self.assertEqual((report["sources"], report["command"]), (["modes.cu"], "modes.cu -- race"))
        self.assertEqual((report["planned"], len(report["runs"])), (8, 8))
        self.assertEqual(report["runs"][0]["schedule"], "round-robin")
        self.assertEqual({r["end"] for r in report["runs"]}, {"ended"})
        self.assertEqual(report["judged"], sum(r["judged"] for r in report["runs"]))
        race = report["findings"][0]
        self.assertEqual((race["code"], race["level"], race["schedules"]), ("data-race", "error", 8))
        self.assertEqual((race["where"][0]["file"], race["other"][0]["file"]), ("modes.cu",) * 2)
        self.assertEqual(race["where"][0]["function"], "count_without_atomics")
        self.assertIsNone(race["suppressed_by"])
        self.assertIn("atomic", race["remedy"])

    def test_json_documentation(self):
        """docs/check.md names every field."""
        text = (HERE.parents[2] / "docs" / "check.md").read_text()
        report = self.json(1, "race")
        names = [*report, *report["runs"][0], *report["findings"][0], *report["findings"][0]["where"][0]]
        for name in names:
            self.assertRegex(text, rf"`{name}`")
        for verdict in ("clean", "findings", "incomplete", "nothing checked", "program failed"):
            self.assertIn(f'`"{verdict}"`', text)

    def test_verdicts(self):
        for mode, code, verdict, words in (("clean", 0, "clean", ()), ("host", 3, "nothing checked", ()),
                                           ("fail", 66, "program failed", ()),
                                           ("endless", 3, "incomplete", ("--max-ops", "50"))):
            report = self.json(code, mode, "--schedules", "2", *words)
            self.assertEqual((report["verdict"], report["exit_code"]), (verdict, code))

    def test_json_into_a_file(self):
        file = self.kept / "a.json"
        self.mode(0, "clean", f"--json={file}", out="clean: 8 0\n")
        self.assertEqual(json.loads(file.read_text())["verdict"], "clean")

    def test_sarif(self):
        run = self.sarif(1, "race")
        self.assertEqual(run["tool"]["driver"]["name"], "tilesim")
        rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"], {"uri": "modes.cu", "uriBaseId": "SRCROOT"})
            self.assertGreater(place["region"]["startLine"], 1)
        self.assertEqual(run["results"][0]["ruleId"], "data-race")
        self.assertEqual(run["results"][0]["relatedLocations"][0]["message"]["text"], "the other access")
        self.assertEqual(run["originalUriBaseIds"]["SRCROOT"]["uri"][-7:], "/check/")
        self.assertEqual(self.sarif(0, "clean")["results"], [])

    def test_sarif_of_other_ends(self):
        limited = self.sarif(3, "endless", "--max-ops", "50", "--schedules", "2")
        notification = limited["invocations"][0]["toolExecutionNotifications"][0]
        self.assertEqual(notification["level"], "warning")
        self.assertEqual(self.sarif(0, "last")["results"][0]["level"], "note")
        self.sarif(0, "last-line")  # a note without a place
        self.sarif(66, "abort")

    def test_sarif_of_a_program_that_does_not_compile(self):
        broken = self.kept / "broken.cu"
        broken.write_text("int main() { return nothing; }\n")
        file = self.kept / "broken.sarif"
        file.write_text("of an earlier check")
        done = subprocess.run([TOOL, "check", f"--sarif={file}", broken], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 65)
        run = json.loads(file.read_text())["runs"][0]
        self.assertEqual((run["results"], run["tool"]["driver"]["rules"]), ([], []))
        invocation = run["invocations"][0]
        self.assertEqual((invocation["executionSuccessful"], invocation["exitCode"]), (False, 65))
        told = invocation["toolExecutionNotifications"][0]
        self.assertEqual(told["level"], "error")
        self.assertIn("does not compile", told["message"]["text"])

    def test_sarif_has_a_page_for_each_rule(self):
        root = HERE.parents[2]
        pages = (root / "docs/findings.md").read_text()
        run = self.sarif(1, "race")
        for rule in run["tool"]["driver"]["rules"]:
            page = rule["help"]["markdown"]
            self.assertIn(f"### `{rule['id']}`\n\n{page.splitlines()[0][:20]}", pages)
            self.assertIn("To fix: ", page)
            self.assertNotIn("](", page)
            self.assertTrue(rule["fullDescription"]["text"].endswith("."))
        result = run["results"][0]
        number = int(re.search(r"\[the other access\]\((\d+)\)", result["message"]["text"]).group(1))
        other = next(l for l in result["relatedLocations"] if l["id"] == number)
        self.assertEqual(other["message"]["text"], "the other access")

    def test_pages_begin_with_a_sentence(self):
        """Which is the rule's full description."""
        pages = (HERE.parents[2] / "docs/findings.md").read_text()
        kinds = re.findall(r"(?ms)^### `([a-z-]+)`\n\n(.*?)\n\n", pages)
        self.assertGreater(len(kinds), 40)
        for kind, text in kinds:
            with self.subTest(kind):
                self.assertRegex(text, r"^[A-Z]")  # no example, and no code
                self.assertGreater(len(text.split()), 5)

    def test_sarif_of_strange_paths(self):
        folder = self.kept / "a b%ü"
        folder.mkdir()
        shutil.copy(HERE / "modes.cu", folder / "modes #1.cu")
        file = self.kept / "report.sarif"
        result = self.tool(f"--sarif={file}", "--schedules", "1", "modes #1.cu", "--", "race", cwd=folder)
        self.assertEqual(result.returncode, 1, result.stderr)
        log = json.loads(file.read_text())
        self.assertEqual(sarif.errors(log), [])
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "modes%20%231.cu")
        self.assertTrue(log["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"]
                        .endswith("/a%20b%25%C3%BC/"))

    def html(self, code, name, *words):
        file = self.kept / "report.html"
        self.mode(code, name, f"--html={file}", *words)
        page = Page(file.read_text(encoding="utf-8"))
        self.assertEqual(page.errors, [])
        return page

    def test_html(self):
        page = self.html(1, "race")
        lines = (HERE / "modes.cu").read_text().splitlines()
        load, store = (next(n for n, line in enumerate(lines, 1) if text in line)
                       for text in ("int seen = ct::load(cells);", "ct::store(cells, seen + 1);"))
        marked = {int(data.split()[0]) for tag, data in page.parts if tag == "mark"}
        self.assertLessEqual({load, store}, marked)
        report = self.json(1, "race")
        for finding in report["findings"]:
            self.assertIn(f"tilesim check --replay {finding['replay']} modes.cu -- race", page.text("pre"))
            for told in (finding["message"], *finding["details"], finding["remedy"]):
                self.assertIn(told, page.text())
        self.assertEqual(page.text("td").count("random, seed"), 2)
        self.assertIn("8 schedules (1 round-robin, 2 random, 3 pct, 2 bursts; 1 of them weak)", page.text("p"))

    def test_html_of_other_ends(self):
        self.assertIn("no findings", self.html(0, "clean").text("strong"))
        self.assertIn("nothing was checked", self.html(3, "host").text("strong"))
        self.assertIn("--max-ops 50", self.html(3, "endless", "--max-ops", "50", "--schedules", "2").text("li"))
        self.assertIn("ended by SIGABRT", self.html(66, "abort").text("h2"))
        self.assertEqual(self.html(1, "masked").text("span"), "unspecified-dependent")

    def test_html_of_strange_text(self):
        source = self.kept / "a<b>&.cu"
        text = (HERE / "modes.cu").read_text().replace("ct::store(cells, seen + 1);",
                                                       "ct::store(cells, seen + 1); // <script>&amp;\"</script>")
        source.write_text(text)
        file = self.kept / "report.html"
        self.check(1, f"--html={file}", "--schedules", "1", source, "--", "race")
        page = Page(file.read_text(encoding="utf-8"))
        self.assertEqual(page.errors, [])
        self.assertIn("// <script>&amp;\"</script>", page.text("mark"))
        # Latin-1, in lines of DOS.
        source.write_bytes(text.replace("<script>", "\xfc").replace("\n", "\r\n").encode("latin-1"))
        self.check(1, f"--html={file}", "--schedules", "1", source, "--", "race")
        page = Page(file.read_bytes().decode("utf-8"))
        self.assertIn("// \\xfc&amp;", page.text("mark"))
        self.assertNotIn("\\x0d", page.text("mark"))

    def test_one_report_on_standard_output(self):
        for words in (("--json", "--sarif"), ("--html", "--json")):
            self.assertIn("share standard output", self.mode(64, "clean", *words))

    def test_all_reports_agree(self):
        files = {kind: self.kept / f"report.{kind}" for kind in ("json", "sarif", "html")}
        told = self.mode(1, "raw", *(f"--{kind}={file}" for kind, file in files.items()))
        report = json.loads(files["json"].read_text())
        results = json.loads(files["sarif"].read_text())["runs"][0]["results"]
        page = Page(files["html"].read_text(encoding="utf-8"))
        self.assertEqual(len(results), len(report["findings"]))
        # Each kind in the index, and above its finding.
        self.assertEqual(page.text("span").count("-"), 2 * sum(f["code"].count("-") for f in report["findings"]))
        self.assertEqual(page.links, [f"#finding-{n + 1}" for n in range(len(results))])
        for finding, result in zip(report["findings"], results):
            self.assertEqual((finding["code"], finding["level"], finding["count"], finding["replay"]),
                             (result["ruleId"], result["level"], result["occurrenceCount"],
                              result["properties"]["replay"]))
            for text in (told, page.text()):
                for part in (finding["message"], finding["remedy"], finding["replay"], *finding["details"]):
                    self.assertIn(part, text)
                    if part != finding["replay"]:
                        self.assertIn(part, result["message"]["text"])

    def test_the_validator_finds_errors(self):
        run = {"tool": {"driver": {"name": "x"}}}
        self.assertEqual(sarif.errors({"version": "2.1.0", "runs": [run]}), [])
        self.assertEqual(sarif.errors({"version": "2.2", "runs": [run], "x": 1}),
                         ["$: a sarifLog has no 'x'", "$.version: '2.2' is no 2.1.0"])
        self.assertEqual(sarif.errors({"version": "2.1.0", "runs": [run | {"results": [{}]}]}),
                         ["$.runs[0].results[0]: a result needs 'message'"])

    def test_suppressions(self):
        known = self.kept / "known.txt"
        known.write_text("# reviewed\ndata-race modes.cu:*\ndeadlock *\n")
        told = self.mode(0, "race", "--suppress", known)
        self.assertNotIn("error:", told)
        self.assertRegex(told, r"no findings, 1 note, \d suppressed\n")  # lost counts differ
        self.assertIn(f"remark: {known}:3: 'deadlock *' suppresses nothing\n", told)
        run = self.sarif(0, "race", "--suppress", known)
        self.assertEqual(run["results"][0]["suppressions"][0]["kind"], "external")
        self.assertEqual(self.json(0, "race", "--suppress", known)["findings"][0]["suppressed_by"],
                         f"{known}:2")
        known.write_text("data-race modes.cu:1\n")
        self.mode(1, "race", "--suppress", known)
        known.write_text("data race\n")
        self.assertIn(f"{known}:1: error: expected a kind", self.mode(64, "race", "--suppress", known))
        self.assertIn("--suppress takes a file", self.mode(64, "race", "--suppress", self.kept / "none"))


class Pairs(Case):
    """Which pair of accesses a report shows, and what suppressions leave of it."""

    def lines(self, *texts):
        source = (HERE / "pairs.cu").read_text().splitlines()
        return [next(n for n, line in enumerate(source, 1) if line.endswith(f"// {text}")) for text in texts]

    def races(self, code, mode, *suppressed):
        """The pairs of lines that the report tells, smaller first; and the report."""
        known = self.kept / "known.txt"
        known.write_text("".join(f"data-race pairs.cu:{n}\n" for n in suppressed))
        told = self.check(code, "--suppress", known, "pairs.cu", "--", mode)
        pairs = re.findall(r"(?m)^summary: data-race: pairs.cu:(\d+):\d+ and pairs.cu:(\d+)", told)
        return {tuple(sorted(map(int, p))) for p in pairs}, told

    def test_suppressed_pairs_hide_no_others(self):
        first, second, third = self.lines("first writer", "second writer", "third writer")
        for known, pair in ((first, (second, third)), (second, (first, third)), (third, (first, second))):
            with self.subTest(known=known):
                pairs, told = self.races(1, "three", known)
                self.assertEqual(pairs, {pair}, told)
                self.assertRegex(told, r": 1 finding, \d suppressed\n")
        pairs, told = self.races(0, "three", first, second)
        self.assertEqual(pairs, set(), told)
        pairs, told = self.races(0, "two", *self.lines("first writer of two"))
        self.assertRegex(told, r": no findings, 1 suppressed\n")

    def test_suppressed_callers_hide_no_others(self):
        known, other, write = self.lines("known caller", "other caller", "the write")
        pairs, told = self.races(1, "callers", known)
        self.assertEqual(pairs, {(write, write)}, told)
        self.assertIn(f"pairs.cu:{other}", told)
        self.assertNotIn(f"pairs.cu:{known}", told)
        self.assertIn(": 1 finding, 1 suppressed\n", told)

    def test_several_ways_of_one_pair_are_told(self):
        pairs, told = self.races(1, "line")
        (line,) = self.lines("everything")
        self.assertEqual(pairs, {(line, line)}, told)
        self.assertRegex(told, r"(?m)^    \d+: weak store and weak store, of (?:\S+, )?device memory allocated at pairs.cu:\d+$")
        self.assertEqual(len(set(re.findall(r"(?m)^    \d+: .* allocated at (pairs.cu:\d+)$", told))), 2, told)


class Search(Case):
    """Which schedules are run, how many at once, and that the report does not depend on that."""

    def test_jobs_change_nothing(self):
        for code, mode, *options in ((1, "race"), (0, "last"), (1, "two-locks", "--schedules", "4"), (1, "outside"),
                                     (1, "between", "--schedules", "24"), (66, "fail"),
                                     (1, "pair", "--preemptions", "2")):
            reports = []
            for jobs in (1, 2, 5):
                file = self.kept / f"{jobs}.json"
                told = self.mode(code, mode, *options, f"--jobs={jobs}", f"--json={file}")
                reports.append((told, file.read_text()))
            self.assertEqual(reports[0], reports[1])
            self.assertEqual(reports[0], reports[2])

    def test_as_many_as_there_is_time_for(self):
        told = self.mode(1, "race", "--time", "0.7", "--seed", "5", "--keep-schedules")
        runs = int(re.search(r"checked: (\d+) schedules \(", told).group(1))
        self.assertGreaterEqual(runs, 8)
        repeat = f"tilesim check --schedules {runs} --seed 5 modes.cu -- race"
        self.assertTrue(told.endswith(f"to repeat: {repeat}\n"), told)
        again = self.mode(1, "race", "--keep-schedules", "--schedules", runs, "--seed", "5")
        self.assertEqual(told, again)

    def test_what_counts_is_repeated(self):
        known = self.kept / "known.txt"
        known.write_text("data-race modes.cu:*\n")
        told = self.mode(0, "clean", "--schedules", "2", "--strict", "--suppress", known)
        repeat = shlex.split(told.splitlines()[-1].removeprefix("to repeat: tilesim check "))
        self.assertEqual(repeat, ["--schedules", "2", "--seed", "0", "--suppress", str(known), "--strict", "modes.cu", "--", "clean"])

    def test_a_note_that_counts_says_so(self):
        known = self.kept / "known.txt"
        known.write_text("data-race modes.cu:*\n")
        told = self.mode(1, "race", "--strict", "--suppress", known)  # lost counts differ
        self.assertRegex(told, r"no findings, 1 note, which counts, \d suppressed\n")

    def test_a_report_s_file_is_no_source(self):
        for option, file in (("--sarif", "a.sarif"), ("--html", "a.html"), ("--json", "a.json")):
            self.assertIn(f"{option} takes its file as {option}={file}", self.mode(64, "clean", option, file))

    def test_five_seconds_unless_told(self):
        begun = time.monotonic()
        result = subprocess.run([TOOL, "check", "modes.cu", "--", "clean"], cwd=self.folder, env=self.env, text=True,
                                input="", capture_output=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreaterEqual(time.monotonic() - begun, 5)
        self.assertGreaterEqual(int(re.search(r"checked: (\d+) schedules", result.stderr).group(1)), 8)
        self.assertIn("--time", subprocess.run([TOOL, "check", "--help"], text=True, capture_output=True).stdout)

    def test_what_reaches_outside_is_run_one_at_a_time(self):
        file = self.kept / "written"
        remark = "remark: the schedules were run one at a time: the program "
        told = self.check(0, "modes.cu", "--", "writes", file)
        self.assertIn(f"{remark}opens '{file}' for writing\n", told)
        self.assertIn(f"{remark}opens a socket\n", self.mode(0, "socket"))
        for jobs in (1, 4):
            self.assertNotIn("remark", self.check(0, f"--jobs={jobs}", "modes.cu", "--", "reads", file))
        self.assertNotIn("remark", self.check(0, "--schedules", "1", "modes.cu", "--", "writes", file))

    def test_every_schedule(self):
        """Of two blocks of two accesses 2, 4, 6 have at most 0, 1, 2 preemptions, and there are no more."""
        for mode, code, counts in (("pair", 1, (2, 4, 6, 6)), ("three", 1, (6, 24, 60, 90)), ("message", 0, (2, 3, 3, 3))):
            for preemptions, count in enumerate(counts):
                told = self.mode(code, mode, "--preemptions", preemptions, "--keep-schedules")
                plural = "" if preemptions == 1 else "s"
                self.assertIn(f"remark: complete: every schedule with at most {preemptions} preemption{plural} at memory "
                              f"operations was run, {count} of them\n", told)
                self.assertIn(f"to repeat: tilesim check --preemptions {preemptions} modes.cu -- {mode}\n", told)

    def test_a_search_is_taken_up_again(self):
        file = self.kept / "search"
        told = self.mode(1, "three", "--preemptions", "2", "--schedules", "20", f"--resume={file}", "--keep-schedules")
        self.assertIn("limit: not every schedule with at most 2 preemptions was run: 19 were, all with fewer than 1, and ", told)
        runs = 19
        for _ in range(9):
            if not file.exists():
                break
            told = self.mode(1, "three", "--preemptions", "2", "--schedules", "20", f"--resume={file}", "--keep-schedules")
            runs += int(re.search(r"(\d+) by turns", told).group(1))
        self.assertEqual(runs, 60)
        self.assertIn("remark: complete: ", told)
        file.write_text("{}")
        self.assertIn("holds no search of this program", self.mode(64, "three", "--preemptions", "2", f"--resume={file}"))
        self.assertIn("--resume is for --preemptions", self.mode(64, "three", f"--resume={file}"))

    def test_a_barrier_that_begins_anew_too_late(self):
        self.env["TILESIM_OPTIONS"] = '{"polls": 64}'  # that they wait for nobody is found sooner
        for seed in range(1, 11):
            told = self.check(1, "--schedules", "40", "--seed", seed, "--keep-schedules", "grid_barrier.cu")
            self.assertIn("summary: deadlock: grid_barrier.cu:", told)

    def test_leaks(self):
        self.assertRegex(self.mode(0, "leak"), r"note: device memory: 16 bytes are never freed \[leak\]")
        self.assertRegex(self.mode(1, "leak", "--leaks"), r"error: device memory: 16 bytes are never freed \[leak\]")
        self.mode(1, "leak", "--strict")

    def test_leaks_of_one_line_by_their_kind(self):
        (self.folder / "kinds.cu").write_text("""#include <cuda_tile.h>
__tile_global__ void fill(int* p) { cuda::tiles::store(p, 3); }
int main() {
  int *a, *b; cudaMalloc(&a, 4); cudaMallocHost(&b, 4096);
  fill<<<1, 1>>>(a);
  cudaDeviceSynchronize();
}
""")
        told = self.check(1, "--leaks", "--schedules=2", "kinds.cu")
        self.assertEqual(re.findall(r"error: (.*) \[leak\]", told),
                         ["device memory: 4 bytes are never freed", "pinned host memory: 4096 bytes are never freed"])
        self.assertIn("to fix: cudaFreeHost before", told)

    def test_keep_going(self):
        told = self.mode(1, "partly-outside")
        self.assertEqual(re.findall(r"(?m)^summary: ([a-z-]+):", told), ["out-of-bounds"])
        told = self.mode(1, "partly-outside", "--keep-going", out="partly-outside: 1 0\n")
        kinds = re.findall(r"(?m)^summary: ([a-z-]+):", told)
        self.assertEqual(kinds.count("out-of-bounds"), 1, told)
        self.assertIn("data-race", kinds)
        self.assertRegex(told, r"summary: out-of-bounds: modes.cu:\d+:\d+, 16 times, in 8 of 8 schedules\n")
        told = self.mode(1, "raw-outside", "--keep-going")
        self.assertIn("  the block ends here, since the run keeps going\n", told)
        self.assertEqual(re.findall(r"(?m)^summary: ([a-z-]+):", told), ["out-of-bounds"])
        run = subprocess.run([TOOL, "run", "--keep-going", "modes.cu", "--", "raw-outside"], cwd=self.folder, env=self.env,
                             text=True, capture_output=True)
        self.assertEqual((run.returncode, run.stdout), (102, "raw-outside: 0 0\n"), run.stderr)


class Limits(Case):
    """What stops a check before its end is told, and its status is 3."""

    def test_timeout(self):
        told = self.mode(3, "endless", "--timeout", "1")
        self.assertRegex(told, r"(?m)^limit: modes.cu:\d+: time was over, under round-robin$")
        self.assertIn("limit: --timeout of 1 seconds reached after 1 of 8 schedules\n", told)
        self.assertIn("checked: 1 schedule of 8 (1 round-robin)", told)

    def test_livelock(self):
        told = self.mode(1, "livelock", "--idle-ops", "100000", "--schedules", "2")
        self.assertRegex(told, r"(?m)^modes.cu:\d+:\d+: error: livelock: \d{4,5} operations, and no block has ended in them "
                               r"\[livelock\]$")
        self.assertRegex(told, r"(?m)^summary: livelock: modes.cu:\d+:\d+, 2 times, in 2 of 2 schedules$")
        self.assertEqual(told.count("  tile block (0,0,0) of count_in_vain goes on and on:\n"), 1, told)
        # A load and an update in turn; the last operation is an update that has only begun.
        made = int(re.search(r"(?m)^  tile block \(0,0,0\) of count_in_vain runs at modes.cu:\d+ \(after (\d+) operations\)$",
                             told)[1])
        self.assertGreater(made, 100000 // 20)
        self.assertRegex(told, rf"(?m)^      it updates cells\[1\] of int\[4\], byte 4 of allocation #1 .* which is {made // 2 - 1} now$")
        self.assertRegex(told, r"(?m)^      it reads cells\[0\] of int\[4\], byte 0 of allocation #1 .* which is 0 now$")
        self.assertIn("--idle-ops", told)
        string = re.search(r"(?m)^  to replay: tilesim check --replay (2-rr-[0-9a-f]{16}) --idle-ops 100000 modes.cu "
                           r"-- livelock$", told)
        self.assertIn(": error: livelock: ",
                      self.mode(1, "livelock", "--idle-ops", "100000", "--replay", string.group(1)))

    def test_livelocks_end_by_themselves(self):
        self.assertRegex(self.mode(1, "livelock", "--schedules", "1"), r"livelock: 2\d{5} operations, and no block has ended")

    def test_who_is_not_seen_to_wait_is_a_limit(self):
        told = self.mode(3, "endless", "--idle-ops", "100000", "--schedules", "1")
        self.assertRegex(told, r"(?m)^limit: modes.cu:\d+: no end in sight: 100000 operations, and no block has ended in "
                               r"them, under round-robin$")
        self.assertRegex(told, r"(?m)^  to replay: tilesim check --replay 2-rr-[0-9a-f]{16} --idle-ops 100000 modes.cu "
                               r"-- endless$")

    def test_max_ops(self):
        told = self.mode(3, "endless", "--max-ops", "100", "--schedules", "2")
        self.assertIn("--max-ops 100 reached", told)

    def test_interrupt(self):
        for mode, schedules in (("endless", 8), ("clean", 1_000_000)):
            child = subprocess.Popen([TOOL, "check", "--schedules", str(schedules), "modes.cu", "--",
                                      mode], cwd=self.folder, env=self.env, text=True,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
            self.assertIn(child.stdout.readline(), ("starts\n", "clean: 8 0\n"))
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            told = child.communicate(timeout=20)[1]
            self.assertEqual(child.returncode, 3, told)
            self.assertRegex(told, rf"limit: interrupted after \d+ of {schedules} schedules\n")


class Interrupts(Case):
    """Ctrl-C ends a check early, with what it has; progress is shown on a terminal."""

    def start(self, schedules, mode, **more):
        return subprocess.Popen([TOOL, "check", "--schedules", str(schedules), "modes.cu", "--", mode],
                                cwd=self.folder, env=self.env, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def test_findings_so_far(self):
        child = self.start(1_000_000, "race")
        child.stdout.readline()
        time.sleep(0.7)
        child.send_signal(signal.SIGINT)
        told = child.communicate(timeout=20)[1]
        self.assertEqual(child.returncode, 1, told)
        self.assertIn("[data-race]", told)
        runs, of = map(int, re.search(r"limit: interrupted after (\d+) of (\d+) schedules", told).groups())
        self.assertEqual(of, 1_000_000)
        self.assertRegex(told, rf"checked: {runs} schedules? of 1000000 \(1 round-robin")

    def test_at_a_terminal(self):
        """There the program gets Ctrl-C as well."""
        child = self.start(8, "endless", start_new_session=True)
        self.assertEqual(child.stdout.readline(), "starts\n")
        time.sleep(0.3)
        os.killpg(child.pid, signal.SIGINT)
        told = child.communicate(timeout=20)[1]
        self.assertEqual(child.returncode, 3, told)
        self.assertIn("limit: interrupted after 1 of 8 schedules", told)

    def on_a_terminal(self, *words):
        """What is told on a terminal, and the exit status."""
        master, slave = pty.openpty()
        child = subprocess.Popen([TOOL, "check", *words], cwd=self.folder, env=self.env | {"TERM": "xterm"},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        return read_terminal(master), child.wait(timeout=60)

    def test_progress(self):
        told, status = self.on_a_terminal("modes.cu", "--", "slow")
        self.assertEqual(status, 0, told)
        self.assertRegex(told, r"\r\033\[Ktilesim: checking, schedule \d+ \d\.\d s")
        # It is gone in the end.
        self.assertRegex(told, r"s\r\033\[K\033\[1mchecked:\033\[0m \d+ schedules[^\r]*\r\nto repeat: [^\r]*\r\n$")
        self.env["NO_COLOR"] = "1"
        told, status = self.on_a_terminal("--schedules", "1", "modes.cu", "--", "race")
        self.assertEqual(status, 1, told)
        self.assertNotIn("\033[1m", told)


class Golden(Case):
    """Whole reports, in every form; TILESIM_APPROVE=1 records them."""

    def setUp(self):
        super().setUp()
        told = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True).stdout
        self.version = re.search(r"\d+\.\d+\.\d+", told).group()
        self.env["SOURCE_DATE_EPOCH"] = "0"  # the page's date

    def held(self, name, text):
        text = re.sub(r"\b[0-9a-f]{16}\b", "HASH", text)
        text = re.sub(r'"tilesim/v1": "[0-9a-f]*"', '"tilesim/v1": "HASH"', text)
        text = re.sub(r'file://[^"]*/', "file:///", text)
        # A page of docs/findings.md.
        text = re.sub(r'"(text|markdown)": "(?:[^"\\]|\\.)*"(?=,\s*"markdown"|\s*\},\s*"(?:help|defaultConfiguration)")',
                      r'"\1": "PAGE"', text)
        text = re.sub(r"\b0x[0-9a-f]+\b", "ADDRESS", text)
        for around in ('"{}"', "tilesim {},"):
            text = text.replace(around.format(self.version), around.format("VERSION"))
        file = HERE / "golden" / name
        if os.environ.get("TILESIM_APPROVE"):
            file.write_text(text, encoding="utf-8")
        self.assertEqual(text, file.read_text(encoding="utf-8"))

    def test_reports(self):
        for mode, code in (("far", 1), ("between", 1), ("outside", 1), ("masked", 1)):
            with self.subTest(mode):
                files = {kind: self.kept / f"report.{kind}" for kind in ("json", "sarif", "html")}
                told = self.mode(code, mode, *(f"--{kind}={file}" for kind, file in files.items()))
                self.held(f"{mode}.txt", told)
                if mode == "far":
                    for kind, file in files.items():
                        self.held(f"{mode}.{kind}", file.read_text(encoding="utf-8"))

    def test_documentation(self):
        """The example of docs/check.md is what happens."""
        root = HERE.parents[2]
        shown = re.search(r"\$ tilesim check (--schedules \d+ examples/\S+)\n(.*?)```", (root / "docs/check.md").read_text(), re.S)
        result = self.tool(*shown.group(1).split(), cwd=root)
        lines = iter((result.stdout + result.stderr).splitlines())
        for line in shown.group(2).splitlines():
            if line.strip() != "…":
                self.assertIn(line, lines)  # behind the one before


class Replay(Case):
    """A finding's string shows it again, by as little as it takes."""

    def races(self, name, *words):
        """What the report says of the data race, the only one."""
        result = self.tool("--json", *words, "modes.cu", "--", name)
        self.assertEqual(result.returncode, 1, result.stderr)
        found = [f for f in json.loads(result.stdout)["findings"] if f["code"] == "data-race"]
        self.assertEqual(len(found), 1, result.stderr)
        return found[0]

    def test_replay(self):
        told = self.mode(1, "race", "--seed", "5")
        strings = re.findall(r"--replay (\S+) modes.cu -- race\n", told)
        self.assertTrue(strings, told)
        for string in strings:
            self.assertLessEqual(len(string), 64)
            again = self.mode(1, "race", "--replay", string)
            self.assertIn("in 1 of 1 schedule\n", again)

    def test_refused(self):
        string = self.races("race")["replay"]
        other = self.mode(64, "clean", "--replay", string)
        self.assertRegex(other, "the replay string belongs to another program: it names [0-9a-f]{16}, and "
                                "these sources, flags and arguments are [0-9a-f]{16}")
        for words in (["-DNEW"], ["--order", "random"]):
            self.assertIn("belongs to another program", self.mode(64, "race", "--replay", string, *words))
        self.mode(1, "race", "--replay", string, "--max-ops", "1000")  # computes the same
        self.assertIn("'nonsense' is no replay string", self.mode(64, "race", "--replay", "nonsense"))
        old = string.replace("2-", "1-", 1)
        self.assertIn("of this version", self.mode(64, "race", "--replay", old))

    def with_schedule(self, name, schedule):
        """The program's own replay string with another schedule."""
        return f"2-{schedule}-{self.races(name)['replay'].rsplit('-', 1)[1]}"

    def test_what_cannot_be_followed_is_told(self):
        """It is a limit: with nothing else to report the status is 3."""
        clean = json.loads(self.tool("--json", "--schedules", "1", "modes.cu", "--", "clean").stdout)
        program = clean["runs"][0]["replay"].rsplit("-", 1)[1]
        for turns, told in (("0,99@2,1", "switch 2, 99@2: launch 1 has 8 blocks"),
                            ("3@7,0", "switch 1, 3@7: block 3 has ended before"),
                            ("0,2.0", "switch 2, 2.0: the run ended before")):
            with self.subTest(turns):
                report = self.mode(3, "clean", "--replay", f"2-{turns}-{program}")
                self.assertIn(f"limit: the replay could not follow {told}\n", report)
                self.assertIn("remark: the replayed schedule shows no finding\n", report)
                run = subprocess.run([TOOL, "run", "--replay", f"2-{turns}-{program}", "modes.cu", "--",
                                      "clean"], cwd=HERE, text=True, env=self.env, capture_output=True,
                                     timeout=120)
                self.assertEqual((run.returncode, run.stdout), (0, "clean: 8 0\n"))
                self.assertEqual(run.stderr, f"tilesim: the replay could not follow {told}\n")

    def test_a_replay_without_findings_says_so(self):
        string = self.with_schedule("far", "0@0,1")  # the program returns before the race
        told = self.mode(1, "far", "--replay", string)
        self.assertNotIn("shows no finding", told)
        clean = json.loads(self.tool("--json", "--schedules", "1", "modes.cu", "--", "clean").stdout)
        told = self.mode(0, "clean", "--replay", clean["runs"][0]["replay"])
        self.assertIn("remark: the replayed schedule shows no finding\n", told)
        self.assertNotIn("could not follow", told)

    def test_run_takes_the_string_of_a_report(self):
        """The same blocks in the same order: what it computes says so."""
        told = self.mode(0, "last")
        string = re.search(r"--replay (\S+) modes.cu -- last\n", told).group(1)
        for command, words in (("run", []), ("trace", ["-o", self.kept / "t.json"])):
            outputs = {subprocess.run([TOOL, command, *words, "--replay", string, "modes.cu", "--", "last"],
                                      cwd=HERE, text=True, env=self.env, capture_output=True, check=True,
                                      timeout=120).stdout for _ in range(2)}
            plain = subprocess.run([TOOL, command, *words, "modes.cu", "--", "last"], cwd=HERE, text=True,
                                   env=self.env, capture_output=True, check=True, timeout=120).stdout
            self.assertEqual(len(outputs), 1)
            self.assertNotEqual(outputs, {plain})
        refused = subprocess.run([TOOL, "run", "--replay", string, "modes.cu", "--", "clean"], cwd=HERE,
                                 text=True, env=self.env, capture_output=True, timeout=120)
        self.assertEqual(refused.returncode, 64)
        self.assertIn("belongs to another program", refused.stderr)

    def test_elsewhere(self):
        """Neither the folder nor include paths belong to the string, nor what the file is called."""
        string = self.races("far")["replay"]
        shutil.copy(HERE / "modes.cu", self.kept / "copy.cu")
        result = self.tool("--replay", string, "-I", self.kept, "copy.cu", "--", "far", cwd=self.kept)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("in 1 of 1 schedule\n", result.stderr)
        with open(self.kept / "copy.cu", "a", encoding="utf-8") as file:
            file.write("\n")
        result = self.tool("--replay", string, "copy.cu", "--", "far", cwd=self.kept)
        self.assertEqual(result.returncode, 64, result.stderr)

    def test_other_builds(self):
        """Compiled by another compiler or with another optimisation, the program takes the same turns."""
        replay = self.races("between")["replay"]
        for compiler in os.environ.get("TILESIM_TEST_COMPILERS", "").split():
            if shutil.which(compiler) is None:
                print(f"{compiler} is not installed: left out", file=sys.stderr)
                continue
            self.env["CXX"] = compiler
            self.assertIn("[data-race]", self.mode(1, "between", "--replay", replay))
        self.env["CXX"] = os.environ.get("CXX", "c++")
        string = replay.rsplit("-", 1)[0]
        for change in ("-O0", "-O3"):
            theirs = self.races("between", change)["replay"]
            self.assertEqual(theirs.rsplit("-", 1)[0], string)
            self.mode(1, "between", change, "--replay", f"{string}-{theirs.rsplit('-', 1)[1]}")

    def test_shortest(self):
        """Fewest blocks and turns."""
        for name, blocks, turns in (("far", 2, r"(5,60|60,5)"), ("helped", 3, r"12,(1,2|2,1)"),
                                    # and 3 again: the rest is round robin
                                    ("between", 2, r"3@1,4")):
            race = self.races(name, "--schedules", "24")
            self.assertRegex(race["replay"], rf"^2-{turns}-[0-9a-f]{{16}}$", name)
            self.assertEqual(race["blocks"], blocks, name)
            self.assertEqual(race["turns"], 3 if blocks == 3 or "@" in turns else 2, name)
            again = self.races(name, "--replay", race["replay"])
            self.assertEqual((again["blocks"], again["turns"]), (race["blocks"], race["turns"]))
            self.assertEqual(again["replay"], race["replay"])

    def test_deadlock(self):
        """One block up to its second lock, the other one, and the first again: round robin goes on so by itself."""
        result = self.tool("--json", "locks.cu")
        self.assertEqual(result.returncode, 1, result.stderr)
        found = [f for f in json.loads(result.stdout)["findings"] if f["code"] == "deadlock"]
        self.assertEqual(len(found), 1, result.stderr)
        self.assertRegex(found[0]["replay"], "^2-(0@1|1@1,0)-[0-9a-f]{16}$")
        self.assertEqual((found[0]["blocks"], found[0]["turns"]), (2, 3))
        told = self.tool("--replay", found[0]["replay"], "locks.cu")
        self.assertEqual(told.returncode, 1, told.stderr)
        self.assertIn("[deadlock]", told.stderr)

    def test_blocks_that_give_up_are_not_deadlocked(self):
        """Nor taken for it by the short trials of a search for shorter schedules."""
        self.assertNotIn("[deadlock]", self.tool("locks.cu", "-DPATIENT").stderr)

    def test_strategy_where_nothing_is_shorter(self):
        race = self.races("race")  # blocks 0 and 1, as round robin has them
        self.assertRegex(race["replay"], "^2-rr-")
        self.assertEqual((race["blocks"], race["turns"]), (2, 2))

    def test_keep_schedules(self):
        race = self.races("far", "--keep-schedules")
        self.assertRegex(race["replay"], "^2-(rr|random_|pct)")
        self.assertGreater(race["blocks"], 2)

    def test_notes(self):
        for name, kind, code, where in (("last", "schedule", 0, "in 1 of 1 schedule"),
                                        ("masked", "unspecified", 1, "by other values under one schedule")):
            told = self.mode(code, name)
            string = re.search(rf"--replay (\S+) modes.cu -- {name}\n", told).group(1)
            again = self.mode(code, name, "--replay", string)
            self.assertRegex(again, rf"(?m)^summary: {kind}-dependent: .*, 1 time, {where}$")


if __name__ == "__main__":
    if not TOOL:
        sys.exit("set TILESIM_TOOL to the tool that is to be tested")
    unittest.main()
