#!/usr/bin/env python3
"""`--contract`: products and sums that are fused, where NVIDIA's compiler fuses them.

programs/rows.cu knows what it is to give; programs/rows.sums is the compiler's table for it (`tilesim gpu sums rows.cu`, in its
folder). Native: with the compiler, and its Tile IR as the judge.

  TILESIM_TOOL=$PWD/build/dev/bin/tilesim contraction_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ.get("TILESIM_TOOL", "")
COMPILERS = os.environ.get("TILESIM_TEST_COMPILERS", "g++ clang++").split()
HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
ROOT = HERE.parents[2]

# What two roundings get wrong: every row that is fused.
FUSED = ["direct 0", "named 0", "two_sums 2", "merged 0", "merged 1", "unused 0", "subtracted 0", "subtracted 3", "two_products 0",
         "two_products 3", "called 2", "called 3", "loops 0", "loops 1", "branches 1", "chains 0", "chains 1", "chains 2", "chains 3",
         "chains 4", "chains 5", "chains 6", "chains 7", "reduced 0", "macros 0", "lambdas 0", "lambdas 1", "lambdas 2", "typed half",
         "typed bfloat16", "typed double"]
# What the rule fuses, and the compiler does not: the product is used again, or only the left operand is looked at.
USED_AGAIN = ["twice 0", "two_sums 0", "two_sums 1", "repeated 0", "repeated 1", "two_products 2", "called 0", "called 1", "branches 0"]

LINE = """#include "cuda_tile.h"
#include <cstdio>
namespace ct = cuda::tiles;
using F = ct::tile<float, ct::shape<1>>;
__tile_global__ void k(float* a) {
  F x = ct::load(a + ct::iota<ct::tile<int, ct::shape<1>>>());
  F z = ct::full<F>(-1.00048828125f);
  BODY
}
int main() {
  float* a;
  cudaMallocManaged(&a, 8);
  a[0] = 1.000244140625f;
  k<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  std::printf("%a\\n", a[1]);
}
"""
STORE = "ct::store(a + 1 + ct::iota<ct::tile<int, ct::shape<1>>>(), {});"
ONE_ROUNDING, TWO_ROUNDINGS = "0x1p-24\n", "0x0p+0\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim-contraction-"))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)

    def tool(self, *words, code=0, cwd=None, env=None):
        result = subprocess.run([TOOL, *map(str, words)], cwd=cwd or self.kept, text=True, capture_output=True, timeout=280,
                                env=dict(os.environ, **(env or {})))
        self.assertEqual(result.returncode, code, f"{words}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
        return result

    def rows(self, *words, env=None):
        """The rows that are not as the compiler has them."""
        text = self.tool("run", *words, PROGRAMS / "rows.cu", env=env).stdout
        found = re.findall(r"^([a-z_]+ [0-9a-z]+): \d+ of 64 differ$", text, re.M)
        self.assertIn(f"{len(found)} rows differ\n", text)
        return found

    def source(self, body, name="k.cu"):
        path = self.kept / name
        path.write_text(LINE.replace("BODY", body))
        return path

    def table(self, *lines):
        path = self.kept / "k.sums"
        path.write_text("\n".join(["tilesim-sums 1", "file some/where/else/k.cu", "kernel _Z1kPf", *lines]) + "\n")
        return path


class Table(Case):
    def test_without_one_every_fused_row_differs(self):
        self.assertEqual(sorted(self.rows()), sorted(FUSED))

    def test_with_one_none_does_whoever_compiles(self):
        for compiler in COMPILERS:
            for level in ("-O0", "-O2"):
                for hooks in ((), ("--hooks",)):
                    with self.subTest(compiler=compiler, level=level, hooks=hooks):
                        self.assertEqual(self.rows(*hooks, "--contract", PROGRAMS / "rows.sums", level, env={"CXX": compiler}), [])

    def test_a_place_is_fused_and_no_other(self):
        source = self.source("F q = x * x + z; " + STORE.format("q"))
        for row, expected in ((["sum 0 f32 fused 0,8:15"], ONE_ROUNDING), (["sum 0 f32 apart 0,8:15"], TWO_ROUNDINGS),
                              (["sum 0 f32 fused 0,8:15,8:17"], ONE_ROUNDING), (["sum 0 f32 fused 0,9:15"], TWO_ROUNDINGS),
                              (["sum 0 f64 fused 0,8:15"], TWO_ROUNDINGS), (["sum 0 f32 fused 0,8:0"], ONE_ROUNDING),
                              (["sum 0 f32 fused 0,8:15,8:17", "sum 0 f32 apart 0,8:0"], ONE_ROUNDING), ([], TWO_ROUNDINGS),
                              (["kernel _Z5otherPf", "sum 1 f32 fused 0,8:15,8:17"], TWO_ROUNDINGS)):
            with self.subTest(row=row):
                # g++ sees the operator at the last token of its right operand, clang++ where it is.
                row = [r.replace("0,8:15", "0,8:15,8:17") if r.endswith("8:15") else r for r in row]
                self.assertEqual(self.tool("run", "--contract", self.table(*row), source).stdout, expected)

    def test_what_was_not_fused_although_it_may_be_is_told(self):
        source = self.source("F q = x * x + z; " + STORE.format("q"))
        said = self.tool("run", "--contract", self.table("sum 0 f32 open 0,8:0"), source)
        self.assertEqual(said.stdout, TWO_ROUNDINGS)
        self.assertRegex(said.stderr, r"note: 1 sum was not fused that may be: several stand there, first at \S*k\.cu:8\n")
        said = self.tool("run", "--contract", self.table("sum 0 f32 fused 0,8:0", "sum 0 f32 apart 0,8:0"), source)
        self.assertIn("several stand there", said.stderr)
        said = self.tool("run", "--contract", self.table("sum 0 f32 fused 0,8:0"), "-g0", source)
        self.assertEqual(said.stdout, TWO_ROUNDINGS)
        self.assertIn("the program has no lines (-g0)", said.stderr)
        # A product that plain C++ code has computed is none of the simulator's.
        source = self.source("float p = a[0] * a[0]; F q = ct::full<F>(p) + z; " + STORE.format("q"))
        said = self.tool("run", "--contract", self.table("sum 0 f32 fused 0,8:0"), source)
        self.assertEqual(said.stdout, TWO_ROUNDINGS)
        self.assertIn("no tile operation has computed the product", said.stderr)

    def test_an_addend_that_looks_like_an_older_product_is_none(self):
        source = self.source("F same = z * 1.0f; F q = z + x * x; " + STORE.format("q"))
        self.assertEqual(self.tool("run", "--contract", self.table("sum 0 f32 fused 0,8:0"), source).stdout, ONE_ROUNDING)
        # Where both are products it is the left one.
        self.assertEqual(self.tool("run", "--contract", self.table("sum 0 f32 fused two 0,8:0"), source).stdout, TWO_ROUNDINGS)


class Commands(Case):
    """Whatever runs a program fuses as `run` does, and the commands of a report say so."""

    def setUp(self):
        super().setUp()
        self.fused = self.source("F q = x * x + z; " + STORE.format("q"))
        self.with_table = ("--contract", self.table("sum 0 f32 fused 0,8:15,8:17"))

    def test_check_and_what_it_prints(self):
        racy = self.source("F q = x * x + z; " + STORE.format("q"), "racy.cu")
        racy.write_text(racy.read_text().replace("<<<1, 1>>>", "<<<2, 1>>>"))
        table = self.kept / "racy.sums"
        table.write_text(self.table("sum 0 f32 fused 0,8:15,8:17").read_text().replace("k.cu", "racy.cu"))
        said = self.tool("check", "--contract", table, "--schedules", 8, racy, code=1)
        self.assertEqual(said.stdout, ONE_ROUNDING)
        self.assertRegex(said.stderr, f"to step: tilesim step --replay .* --contract {table} ")
        replay = re.search(r"--replay (\S+)", said.stderr).group(1)
        self.tool("run", "--contract", table, "--replay", replay, racy)
        # Fused or not, the program is not the same.
        self.assertIn("belongs to another program", self.tool("run", "--replay", replay, racy, code=64).stderr)

    def test_step(self):
        for words, expected in (((), TWO_ROUNDINGS), (self.with_table, ONE_ROUNDING)):
            with self.subTest(words=words):
                self.assertIn(expected, self.tool("step", *words, "--batch", "--ex", "run", self.fused).stdout)

    def test_trace_and_explore(self):
        self.assertEqual(self.tool("trace", *self.with_table, "-o", "k.json", self.fused).stdout, ONE_ROUNDING)
        self.assertEqual(self.tool("trace", "-o", "k.json", self.fused).stdout, TWO_ROUNDINGS)
        self.assertIn(ONE_ROUNDING.strip(), self.tool("explore", *self.with_table, self.fused).stdout)
        self.assertIn(TWO_ROUNDINGS.strip(), self.tool("explore", self.fused).stdout)


class Rule(Case):
    def test_the_rule_fuses_what_is_used_again_too(self):
        self.assertEqual(sorted(self.rows("--contract", "rule")), sorted(USED_AGAIN))

    def test_modes_that_differ_are_not_fused(self):
        mode = "ct::rounding_mode::round_toward_zero"
        for body, expected in ((f"F q = ct::add<{mode}>(ct::mul<{mode}>(x, x, {{}}), z, {{}}); ", ONE_ROUNDING),
                               (f"F q = ct::add(ct::mul<{mode}>(x, x, {{}}), z); ", TWO_ROUNDINGS)):
            with self.subTest(body=body):
                self.assertEqual(self.tool("run", "--contract", "rule", self.source(body + STORE.format("q"))).stdout, expected)


class Usage(Case):
    def refused(self, expected, *words, code=64, env=None):
        self.assertIn(expected, self.tool("run", "--contract", *words, code=code, env=env).stderr)

    def test_what_is_no_table(self):
        source = self.source(STORE.format("x"))
        self.refused("--contract takes compiler, rule or a file, not 'yes': there is no such file", "yes", source)
        python = self.kept / "x.py"
        python.write_text("")
        for command in ("run", "check", "step", "explore"):
            self.assertIn("'--contract' needs a value, not an empty one", self.tool(command, "--contract", "", source, code=64).stderr)
            self.assertIn("--contract is for programs in C++", self.tool(command, "--contract", "rule", python, code=64).stderr)
        for text, fact in (("", "line 0: 'tilesim-sums 1' is expected"), ("tilesim-sums 2\n", "line 1: 'tilesim-sums 1' is expected"),
                           ("tilesim-sums 1\nsum 0 f32 fused 0,1:1\n", "line 2: name 0, but there are 0"),
                           ("tilesim-sums 1\nfile a\nkernel k\nsum 0 f32 fused 0\n", "line 4: a place is FILE,LINE:COLUMN…"),
                           ("tilesim-sums 1\nfile a\nkernel k\nsum 0 f32 molten 0,1:1\n", "line 4: no such way to add"),
                           ("tilesim-sums 1\nfile a\nkernel k\nsum 0 f32 fused\n", "line 4: a sum stands somewhere"),
                           ("tilesim-sums 1\nfile a\nkernel k\nsum x f32 fused 0,1:1\n", "line 4: a number is expected, not 'x'"),
                           ("tilesim-sums 1\nfile a\nkernel k\nsum 0 f32 fused 0,1\n", "line 4: a line has a column"),
                           ("tilesim-sums 1\nfile a\nkernel k\nadd 0\n", "line 4: 'add' is not known")):
            path = self.kept / "x.sums"
            path.write_text(text)
            self.refused(f"x.sums: {fact}; 'tilesim gpu sums FILE.cu' writes such tables", path, source)

    def test_no_compiler(self):
        source = self.source(STORE.format("x"))
        none = {"TILESIM_NVCC": "", "TILESIM_CACHE": str(self.kept / "cache"), "CUDA_HOME": "", "PATH": "/usr/bin:/bin"}
        if shutil.which("nvcc", path="/usr/bin:/bin") is None:
            self.refused("NVIDIA's compiler is not installed", "compiler", source, code=69, env=none)
            self.assertIn("NVIDIA's compiler is not installed", self.tool("gpu", "sums", source, code=69, env=none).stderr)


class Native(Case):
    def test_the_compilers_own_places_and_its_tile_ir_agree(self):
        nvcc = self.tool("toolchain", "path").stdout.strip()
        subprocess.run([nvcc, "--enable-tile", "-std=c++20", "-arch=sm_90", "--tilebc", PROGRAMS / "rows.cu", "-o",
                        self.kept / "rows.tilebc"], check=True, capture_output=True)
        for level in ("-O0", "-O2"):
            text = self.tool("run", "--contract", "compiler", PROGRAMS / "rows.cu", level, "--", self.kept / "rows.tilebc").stdout
            self.assertEqual(text, "0 rows differ\n")

    def test_the_recorded_tables_are_the_compilers(self):
        self.assertEqual(self.tool("gpu", "sums", "rows.cu", cwd=PROGRAMS).stdout, (PROGRAMS / "rows.sums").read_text())
        gpu = ROOT / "tests/gpu"
        self.assertEqual(self.tool("gpu", "sums", "contraction.cu", cwd=gpu).stdout,
                         (gpu / "recordings/contraction.sums").read_text())

    def test_another_text_is_asked_for_anew(self):
        cache = {"TILESIM_CACHE": str(self.kept / "cache"), "TILESIM_NVCC": self.tool("toolchain", "path").stdout.strip()}
        once = self.source("F p = x * x; " + STORE.format("p + z"))
        for _ in range(2):
            self.assertEqual(self.tool("run", "--contract", "compiler", once, env=cache).stdout, ONE_ROUNDING)
        twice = self.source("F p = x * x; ct::store(a + 0 * ct::iota<ct::tile<int, ct::shape<1>>>(), p); " + STORE.format("p + z"))
        self.assertEqual(self.tool("run", "--contract", "compiler", twice, env=cache).stdout, TWO_ROUNDINGS)

    def test_what_does_not_compile(self):
        source = self.source("x = nothing;")
        self.assertIn('identifier "nothing" is undefined', self.tool("run", "--contract", "compiler", source, code=65).stderr)
        self.assertIn("no such file", self.tool("gpu", "sums", "absent.cu", code=64).stderr)

    def test_a_recording_has_the_places_unless_none_is_fused(self):
        source = self.source("F p = x * x; " + STORE.format("p + z"))
        for flags, expected in (((), r"contraction: 1 of 1 sums is fused with a product"), (("-fmad=false",), None)):
            self.tool("gpu", "build", *flags, source, "-o", "prog")
            subprocess.run([self.kept / "prog"], cwd=self.kept, capture_output=True)
            shown = self.tool("gpu", "show", "prog.rec").stdout
            if expected:
                self.assertRegex(shown, expected)
                self.assertRegex(self.tool("gpu", "show", "--sums", "prog.rec").stdout,
                                 r"k\.cu:8:\d+: f32, fused with a product, in k\(float\*\)\n")
            else:
                self.assertNotIn("contraction: ", shown)


if __name__ == "__main__":
    if sys.argv[1:2] == ["-v"] and sys.argv[2:] == ["Native"] and \
       subprocess.run([TOOL, "toolchain", "path"], capture_output=True).returncode != 0:
        print("skipped: NVIDIA's compiler is not installed")
        sys.exit(77)
    unittest.main()
