#!/usr/bin/env python3
"""Runs the programs of this folder and holds what `tilesim run` reports against their comments.

  TILESIM_TOOL=build/dev/bin/tilesim check.py [unittest arguments]

A line of a program expects the findings that its comment names and no others:

  use(a + b); // error: signed overflow: 1 + 2 does not fit i8 [signed-overflow]; another [code]
              // | a detail of one of them, as it is printed below the message

`note:` stands for a note. In a detail, file.cu:@X is the line of file.cu that ends with `// @X`. An
address is written 0x…, whatever it is.
"""
# SPDX-License-Identifier: Apache-2.0
import collections
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOL = os.environ.get("TILESIM_TOOL", "")
UNDEFINED = {
    "signed-overflow", "reduction-overflow", "unsigned-overflow", "division-by-zero", "unrepresentable-quotient", "shift-out-of-range",
    "conversion-out-of-range", "atomic-overflow", "pointer-difference", "extract-index", "broken-assumption",
    "view-index", "view-bounds", "overlapping-store", "print-format"
}
NOTES = {"pointer-out-of-range", "pointer-order", "reloaded-value"}
# Of threads of a block: their programs are those of tests/bad_input/barriers.cu.
UNDEFINED_OF_THREADS = {"warp-mask", "inactive-lane"}
NOTES_OF_THREADS = {"barrier-left"}
PROGRAMS = ("arithmetic.cu", "pointers.cu", "reductions.cu", "views.cu", "assumptions.cu",
            "printing.cu", "reloads.cu", "origins.cu")  # their comments say what is found

Finding = collections.namedtuple("Finding", "line level text code")
EXPECTED = re.compile(r"// (error|note): (.*)$")
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
REPORTED = re.compile(r"(\w+\.cu):(\d+):(\d+): (error|note): (.*) \[([a-z-]+)\]$")


def expected(program):
    """The findings of a program's comments, each with the details that it must have."""
    lines = (HERE / program).read_text().splitlines()
    marks = {m.group(1): n for n, line in enumerate(lines, 1) if (m := re.search(r"// @(\w+)$", line))}
    result = []
    on_line = []
    for number, line in enumerate(lines, 1):
        if m := re.search(r"^\s*// \| (.*)$", line):
            detail = re.sub(r":@(\w+)", lambda m: f":{marks[m.group(1)]}", m.group(1))
            on_line[-1][1].append(detail)
        elif m := EXPECTED.search(line):
            on_line = []
            for one in m.group(2).split("; ") if "]; " in m.group(2) else [m.group(2)]:
                text, code = re.fullmatch(r"(.*) \[([a-z-]+)\]", one).groups()
                on_line.append((Finding(number, m.group(1), text, code), []))
            result += on_line
    return result


def reported(stderr):
    """The findings of a run, each with its details."""
    result = []
    for line in stderr.splitlines():
        if m := REPORTED.match(line):
            result.append((Finding(int(m.group(2)), m.group(4), ADDRESS.sub("0x…", m.group(5)), m.group(6)), []))
        elif line.startswith("  ") and result:
            result[-1][1].append(line[2:])
    return result


class Case(unittest.TestCase):
    maxDiff = None

    def run_program(self, program, *options, flags=(), arguments=(), environment=None):
        command = [TOOL, "run", *options, program, *flags, "--", *arguments]
        return subprocess.run(command,
                              cwd=HERE,
                              env={**os.environ, **(environment or {})},
                              capture_output=True,
                              text=True,
                              timeout=500)

    def check(self, program, wanted, result):
        self.assertEqual(result.returncode, 102 if any(f.level == "error" for f, _ in wanted) else 0, result.stderr)
        got = reported(result.stderr)
        self.assertEqual(sorted(f for f, _ in got), sorted(f for f, _ in wanted), result.stderr)
        for finding, details in wanted:
            has = [d for f, d in got if f == finding][0]
            for detail in details:
                self.assertIn(detail, has, f"{program}:{finding.line}")


class Arithmetic(Case):
    PROGRAM = "arithmetic.cu"

    def test_every_line_has_its_findings_and_no_others(self):
        result = self.run_program(self.PROGRAM)
        self.check(self.PROGRAM, expected(self.PROGRAM), result)
        # Two blocks with three turns each are one finding.
        self.assertRegex(result.stderr, r"summary: signed-overflow: arithmetic.cu:\d+:\d+, 6 times\n")

    def test_without_optimisation_too(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM, flags=["-O0"]))

    def test_every_kind_is_here_or_with_the_pointers(self):
        codes = {f.code for p in PROGRAMS for f, _ in expected(p)}
        # Nothing in C++ says no_unsigned_wrap.
        self.assertEqual(codes - NOTES,
                         UNDEFINED - {"unsigned-overflow"})

    def test_no_ub_silences_all_and_changes_no_value(self):
        loud = self.run_program(self.PROGRAM)
        quiet = self.run_program(self.PROGRAM, "--no-ub")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
        self.assertEqual(quiet.stdout, loud.stdout)
        self.assertIn("-2147483646", quiet.stdout)  # 2147483647 + 3 goes on

    def test_no_ub_of_one_kind_silences_that_kind(self):
        for code in sorted({f.code for f, _ in expected(self.PROGRAM)}):
            with self.subTest(code=code):
                wanted = [e for e in expected(self.PROGRAM) if e[0].code != code]
                self.check(self.PROGRAM, wanted, self.run_program(self.PROGRAM, f"--no-ub={code}"))

    def test_kinds_are_listed_and_options_add_up(self):
        wanted = [e for e in expected(self.PROGRAM) if e[0].code in ("signed-overflow", "extract-index")]
        others = UNDEFINED - {"signed-overflow", "extract-index", "atomic-overflow"}
        result = self.run_program(self.PROGRAM, "--no-ub=" + ",".join(others), "--no-ub=atomic-overflow")
        self.check(self.PROGRAM, wanted, result)

    def test_an_unknown_kind_is_refused_with_those_that_are_known(self):
        for option, known in (("--no-ub", UNDEFINED), ("--notes", NOTES)):
            for value in ("overflow", "out-of-bounds", "signed-overflow,", "true,"):
                with self.subTest(option=option, value=value):
                    result = self.run_program(self.PROGRAM, f"{option}={value}")
                    self.assertEqual(result.returncode, 64)
                    for code in known:
                        self.assertIn(code, result.stderr)
        result = self.run_program(self.PROGRAM, environment={"TILESIM_OPTIONS": '{"no_ub": ["overflow"]}'})
        self.assertEqual(result.returncode, 64)
        self.assertIn("no_ub does not know 'overflow'; known are signed-overflow, ", result.stderr)

    def test_help_lists_every_kind(self):
        text = subprocess.run([TOOL, "run", "--help"], capture_output=True, text=True, timeout=60).stdout
        words = set(re.findall(r"[a-z-]+", re.sub(r"\s+", " ", text)))
        for code in UNDEFINED | NOTES:
            self.assertIn(code, words)


class Reductions(Case):
    PROGRAM = "reductions.cu"

    def test_every_line_has_its_findings_and_no_others(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM))

    def test_the_order_taken_decides_nothing(self):
        for seed in "12":
            result = self.run_program(self.PROGRAM, "--order", "random", "--seed", seed)
            self.check(self.PROGRAM, expected(self.PROGRAM), result)

    def test_no_ub_silences_them(self):
        result = self.run_program(self.PROGRAM, "--no-ub=reduction-overflow")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Pointers(Case):
    PROGRAM = "pointers.cu"

    def test_differences_are_findings_and_notes_are_silent(self):
        wanted = [e for e in expected(self.PROGRAM) if e[0].level == "error"]
        self.check(self.PROGRAM, wanted, self.run_program(self.PROGRAM))

    def test_notes(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM, "--notes"))

    def test_notes_leave_the_exit_status_alone(self):
        for code in sorted(NOTES - {"reloaded-value"}):
            with self.subTest(code=code):
                wanted = [e for e in expected(self.PROGRAM) if e[0].code == code]
                self.assertTrue(wanted)
                self.check(self.PROGRAM, wanted, self.run_program(self.PROGRAM, "--no-ub", f"--notes={code}"))


class Reloads(Case):
    PROGRAM = "reloads.cu"

    def test_every_line_has_its_note_and_its_neighbours_have_none(self):
        for options in (["--notes"], ["--notes=reloaded-value"]):
            result = self.run_program(self.PROGRAM, *options)
            self.check(self.PROGRAM, expected(self.PROGRAM), result)

    def test_without_optimisation_too(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM, "--notes", flags=["-O0"]))

    def test_off_unless_asked_for(self):
        result = self.run_program(self.PROGRAM)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Views(Case):
    PROGRAM = "views.cu"

    def test_every_line_has_its_findings_and_no_others(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM))

    def test_without_optimisation_too(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM, flags=["-O0"]))

    def test_kinds_are_switched_one_by_one(self):
        for code in ("view-index", "view-bounds", "overlapping-store"):
            with self.subTest(code=code):
                wanted = [e for e in expected(self.PROGRAM) if e[0].code != code]
                self.check(self.PROGRAM, wanted, self.run_program(self.PROGRAM, f"--no-ub={code}"))


class Assumptions(Case):
    PROGRAM = "assumptions.cu"

    def test_every_line_has_its_findings_and_no_others(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM))

    def test_no_ub_silences_them(self):
        result = self.run_program(self.PROGRAM, "--no-ub=broken-assumption")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Assertions(Case):
    PROGRAM = "assertions.cu"

    def test_every_line_has_its_findings_and_no_others(self):
        result = self.run_program(self.PROGRAM)
        self.check(self.PROGRAM, expected(self.PROGRAM), result)
        lines = result.stdout.splitlines()
        printed = [line for line in lines if " failed" in line]
        self.assertEqual(len(printed), 2)
        for line in printed:  # as a device prints it
            self.assertRegex(
                line, r"^/.*/assertions\.cu:\d+: tile block: \[[03], 0, 0\], position: \[\]: assertions\.cu:\d+: .* failed$")
        lost = "cudaErrorLaunchFailure"
        self.assertEqual(
            [line for line in lines if line not in printed],
            ["holds: cudaSuccess", "launched: cudaSuccess", f"waited: {lost}", "seen: 1 2 2 1", f"copied: {lost}",
             f"launched again: {lost}", "seen: 1", "reset: cudaSuccess", "after the reset: cudaSuccess", "seen: 9"])

    def test_without_optimisation_too(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM, flags=["-O0"]))

    def test_ndebug_switches_them_off(self):
        result = self.run_program(self.PROGRAM, flags=["-DNDEBUG"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("seen: 2 2 2 2\n", result.stdout)


class Printing(Case):
    PROGRAM = "printing.cu"

    def test_every_line_has_its_findings_and_no_others(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM))

    def test_no_ub_silences_them_and_changes_no_line(self):
        loud = self.run_program(self.PROGRAM)
        quiet = self.run_program(self.PROGRAM, "--no-ub=print-format")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
        address = re.compile(r"^-?\d{6,}$", re.MULTILINE)  # of the text that is printed as a number
        self.assertEqual(address.sub("address", quiet.stdout), address.sub("address", loud.stdout))


class Unspecified(Case):
    PROGRAM = "unspecified.cu"

    def values(self, *options, arguments=()):
        result = self.run_program(self.PROGRAM, *options, arguments=arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return {tuple(line.split()[:2]): line.split()[2] for line in result.stdout.splitlines()}

    def test_what_is_drawn(self):
        first = self.values()
        self.assertEqual(first, self.values(), "the default is deterministic")
        self.assertEqual(first, self.values("--seed", "0"))
        other = self.values("--seed", "1")
        drawn = {k for k in first if first[k] != other[k]}
        wanted = {(t, k) for t in ("float", "double", "half") for k in "01"}
        wanted |= {("masked", k) for k in "2367"}
        self.assertEqual(drawn, wanted)

    def test_the_neighbours(self):
        values = self.values()
        self.assertEqual(values["float", "2"], "7fffffff")  # infinity by 2 is NaN
        self.assertEqual(values["float", "3"], "40a00000")  # 5 by infinity is 5
        self.assertEqual([values["part", k] for k in "0123"], ["4", "5", "6", "7"])

    def test_hardware_gives_nan(self):
        values = self.values("--arith", "hardware")
        self.assertEqual([values["float", k] for k in "01"], ["7fffffff"] * 2)

    def test_hardware_gives_zeros_where_masked_out(self):
        values = self.values("--arith", "hardware")
        self.assertEqual([values["masked", k] for k in "2367"], ["0"] * 4)

    def test_a_part_from_outside(self):
        first, again, other = (self.values("--no-ub", "--seed", s, arguments=["x"]) for s in "112")
        self.assertEqual(first, again)
        for k in "0123":
            self.assertNotEqual(first["outside", k], other["outside", k])


class Origins(Case):
    """Findings of operands that are masked-out elements of a load without padding."""
    PROGRAM = "origins.cu"

    def test_each_names_the_load_and_the_remedy(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM))

    def test_without_optimisation_too(self):
        self.check(self.PROGRAM, expected(self.PROGRAM), self.run_program(self.PROGRAM, flags=["-O0"]))

    def test_check_tells_the_same(self):
        result = subprocess.run([TOOL, "check", self.PROGRAM], cwd=HERE, capture_output=True, text=True, timeout=500)
        self.assertEqual(result.returncode, 1, result.stderr)
        told = [(f, d) for f, d in reported(result.stderr) if f.code in UNDEFINED]
        wanted = expected(self.PROGRAM)
        self.assertEqual(sorted(f for f, _ in told), sorted(f for f, _ in wanted))
        for finding, details in wanted:
            has = [d for f, d in told if f == finding][0]
            for detail in details:
                self.assertIn(detail, has)

    def test_an_address(self):
        result = self.run_program(self.PROGRAM, arguments=["x"])
        self.assertEqual(result.returncode, 101)
        lines = (HERE / self.PROGRAM).read_text().splitlines()
        load = next(n for n, line in enumerate(lines, 1) if line.endswith("// @address"))
        finding, details = reported(result.stderr)[-1]
        self.assertEqual(finding.line, load + 1)
        self.assertIn(f"the address depends on an unspecified value, from origins.cu:{load}: the mask of a load without "
                      "padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of addresses", details)
        self.assertIn("to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these "
                      "elements before anything depends on them", details)

    def test_hardware_gives_zeros_and_no_finding_of_them(self):
        wanted = [e for e in expected(self.PROGRAM) if not any("unspecified value" in d for d in e[1])]
        self.assertEqual(len(wanted), 2)
        self.check(self.PROGRAM, wanted, self.run_program(self.PROGRAM, "--arith", "hardware"))


class Documentation(unittest.TestCase):
    """docs/findings.md has a section for each kind, and its examples are what programs get."""
    TEXT = (ROOT / "docs" / "findings.md").read_text()

    def rows(self):
        table = (ROOT / "api" / "tilesim" / "findings.def").read_text()
        rows = re.findall(r'^TILESIM_(\w+)\(\w+, *"([a-z-]+)"', table, re.MULTILINE)
        self.assertGreater(len(rows), 20)
        return rows

    def section(self, code):
        return re.search(rf"^### `{code}`\n(.*?)(?=^##|\Z)", self.TEXT, re.MULTILINE | re.DOTALL).group(1)

    def test_every_kind_has_a_section_and_every_section_a_kind(self):
        self.assertEqual(sorted(re.findall(r"^### `(.*)`$", self.TEXT, re.MULTILINE)),
                         sorted(code for _, code in self.rows()))

    def test_every_section_has_an_example_of_its_kind(self):
        for _, code in self.rows():
            with self.subTest(code=code):
                self.assertRegex(self.section(code), rf"```\n(?:[^`]*\n)?(?:\S+: )?(?:error|note): .+ \[{code}\]\n")

    def test_kinds_that_can_be_switched(self):
        rows = self.rows()
        self.assertEqual({code for macro, code in rows if macro == "UNDEFINED"}, UNDEFINED | UNDEFINED_OF_THREADS)
        self.assertEqual({code for macro, code in rows if macro == "NOTE"}, NOTES | NOTES_OF_THREADS)

    def test_examples_are_real(self):
        real = {(f.code, f"{f.level}: {f.text}") for p in PROGRAMS for f, _ in expected(p)}
        for code in sorted((UNDEFINED | NOTES) - {"unsigned-overflow"}):
            with self.subTest(code=code):
                example = re.search(r"```\n(.*) \[", self.section(code)).group(1)
                self.assertIn((code, example), real)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        unittest.main(verbosity=1)
