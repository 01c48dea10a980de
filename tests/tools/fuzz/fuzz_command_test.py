#!/usr/bin/env python3
"""`tilesim fuzz`: what it writes compiles, runs without a finding, and says the same everywhere.

  TILESIM_TOOL=$PWD/build/dev/bin/tilesim fuzz_command_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import collections
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = os.environ.get("TILESIM_TOOL", "")
CLANG = shutil.which("clang++") or shutil.which("clang++-14")


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim-fuzz-"))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)

    def tool(self, *words, code=0, env=None):
        result = subprocess.run([TOOL, *map(str, words)], cwd=self.kept, text=True, capture_output=True, timeout=900,
                                env=dict(os.environ, **(env or {})))
        self.assertEqual(result.returncode, code, f"{words}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}")
        return result

    def source(self, *words):
        return self.tool("fuzz", *words).stdout


class Programs(Case):
    """Several programs in one source: most of what a program costs is the headers."""

    def run_all(self, seed, count, *options):
        self.tool("fuzz", "--seed", seed, "--count", count, "--per-file", count, "-o", ".", *options)
        source = f"fuzz-{seed}.cu"
        result = self.tool("run", "--races", "--notes", "-O0", source)
        self.assertEqual(result.stderr, "")
        ran = {line.split()[0] for line in result.stdout.splitlines()}
        self.assertEqual(ran, {str(s) for s in range(seed, seed + count)})
        return source, result.stdout

    def test_are_well_defined(self):
        _, told = self.run_all(0, 6)
        self.assertRegex(told, r"(?m)^0 out\d+ [0-9a-f]{16} ")

    def test_approximate_ones_too(self):
        self.run_all(40, 3, "--approximate")

    def test_other_schedules_and_other_unspecified_values_give_the_same(self):
        source, told = self.run_all(20, 3)
        for options in (["--schedule", "random", "--seed", 5], ["--schedule", "bursts", "--seed", 6, "--order", "random"]):
            self.assertEqual(self.tool("run", "-O0", *options, source).stdout, told, options)

    @unittest.skipIf(os.environ.get("TILESIM_SANITIZE"), "a sanitized library runs with its own compiler alone")
    def test_both_compilers_give_the_same(self):
        if CLANG is None:
            self.skipTest("no clang++ is installed")
        source, told = self.run_all(30, 3)
        self.assertEqual(self.tool("run", "-O2", source, env={"CXX": CLANG}).stdout, told)


class Many(Case):
    """The same, of more programs than a person waits for."""

    def test_many(self):
        for seed in range(1000, 1400, 20):
            with self.subTest(seed):
                Programs.run_all(self, seed, 20)


class Native(Case):
    def test_nvidias_compiler_takes_them(self):
        if "TILESIM_NVCC" not in os.environ and subprocess.run([TOOL, "toolchain", "path"], capture_output=True).returncode != 0:
            print("skipped: NVIDIA's compiler is not installed: tilesim toolchain install")
            sys.stdout.flush()
            os._exit(77)
        self.tool("fuzz", "--seed", 60, "--count", 10, "--per-file", 10, "-o", ".")
        self.tool("lint", "fuzz-60.cu")


    def test_many_in_one_program_for_a_gpu(self):
        told = self.tool("fuzz", "--seed", 60, "--count", 4, "--per-file", 2, "--operations", 6, "--gpu-build", "prog").stdout
        self.assertIn("4 programs", told)
        # Of one that is not in it, no GPU is asked.
        alone = subprocess.run([self.kept / "prog", "--only", "64"], text=True, capture_output=True)
        self.assertEqual((alone.returncode, alone.stderr), (64, "64 is not among the 4 programs\n"))

    def test_all_smaller_ones_for_a_gpu(self):
        told = self.tool("fuzz", "--minimise", 3, "--operations", 1, "--gpu-build", "prog").stdout
        self.assertGreater(int(told.split()[0]), 3)


VERSION = 5  # of the generator


class Against(Case):
    """A GPU's log: made by hand of what the programs print here."""

    def log(self, *seeds, generator=VERSION, words="--operations 6", end="end\n"):
        text = f"tilesim fuzz log\ngenerator {generator} {words}\ncompiler nvcc 13.4.92\nflags -fmad=false\ndevice by hand sm_90\n"
        for seed in seeds:
            self.tool("fuzz", "--seed", seed, *words.split(), "-o", ".")
            told = self.tool("run", "-O0", "--arith", "hardware", f"fuzz-{seed}.cu").stdout
            self.assertRegex(told, rf"(?m)^{re.escape(str(seed))} out")
            text += f"== {seed}\n{told}-- {seed}\n"
        return text + end

    def against(self, text, code, *options):
        (self.kept / "gpu.log").write_text(text)
        return self.tool("fuzz", "--against", "gpu.log", *options, code=code)

    def test_the_same(self):
        text = self.log(7, 8, "9.1")
        told = self.against(text, 0).stdout
        self.assertIn("device by hand sm_90", told)
        self.assertIn("3 programs compared, 0 differ\n", told)

    def test_the_sign_of_what_is_no_number_is_open(self):
        text = self.log(7)
        line = re.search(r"(?m)^7 out\d+ [0-9a-f]{16}.*$", text)[0]
        changed = text.replace(line, " ".join(line.split()[:3]) + " -nan")
        self.assertIn("  there: ", self.against(changed, 1).stdout) # it is a number here
        # 0 has some; a GPU, which folds a division by a constant zero, may print the other sign.
        text = self.log(0, words="")
        self.assertIn(" nan nan", text)
        self.against(text.replace(" nan", " -nan"), 0)

    def test_another_value_is_told_with_both(self):
        text = self.log(7, 8)
        was = re.search(r"(?m)^8 out\d+ [0-9a-f]{16}.*$", text)[0]
        other = re.sub(r" [0-9a-f]{16}", " 0123456789abcdef", was)
        told = self.against(text.replace(was, other), 1).stdout
        self.assertIn(f"8: line 1 differs; tilesim fuzz --seed 8 --operations 6\n  there: {other}\n  here:  {was}\n", told)
        self.assertIn("2 programs compared, 1 differ\n", told)
        self.assertIn("the smallest of them: 8, ", told)

    def test_logs_of_older_generators_are_of_what_is_hunted_since(self):
        def body(seed, words):
            return self.source("--seed", seed, *words.split()).split("\n", 1)[1]
        before = "--operations 6"
        for version, hunted in ((4, " --hunt scalar --hunt narrow"), (3, " --hunt scalar --hunt narrow --hunt carry --hunt array")):
            words = "--operations 6" + hunted
            other = next(s for s in range(100) if body(s, words) != body(s, before))
            text = self.log(other, words=words)
            self.against(text, 0)
            self.against(text.replace(f"generator {VERSION} {words}", f"generator {version} --operations 6"), 0)
            before = words

    def test_what_is_hunted_comes_up_there_alone(self):
        def text(*words):
            return self.source("--seed", 0, "--count", 60, "--per-file", 60, *words)
        loaded = r"auto was = ct::atomic_load"
        self.assertRegex(text("--hunt", "scalar"), loaded)
        self.assertNotRegex(text(), loaded)

        def minima_of_16_bits(source):
            count = 0
            for kernel in source.split("__tile_global__")[1:]:
                short = set(re.findall(r"const auto (v\d+) = ct::full<ct::tile<(?:unsigned )?short, ", kernel))
                count += sum(a in short or b in short for a, b in re.findall(r"ct::(?:min|max)\((\w+), (\w+)\)", kernel))
            return count
        self.assertGreater(minima_of_16_bits(text("--hunt", "narrow")), 5)
        self.assertEqual(minima_of_16_bits(text()), 0)

    def test_an_error_and_a_missing_line_differ(self):
        text = self.log(7)
        self.assertIn("  there: error: out of memory\n",
                      self.against(re.sub(r"(?m)^7 out.*\n", "", text).replace("-- 7", "error: out of memory\n-- 7"), 1).stdout)
        lines = text.splitlines(keepends=True)
        del lines[-3]
        self.assertIn("  there: (nothing)\n", self.against("".join(lines), 1).stdout)

    def test_a_log_that_is_not_whole(self):
        text = self.log(7, end="")
        self.assertIn("has no line 'end'", self.against(text, 3).stdout)

    def test_refusals(self):
        good = f"tilesim fuzz log\ngenerator {VERSION}\n"
        for text, said in (
                ("7 out1 00\n", "gpu.log:1: error: a log of random programs begins with"),
                ("tilesim fuzz log\n", "gpu.log:2: error: the second line"),
                (good.replace("5", "2"), "gpu.log:2: error: its programs are of version 2 of the generator, and this one is of version 5"),
                (good.replace("5", "5 --fast"), "gpu.log:2: error: '--fast' is nothing"),
                (good + "noise\n", "gpu.log:3: error: 'noise' is no line of a log"),
                (good + "== 7\n7 out1 00\n", "the log is cut short"),
                (good + "== 7\n== 8\n", "gpu.log:4: error: a line '-- 7' is missing before it"),
                (good + "end\n== 8\n", "gpu.log:4: error: nothing may stand behind 'end'"),
                (good + "== x\n-- x\nend\n", "gpu.log:3: error: 'x' is no program's name"),
                (good + "== 7.9999\n-- 7.9999\nend\n", "gpu.log:3: error: there is no program 7.9999: 7 has")):
            told = self.against(text, 65).stderr
            self.assertTrue(told.startswith("gpu.log:"), told)
            self.assertIn(said, told)
            self.assertTrue(told.endswith("\n"), told)
        self.assertIn("none.log: no such file", self.tool("fuzz", "--against", "none.log", code=64).stderr)
        self.assertIn("--against does not go with --seed", self.tool("fuzz", "--against", "gpu.log", "--seed", 3, code=64).stderr)


class Minimise(Case):
    def minimise(self, seed, pattern, code=0):
        return self.tool("fuzz", "--minimise", seed, "--failing", f"grep -qE '{pattern}'", "-o", "small", code=code)

    def test_what_the_predicate_wants_stays_and_little_else(self):
        told = self.minimise(4, r"ct::partial_sum|ct::reduce_")
        self.assertRegex(told.stdout, r"^small/fuzz-4.cu: [1-6] statements\n")
        text = (self.kept / "small/fuzz-4.cu").read_text()
        self.assertRegex(text, r"ct::partial_sum|ct::reduce_")
        self.assertEqual(text.count("<<<1, 1>>>"), 1)
        # The label in its first line is the same program.
        label = re.match(r"// tilesim fuzz --seed ([\d.]+)\n", text)[1]
        again = self.source("--seed", label)
        self.assertEqual(re.findall(r"(?m)^  .*ct::.*$", again), re.findall(r"(?m)^  .*ct::.*$", text))
        # It is as well defined as what it was made of.
        self.assertEqual(self.tool("run", "--races", "--notes", "-O0", "small/fuzz-4.cu").stderr, "")

    def test_what_comes_out_does_not_depend_on_how_many_are_tried_at_a_time(self):
        texts = set()
        for jobs in (1, 5):
            self.tool("fuzz", "--minimise", 4, "--failing", "grep -qE 'ct::partial_sum|ct::reduce_'", "-o", "small", "--jobs", jobs)
            texts.add((self.kept / "small/fuzz-4.cu").read_text())
        self.assertEqual(len(texts), 1)

    def test_the_smallest_so_far_is_there_while_the_search_goes_on(self):
        # The command finds that it shows itself three times, and then asks for what never comes.
        (self.kept / "three.sh").write_text("#!/bin/sh\necho >> count\n[ $(wc -l < count) -le 3 ] || sleep 600\n")
        (self.kept / "three.sh").chmod(0o755)
        search = subprocess.Popen([TOOL, "fuzz", "--minimise", "4", "--failing", "./three.sh", "-o", "small", "--jobs", "1"],
                                  cwd=self.kept, start_new_session=True)
        try:
            count = self.kept / "count"
            end = time.monotonic() + 60
            while not (count.exists() and count.read_text().count("\n") == 4):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)
            label = re.match(r"// tilesim fuzz --seed (4[.]\d+[.]\d+)\n", (self.kept / "small/fuzz-4.cu").read_text())
            self.assertTrue(label)
        finally:
            os.killpg(search.pid, signal.SIGKILL)
            search.wait()

    def test_smaller_ones_are_well_defined(self):
        for label in ("21.0", "21.9.1", "22.30", "23.40.2"):
            with self.subTest(label):
                self.tool("fuzz", "--seed", label, "-o", ".")
                result = self.tool("run", "--races", "--notes", "-O0", f"fuzz-{label}.cu")
                self.assertEqual(result.stderr, "")
                self.assertTrue(all(line.startswith(label + " out") for line in result.stdout.splitlines()))

    def test_refusals(self):
        self.assertIn("the program 7 does not show it: 'grep -qE 'nowhere'' does not end with 0", self.minimise(7, "nowhere", code=1).stderr)
        self.assertIn("--failing needs --minimise", self.tool("fuzz", "--failing", "true", code=64).stderr)
        self.assertIn("--minimise does not go with --seed", self.tool("fuzz", "--minimise", 7, "--seed", 3, code=64).stderr)


# In place of NVIDIA's compiler: a program is known by its namespace and does what its seed stands for, or does not compile.
NVCC = r"""#!/usr/bin/env python3
import pathlib, re, subprocess, sys
words = sys.argv[1:]
if words == ["--version"]:
    sys.exit(print("Cuda compilation tools, release 13.4, V13.4.92"))
here = pathlib.Path(__file__).parent
made = words[words.index("-o") + 1]
if "-c" in words:
    seeds = re.findall(r"(?m)^namespace seed_(\d+) {$", pathlib.Path(words[words.index("-c") + 1]).read_text())
    if "14" in seeds:
        sys.exit("no tile for 14")
    does = {"11": 'std::printf("error: sticky\\n"); std::exit(1);', "12": "std::abort();", "16": "std::atexit(std::abort);"}
    text = "#include <cstdio>\n#include <cstdlib>\n"
    for s in seeds:
        text += f'namespace seed_{s} {{ void run() {{ std::printf("{s} out0\\n"); std::fflush(stdout); {does.get(s, "")} }} }}\n'
    (here / "part.cpp").write_text(text)
    sys.exit(subprocess.run(["c++", "-c", here / "part.cpp", "-o", made]).returncode)
objects = [w for w in words if w.endswith(".o")]
main = next(w for w in words if w.endswith("main.cu"))
sys.exit(subprocess.run(["c++", "-include", here / "cuda.h", "-x", "c++", main, "-x", "none", *objects, "-o", made]).returncode)
"""
CUDA = """
struct cudaDeviceProp { char name[9] = "none"; int major = 9, minor = 0; };
using cudaError_t = int;
inline cudaError_t cudaSuccess = 0;
inline cudaError_t cudaDriverGetVersion(int* p) { return *p = 13000, 0; }
inline cudaError_t cudaRuntimeGetVersion(int* p) { return *p = 13040, 0; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* d, int) { return *d = {}, 0; }
inline const char* cudaGetErrorString(cudaError_t) { return ""; }
"""


class Gpu(Case):
    """The GPU program's own part, without a GPU."""

    def test_what_fails_ends_nothing_else(self):
        compiler = self.kept / "nvcc"
        compiler.write_text(NVCC)
        compiler.chmod(0o755)
        (self.kept / "cuda.h").write_text(CUDA)
        built = self.tool("fuzz", "--seed", 10, "--count", 7, "--per-file", 4, "--jobs", 1, "--gpu-build", "prog", code=1,
                          env={"TILESIM_NVCC": str(compiler)})
        self.assertIn("6 programs;", built.stdout)
        self.assertIn("the program 14 does not compile (status 1):\nno tile for 14", built.stderr)
        ran = subprocess.run([self.kept / "prog"], text=True, capture_output=True)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stdout[ran.stdout.index("=="):],
                         "== 10\n10 out0\n-- 10\n"
                         "== 11\n11 out0\nerror: sticky\nerror: exit status 1\n-- 11\n"
                         "== 12\n12 out0\nerror: ended by signal 6\n-- 12\n"
                         "== 13\n13 out0\n-- 13\n== 15\n15 out0\n-- 15\n== 16\n16 out0\n-- 16\nend\n")
        self.assertIn("behind 16 the process ended", ran.stderr)
        self.assertIn("6 programs ran, 3 with an error", ran.stderr)
        self.assertTrue(ran.stdout.startswith(f"tilesim fuzz log\ngenerator {VERSION}\ncompiler nvcc 13.4.92\nflags --enable-tile "))
        alone = subprocess.run([self.kept / "prog", "--only", "13"], text=True, capture_output=True)
        self.assertEqual((alone.returncode, re.findall("== .*", alone.stdout)), (0, ["== 13"]))


class Text(Case):
    def test_a_seed_is_a_program(self):
        self.assertEqual(self.source("--seed", 7), self.source("--seed", 7))
        self.assertNotEqual(self.source("--seed", 7), self.source("--seed", 8))
        self.assertTrue(self.source("--seed", 7).startswith("// tilesim fuzz --seed 7\n"))
        self.assertTrue(self.source("--seed", 7, "--operations", 3, "--approximate")
                        .startswith("// tilesim fuzz --seed 7 --operations 3 --approximate\n"))

    def test_it_is_the_same_on_every_machine_and_by_every_compiler(self):
        def text(*words):
            return hashlib.sha256(self.source(*words).encode()).hexdigest()[:16]
        # Anew only with a change of the generator: then a seed is another program.
        self.assertEqual(text("--seed", 7), "bb48577475186fad")
        self.assertEqual(text("--seed", 8, "--approximate"), "af0f25c8b5295436")
        self.assertEqual(text("--seed", 41320), "855a03c3501e8788")

    def test_conversions_know_that_floats_round(self):
        # Of generator 1 these two took 65536, which 65535 is in bfloat16, for an unsigned short; now they are two more programs.
        for seed in (202769, 301191):
            self.tool("fuzz", "--seed", seed, "-o", ".")
            self.assertEqual(self.tool("run", "-O0", f"fuzz-{seed}.cu").stderr, "")

    def test_a_program_does_not_depend_on_its_neighbours(self):
        together = self.source("--seed", 7, "--count", 2, "--per-file", 2)
        alone = self.source("--seed", 8)
        part = alone[alone.index("namespace seed_8"):alone.index("\nint main")]
        self.assertIn(part, together)

    def test_the_whole_api_comes_up(self):
        text = "".join(self.source("--seed", 100 * n, "--count", 100, "--per-file", 100) for n in range(3))
        count = collections.Counter(re.findall(r"ct::(\w+)", text))
        for name in ("load", "load_masked", "store", "partition_view", "atomic_add", "atomic_xor", "select", "fma", "sqrt", "floor",
                     "element_cast", "reshape", "transpose", "permute", "broadcast", "cat", "extract", "sum", "reduce_max",
                     "max_element", "partial_sum", "all_of", "mma", "floordiv", "ceildiv", "isnan", "propagate_nan_t",
                     "strided_view", "gather_scatter_view", "layout_left", "layout_strided_mapping", "layout_right_padded_mapping",
                     "layout_left_padded_mapping", "atomic_compare_exchange", "atomic_xchg", "atomic_load", "atomic_store",
                     "store_masked", "assume_bounded", "assume_divisible", "assume_aligned", "assume_blocked",
                     "irange", "num_blocks", "matmul", "mulhi", "element_bitcast", "prod", "partial_prod", "view_padding"):
            self.assertGreater(count[name], 5, name)
        for words in (".store(", ".store_masked(", ".load(", ".load_masked<", ".atomic_add(", ".atomic_store<", ".atomic_load_masked<",
                      "thread_scope::block", "thread_scope::system", "printf(", "switch (", "do {", "continue;", "break;", "return;",
                      "[&](auto x)", "__nv_tf32", " && ", "ct::extents{ct::integral_constant<"):
            self.assertGreater(text.count(words), 5, words)
        self.assertGreater(len(re.findall(r"atomic_(?:add|sub|max|min|and|or|xor)_masked<", text)), 2)
        for type_name in ("signed char", "unsigned short", "long long", "__half", "__nv_bfloat16", "double"):
            self.assertIn(f"ct::tile<{type_name},", text)
        for words in ("for (int i", "if (block % 2", "cudaStreamCreate", "%", "<<", ">>", "~"):
            self.assertIn(words, text)

    def test_a_known_fault_comes_up_where_it_is_hunted_alone(self):
        hunted = self.source("--seed", 5, "--hunt", "reload")
        self.assertTrue(hunted.startswith("// tilesim fuzz --seed 5 --hunt reload\n"))
        pattern = r"const auto (v\d+) = ct::load\((.*)\);\n  ct::store\(\2, \1 \+ .*\n  const auto v\d+ = ct::broadcast<.*>\(\1\);"
        self.assertRegex(hunted, pattern)
        self.tool("fuzz", "--seed", 5, "--hunt", "reload", "-o", ".")
        self.assertEqual(self.tool("run", "--races", "-O0", "fuzz-5.cu").stderr, "")
        for kernel in self.source("--seed", 0, "--count", 100, "--per-file", 100).split("__tile_global__")[1:]:
            loaded = re.findall(r"ct::load(?:_masked)?\((\w+) \+", kernel)
            for at, text in enumerate(kernel.splitlines()):
                if (stored := re.match(r"  ct::store\((\w+) \+", text)) and stored[1] in loaded:
                    before = "\n".join(kernel.splitlines()[:at])
                    self.assertNotIn(f"load({stored[1]} +", before)

    def test_tiles_that_change_places_come_up_where_they_are_hunted_alone(self):
        hunted = self.source("--seed", 5, "--hunt", "swap")
        self.assertRegex(hunted, r"\n    const auto t = .*;\n    (sv\d+) = (v\d+);\n    \2 = t;\n")
        self.assertNotIn("const auto t = ", self.source("--seed", 0, "--count", 100, "--per-file", 100))
        self.tool("fuzz", "--seed", 5, "--hunt", "swap", "-o", ".")
        self.assertEqual(self.tool("run", "--races", "-O0", "fuzz-5.cu").stderr, "")

    def test_loops_that_carry_and_arrays_come_up_where_they_are_hunted_alone(self):
        arrays, loops = r"> a(v\d+)\[\] = \{.*\n  const auto \1 = a\1\[", r"for \(int i = .*\n    const auto x = ct::load\("
        plain, hunted = (self.source("--seed", 0, "--count", 100, "--per-file", 100, *words)
                         for words in ((), ("--hunt", "carry", "--hunt", "array")))
        for pattern in (arrays, loops):
            self.assertNotRegex(plain, pattern)
            self.assertGreater(len(re.findall(pattern, hunted)), 5)
        self.assertGreater(len(re.findall(r"for \(const int i : ct::irange.*\n    const auto x = ct::load\(", plain)), 5)

    def test_one_kernel_of_a_program_prints(self):
        for program in self.source("--seed", 0, "--count", 100, "--per-file", 100).split("\nnamespace seed_")[1:]:
            self.assertLessEqual(sum("printf(" in k for k in program.split("__tile_global__")), 1)

    def test_a_folder_gets_a_file_for_each(self):
        self.tool("fuzz", "--seed", 5, "--count", 5, "--per-file", 2, "-o", "a/b")
        self.assertEqual(sorted(f.name for f in (self.kept / "a/b").iterdir()), ["fuzz-5.cu", "fuzz-7.cu", "fuzz-9.cu"])

    def test_refusals(self):
        for words, code, text in (
                (["--count", 2], 64, "several sources need a folder"),
                (["--count", 0], 64, "--count"),
                (["a.cu"], 64, "'a.cu': 'fuzz' takes options alone"),
                (["--seed", "x"], 64, "'x' is no program's name; write a seed, or '7.3'"),
                (["--seed", "7.9999"], 64, "there is no program 7.9999: 7 has"),
                (["--minimise", "-1"], 64, "'-1' is no program's name"),
                (["--seed", 2**64 - 1, "--count", 2, "-o", "."], 64, "there are no 2 seeds from 18446744073709551615 on"),
                (["-o", "/proc/nothing"], 69, "/proc/nothing")):
            self.assertIn(text, self.tool("fuzz", *words, code=code).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
