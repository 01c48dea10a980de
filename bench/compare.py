#!/usr/bin/env python3
"""Prints how every figure of the benchmarks differs between two builds, measured in turns.

usage: bench/compare.py BEFORE NOW [--runs N] [--only TEXT] [--core N]

BEFORE and NOW are build folders; bench/compare.sh makes them. Each figure is the median of N runs (nine) of either
build, the two taking turns on one core, so that what disturbs one disturbs the other. A row whose own spread (half of
the runs lie within it) is larger than the change that it shows says so: it tells nothing.

Exits with 1 if a figure is more than 5 % worse than before and than its spread.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from run import PROGRAMS, ROOT, figures, run

TOLERATED = 1.05
RACES = '{"races":true,"quiet":true}'
# program, flags of the compiler, whether it is built with hooks and checked
CASES = [
    *((name, level, False) for name in ("saxpy", "elementwise", "softmax", "copy", "scans") for level in ("-O0", "-O2")),
    *((name, "-O2", False) for name in ("blocks", "launches", "memory", "host_code", "mma", "checked", "checked_reads", "threads", "fences")),
    *((name, "-O2", True) for name in ("checked", "checked_reads", "host_references", "threads", "fences")),
]
# What run.py has beside these: rows that need another program (NVIDIA's compiler, Triton, Oclgrind, torch), those of cuTile
# programs, and ways back in a stepped run.


class Side:
    """One of the two builds."""

    def __init__(self, build, folder, pin):
        self.tool = build / "bin" / "tilesim"
        self.bin = build / "bin"
        self.folder = folder
        self.folder.mkdir()
        self.pin = pin
        self.env = dict(os.environ, TILESIM_CACHE=str(folder / "cache"))
        self.litmus = []  # what both sides can read: measure sets it

    def program(self, name, level, hooks):
        path = self.folder / f"{name}{level}{'-hooks' if hooks else ''}"
        if not path.exists():
            run([self.tool, "build", *(["--hooks"] if hooks else []), PROGRAMS / f"{name}.cu", level, "-o", path], self.env)
        return path

    def case(self, name, level, hooks):
        env = dict(self.env, TILESIM_OPTIONS=RACES) if hooks else self.env
        text = run(self.pin + [self.program(name, level, hooks)], env)
        label = f"{level}{', checked' if hooks else ''}"
        return {f"{what}, {label}": value for what, value in figures(text).items()
                if "by_hand" not in what and "memcpy" not in what and "arrays" not in what}

    def operations(self):
        # The fastest of seven each; its exit code tells of its targets.
        rows = re.findall(r"^(\S.*?)\s+([\d.]+)\s+[\d.]+\s+[\d.]+\s+[\d.]+(?:\s+MISSED)?$",
                          self.printed("ops_bench", "--benchmark_min_time=0.002"), re.M)
        return {f"operation {name}": float(nanoseconds) for name, nanoseconds in rows}

    def runs(self):
        """Runs of a small kernel in one process: microseconds each."""
        rows = re.findall(r"^(\S.*?)\s+([\d.]+) us ", self.printed("runs_bench", "20000"), re.M)
        return {f"run in this process: {name}": float(microseconds) for name, microseconds in rows}

    def explorations(self):
        """Executions of litmus shapes: microseconds each."""
        rows = re.findall(r"^(\S.*?)\s+(\d+) (drawn )?executions/s", self.printed("explore_bench"), re.M)
        return {f"explored{', drawn' if drawn else ''}: {name}": 1e6 / float(rate) for name, rate, drawn in rows}

    def printed(self, bench, *words):
        command = [*self.pin, self.bin / bench, *words]
        return subprocess.run([str(w) for w in command], env=self.env, capture_output=True, text=True, check=False).stdout

    def reads(self, test):
        """Whether this build takes a litmus file: an older one may not know all that a newer one's tests say."""
        return subprocess.run([self.tool, "litmus", test], env=self.env, capture_output=True, check=False).returncode == 0

    def commands(self):
        """What a person waits for."""
        steps, example = PROGRAMS / "steps.cu", ROOT / "examples" / "gather2d.cu"
        words = ["step", "--batch", "--ex", "tbreak add_up", "--ex", "run", "--ex", "step 200000", steps, "--", "1"]
        rows = {
            "tilesim run, cached, gather2d": ["run", example],
            "tilesim step: step 200000": words,
            "tilesim litmus, the tests that both read": ["litmus", "--jobs", "1", *self.litmus],
            "tilesim check, 16 schedules of gather2d": ["check", "--schedules", "16", "--jobs", "1", example],
            "tilesim explore, 100000 drawn executions": ["explore", "--json", PROGRAMS / "sampled.cu", "--sample", "100000"],
        }
        result = {}
        for what, command in rows.items():
            begun = time.perf_counter()
            done = subprocess.run([str(w) for w in self.pin + [self.tool, *command]], env=self.env, capture_output=True, check=False)
            result[what] = time.perf_counter() - begun
            if done.returncode not in (0, 3):  # 3: not all of the executions that there are were drawn
                sys.exit(f"{command}: exit status {done.returncode}: {done.stderr.decode()}")
        return result | self.compiled()

    def compiled(self):
        """Cold: nothing in a cache."""
        result = {}
        for what, source in (("100 tile operations", PROGRAMS / "hundred.cu"), ("saxpy", ROOT / "examples" / "saxpy.cu")):
            with tempfile.TemporaryDirectory(dir=self.folder) as cold:
                words = [*self.pin, self.tool, "build", source, "-O0", "-o", f"{cold}/program"]
                begun = time.perf_counter()
                run(words, dict(self.env, TILESIM_CACHE=f"{cold}/cache"))
                result[f"tilesim build, cold, {what}"] = time.perf_counter() - begun
        return result


def spread(values):
    """The middle half of the values, over their median."""
    if len(values) < 4:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / statistics.median(values)


def measure(sides, runs, only):
    """Figure -> (values before, values now)."""
    jobs = [(f"{name}{level}", lambda s, c=(name, level, hooks): s.case(*c)) for name, level, hooks in CASES]
    jobs += [("operations", Side.operations), ("runs", Side.runs), ("explorations", Side.explorations), ("commands", Side.commands)]
    jobs = [(name, job) for name, job in jobs if re.search(only, name)]
    told = sys.stderr.isatty()
    rows = {}
    if any(name == "commands" for name, _ in jobs):
        tests = sorted((ROOT / "tests" / "litmus").rglob("*.litmus"))
        sides[0].litmus = sides[1].litmus = [t for t in tests if all(s.reads(t) for s in sides)]
    for name, job in jobs:
        for side in sides:
            job(side)  # compiled, cached, warm
        for turn in range(runs):
            if told:
                print(f"\r\033[K{name}: {turn + 1} of {runs}", end="", file=sys.stderr)
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            for which in order:
                for what, value in job(sides[which]).items():
                    rows.setdefault(what, ([], []))[which].append(value)
    if told:
        print("\r\033[K", end="", file=sys.stderr)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("now", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="", help="a regular expression: saxpy, checked, operations, runs, explorations, commands")
    parser.add_argument("--core", default="0", help="which core runs everything")
    options = parser.parse_args()
    pin = ["taskset", "-c", options.core] if shutil.which("taskset") else []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sides = [Side(build.resolve(), folder / name, pin)
                 for name, build in (("before", options.before), ("now", options.now))]
        rows = measure(sides, options.runs, options.only)
    worse = 0
    print(f"{'':58} {'before':>12} {'now':>12} {'now/before':>11} {'spread':>7}")
    for what, (before, now) in rows.items():
        if not before or not now:
            print(f"{what:58} only in {'one of the two'}")
            continue
        ratio = statistics.median(now) / statistics.median(before) if statistics.median(before) else 1.0
        own = max(spread(before), spread(now))
        said = ""
        if ratio > TOLERATED:
            said = "WORSE" if ratio - 1 > own else "within its spread"
            worse += said == "WORSE"
        print(f"{what:58} {statistics.median(before):12.4g} {statistics.median(now):12.4g} {ratio:11.3f} {own:7.1%} {said}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
