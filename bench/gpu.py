#!/usr/bin/env python3
"""Measures what recording on a GPU costs, beside the same program without the recorder.

  bench/gpu.py build FOLDER [--tilesim BUILD/bin/tilesim] [--nvcc NVCC]   needs NVIDIA's compiler, no GPU
  bench/gpu.py run FOLDER                                                 needs a GPU and python3 alone

The target: twice the program's own time, and for each launch two reads of the live memory at the device's own
bandwidth and the copy of what changed to the host. Prints a table; exit status 1 if a figure misses its target, 77
(skipped) where there is no device.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "bench" / "programs" / "recorded.cu"
GIB = 1 << 30
#          launches, live bytes, bytes that a launch changes
CASES = {"large": ("saxpy of 64M elements", 1, GIB // 2, GIB // 4), "small": ("1000 small launches beside 1 GiB", 1001, GIB, 4096)}


def build(folder, tilesim, nvcc):
    folder.mkdir(parents=True, exist_ok=True)
    env = dict(os.environ)
    if nvcc:
        env["TILESIM_NVCC"] = nvcc
    else:
        nvcc = subprocess.run([tilesim, "toolchain", "path"], capture_output=True, text=True).stdout.strip()
        if not nvcc:
            print("gpu.py: error: NVIDIA's compiler is missing; run 'tilesim toolchain install', or give --nvcc", file=sys.stderr)
            return 69
    subprocess.run([nvcc, "-std=c++20", "-arch=sm_90", "-O3", "-Xcompiler", "-static-libstdc++", SOURCE, "-o", folder / "plain"], check=True)
    subprocess.run([tilesim, "gpu", "build", "-O3", SOURCE, "-o", folder / "recorded"], check=True, env=env)
    return 0


def figures(program, what, folder):
    """Milliseconds of the launches and of the whole process: of the best of three runs."""
    best = None
    for _ in range(3):
        begin = time.perf_counter()
        done = subprocess.run([folder / program, what], capture_output=True, text=True, cwd=folder)
        wall = 1000 * (time.perf_counter() - begin)
        if done.returncode == 77:
            print(f"skipped: {done.stderr.strip()}")
            sys.exit(77)
        if done.returncode != 0:
            sys.exit(f"gpu.py: error: {program} {what} ends with {done.returncode}: {done.stderr.strip()}")
        found = {"process": wall}
        for line in done.stdout.splitlines():
            *name, _unit, value = line.split()
            found[name[-1]] = float(value)
        if best is None or found["process"] < best["process"]:
            best = found
    return best


def run(folder):
    yardsticks = figures("plain", "yardsticks", folder)
    print(f"device {yardsticks['device']:.0f} GB/s, to the host {yardsticks['to_host']:.1f} GB/s")
    print(f"{'what':52} {'measured':>10} {'target':>10}")
    missed = 0
    for what, (name, launches, live, changed) in CASES.items():
        plain = figures("plain", what, folder)
        recorded = figures("recorded", what, folder)
        reads = launches * 2 * live / (yardsticks["device"] * 1e6)
        copies = launches * changed / (yardsticks["to_host"] * 1e6)
        for part in ("launches", "process"):
            target = 2 * plain[part] + reads + copies
            missed += recorded[part] > target
            print(f"{name + ', ' + part:52} {recorded[part]:10.2f} {target:10.2f} ms {'MISSED ' if recorded[part] > target else ''}"
                  f"without {plain[part]:.2f}; reads {reads:.2f}, copies {copies:.2f}")
        size = (folder / "recorded.rec").stat().st_size
        print(f"{name + ', the recording':52} {size / 1e6:10.2f}            MB")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("build", "run"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tilesim", default=ROOT / "build" / "release" / "bin" / "tilesim")
    parser.add_argument("--nvcc", default=os.environ.get("TILESIM_NVCC", ""))
    options = parser.parse_args()
    folder = options.folder.resolve()
    return build(folder, options.tilesim, options.nvcc) if options.action == "build" else run(folder)


if __name__ == "__main__":
    sys.exit(main())
