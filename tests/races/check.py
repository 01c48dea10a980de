#!/usr/bin/env python3
"""Runs the programs of this folder under the race detector and holds its findings against their comments.

  TILESIM_TOOL=build/dev/bin/tilesim check.py [--seeds 20] [--alone | --command] [--only NAME] FOLDER...

Each program is compiled as it is, where it must have no findings, and with -DRACY, where it must have those
that its comments name and no others. It runs under the default schedule and under --schedule random with
each seed; as it is also under weak schedules, in which reads may take older writes. A comment stands on the line that the compiler gives the access (the end of a long call does not
count):

  store(p, 1);                   // race: data-race                 two accesses by this line
  store(p, 2);                   // race: data-race with @reader    … by this line and the one marked so:
  load(p);                       // @reader
  store(p, 3);                   // race: data-race; may: narrow-scope with @other

What `race:` names must be found in every run; `may:` names what some schedules find. Of all that `either:` names one must be
found in every run: which pair of a byte is the first, the schedule says. A line by itself says
how a program is run, where that matters:

  // run: hooks                  compiled with hooks: raw accesses are seen
  // run: needs random           found under random schedules only
  // run: needs some seeds       found under some of the random schedules only
  // run: needs weak             found under some of the weak schedules only
  // run: placements             every run places its defect elsewhere (support.h: placement)

A line `expect: TEXT` of a program's output says what the report has to contain. A report that golden/ holds,
under the program's name, must be the same under the default schedule; --accept writes those anew.

The programs are compiled together, each in a namespace of its own, and started without the tool, which
takes a tenth of the time; --alone runs each as a person does. --command runs each by `tilesim check` with its
default settings and each seed: what it reports must be what the comments name, in every one. (The repaired
program under three seeds at most.)
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import collections
import concurrent.futures
import difflib
import os
import re
import sys
import tempfile

from programs import Batch, HERE, TOOL, Unit, found, programs, run, text

Run = collections.namedtuple("Run", "seed races others status output report")

MANY_SEEDS = 12  # for programs that need some seeds
WEAK = 1000  # seeds from here on are of weak schedules


def options_of(seed):
    """What the tool would pass on for a seed; None: the default schedule."""
    if seed is None:
        return {}
    return {"schedule": "random", "seed": seed, **({"weak": True} if seed >= WEAK else {})}

FINDINGS = {"run": 102, "check": 1}  # exit status
STOPPED = 101  # by a deadlock, which ends a run


def by_driver(command, program, racy, seed):
    """A program as a person runs it: one source, its schedule or seed, the compiler's flag."""
    arguments = [TOOL, command, "--leaks"]
    if command == "check":
        arguments += ["--schedules", "8", "--seed", str(seed)]
    else:
        arguments += ["--races", *(["--hooks"] if program.hooks else [])]
        arguments += [] if seed is None else ["--schedule", "random", "--seed", str(seed)]
    environment = {**os.environ, "TILESIM_RACES_PLACEMENT": str(seed or 0)}
    return run([*arguments, program.path, *(["-DRACY"] if racy else [])], program.path.parent, environment)


def golden(program, report, accept):
    """What is wrong with the report of -DRACY beside the recorded one, if there is one."""
    file = HERE / "golden" / f"{program.id}.txt"
    report = report.replace(f"{program.id}_racy::", "").replace(f"{HERE}/", "")  # the namespace of the batch
    # Which of the programs that are compiled together has included it first, and so names its path.
    report = re.sub(r"(?:\w+/\.\./)?support\.h(?::\d+)?", "support.h", report)
    report = re.sub(r"  called from main \(\S*batch_\d+_\d+\.cu:\d+:\d+\)\n", "", report)  # programs.py's
    if not file.exists():
        return []
    if accept:
        file.write_text(report)
    lines = difflib.unified_diff(file.read_text().splitlines(), report.splitlines(), str(file), "now", lineterm="")
    difference = "\n".join(lines)
    return [f"{program.name}: another report than the recorded one\n{difference}"] if difference else []


def judge(program, racy, runs, command):
    """What is wrong with the runs of a program."""
    wrong = []
    allowed = program.required | program.allowed | program.either if racy else set()
    hits = 0
    for r in runs:
        where = f"{program.name}{' -DRACY' if racy else ''}, {'default schedule' if r.seed is None else f'seed {r.seed}'}"
        surplus = r.races - allowed
        missing = program.required - r.races if racy else set()
        missing |= program.either if racy and not program.either & r.races else set()
        hits += racy and not missing and r.seed is not None
        if command == "run" and (r.seed is None and "needs random" in program.run or "needs some seeds" in program.run
                                 or "needs weak" in program.run):
            missing = set()
        status_wanted = FINDINGS[command] if r.races else 0
        if command == "run" and any(x.code == "deadlock" for x in r.races):
            status_wanted = STOPPED
        if command == "check" and "nothing was checked" in r.report:
            status_wanted = 3  # a program without kernels
        complaints = [f"unexpected {text(x)}" for x in surplus] + [f"not found: {text(x)}" for x in missing] + r.others
        complaints += [f"exit status {r.status}, not {status_wanted}"] if r.status != status_wanted else []
        complaints += [
            f"the report does not say '{e}'" for e in re.findall("^expect: (.*)$", r.output, re.MULTILINE)
            if racy and e not in r.report
        ]
        if complaints:
            wrong.append(f"{where}: {', '.join(complaints)}\n{r.report}")
    if racy and program.run & {"needs some seeds", "needs weak"} and hits == 0 and command == "run":
        wrong.append(f"{program.name} -DRACY: found under none of the seeds")
    if racy and "needs weak" in program.run and command == "run":
        wrong += [f"{program.name} -DRACY, seed {r.seed}: found without a stale read" for r in runs
                  if r.races and (r.seed or 0) < WEAK]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--command", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--verdicts", action="store_true", help="reports are not held against golden/: where the host "
                        "compiler computes a call's arguments in another order, allocations have other numbers")
    options = parser.parse_args()
    chosen = programs(options.folders, options.only)
    wrong = [f"{p.name}: no comment says what is found with -DRACY" for p in chosen if not p.required | p.either]
    command = "check" if options.command else "run"
    seeds = [*([] if options.command else [None]), *range(1, options.seeds + 1)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        together = None if options.alone or options.command else Batch([u for p in chosen for u in p.variants()],
                                                                       folder, pool)

        def one(program, racy, seed):
            if together is None:
                done = by_driver(command, program, racy, seed)
            else:
                schedule = options_of(seed)
                unit = Unit(f"{program.id}_{'racy' if racy else 'twin'}", program.path, "", program.hooks)
                done = together.start(unit, schedule, seed or 0)
            return Run(seed, *found(done.stderr, program.path), done.returncode, done.stdout, done.stderr)

        def schedules(program, racy):
            if options.command:
                return seeds if racy else seeds[:3]
            many = max(options.seeds, MANY_SEEDS)
            some = [None, *range(1, many + 1)] if "needs some seeds" in program.run else seeds
            weak = racy and "needs weak" in program.run
            if options.alone or racy and not weak:
                return some
            return some + [WEAK + s for s in range(4 * many if weak else options.seeds)]

        jobs = {(p, racy): [pool.submit(one, p, racy, s) for s in schedules(p, racy)]
                for p in chosen
                for racy in (False, True)}
        for (p, racy), runs in jobs.items():
            results = [r.result() for r in runs]
            wrong += judge(p, racy, results, command)
            if racy and command == "run" and not options.verdicts:
                wrong += golden(p, results[0].report, options.accept)
    print("\n".join(wrong))
    print(f"{len(chosen)} programs and their racy twins, {len(seeds)} {'checks' if options.command else 'schedules'} "
          f"of each: {len(wrong)} wrong")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        sys.exit(main())
