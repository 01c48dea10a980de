"""Every replay string that `tilesim check` gives for the racy programs of tests/races shows its finding again.

  TILESIM_TOOL=build/dev/bin/tilesim check_replays.py [--only NAME]
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

RACES = pathlib.Path(__file__).resolve().parents[2] / "races"
TOOL = os.environ.get("TILESIM_TOOL", "")


def check(program, *words):
    """The report on a program with its race."""
    bound = [] if "--replay" in words else ["--schedules", "8"]
    result = subprocess.run([TOOL, "check", "--json", *bound, *words, program.name, "-DRACY"], cwd=program.parent,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    if result.returncode not in (0, 1, 3, 66):
        sys.exit(f"{program}: status {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout)


def what(finding):
    """A kind and a pair of lines, in any order: what one report stands for."""
    sides = [side[0] for side in (finding["where"], finding["other"]) if side]
    return finding["code"], frozenset((side["file"], side["line"]) for side in sides)


def failures(program, strategies):
    for finding in check(program)["findings"]:
        string = finding["replay"]
        strategy = string.split("-")[1]
        strategies["turns" if strategy[0].isdigit() else strategy.split("_")[0][:3]] += 1
        if len(string) > 64:
            yield f"{string} has {len(string)} characters"
        if what(finding) not in map(what, check(program, "--replay", string)["findings"]):
            yield f"{string} does not show {finding['code']}: {finding['message']}"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", default="", help="programs whose path holds this")
    only = options.parse_args().only
    programs = [p for p in sorted(RACES.glob("*/*.cu")) if only in str(p.relative_to(RACES))]
    strategies = collections.Counter()
    failed = [f"{p.relative_to(RACES)}: {f}" for p in programs for f in failures(p, strategies)]
    print("\n".join(failed))
    print(f"{len(programs)} programs, {sum(strategies.values())} findings replayed: {dict(strategies)}")
    if not programs or not strategies:
        sys.exit("nothing was replayed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    if not TOOL:
        sys.exit("set TILESIM_TOOL to the tool that is to be tested")
    main()
