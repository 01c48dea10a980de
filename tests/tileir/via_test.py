#!/usr/bin/env python3
"""The same program through both doors: our headers, and NVIDIA's front end by way of Tile IR (tilesim run --via tileir).

What it prints and its exit status are the same: of all examples and kernels, and of random programs, which print a hash
of every array. Skipped where NVIDIA's compiler is not installed (tilesim toolchain install).

    via_test.py [-n PROGRAMS]     so many random ones

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ["TILESIM_TOOL"]
PROGRAMS = int(os.environ.get("TILESIM_VIA_PROGRAMS", "5"))
# What does not come out of a schedule, or is no program of tile kernels.
LEFT_OUT = ("histogram_racy",)


def tool(*words, cwd=ROOT):
    return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=600, cwd=cwd, env=os.environ)


if tool("toolchain", "path").returncode != 0:
    print("skipped: NVIDIA's compiler is not installed: tilesim toolchain install")
    sys.exit(77)


class Doors(unittest.TestCase):
    def both(self, path):
        done = [tool("run", *how, path, "-O1", cwd=path.parent) for how in ((), ("--via", "tileir"))]
        self.assertEqual(*[(d.returncode, d.stdout) for d in done], done[1].stderr[-3000:])
        return done[0]

    def test_examples_and_kernels(self):
        for path in sorted([*(ROOT / "examples").glob("*.cu"), *(ROOT / "examples/kernels").glob("*.cu")]):
            if path.stem not in LEFT_OUT:
                with self.subTest(program=path.stem):
                    self.assertEqual(self.both(path).returncode, 0)

    def test_random_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(1, PROGRAMS + 1):
                done = tool("fuzz", "--seed", seed, "-o", folder)
                self.assertEqual(done.returncode, 0, done.stderr)
            programs = sorted(pathlib.Path(folder).rglob("*.cu"))
            self.assertGreaterEqual(len(programs), PROGRAMS)
            for path in programs:
                with self.subTest(program=path.name):
                    self.both(path)

    def test_a_kernel_runs_as_it_was_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.cu"
            path.write_text("""\
#include "cuda_tile.h"
#include <cstdio>
namespace ct = cuda::tiles;
__tile_global__ void which(int* p) {
#ifdef TILESIM_EXPORT  // our headers
  ct::store(p, ct::tile<int, ct::shape<>>(1));
#else
  ct::store(p, ct::tile<int, ct::shape<>>(NUMBER));
#endif
}
int main() {
  int* p = nullptr;
  cudaMallocManaged(&p, sizeof *p);
  which<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *p);
}
""")
            for how, number in (("headers", 1), ("tileir", 7)):
                done = tool("run", "--via", how, path, "-DNUMBER=7", cwd=folder)
                self.assertEqual((done.returncode, done.stdout), (0, f"{number}\n"), done.stderr)


class Refused(unittest.TestCase):
    def test_programs_in_python_and_other_doors(self):
        done = tool("run", "--via", "tileir", "examples/python/vector_add.py")
        self.assertEqual(done.returncode, 64)
        self.assertIn("--via is for programs in C++", done.stderr)
        self.assertEqual(tool("run", "--via", "window", "examples/saxpy.cu").returncode, 64)

    def test_variables_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.cu"
            path.write_text("""\
#include "cuda_tile.h"
namespace ct = cuda::tiles;
__tile__ int counter;
__tile_global__ void count() { ct::store(&counter, ct::tile<int, ct::shape<>>(1)); }
int main() {
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
}
""")
            done = tool("run", "--via", "tileir", path, cwd=folder)
            self.assertEqual(done.returncode, 101, done.stderr)
            self.assertIn("count cannot be launched by its bytecode", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
