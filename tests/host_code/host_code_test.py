#!/usr/bin/env python3
"""What host code does in hooked programs, and what tilesim's own library does: nothing of it is told but the one race.

  TILESIM_TOOL=build/dev/bin/tilesim host_code_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = pathlib.Path(os.environ.get("TILESIM_TOOL", ""))
LIBRARIES = TOOL.parent.parent / "lib"
COMPILERS = os.environ.get("TILESIM_TEST_COMPILERS", "g++ clang++").split()


def marks(file):
    return {m.group(1): n for n, line in enumerate((HERE / file).read_text().splitlines(), 1)
            if (m := re.search(r"// @(\w+)$", line))}


MARKS = marks("main.cu")
MARKS_OF_NEW = marks("managed_new.cu")
ERROR = re.compile(r"^(\S*):(\d+):\d+: (?:error|note): .* \[([a-z-]+)\]$", re.MULTILINE)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilesim host code "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.env = {k: v for k, v in os.environ.items() if k not in ("TILESIM_OPTIONS", "NO_COLOR")}

    def run_it(self, code, *words):
        result = subprocess.run([str(w) for w in words], cwd=HERE, env=self.env, text=True, input="",
                                capture_output=True, timeout=400)
        told = f"\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, code, told)
        return result.stdout, result.stderr

    def only_the_race(self, report):
        """The report tells of the race of main.cu, and of nothing else."""
        told = [(m.group(1), int(m.group(2)), m.group(3)) for m in ERROR.finditer(report)]
        self.assertEqual(told, [("main.cu", MARKS["load"], "data-race")], report)
        self.assertIn(f"at main.cu:{MARKS['store']}\n", report)

    def check(self, *words):
        out, report = self.run_it(1, TOOL, "check", "--schedules=2", *words, "main.cu")
        self.only_the_race(report)
        self.assertIn("\nsum 2080, sent ", out)
        return out


class StandardLibrary(Case):
    """Every container, string, stream, file, exception, thread, expression, locale: not optimised, all of it is emitted."""

    def test_check(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.env["CXX"] = compiler
                self.check("-O0", "standard_library.cu")

    def test_step(self):
        # An address where the program's functions and tilesim's meet: the report is made in the program.
        out, _ = self.run_it(0, TOOL, "step", "--batch", "--races", "--ex=run", "--ex=continue", "standard_library.cu", "main.cu")
        self.assertEqual(len(re.findall(r": error: ", out)), 1, out)
        self.assertIn(f"main.cu:{MARKS['load']}: error: ", out)
        self.assertIn("the program has ended with status 0", out)

    def test_trace(self):
        kept = self.folder / "t.json"
        _, report = self.run_it(102, TOOL, "trace", "--races", "-O0", "-o", kept, "standard_library.cu", "main.cu")
        self.only_the_race(report)
        findings = [e["name"] for e in json.loads(kept.read_text())["traceEvents"] if e.get("cat") == "finding"]
        self.assertEqual(findings, ["data-race"])

    def test_library(self):
        program = self.folder / "program"
        self.run_it(0, TOOL, "build", "--hooks", "-O0", "standard_library.cu", "main_library.cu", "-o", program,
                    f"-L{LIBRARIES}", "-ltilesim_check", f"-Wl,-rpath,{LIBRARIES}")
        _, report = self.run_it(1, program)
        self.only_the_race(report)


class Strings(Case):
    """The least that binds libstdc++ to a function of the program's, as it is usually compiled."""

    def test_check(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.env["CXX"] = compiler
                self.check("strings.cu")


@unittest.skipIf("address" in os.environ.get("TILESIM_SANITIZE", ""), "the address sanitizer has a malloc of its own")
class OwnAllocation(Case):
    """operator new and delete of the program's, and its malloc, of which the library makes use, too."""

    def test_check(self):
        for compiler in COMPILERS:
            for words in ([], ["-O0"], ["-DOWN_MALLOC"]):
                with self.subTest(f"{compiler} {words}"):
                    self.env["CXX"] = compiler
                    self.assertEqual(self.check("own_allocation.cu", *words).count(": counted\n"), 4)

    def test_step_and_trace(self):
        out, _ = self.run_it(0, TOOL, "step", "--batch", "--races", "--ex=run", "--ex=reverse-step", "--ex=step",
                             "--ex=continue", "own_allocation.cu", "main.cu", "-DOWN_MALLOC")
        self.assertEqual(set(re.findall(r"(\S+): error: ", out)), {f"main.cu:{MARKS['load']}"}, out)
        self.assertIn("the program has ended with status 0", out)
        _, report = self.run_it(102, TOOL, "trace", "--races", "-o", self.folder / "t.json", "own_allocation.cu", "main.cu")
        self.only_the_race(report)

    def test_library(self):
        program = self.folder / "program"
        self.run_it(0, TOOL, "build", "--hooks", "own_allocation.cu", "main_library.cu", "-o", program,
                    f"-L{LIBRARIES}", "-ltilesim_check", f"-Wl,-rpath,{LIBRARIES}")
        _, report = self.run_it(1, program)
        self.only_the_race(report)


class ManagedNew(Case):
    """operator new that calls the CUDA runtime: the program's objects are judged, what the library allocates by it is not."""

    def found(self, report):
        return [(int(m.group(2)), m.group(3)) for m in ERROR.finditer(report)]

    def test_run_and_check(self):
        for compiler in COMPILERS:
            for command in (["run"], ["check", "--schedules=2"]):
                for level in ("-O0", "-O2"):
                    with self.subTest(f"{compiler} {command[0]} {level}"):
                        self.env["CXX"] = compiler
                        out, report = self.run_it(0, TOOL, *command, "managed_new.cu", level)
                        self.assertEqual(set(out.splitlines()), {"sum 194"})
                        self.assertEqual(self.found(report), [])

    def test_races_are_the_programs(self):
        for level in ("-O0", "-O2"):
            _, report = self.run_it(1, TOOL, "check", "--schedules=1", "managed_new.cu", "-DRACY", level)
            self.assertEqual([kind for _, kind in self.found(report)], ["host-race"], report)
            self.assertRegex(report, rf"(?m)^  (?:in|called from) main \(managed_new.cu:{MARKS_OF_NEW['read']}")
            self.assertIn("of managed memory, allocated at", report)

    def test_leaks_are_the_programs(self):
        _, report = self.run_it(1, TOOL, "check", "--leaks", "--schedules=1", "managed_new.cu", "-DLEAK")
        self.assertEqual([kind for _, kind in self.found(report)], ["leak"], report)
        self.assertRegex(report, rf"main \(managed_new.cu:{MARKS_OF_NEW['left']}")

    def test_step_and_trace(self):
        out, _ = self.run_it(0, TOOL, "step", "--batch", "--races", "--ex=run", "--ex=reverse-step", "--ex=reverse-step",
                             "--ex=continue", "managed_new.cu")
        self.assertNotIn(": error: ", out)
        self.assertIn("the program has ended with status 0", out)
        out, report = self.run_it(0, TOOL, "trace", "--races", "-o", self.folder / "t.json", "managed_new.cu")
        self.assertEqual(self.found(report), [])
        self.assertEqual(out, "sum 194\n")


class References(Case):
    """Functions of which there is a version without hooks: the same results, and nothing is lost."""

    READ = next(n for n, line in enumerate((HERE / "references.cu").read_text().splitlines(), 1) if "// @read" in line)

    def errors(self, code, *words):
        out, report = self.run_it(code, TOOL, "check", "--schedules=1", "references.cu", *words)
        return out, [(int(m.group(2)), m.group(3)) for m in ERROR.finditer(report)]

    def each_compiler(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.env["CXX"] = compiler
                yield compiler

    def test_results(self):
        for compiler in self.each_compiler():
            for level in ("-O0", "-O2", "-O3") if compiler == "g++" else ("-O2",):
                with self.subTest(level):
                    expected, _ = self.run_it(0, TOOL, "run", "references.cu", level)
                    self.assertEqual(self.errors(0, level), (expected, []))

    def test_judged_where_there_is_something_to_judge(self):
        for _ in self.each_compiler():
            self.assertEqual(self.errors(1, "-DON_MANAGED")[1], [(self.READ, "host-race")])

    def test_faults_have_their_place(self):
        for _ in self.each_compiler():
            self.assertEqual([line for line, _ in self.errors(1, "-DON_DEVICE")[1]], [self.READ])

    # With clang++, functions that clean up behind an exception have one version.
    TWO = {"g++": ("_Z3sumPKfi", "_Z8multiplyIfE", "_ZL7productPKfi"), "clang++": ("_Z3sumPKfi", "_ZL7productPKfi")}

    @unittest.skipUnless(os.uname().machine == "x86_64", "two versions are written for x86-64")
    def test_there_are_two(self):
        made = self.folder / "made.o"
        for compiler in COMPILERS:
            self.env["CXX"] = compiler
            self.run_it(0, TOOL, "build", "--hooks", "-c", "references.cu", "-o", made)
            out, _ = self.run_it(0, "objdump", "-dr", made)
            for name in self.TWO[compiler]:
                with self.subTest(f"{compiler} {name}"):
                    begin = re.search(rf"<{name}[^>]*>:\n(.*\n){{1,3}}", out).group(0)
                    self.assertIn("tilesim_hooks_reasons", begin)
                    self.assertNotIn("call", begin)

    @unittest.skipUnless(os.uname().machine == "x86_64", "two versions are written for x86-64")
    def test_what_stays_hooked_looks_before_it_calls(self):
        made = self.folder / "made.o"
        for compiler in COMPILERS:
            for level in ("-O0", "-O2"):
                with self.subTest(f"{compiler} {level}"):
                    self.env["CXX"] = compiler
                    self.run_it(0, TOOL, "build", "--hooks", "-c", level, "references.cu", "-o", made)
                    out, _ = self.run_it(0, "objdump", "-dr", "--no-show-raw-insn", made)
                    main = re.search(r"(?m)^[0-9a-f]+ <main>:\n((?:.+\n)*)", out).group(1)
                    calls = re.findall(r"((?:.*\n){3}).*call.*\n.*R_X86_64_\w+\ttilesim_hook___tsan_(?:read|write)\d", main)
                    self.assertGreater(len(calls), 5, main)
                    for before in calls:
                        self.assertRegex(before, r"tilesim_hooks_reasons.*\n.*cmpl +\$0x0,\(%r11\)\n.*\bje\b")


class FloatingModes(Case):
    """How host code and one thread of a kernel round is nobody else's business."""

    def test_results(self):
        for compiler in COMPILERS:
            for words in (["run"], ["run", "--hooks", "--schedule=random"], ["check", "--schedules=4"]):
                for level in ("-O0", "-O2"):
                    with self.subTest(f"{compiler} {words} {level}"):
                        self.env["CXX"] = compiler
                        out, _ = self.run_it(0, TOOL, *words, "--no-ub", "floating_modes.cu", level)
                        self.assertEqual(set(out.splitlines()) - {""}, {"0 wrong"})


class Signals(Case):
    """Handlers that arrive while kernels run: what they access is not the block's, and what the block does is judged."""

    MARKS = marks("signals.cu")

    def findings(self, code, *words):
        out, report = self.run_it(code, TOOL, *words)
        return out, [(int(m.group(2)), m.group(3)) for m in ERROR.finditer(report)], report

    def test_nothing_of_a_handler_is_told(self):
        for compiler in COMPILERS:
            for how in ("back", "signal", "sigaction", "siginfo", "stack", "within"):
                with self.subTest(f"{compiler} {how}"):
                    self.env["CXX"] = compiler
                    out, found, _ = self.findings(0, "check", "--schedules=2", "signals.cu", "--", how)
                    self.assertEqual((out, found), ("fine\n", []))

    def test_races_of_blocks_are(self):
        for compiler in COMPILERS:
            for level in ("-O0", "-O2"):
                with self.subTest(f"{compiler} {level}"):
                    self.env["CXX"] = compiler
                    out, found, _ = self.findings(1, "check", "--schedules=2", "signals.cu", "-DRACY", level, "--", "signal")
                    self.assertEqual((out, set(found)), ("fine\n", {(self.MARKS["race"], "data-race")}))

    def test_ends_of_the_program(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.env["CXX"] = compiler
                self.assertEqual(self.findings(0, "check", "--schedules=1", "signals.cu", "--", "leaves")[1], [])
                _, found, report = self.findings(1, "check", "--schedules=1", "signals.cu", "--", "out")
                self.assertEqual(found, [(self.MARKS["out"], "wrong-context")])
                self.assertIn("error: a signal handler jumps out of the kernel that it has interrupted", report)
                self.assertIn("\n  by tile block (1,0,0) of work\n", report)

    def test_a_watchdog_is_not_the_kernels(self):
        for how, status, said in (("_exit", 3, "with status 3"), ("exit", 4, "with status 4"), ("abort", -6, "by SIGABRT"), ("raise", -14, "by SIGALRM")):
            for words in (("run",), ("run", "--hooks")):
                with self.subTest(f"{words} {how}"):
                    self.assertEqual(self.findings(status, *words, "watchdog.cu", "--", how)[1], [])
            with self.subTest(f"check {how}"):
                _, found, report = self.findings(66, "check", "--schedules=1", "watchdog.cu", "--", how)
                self.assertEqual(found, [])
                self.assertIn(f"the program ended {said} under round-robin", report)

    def test_no_turn_ends_in_one(self):
        for words in ([], ["-O1"]):
            self.assertEqual(self.findings(0, "run", "signals.cu", *words, "--", "long")[:2], ("fine\n", []))

    def test_run_step_and_trace(self):
        out, found, _ = self.findings(0, "run", "--hooks", "signals.cu", "--", "siginfo")
        self.assertEqual((out, found), ("fine\n", []))
        out, found, _ = self.findings(0, "trace", "--races", "-o", self.folder / "t.json", "signals.cu", "--", "stack")
        self.assertEqual((out, found), ("fine\n", []))
        out, _ = self.run_it(0, TOOL, "step", "--batch", "--races", "--ex=run", "signals.cu", "--", "signal")
        self.assertNotIn(": error: ", out)
        self.assertIn("the program has ended with status 0", out)


class Variables(Case):
    """Variables of the program: which of them are the host's alone, and races for those that kernels share, by both compilers."""

    MANAGED = """#include "cuda_tile.h"
__managed__ int shared[4];
__tile_global__ void set() { cuda::tiles::store(&shared[0], 1); }
int main() {
  set<<<1, 1>>>();
  const int now = shared[0];
  cudaDeviceSynchronize();
  return now == 2;
}
"""

    def test_of_the_host(self):
        program = HERE.parent / "bad_input" / "host_variable.cu"
        for compiler in COMPILERS:
            self.env["CXX"] = compiler
            for which in (0, 2, 4, 5, 7):  # of a namespace, a class, its function, a function, a local class's function
                with self.subTest(f"{compiler} {which}"):
                    _, report = self.run_it(101, TOOL, "run", program, "-O0", f"-DWHICH={which}")
                    self.assertIn("[host-memory]", report)
            for level in ("-O0", "-O2"):
                out, _ = self.run_it(0, TOOL, "run", program, level, "-DDEVICE")
                self.assertEqual(out, "3 4 5 6 7 8\n")

    def test_managed(self):
        program = self.folder / "managed.cu"
        program.write_text(self.MANAGED)
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.env["CXX"] = compiler
                _, report = self.run_it(1, TOOL, "check", "--schedules=1", program)
                self.assertIn("[host-race]", report)
                self.assertIn("both are at shared[0], a variable of the program", report)

    def test_parts_of_managed(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.env["CXX"] = compiler
                _, report = self.run_it(1, TOOL, "check", "--schedules=1", HERE / "managed_parts.cu")
                for part in ("app::turns[1].next[1]", "table[1][2]", "table[0][0]", "narrow[3]"):
                    self.assertIn(f"both are at {part}, a variable of the program", report)

    def test_of_one_letter(self):
        # Each of which stands for a type where names are mangled.
        program = self.folder / "letter.cu"
        for name in ("m", "d", "i"):
            program.write_text(self.MANAGED.replace("shared", name))
            _, report = self.run_it(1, TOOL, "check", "--schedules=1", program)
            self.assertIn(f"both are at {name}[0], a variable of the program", report)


class Symbols(Case):
    """The libraries show names of their own alone."""

    def test_exports(self):
        own = re.compile(r"tilesim_((hooks?|driver|host|recording|fast)_|rsqrtf?$)|cuda[A-Z]|__assert_fail$|__wrap_|_ZN?K?T?[A-Z]*N?K?7tilesim|_ZT[A-Z]N7tilesim"
                         r"|(fmax|fmin|cospi|sinpi|sincospi|cyl_bessel_i[01]|erfcinv|erfcx|erfinv|r?norm|normcdf(inv)?)f?$"
                         r"|(open(at)?|creat|fopen|freopen|truncate|mkstemp)(64)?$|__open(64)?_2$|shm_open$|mkostemp$|mkdtemp$"
                         r"|(mkdir|rmdir|unlink|unlinkat|remove|rename|renameat|link|symlink|mkfifo|socket)$"
                         r"|(system|popen|fork|posix_spawnp?)$"  # what reaches outside: sim/process/outside.cpp
                         r"|(exit|quick_exit|_exit|_Exit|pthread_(create|exit|kill)|raise|kill)$")  # what ends a program: sim/access/ending.cpp
        for library in ("libtilesim.so", "libtilesim_check.so"):
            out, _ = self.run_it(0, "nm", "-D", "--defined-only", LIBRARIES / library)
            names = [line.split()[2] for line in out.splitlines()]
            self.assertGreater(len(names), 5)
            self.assertEqual([n for n in names if not own.match(n)], [])


if __name__ == "__main__":
    unittest.main()
