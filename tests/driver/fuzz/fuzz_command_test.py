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
import subprocess
import sys
import tempfile
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
        self.assertEqual(text("--seed", 7), "4a83627d7927f884")
        self.assertEqual(text("--seed", 8, "--approximate"), "6c51d004bc2363e2")

    def test_conversions_know_that_floats_round(self):
        for seed in (202769, 301191):  # 65535 is 65536 in bfloat16
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
                     "max_element", "partial_sum", "all_of", "mma", "floordiv", "ceildiv", "isnan", "propagate_nan_t"):
            self.assertGreater(count[name], 5, name)
        for type_name in ("signed char", "unsigned short", "long long", "__half", "__nv_bfloat16", "double"):
            self.assertIn(f"ct::tile<{type_name},", text)
        for words in ("for (int i", "if (block % 2", "cudaStreamCreate", "%", "<<", ">>", "~"):
            self.assertIn(words, text)

    def test_a_folder_gets_a_file_for_each(self):
        self.tool("fuzz", "--seed", 5, "--count", 5, "--per-file", 2, "-o", "a/b")
        self.assertEqual(sorted(f.name for f in (self.kept / "a/b").iterdir()), ["fuzz-5.cu", "fuzz-7.cu", "fuzz-9.cu"])

    def test_refusals(self):
        for words, code, text in (
                (["--count", 2], 64, "several sources need a folder"),
                (["--count", 0], 64, "--count"),
                (["a.cu"], 64, "'a.cu': 'fuzz' takes options alone"),
                (["-o", "/proc/nothing"], 69, "/proc/nothing")):
            self.assertIn(text, self.tool("fuzz", *words, code=code).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
