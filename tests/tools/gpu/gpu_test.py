#!/usr/bin/env python3
"""`tilesim gpu`: programs with a recorder, built by NVIDIA's compiler; here they meet no device.

  TILESIM_TOOL=$PWD/build/dev/bin/tilesim gpu_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ.get("TILESIM_TOOL", "")
ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "tests/tools/diff/programs/three.cu"


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim-gpu-"))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)

    def run_it(self, *words, code=0, env=None):
        result = subprocess.run([*map(str, words)], cwd=self.kept, text=True, capture_output=True, timeout=300,
                                env=dict(os.environ, **(env or {})))
        self.assertEqual(result.returncode, code, f"{words}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}")
        return result

    def tool(self, *words, **more):
        return self.run_it(TOOL, *words, **more)


class Usage(Case):
    def refused(self, code, expected, *words, env=None):
        self.assertIn(expected, self.tool("gpu", *words, code=code, env=env).stderr)

    def test_help(self):
        self.assertIn("actions:", self.tool("gpu", "--help").stdout)
        self.assertIn("examples:", self.tool("gpu", "build", "--help").stdout)

    def test_command_lines(self):
        self.refused(64, "'gpu' needs an action")
        self.refused(64, "'bild' is no action of 'gpu'", "bild")
        self.refused(64, "no source file; write 'tilesim gpu build FILE.cu -o PROG'", "build", "-o", "p")
        self.refused(64, "-o is required", "build", PROGRAM)
        self.refused(64, "is the program's source, which would be overwritten", "build", PROGRAM, "-o", PROGRAM)

    def test_numbers_of_runs(self):
        for number in ("0", "x", "-3", "1000000"):
            self.refused(64, f"--runs: takes a whole number from 1 to 100000, not '{number}'", "build", PROGRAM, "-o", "p", "--runs", number)

    def test_compilers_that_are_none(self):
        none = {"TILESIM_NVCC": "", "TILESIM_CACHE": str(self.kept / "cache"), "CUDA_HOME": "", "PATH": "/usr/bin:/bin"}
        if shutil.which("nvcc", path="/usr/bin:/bin") is None:
            self.refused(69, "NVIDIA's compiler is not installed; run 'tilesim toolchain install'", "build", PROGRAM, "-o", "p",
                         env=none)
            for home in ("/nonexistent", str(self.kept)):  # no such folder; no compiler in it
                self.refused(69, f"CUDA_HOME is '{home}', and {home}/bin/nvcc is no program; NVIDIA's compiler is not installed", "build",
                             PROGRAM, "-o", "p", env=dict(none, CUDA_HOME=home))
        old = self.kept / "nvcc"
        old.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 12.4, V12.4.131'\n")
        old.chmod(0o755)
        self.refused(69, "nvcc is of version 12.4.131, and tile kernels need 13.1 or newer", "build", PROGRAM, "-o", "p",
                     env={"TILESIM_NVCC": str(old)})
        # From PATH, and it is said that it is not the one that was named.
        said = f"tilesim: note: CUDA_HOME is '/nonexistent', and /nonexistent/bin/nvcc is no program; {old} is taken, from PATH\n"
        self.refused(69, said, "build", PROGRAM, "-o", "p", env=dict(none, CUDA_HOME="/nonexistent", PATH=f"{self.kept}:/usr/bin:/bin"))


class Show(Case):
    LINES = """machine NVIDIA H200
memory 1 device 7f0000000000 1024
memory 2 managed 7f0000001000 64
wrote 1 0 00010203
before 2 0 0000
launch _Z5twicePfPKf 4 1 1 1 1 1
after 1 0 0011
after 1 2 2233
after 2 8 44
observed 0 0
error cudaFree 1 cudaErrorInvalidValue
freed 1
printed a line
end 3
"""

    def show(self, lines, *options):
        subprocess.run([os.environ["TILESIM_MAKE_RECORDING"], self.kept / "x.rec"], input=lines, text=True, check=True)
        return self.tool("gpu", "show", "x.rec", *options).stdout

    def test_every_event_is_a_line(self):
        self.assertEqual(self.show(self.LINES), """a of a.cu, compiled by nvcc 13.4.92 -fmad=false
NVIDIA H200, compute capability 9.0, driver 580, CUDA runtime 13.4
  memory 1: 1024 bytes, device, at 0x7f0000000000
  memory 2: 64 bytes, managed, at 0x7f0000001000
  cudaMemcpy writes memory 1, bytes 0 to 4
    found before: memory 2, bytes 0 to 2
  launch 1: twice(float*, float const*), grid (4,1,1), block (1,1,1), stream 0
    changed: memory 1, bytes 0 to 4
    changed: memory 2, bytes 8 to 9
  cudaFree returns cudaErrorInvalidValue
  memory 1 is freed
  printed: a line
  ends with status 3
complete: 1 launch, 7 bytes of memory recorded
""")

    def test_one_of_a_program_that_was_killed(self):
        self.assertIn("not complete: the program was killed: 1 launch", self.show(self.LINES + "killed\n"))

    def test_as_data(self):
        data = json.loads(self.show(self.LINES, "--json"))
        self.assertTrue(data["complete"])
        self.assertEqual([e["event"] for e in data["events"]],
                         ["machine", "memory", "memory", "host write", "content", "launch", "content", "content", "content",
                          "observed", "error", "freed", "printed", "end"])
        self.assertEqual(data["events"][5]["kernel"], "twice(float*, float const*)")

    SUMS = "sums tilesim-sums 1|file k.cu|kernel _Z1kPf|sum 0 f32 fused 0,8:15,8:17|sum 0 f32 apart 0,9:3 0,20:0|sum 0 f64 open scalar 0,4:0|\n"

    def test_sums_that_are_fused(self):
        lines = self.LINES.replace("memory 1", self.SUMS + "memory 1", 1)
        self.assertIn("contraction: 1 of 3 sums are fused with a product; of 1 it is not known\n", self.show(lines))
        self.assertEqual(self.show(lines, "--sums"), "k.cu:8:15: f32, fused with a product, in k(float*)\n"
                         "k.cu:9:3: f32, apart, called at k.cu:20, in k(float*)\nk.cu:4: f64, of several, some fused, in k(float*)\n")
        self.assertIn({"event": "sums", "bytes": len(self.SUMS) - 6}, json.loads(self.show(lines, "--json"))["events"])
        self.assertEqual(self.show(self.LINES, "--sums"), "contraction: the recording says nothing of it\n")
        subprocess.run([os.environ["TILESIM_MAKE_RECORDING"], self.kept / "x.rec"], input=lines.replace("fused", "molten"), text=True,
                       check=True)
        for words in (("gpu", "show", "x.rec"), ("diff", PROGRAM, "--against", "x.rec")):
            self.assertIn("x.rec: error: the table of sums, line 4: no such way to add; record the program anew",
                          self.tool(*words, code=65).stderr)

    LINED = """machine NVIDIA H200
lines tilesim-lines 1|file three.cu|function main|function _Z5twicePfPKf|code 100 200 0,1,7|code 200 300 0,0,42
run 0
memory 1 device 7f0000000000 1024
launch _Z5twicePfPKf 4 1 1 1 1 1 at 50 108 208
after 1 0 0011223344556677
observed 0 0
end 0
machine NVIDIA H200
run 1
memory 1 device 7f0000000000 1024
launch _Z5twicePfPKf 4 1 1 1 1 1 at 50 108 208
same 1 0 0011223344556677
observed 0 0
end 0
"""

    def test_lines_and_runs(self):
        text = self.show(self.LINED)
        self.assertIn("grid (4,1,1), block (1,1,1), stream 0, three.cu:42\n", text)
        self.assertIn("run 1\n", text)
        self.assertIn("run 2\n", text)
        self.assertIn("    changed: memory 1, bytes 0 to 8, as in run 1\n", text)
        events = json.loads(self.show(self.LINED, "--json"))["events"]
        self.assertEqual([e["at"] for e in events if e["event"] == "launch"], ["three.cu:42"] * 2)
        pages = [e for e in events if e["event"] == "pages"]
        self.assertEqual((len(pages), pages[0]["when"], pages[0]["bytes"], len(pages[0]["hashes"])), (1, "after", 8, 1))

    def test_two_recordings_name_the_line_and_compare_first_runs(self):
        self.show(self.LINED)
        (self.kept / "x.rec").rename(self.kept / "y.rec")
        self.show(self.LINED)
        self.assertIn("agrees: 1 of 1 launch compared", self.tool("diff", "x.rec", "y.rec").stdout)
        self.show(self.LINED.replace("after 1 0 0011", "after 1 0 0012"))
        self.assertIn("three.cu:42: error: launch 1 (twice): the results differ", self.tool("diff", "x.rec", "y.rec", code=1).stdout)

    def test_names_of_any_bytes(self):
        text = self.show("machine X\x1b[2J\nlaunch k\x1b[2J 1 1 1 1 1 1\nerror f\x1b[2J 1 e\nend 0\n")
        self.assertNotIn("\x1b", text)
        self.assertIn("X\\x1b[2J, compute capability", text)

    def test_what_is_none(self):
        self.assertIn("'gpu show' takes one recording, not 0", self.tool("gpu", "show", code=64).stderr)
        self.assertIn("x.rec: No such file or directory", self.tool("gpu", "show", "x.rec", code=64).stderr)
        self.assertIn(".: Is a directory", self.tool("gpu", "show", ".", code=64).stderr)
        (self.kept / "x.rec").write_text("no")
        self.assertIn("x.rec: error: this is no recording", self.tool("gpu", "show", "x.rec", code=65).stderr)


class Native(Case):
    def built(self, source, *flags):
        self.tool("gpu", "build", "-fmad=false", source, "-o", "prog", *flags)
        return self.kept / "prog"

    def test_a_program_that_finds_no_device_leaves_a_recording(self):
        if shutil.which("nvidia-smi"):
            self.skipTest("there is a device")
        program = self.built(PROGRAM)
        self.assertEqual(self.run_it(program).stdout, "1 255\n")
        shown = self.tool("gpu", "show", "prog.rec").stdout
        self.assertRegex(shown, r"compiled by nvcc \d+\.\d+\S* -fmad=false\n")
        self.assertIn("printed: 1 255\n", shown)
        self.assertIn("ends with status 0\n", shown)
        told = self.tool("diff", PROGRAM, "--against", "prog.rec", code=3).stderr
        self.assertRegex(told, r"prog\.rec: no kernel ran there: cudaMalloc returned cudaError\w+ \(")

    def test_lines_of_calls_and_several_runs(self):
        if shutil.which("nvidia-smi"):
            self.skipTest("there is a device")
        for flags in ((), ("-O3",), ("-std=c++20", "-g")):
            program = self.built(PROGRAM, "--runs", "3", *flags)
            self.assertEqual(self.run_it(program).stdout, "1 255\n" * 3)
            data = json.loads(self.tool("gpu", "show", "prog.rec", "--json").stdout)
            self.assertEqual([e["number"] for e in data["events"] if e["event"] == "run"], [0, 1, 2])
            self.assertTrue(any(e["event"] == "lines" for e in data["events"]))
            self.run_it(program, env={"TILESIM_RECORD_RUNS": "1"})
            data = json.loads(self.tool("gpu", "show", "prog.rec", "--json").stdout)
            self.assertEqual([e["number"] for e in data["events"] if e["event"] == "run"], [0])

    def test_another_place_and_one_that_cannot_be_written(self):
        program = self.built(PROGRAM)
        self.run_it(program, env={"TILESIM_RECORD": "other.rec"})
        self.assertTrue((self.kept / "other.rec").exists())
        said = self.run_it(program, env={"TILESIM_RECORD": "/nonexistent/x.rec"})
        self.assertEqual(said.stdout, "1 255\n")
        self.assertIn("tilesim: error: /nonexistent/x.rec: No such file or directory; set TILESIM_RECORD", said.stderr)
        self.assertEqual(said.stderr.count("/nonexistent/x.rec"), 2)

    def test_output_is_passed_on_whole_and_kept(self):
        source = self.kept / "prints.cu"
        source.write_text('#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\nint main(int n, char**) {\n'
                          '  for (int i = 0; i < 50000; ++i) printf("line %d\\n", i);\n  fflush(stdout);\n'
                          '  if (n > 1) abort();\n  return 3;\n}\n')
        program = self.built(source)
        expected = "".join(f"line {i}\n" for i in range(50000))
        self.assertEqual(self.run_it(program, code=3).stdout, expected)
        self.assertEqual(self.run_it(program, "x", code=-6).stdout, expected)

    def test_what_does_not_compile(self):
        source = self.kept / "bad.cu"
        source.write_text("int main() { return x; }\n")
        self.assertIn('identifier "x" is undefined', self.tool("gpu", "build", source, "-o", "p", code=65).stderr)

    def test_every_function_that_is_wrapped_is_defined(self):
        names = set(re.findall(r"TILESIM_WRAPPED\((\w+)\)", (ROOT / "gpu_backend/recorder/wraps.def").read_text()))
        symbols = self.run_it("nm", self.built(PROGRAM)).stdout
        # The linker has found them all; what is defined and stands in no list would never be called.
        defined = set(re.findall(r" T __wrap_(\w+)", symbols))
        self.assertEqual(names, defined)
        self.assertGreater(len(names), 40)


if __name__ == "__main__":
    if "Native" in sys.argv and subprocess.run([TOOL, "toolchain", "path"], capture_output=True).returncode != 0 \
            and not os.environ.get("TILESIM_NVCC"):
        print("skipped: NVIDIA's compiler is not installed")
        sys.exit(77)
    unittest.main()
