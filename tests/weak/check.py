#!/usr/bin/env python3
"""Programs that check their own results, by `tilesim check`: right as they are, and -DWEAKENED wrong in weak executions only.

  TILESIM_TOOL=build/dev/bin/tilesim check.py [--seeds 1] [--only NAME]

Each is checked as it is, where it must be clean; with -DWEAKENED, where a finding must tell that its status is another
under a weak schedule only and name one stale read, in the line marked `// stale`; with -DWEAKENED and --model sc, where it
must be clean again. What is found is replayed: the same finding; and without its stale reads: none.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
SCHEDULES = 200


def check(program, *arguments):
    done = subprocess.run([TOOL, "check", "--json", *arguments, program.name], cwd=HERE, capture_output=True, text=True, timeout=500)
    try:
        report = json.loads(done.stdout)
        report["findings"] = [f for f in report["findings"] if f["level"] == "error"]  # which came first may differ
        return report, done.stderr
    except json.JSONDecodeError:
        sys.exit(f"{program.name}: no report\n{done.stdout}{done.stderr}")


def problems(program, seed):
    """What is wrong, with the report that shows it."""
    drawn = ["--schedules", str(SCHEDULES), "--seed", str(seed)]
    lines = program.read_text().splitlines()
    stale = {n for n, l in enumerate(lines, 1) if re.search(r"// stale$", l)}
    report, text = check(program, *drawn)
    if report["findings"] or report["exit_code"] != 0:
        yield "as it is it is not clean", text
    report, text = check(program, *drawn, "--model", "sc", "-DWEAKENED")
    if report["findings"] or report["exit_code"] != 0:
        yield "weakened it is not clean in sequentially consistent executions", text
    report, text = check(program, *drawn, "-DWEAKENED")
    found = [f for f in report["findings"] if f["code"] == "weak-dependent"]
    if len(report["findings"]) != 1 or not found or report["exit_code"] != 1:
        yield "weakened it has another finding than one weak-dependent", text
        return
    reads = found[0]["stale_reads"]
    if "status 1 instead of 0" not in found[0]["message"] or not found[0]["weak"]:
        yield "the finding does not tell of the status", text
    if len(reads) != 1 or reads[0]["where"][0]["line"] not in stale or not reads[0]["passed"] or not reads[0]["remedy"]:
        yield f"the stale read is not the one of line {stale}", text
    replay, text = check(program, "--replay", found[0]["replay"], "-DWEAKENED")
    again = [f for f in replay["findings"] if f["code"] == "weak-dependent"]
    if not again or replay["limits"]:
        yield "the replay does not show it", text
    without = re.sub(r"_r[^-]*-", "-", found[0]["replay"])
    replay, text = check(program, "--replay", without, "-DWEAKENED")
    if without == found[0]["replay"] or replay["exit_code"] != 0:
        yield "it shows without the stale read, too", text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chosen = [p for p in sorted(HERE.glob("*.cu")) if options.only in p.stem]
    wrong = [f"{p.stem}, seed {s}: {what}\n{text}" for p in chosen for s in range(options.seeds) for what, text in problems(p, s)]
    print("\n".join(wrong))
    print(f"{len(chosen)} programs, {options.seeds} seeds: {len(wrong)} wrong")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        sys.exit(main())
