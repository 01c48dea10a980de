#!/usr/bin/env python3
"""What a build and its tests took: `ctest … | tests/scripts/durations.py BUILD_FOLDER [COUNT]`.

Passes ctest's output on as it comes; before its summary, which stays last, it prints the slowest tests,
the tests' time by the first word of their names, and from .ninja_log the build's time by folder and its
slowest files. Durations are wall time, of jobs that run beside others.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import pathlib
import re
import sys

FINISHED = re.compile(r"^ *\d+/\d+ +Test +#\d+: +(\S.*?) \.+[ *].* (\d+\.\d+) sec")
SUMMARY = re.compile(r"^\d+% tests passed")


def edges(log):
    """Seconds by output of the last build of each; a command with several outputs counts once."""
    by_command = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, command = line.split("\t")
        by_command[output] = (int(start), int(end), command)
    once = {}
    for output, (start, end, command) in by_command.items():
        once.setdefault((start, end, command), (output, (end - start) / 1000))
    return dict(once.values())


def room(output):
    """tools/CMakeFiles/tilesim_tools.dir/step/render.cpp.o -> tools/step"""
    parts = [part for part in pathlib.PurePath(output).parts if part != "CMakeFiles" and not part.endswith(".dir")]
    return "/".join(parts[:-1]) or "."


def table(title, seconds, count):
    print(f"\n{title}: {sum(seconds.values()):.0f} s in all")
    for name, duration in sorted(seconds.items(), key=lambda row: -row[1])[:count]:
        print(f"  {duration:8.1f} s  {name}")


def print_tables(folder, tests, count):
    log = folder / ".ninja_log"
    if log.exists():
        files = edges(log)
        rooms = collections.Counter()
        for output, duration in files.items():
            rooms[room(output)] += duration
        table("build, by folder", rooms, count)
        table("build, slowest files", files, count)
    families = collections.Counter()
    for name, duration in tests.items():
        families[name.split(".")[0]] += duration
    table("tests, by family", families, count)
    table("tests, slowest", tests, count)
    print()


def main():
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    tests = {}
    kept = []
    for line in sys.stdin:
        if kept or SUMMARY.match(line):
            kept.append(line)
            continue
        if found := FINISHED.match(line):
            tests[found[1]] = float(found[2])
        sys.stdout.write(line)
        sys.stdout.flush()
    print_tables(folder, tests, count)
    sys.stdout.writelines(kept)


main()
