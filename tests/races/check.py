#!/usr/bin/env python3
"""Runs the programs of this folder under the race detector and holds its findings against their comments.

  TILESIM_TOOL=build/dev/bin/tilesim check.py [--seeds 20] [--alone] [--only NAME] FOLDER...

Each program is compiled as it is, where it must have no findings, and with -DRACY, where it must have those
that its comments name and no others. It runs under the default schedule and under --schedule random with
each seed. A comment stands on the line that the compiler gives the access (the end of a long call does not
count):

  store(p, 1);                   // race: data-race                 two accesses by this line
  store(p, 2);                   // race: data-race with @reader    … by this line and the one marked so:
  load(p);                       // @reader
  store(p, 3);                   // race: data-race; may: narrow-scope with @other

What `race:` names must be found in every run; `may:` names what some schedules find. A line by itself says
how a program is run, where that matters:

  // run: hooks                  compiled with hooks: raw accesses are seen
  // run: needs random           found under random schedules only
  // run: needs some seeds       found under some of the random schedules only

The programs of a folder are compiled together, each in a namespace of its own, and started without the
driver, which takes a tenth of the time; --alone runs each as a person does.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")

Race = collections.namedtuple("Race", "code lines")  # lines: the two sides', smaller first

CLAUSE = re.compile(r"(race|may): ([a-z-]+)(?: with @(\w+))?")
REPORTED = re.compile(r"^(\S+\.cu):(\d+):\d+: error: .* \[([a-z-]+)\]$")
OTHER_SIDE = re.compile(r"^  other: .*, at (\S+\.cu):(\d+)$")


class Program:
    def __init__(self, path):
        self.path = path
        self.name = f"{path.parent.name}/{path.stem}"
        self.id = f"{path.parent.name}_{path.stem}"
        self.lines = path.read_text().splitlines()
        marks = {m.group(1): n for n, l in enumerate(self.lines, 1) if (m := re.search(r"// @(\w+)(;|$)", l))}
        self.required, self.allowed = set(), set()
        for number, line in enumerate(self.lines, 1):
            for word, code, other in CLAUSE.findall(line.partition("//")[2]):
                race = Race(code, tuple(sorted((number, marks[other] if other else number))))
                (self.required if word == "race" else self.allowed).add(race)
        self.run = set(re.findall(r"^// run: (.*)$", "\n".join(self.lines), re.MULTILINE))
        unknown = self.run - {"hooks", "needs random", "needs some seeds"}
        if unknown:
            raise SystemExit(f"{self.name}: '// run: {unknown.pop()}' is no way to run a program")

    @property
    def hooks(self):
        return "hooks" in self.run


def found(stderr, path):
    """The races of a report, and what is no race."""
    races, others = set(), []
    lines = stderr.splitlines()
    for at, line in enumerate(lines):
        if m := REPORTED.match(line):
            file, number, code = m.group(1), int(m.group(2)), m.group(3)
            other = number
            for detail in lines[at + 1:]:
                if not detail.startswith("  "):
                    break
                if o := OTHER_SIDE.match(detail):
                    file, other = file if file == o.group(1) else "two files", int(o.group(2))
            if pathlib.Path(file).name == path.name:
                races.add(Race(code, tuple(sorted((number, other)))))
            else:
                others.append(line)
        elif ": error: " in line or line.startswith("tilesim: "):
            others.append(line)
    return races, others


def batch_text(programs):
    """A translation unit that holds programs as they are and with -DRACY, and starts the one that it is told."""
    text = ['#include "support.h"']
    text += sorted({l for p in programs for l in p.lines if l.startswith("#include <")})
    for p in programs:
        for variant, macro in (("twin", ""), ("racy", "#define RACY")):
            text += [f"namespace {p.id}_{variant} {{", macro, f"#define main start", f'#include "{p.path}"',
                     "#undef main", "#undef RACY", "}"]
    text += ["#include <cstring>", "int main(int, char** argv) {"]
    for p in programs:
        text += [f'  if (!std::strcmp(argv[1], "{p.id}")) return argv[2][0] == \'t\' ? {p.id}_twin::start() : {p.id}_racy::start();'
                ]
    return "\n".join(text + ["  return 99;", "}", ""])


def start(program, racy, seed, built):
    """Runs a program: out of those that were built together, or by the driver."""
    environment, command = dict(os.environ), []
    if built is None:
        schedule = [] if seed is None else ["--schedule", "random", "--seed", str(seed)]
        hooks = ["--hooks"] if program.hooks else []
        command = [TOOL, "run", "--races", *hooks, *schedule, program.path, *(["-DRACY"] if racy else [])]
    else:
        schedule = {} if seed is None else {"schedule": "random", "seed": seed}
        environment["TILESIM_OPTIONS"] = json.dumps({"races": True, **schedule})
        command = [built, program.id, "racy" if racy else "twin"]
    return subprocess.run([str(c) for c in command],
                          cwd=program.path.parent,
                          env=environment,
                          capture_output=True,
                          text=True,
                          timeout=500)


def judge(program, racy, runs):
    """What is wrong with the runs of a program: [(seed, races, others, status, stderr)]."""
    wrong = []
    allowed = program.required | program.allowed if racy else set()
    hits = 0
    for seed, races, others, status, stderr in runs:
        where = f"{program.name}{' -DRACY' if racy else ''}, {'default schedule' if seed is None else f'seed {seed}'}"
        surplus = races - allowed
        missing = program.required - races if racy else set()
        hits += racy and not missing and seed is not None
        if seed is None and "needs random" in program.run or "needs some seeds" in program.run:
            missing = set()
        status_wanted = 102 if races else 0
        if surplus or missing or others or status != status_wanted:
            wrong.append(f"{where}: " + ", ".join(
                [f"unexpected {text(r)}" for r in surplus] + [f"not found: {text(r)}" for r in missing] + others +
                ([f"exit status {status}, not {status_wanted}"] if status != status_wanted else [])) + "\n" + stderr)
    if racy and "needs some seeds" in program.run and hits == 0:
        wrong.append(f"{program.name} -DRACY: found under none of the seeds")
    return wrong


def text(race):
    lines = race.lines[0] if race.lines[0] == race.lines[1] else f"{race.lines[0]} and {race.lines[1]}"
    return f"{race.code} of line {lines}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    folders = options.folders or sorted({p.parent.name for p in HERE.glob("*/*.cu")})
    programs = [Program(p) for f in folders for p in sorted((HERE / f).glob("*.cu")) if options.only in p.stem]
    wrong = []
    for p in programs:
        if not p.required:
            wrong.append(f"{p.name}: no comment says what is found with -DRACY")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        together = {}
        for hooks in (False, True):
            some = [p for p in programs if p.hooks == hooks]
            if some and not options.alone:
                source = pathlib.Path(folder) / f"batch_{hooks}.cu"
                source.write_text(batch_text(some))
                together[hooks] = source.with_suffix("")
                built = subprocess.run([
                    TOOL, "build", *(["--hooks"] if hooks else []), source, f"-I{HERE}", "-o", together[hooks]
                ], capture_output=True, text=True)
                if built.returncode != 0:
                    sys.exit(f"{source.name} does not compile:\n{built.stderr}")

        def run(program, racy, seed):
            done = start(program, racy, seed, together.get(program.hooks))
            return (seed, *found(done.stderr, program.path), done.returncode, done.stderr)

        seeds = [None, *range(1, options.seeds + 1)]
        jobs = {(p, racy): [pool.submit(run, p, racy, s) for s in seeds] for p in programs for racy in (False, True)}
        for (p, racy), runs in jobs.items():
            wrong += judge(p, racy, [r.result() for r in runs])
    print("\n".join(wrong))
    print(f"{len(programs)} programs and their racy twins, {1 + options.seeds} schedules: {len(wrong)} wrong")
    return 1 if wrong or not programs else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        sys.exit(main())
