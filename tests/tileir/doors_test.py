#!/usr/bin/env python3
"""The same program through both doors: what the C++ headers make of the tile kernels, and what NVIDIA's compiler
makes of them as Tile IR (`--via tileir`), print the same and end the same.

    doors_test.py SOURCE...          these programs
    doors_test.py --random SEED N    N random programs from that seed on, 32 to a source
    doors_test.py --options          what the option says where it cannot be followed

TILESIM_TOOL names tilesim. Skipped (77) where NVIDIA's compiler is not installed.
SPDX-License-Identifier: Apache-2.0
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOOL = os.environ["TILESIM_TOOL"]
# tilesim and the hardware decide in one way where reference and hardware differ: both doors are asked alike.
ALWAYS = ["run", "--arith", "hardware"]


def run(*words):
    return subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, errors="replace", check=False)


def as_both_print(text):
    """Without times, addresses, and places: a door has its own columns."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    return re.sub(r"\d+([.]\d+)?(e[-+]?\d+)? (ms|us|ns|s|GB/s|GFLOP/s)\b", "TIME", text)


def compare(source):
    there = run(*ALWAYS, "--via", "tileir", source)
    if there.returncode == 69:
        print(there.stderr.strip())
        sys.exit(77)
    here = run(*ALWAYS, source)
    if (here.returncode, as_both_print(here.stdout)) == (there.returncode, as_both_print(there.stdout)):
        print(f"{source}: the same, {len(here.stdout.splitlines())} lines, exit status {here.returncode}")
        return True
    print(f"{source}: exit status {here.returncode} by the headers, {there.returncode} by Tile IR")
    print("\n".join(difflib.unified_diff(here.stdout.splitlines(), there.stdout.splitlines(), "headers", "tileir", lineterm="")))
    print(there.stderr[-2000:])
    return False


NAMES = """#include <cuda_tile.h>
#include <cstdio>
namespace ct = cuda::tiles;
__tile__ int start = 3;
namespace {
template <class T, int N> __tile_global__ void add(T* a, const T& by, int n) {
  auto i = static_cast<int>(ct::bid().x) * N + ct::iota<ct::tile<int, ct::shape<N>>>();
  ct::store_masked(a + i, ct::load_masked(a + i, i < n) + by, i < n);
}
}
static __tile_global__ void put(int* to, short, bool second) { ct::store(to + (second ? 1 : 0), start); }
int main() {
  float* a;
  int* b;
  cudaMallocManaged(&a, 100 * sizeof *a);
  cudaMallocManaged(&b, 2 * sizeof *b);
  for (int i = 0; i < 100; ++i)
    a[i] = static_cast<float>(i);
  b[0] = b[1] = 0;
  add<float, 16><<<7, 1>>>(a, a[99], 99);
  put<<<1, 1>>>(b, 1, true);
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%g %g %d %d %s\\n", a[0], a[98], b[0], b[1], cudaGetErrorName(e));
  cudaFree(a);
  cudaFree(b);
}
"""
WHICH = """#include <cuda_tile.h>
#include <cstdio>
__tile_global__ void which(int* p) {
#ifdef TILESIM_EXPORT
  cuda::tiles::store(p, 1);
#else
  cuda::tiles::store(p, NUMBER);
#endif
}
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  which<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *p);
}
"""
RACY = """#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void scatter(int* to) {
  ct::store(to, static_cast<int>(ct::bid().x));
}
int main() {
  int* to;
  cudaMalloc(&to, sizeof *to);
  scatter<<<2, 1>>>(to);
  cudaDeviceSynchronize();
  cudaFree(to);
}
"""


class Expectations:
    """What commands are to end with and to say; `good` while all have."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.good = True

    def source(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def __call__(self, what, done, status, text):
        if done.returncode != status or text not in done.stdout + done.stderr:
            self.good = False
            print(f"{what}: exit status {done.returncode}, not {status}, or without '{text}':\n{done.stdout}{done.stderr}")
        return done


def names(expect):
    """A template in an unnamed namespace, a reference, a parameter without a name, a variable of the program's."""
    source = expect.source("names.cu", NAMES)
    done = run("run", "--via", "tileir", source)
    if done.returncode == 69:
        print(done.stderr.strip())
        sys.exit(77)
    expect("names", done, 0, "99 197 0 3 cudaSuccess")
    expect("checked", run("check", "--via", "tileir", "--schedules", "3", source), 0, "no findings")
    which = expect.source("which.cu", WHICH)
    expect("the headers' body", run("run", "--via", "headers", "-DNUMBER=7", which), 0, "1\n")
    expect("the compiler's body", run("run", "--via", "tileir", "-DNUMBER=7", which), 0, "7\n")


def refused(expect):
    """Another word, a program in Python, a damaged file, no compiler."""
    source = expect.source("names.cu", NAMES)
    expect("another word", run("run", "--via", "ptx", source), 64, "--via")
    expect("a program in Python", run("run", "--via", "tileir", expect.folder / "program.py"), 64, "--via is for programs in C++")
    empty = expect.source("empty.tilebc", "")
    for what, words, variables, status, text in (
            ("a damaged file", [], {"TILESIM_OPTIONS": '{"modules":"%s"}' % empty}, 102, "by way of Tile IR"),
            ("no compiler", ["--via", "tileir"], {"TILESIM_NVCC": "/nonexistent/nvcc"}, 69, "nvcc")):
        done = subprocess.run([TOOL, "run", *words, str(source)], capture_output=True, text=True,
                              env=dict(os.environ, **variables), check=False)
        expect(what, done, status, text)


def replayed(expect):
    """A finding is told at its line, and its replay string is one of this door."""
    racy = expect.source("racy.cu", RACY)
    found = expect("a race", run("check", "--via", "tileir", "--schedules", "3", racy), 1, "racy.cu:4:")
    replay = re.search(r"tilesim check (--replay \S+ --via tileir) ", found.stdout + found.stderr)
    if replay is None:
        expect("no command to replay that says --via tileir", found, -1, "")
        return
    expect("its replay", run("check", *replay[1].split(), racy), 1, "racy.cu:4:")
    expect("a replay of the other door", run("check", *replay[1].split()[:2], racy), 64, "another program")
    expect("stepping at it", run("step", *replay[1].split(), "--batch", "--ex", "where", racy), 0, "racy.cu:4")


def options():
    with tempfile.TemporaryDirectory() as folder:
        expect = Expectations(folder)
        names(expect)
        refused(expect)
        replayed(expect)
        return expect.good


def main():
    if sys.argv[1] == "--options":
        return 0 if options() else 1
    if sys.argv[1] == "--random":
        seed, count = map(int, sys.argv[2:4])
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TOOL, "fuzz", "--seed", str(seed), "--count", str(count), "--per-file", "32", "-o", folder],
                           check=True, capture_output=True)
            results = [compare(source) for source in sorted(pathlib.Path(folder).glob("*.cu"))]
    else:
        results = [compare(source) for source in sys.argv[1:]]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
