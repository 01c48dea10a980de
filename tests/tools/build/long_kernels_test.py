#!/usr/bin/env python3
"""Kernels of a thousand chained operations: what the compiler is given grows with their number and no faster.

  TILESIM_TOOL=build/dev/bin/tilesim long_kernels_test.py [Class]

Times are another machine's; what they follow from is measured here: bytes of code an operation, and hooks an operation
(each a call that g++'s passes look at again and again). `--times` prints the processor time of each kernel, too.
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ.get("TILESIM_TOOL", "")

ATOMIC = "ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}"
# A kernel's statements, in turn; a and b are tiles of 16 elements, m a mask, i offsets.
BODIES = {
    "chain": ("float", ["a = a + 1.0f;"]),
    "memory": ("float", ["ct::store(p + i, a);", "a = ct::load(p + i);", "a = ct::load_masked(p + i, m, 0.0f);",
                         "ct::store_masked(p + i, a, m);"]),
    "floats": ("float", ["a = a * 2.0f + a;", "a = ct::exp(a);", "a = ct::select(m, a, b);", "a = ct::max(a, 1.0f);",
                         "a = a + ct::sum(a, 0_ic);", "b = ct::sqrt(a) / b;", "m = a < b;", "b = ct::abs(-b);"]),
    "integers": ("int", ["a = a + b;", "b = a >> 1;", "a = a % 7;", "b = ct::select(a < b, a, b);", "a = a * 3;",
                         f"a = ct::atomic_add(p + i, a, {ATOMIC});", "m = ct::ceildiv(a, 3) > b;", "b = ~a ^ b;"]),
    "views": ("float", ["x = v.load(0, n);", "x = ct::mma(x, y, x);", "v.store(x, n, 0);", "y = w.load_masked(0, n);",
                        "x = x + y;", "w.store_masked(x, n, n);"]),
}
# What a body needs besides.
BEFORE = {
    "views": ["  ct::tensor_span s{p, ct::extents{4_ic, 4_ic}};", "  auto n = ct::bid().x;",
              "  ct::tensor_span d{p, ct::extents{n + 4, n + 4}};", "  ct::partition_view v{s, ct::shape<4, 4>{}};",
              "  ct::partition_view w{d, ct::shape<4, 4>{}};", "  auto x = v.load(0, 0);", "  auto y = w.load(n, n);"],
}
# Hooks an operation: the copy of a result into a variable is one of 64 bytes, read and written; a scalar that is an
# operand, and a mask that is optional, lie in memory.
MOST_HOOKS = {"chain": 3.1, "memory": 4, "floats": 3.6, "integers": 3.6, "views": 4}


def kernel(body, count):
    element, statements = BODIES[body]
    lines = ["#include <cuda_tile.h>", "#include <cstdio>", "namespace ct = cuda::tiles;", "using namespace ct::literals;",
             f"__tile_global__ void k({element}* p) {{", "  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();",
             "  auto a = ct::load(p + i);", "  auto b = a;", "  auto m = i < 7;"]
    lines += BEFORE.get(body, [])
    lines += [f"  {statements[n % len(statements)]}" for n in range(count)]
    lines += ["  ct::store(p + i, ct::select(m, a, b));", "}", "int main() {", f"  {element}* p = nullptr;",
              f"  cudaMallocManaged(&p, 16 * sizeof({element}));", "  for (int i = 0; i < 16; ++i) {", "    p[i] = 1;", "  }",
              "  k<<<1, 1>>>(p);", "  cudaDeviceSynchronize();", '  std::printf("%g\\n", static_cast<double>(p[3]));',
              "  cudaFree(p);", "}", ""]
    return "\n".join(lines)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in(self, *words):
        done = subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True, timeout=400)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def compiled(self, body, count, *options):
        """Bytes of code, and calls of hooks."""
        (self.folder / "k.cu").write_text(kernel(body, count))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run_in(TOOL, "build", "-c", *options, "k.cu", "-o", "k.o")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if TIMES:
            print(f"{body}, {count}, {' '.join(options)}: {after.ru_utime - before.ru_utime:.1f} s", file=sys.stderr)
        code = int(self.run_in("size", "k.o").splitlines()[1].split()[0])
        return code, len(re.findall(r"tilesim_hook___tsan_(?:read|write)", self.run_in("objdump", "-r", "k.o")))


class Growth(Case):
    def test_code_and_hooks_grow_with_the_number_of_operations(self):
        for body in BODIES:
            for options in ((), ("--hooks",)):
                with self.subTest(body=body, options=options):
                    first, second, third = (self.compiled(body, n, *options) for n in (8, 500, 1000))
                    for less, some, many in zip(first, second, third):
                        # Twice as many operations, less than 3 times as much; both with the flags of long ones.
                        self.assertLess(many - less, 3 * (some - less) + 100, (first, second, third))
                    self.assertLess((third[0] - first[0]) / 992, 350)
                    if options:
                        self.assertGreater(third[1], 992) # code with hooks, indeed
                        self.assertLess((third[1] - first[1]) / 992, MOST_HOOKS[body])
                    else:
                        self.assertEqual(third[1], 0)

    def test_a_thousand_compute_what_they_say(self):
        (self.folder / "k.cu").write_text(kernel("chain", 1000))
        for options in ((), ("--hooks",)):
            self.assertEqual(self.run_in(TOOL, "run", *options, "k.cu"), "1001\n")


class Flags(Case):
    def test_passes_that_grow_with_the_square_are_left_out_of_long_kernels(self):
        for count, long in ((100, False), (1000, True)):
            (self.folder / "k.cu").write_text(kernel("chain", count))
            told = self.run_in(TOOL, "build", "-v", "-c", "k.cu", "-o", "k.o")
            for flag in ("-fno-tree-pta", "-fno-var-tracking-assignments"):
                # Of g++ alone: clang++ has no such passes.
                self.assertEqual(flag in told, long and "clang" not in os.environ.get("CXX", ""), told)


if __name__ == "__main__":
    TIMES = "--times" in sys.argv
    sys.argv = [w for w in sys.argv if w != "--times"]
    unittest.main()
