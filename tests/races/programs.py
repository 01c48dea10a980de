"""The programs of this folder: what their comments say, how many are built at once, and what a run of one finds."""
# SPDX-License-Identifier: Apache-2.0
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")

Race = collections.namedtuple("Race", "code lines")  # lines: the two sides', smaller first

CLAUSE = re.compile(r"(race|may|either): ([a-z-]+)(?: with @(\w+))?")
REPORTED = re.compile(r"^(\S+\.cu):(\d+):\d+: error: .* \[([a-z-]+)\]$")
OTHER_SIDE = re.compile(r"^  other: .*, at (\S+\.cu):(\d+)$")
WAYS = {"hooks", "needs random", "needs some seeds", "needs weak", "placements"}


class Program:
    """A program and what its comments say of the races that it has with -DRACY."""

    def __init__(self, path):
        self.path = path
        self.name = f"{path.parent.name}/{path.stem}"
        self.id = f"{path.parent.name}_{path.stem}"
        self.lines = path.read_text().splitlines()
        marks = {m.group(1): n for n, l in enumerate(self.lines, 1) if (m := re.search(r"// @(\w+)(;|$)", l))}
        self.required, self.allowed, self.either = set(), set(), set()
        for number, line in enumerate(self.lines, 1):
            for word, code, other in CLAUSE.findall(line.partition("//")[2]):
                race = Race(code, tuple(sorted((number, marks[other] if other else number))))
                {"race": self.required, "may": self.allowed, "either": self.either}[word].add(race)
        self.run = set(re.findall(r"^// run: (.*)$", "\n".join(self.lines), re.MULTILINE))
        if unknown := self.run - WAYS:
            raise SystemExit(f"{self.name}: '// run: {unknown.pop()}' is no way to run a program")

    @property
    def hooks(self):
        return "hooks" in self.run

    @property
    def placements(self):
        return "placements" in self.run

    def variants(self):
        """The program as it is and with -DRACY, to be built."""
        return [
            Unit(f"{self.id}_{name}", self.path, f'{macro}\n#include "{self.path}"\n#undef RACY', self.hooks)
            for name, macro in (("twin", ""), ("racy", "#define RACY"))
        ]


def programs(folders=(), only=""):
    """The programs of some folders (of all), in order; those with `only` in their name."""
    folders = folders or sorted({p.parent.name for p in HERE.glob("*/*.cu")})
    return [Program(p) for f in folders for p in sorted((HERE / f).glob("*.cu")) if only in p.stem]


def text(race):
    lines = race.lines[0] if race.lines[0] == race.lines[1] else f"{race.lines[0]} and {race.lines[1]}"
    return f"{race.code} of line {lines}"


def found(report, path):
    """The races that a report tells of the program at `path`, and its other errors."""
    races, others = set(), []
    lines = report.splitlines()
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


# One text that is started by its id: source in a namespace of its own.
Unit = collections.namedtuple("Unit", "id path source hooks")


class Batch:
    """Units that are compiled together into a few programs: a tenth of the time of one by one."""

    def __init__(self, units, folder, pool, at_most=90):
        self.built, jobs = {}, []
        for hooks in (False, True):
            some = [u for u in units if u.hooks == hooks]
            parts = -(-len(some) // at_most)
            for part in range(parts):
                members = some[part::parts]
                source = pathlib.Path(folder) / f"batch_{int(hooks)}_{part}.cu"
                source.write_text(batch_text(members))
                self.built.update({u.id: source.with_suffix("") for u in members})
                jobs.append(pool.submit(build, source, hooks))
        for job in jobs:
            job.result()

    def start(self, unit, options, placement=1):
        """Runs a unit under the race detector, with options as the tool would pass them on."""
        environment = {
            **os.environ, "TILESIM_OPTIONS": json.dumps({"races": True, "leaks": True, **options}),
            "TILESIM_RACES_PLACEMENT": str(placement)
        }
        return run([self.built[unit.id], unit.id], unit.path.parent, environment)


def build(source, hooks):
    done = subprocess.run([TOOL, "build", *(["--hooks"] if hooks else []), source, f"-I{HERE}", "-o",
                           source.with_suffix("")], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{source.name} does not compile:\n{done.stderr}")


def batch_text(units):
    lines = ['#include "support.h"']
    headers = {l for u in units for l in u.path.read_text().splitlines() if l.startswith("#include <")}
    lines += [*sorted(headers), "#include <cstring>"]
    for u in units:
        lines += [f"namespace {u.id} {{", "#define main start", u.source, "#undef main", "}"]
    lines.append("int main(int, char** argv) {")
    lines += [f'  if (!std::strcmp(argv[1], "{u.id}")) return {u.id}::start();' for u in units]
    return "\n".join([*lines, "  return 99;", "}", ""])


def run(command, folder, environment):
    return subprocess.run([str(c) for c in command],
                          cwd=folder,
                          env=environment,
                          capture_output=True,
                          text=True,
                          timeout=500)
