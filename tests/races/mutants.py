#!/usr/bin/env python3
"""Mutants of the repaired twins: one order weakened, one scope narrowed, one synchronisation removed.

  TILESIM_TOOL=build/dev/bin/tilesim mutants.py [--seeds 20] [--only NAME] [--every N] [FOLDER...]

Each mutant must have a finding under the default schedule, one of the random ones or one of the weak ones, in which reads
may take older writes, unless mutants.txt lists it with the reason why it has none; a listed one must have none. So each
mutant that is racy in some execution but by load buffering is found, and what is not is known by name. Nearly every mutant
is found in the first run, and a listed one has them all: with less than --seeds 100 it has a third of the schedules. Those
of weak/ are run with --seeds 100 or more, or where they are asked for: fewer schedules do not find them all.

With --explore those of weak/ that are listed are explored instead, every execution of each: the equivalent ones have no
finding, the others one that no schedule shows.

A mutant's name is that of its program, the line, and what was done to it.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from programs import Batch, HERE, REPORTED, Unit, programs

LISTED = HERE / "mutants.txt"
REASONS = {"equivalent", "threads", "weak", "coherence"}

# What is replaced in a line of code: what is found, what takes its place, the name of the change.
CHANGES = [
    (r"\b(?P<p>cuda::memory_order_)?acq_rel\b", r"\g<p>acquire", "acq_rel to acquire"),
    (r"\b(?P<p>cuda::memory_order_)?acq_rel\b", r"\g<p>release", "acq_rel to release"),
    (r"\b(?P<p>cuda::memory_order_)?acquire\b(?!\()", r"\g<p>relaxed", "acquire to relaxed"),  # no semaphore's acquire()
    (r"\b(?P<p>cuda::memory_order_)?release\b(?!\()", r"\g<p>relaxed", "release to relaxed"),
    (r"\bct::atomic_load<\w+, \w+>", "ct::load", "atomic load to weak"),
    (r"\bct::atomic_store<\w+, \w+>", "ct::store", "atomic store to weak"),
    (r"\bin_device\b", "in_block", "device to block scope"),
    (r"\bin_system\b", "in_device", "system to device scope"),
    (r"\bcuda::thread_scope_system\b", "cuda::thread_scope_device", "system to device scope"),
    (r"\bcuda::thread_scope_device\b", "cuda::thread_scope_block", "device to block scope"),
    (r"\bcuda::thread_scope_block\b", "cuda::thread_scope_thread", "block to thread scope"),
    (r"\b(?P<f>atomicAdd|atomicExch)\(", r"\g<f>_block(", "device to block scope"),
    (r"\b__threadfence\(", "__threadfence_block(", "device to block scope"),
    (r"\b__threadfence(_block|_system)?\(\);", "", "fence removed"),
    (r"\b(cudaDeviceSynchronize|cuda(Stream|Event)Synchronize|cudaStreamWaitEvent|cudaEventRecord)\([^;]*\);", "",
     "synchronisation removed"),
    (r"\bwhile \(.*\) \{$", "{", "wait removed"),
]

Mutant = collections.namedtuple("Mutant", "name unit program")


def twin(lines):
    """A program's lines as they are compiled without RACY; the others are empty."""
    kept, stack = [], []
    for line in lines:
        if m := re.match(r"#if(n?)def RACY", line):
            stack.append(m.group(1) == "n")
        elif line.startswith("#else"):
            stack[-1] = not stack[-1]
        elif line.startswith("#endif"):
            stack.pop()
        elif all(stack) and not line.startswith("#include"):
            kept.append(line)
            continue
        kept.append("")
    return kept


def waits(lines, at):
    """Whether the loop that begins in this line does nothing but wait."""
    return lines[at + 1].strip() == "}" or re.fullmatch(r"\s*\w+ = [^;]*\b(load|atomic_load)[^;]*;", lines[at + 1].partition("//")[0].rstrip() or "-") is not None


def mutants_of(program):
    lines = twin(program.lines)
    for at, line in enumerate(lines):
        code, slashes, comment = line.partition("//")
        for pattern, replacement, change in CHANGES:
            places = list(re.finditer(pattern, code.rstrip()))
            if change == "wait removed" and places and not waits(lines, at):
                continue
            for n, place in enumerate(places, 1):
                changed = code[:place.start()] + place.expand(replacement) + code[place.end():]
                name = f"{program.name}:{at + 1}{f'.{n}' if len(places) > 1 else ''} {change}"
                source = "\n".join([f'#line 1 "{program.path}"', *lines[:at], changed, *lines[at + 1:]])
                ident = f"{program.id}_{at + 1}_{n}_{re.sub('[^a-z]', '_', change)}"
                yield Mutant(name, Unit(ident, program.path, source, program.hooks), program)


def listed():
    """The mutants that have no finding: name to reason."""
    reasons = {}
    for line in LISTED.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, why = line.partition(" -- ")
            reason = why.partition(":")[0].strip()
            if reason not in REASONS:
                raise SystemExit(f"mutants.txt: '{name}' gives none of the reasons {', '.join(sorted(REASONS))}")
            reasons[name.strip()] = why
    return reasons


def schedules_of(seeds):
    """The default one, random ones, and twice as many weak ones."""
    random = [{"schedule": "random", "seed": s} for s in range(1, 2 * seeds + 1)]
    return [{}, *random[:seeds], *({**s, "weak": True} for s in random)]


def explored(mutant, why, folder):
    """What is wrong with what is said of a mutant, by all its executions; None: nothing."""
    folder = pathlib.Path(folder) / mutant.unit.id
    folder.mkdir()
    source = folder / "mutant.cu"
    includes = [l.replace("../support.h", str(HERE / "support.h")) for l in mutant.program.lines if l.startswith("#include")]
    source.write_text("\n".join([*includes, mutant.unit.source]))
    done = subprocess.run([os.environ["TILESIM_TOOL"], "explore", "--jobs", "1", source], text=True, capture_output=True,
                          timeout=500)
    text = done.stdout + done.stderr
    complete = re.search(r"^complete: (\d+) executions under ptx, \d+ states, (\d+) findings?$", text, re.M)
    found = int(complete[2]) if complete else -1
    racy = why.partition(":")[0] != "equivalent"
    if racy and (found != 1 or "[data-race]" not in text or "no schedule shows it" not in text):
        return f"{mutant.name}: is listed ({why}), but not every schedule misses its one race\n{text}"
    if not racy and (found != 0 or int(complete[1]) < 2):
        return f"{mutant.name}: is listed ({why}), but has a finding, or was not explored\n{text}"
    return None


def findings(report):
    return [l for l in report.splitlines() if REPORTED.match(l) or ": error: " in l]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--every", type=int, default=1, help="of the mutants that are found, only every n-th")
    parser.add_argument("--only", default="")
    parser.add_argument("--explore", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    reasons = listed()
    # What a mutant of weak/ needs is rare: a few of very many schedules have it. Those are run when they are asked for.
    asked = options.folders or options.only or options.seeds >= 100
    every = [m for p in programs(options.folders, options.only) for m in mutants_of(p)]
    if options.explore:
        chosen = [m for m in every if m.program.path.parent.name == "weak" and m.name in reasons]
        with tempfile.TemporaryDirectory() as folder:
            wrong = [w for m in chosen if (w := explored(m, reasons[m.name], folder))]
        print("\n".join(wrong))
        print(f"{len(chosen)} mutants explored: {len(wrong)} wrong")
        return 1 if wrong or not chosen else 0
    chosen = [m for m in every if asked or m.program.path.parent.name != "weak"]
    names = {m.name for m in every}
    wrong = [] if options.folders or options.only else [f"mutants.txt: no mutant is '{n}'" for n in reasons if n not in names]
    expected = [m for m in chosen if m.name not in reasons]
    chosen = expected[::options.every] + [m for m in chosen if m.name in reasons][::options.every]
    schedules = schedules_of(options.seeds)
    few = schedules_of(options.seeds if options.seeds >= 100 else -(-options.seeds // 3))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        together = Batch([m.unit for m in chosen], folder, pool)

        def judge(m):
            for n, schedule in enumerate(few if m.name in reasons else schedules):
                done = together.start(m.unit, {**schedule, "max_ops": 200_000})
                if seen := findings(done.stderr):
                    if options.verbose:
                        print(f"{m.name}: run {n}: {seen[0]}")
                    return f"{m.name}: is listed ({reasons[m.name]}), but has {seen[0]}" if m.name in reasons else None
                if done.returncode != 0:
                    return f"{m.name}: exit status {done.returncode} without a finding\n{done.stdout}{done.stderr}"
            return None if m.name in reasons else f"{m.name}: nothing found"

        wrong += [w for w in pool.map(judge, chosen) if w]
    print("\n".join(wrong))
    print(f"{len(chosen)} mutants, {len(schedules)} schedules, {sum(m.name in reasons for m in chosen)} listed: {len(wrong)} wrong")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        sys.exit(main())
