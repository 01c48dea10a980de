#!/usr/bin/env python3
"""`tilesim explore --sample`: what is drawn of the programs of check.py is among what there is, and of small ones all of it.

  TILESIM_TOOL=build/dev/bin/tilesim samples.py [--only NAME]
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import subprocess
import sys
import tempfile

import check

DRAWN = 20_000
OF_ONE_RUN = {"barrier-divergence", "uninitialised-read"}
FEW = 60  # executions: of so few all are drawn


def key(state):
    return str((sorted(state["values"].items()), state["printed"], state["status"]))


def row_problems(program, arguments):
    """Beside the whole, without load buffering, which is never drawn."""
    own = [a for a in arguments if a.startswith("-D")] + (["--model", "sc"] if "sc" in arguments else [])
    whole, _ = check.explore(f"{program}.cu", "--load-buffering", "off", "--no-symmetry", *own)
    if not whole["complete"]:
        return
    drawn, code = check.explore(f"{program}.cu", "--sample", str(DRAWN), "--no-symmetry", *own)
    if drawn["complete"] or drawn["samples"] != DRAWN or drawn["load_buffering"]:
        yield f"complete {drawn['complete']}, samples {drawn['samples']}, load buffering {drawn['load_buffering']}"
    there, seen = ({key(s) for s in r["states"]} for r in (whole, drawn))
    if not seen <= there:
        yield f"drawn, and not there: {seen - there}"
    if drawn["executions"] > whole["executions"]:
        yield f"{drawn['executions']} executions of {whole['executions']}"
    # What the one run tells that stands behind a whole exploration is none of an execution's.
    codes, all_codes = (sorted({f["code"] for f in r["findings"]} - OF_ONE_RUN) for r in (drawn, whole))
    if codes != all_codes:
        yield f"findings {codes}, not {all_codes}"
    if whole["executions"] <= FEW and (seen != there or drawn["executions"] != whole["executions"]):
        yield f"{drawn['executions']} of {whole['executions']} executions; not drawn: {there - seen}"
    wanted = 1 if codes or any(s["status"] for s in drawn["states"]) else 3
    if code != wanted:
        yield f"exit code {code}, not {wanted}: {drawn['why']}"
    again, _ = check.explore(f"{program}.cu", "--sample", str(DRAWN), "--no-symmetry", *own)
    if [key(s) for s in again["states"]] != [key(s) for s in drawn["states"]]:
        yield "another time others were drawn"


def word_problems():
    """What does not go with --sample."""
    for words, wanted in ((["--sample", "0"], "--sample"), (["--sample", "10", "--bound", "1"], "leave out --bound"), (["--sample", "10", "--jobs", "2"], "--jobs"),
                          (["--sample", "10", "--load-buffering", "on"], "without load buffering"), (["--seed", "3"], "--sample N"), (["--sample", "10", "--shard", "1/2"], "--shard")):
        done = subprocess.run([check.TOOL, "explore", *words, "store_buffering.cu"], cwd=check.HERE, capture_output=True, text=True)
        if done.returncode != 64 or wanted not in done.stderr:
            yield f"{words}: exit code {done.returncode}: {done.stderr}"
    done = subprocess.run([check.TOOL, "explore", "--sample", "100", "message.cu"], cwd=check.HERE, capture_output=True, text=True)
    if done.returncode != 3 or "100 executions were drawn, and there may be others than those: 2 different ones" not in done.stdout or "%" in done.stdout:
        yield f"--sample 100: exit code {done.returncode}: {done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows = {(r[0], *r[1]): r for r in check.ROWS if options.only in r[0] and not {"--bound", "--load-buffering"} & set(r[1])}
    wrong = [f"{r[0]} {' '.join(r[1])}: {p}" for r in rows.values() for p in row_problems(r[0], r[1])]
    print(f"{len(rows)} programs")
    wrong += [] if options.only else word_problems()
    wrong += [] if rows else ["no such program"]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        sys.exit(main())
