#!/usr/bin/env python3
"""What a GPU made of the examples in Python: recorded there, held against the simulator anywhere.

    recorded.py --record FILE PROGRAM...          on a machine with a GPU, cuda-tile and CuPy
    tilesim run recorded.py -- --against FILE PROGRAM...

A program's NumPy arrays go to the device before each launch and come back behind it; the recording holds every array
behind every launch. It is compared byte by byte, or, of floating-point numbers in the programs that are named below,
within so many units in the last place.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import pathlib
import runpy
import sys

import cuda.tile as ct
import numpy as np

# Sums in an order that is open, or functions whose last bits are: how far apart two right results may be, relative to
# the greatest element. Of n terms, each sum is off by n/2 units of 2^-24 at most.
OPEN = {"layer_norm": 64 * 2.0**-24, "softmax": 64 * 2.0**-24, "matmul": 64 * 2.0**-24}

launched = []  # the arrays behind each launch


def arrays_of(value):
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from arrays_of(each)


def launch_here(stream, grid, kernel, arguments, real=ct.launch):
    real(stream, grid, kernel, arguments)
    launched.append([np.array(each) for each in arrays_of(arguments)])


def launch_there(stream, grid, kernel, arguments, real=ct.launch):
    import cupy

    there = {}

    def sent(value):
        if isinstance(value, np.ndarray):
            return there.setdefault(id(value), (value, cupy.asarray(value)))[1]
        if isinstance(value, (list, tuple)):
            return type(value)(sent(each) for each in value)
        return value

    real(cupy.cuda.get_current_stream().ptr, grid, kernel, sent(arguments))
    for here, device in there.values():
        here[...] = cupy.asnumpy(device)
    launched.append([np.array(each) for each in arrays_of(arguments)])


def launches_of(program, launch):
    launched.clear()
    ct.launch = launch
    runpy.run_path(str(program), run_name="__main__")
    return list(launched)


def same(name, here, there):
    """Whether two arrays agree, and what is said of it."""
    if here.shape != there.shape or here.dtype != there.dtype:
        return False, f"{here.dtype}{here.shape} here, {there.dtype}{there.shape} there"
    if here.tobytes() == there.tobytes():
        return True, "the same"
    if name not in OPEN or here.dtype.kind != "f":
        first = np.flatnonzero(np.asarray(here != there).ravel())
        at = first[0] if first.size else 0
        return False, f"{first.size} elements differ, the first is {at}: {here.ravel()[at]} here, {there.ravel()[at]} there"
    apart = np.abs(here.astype(np.float64) - there).max() / np.abs(there).max()
    return apart <= OPEN[name], f"{apart:.2e} apart at most, {OPEN[name]:.2e} allowed"


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    way = asked.add_mutually_exclusive_group(required=True)
    way.add_argument("--record", type=pathlib.Path)
    way.add_argument("--against", type=pathlib.Path)
    asked.add_argument("programs", nargs="+", type=pathlib.Path)
    asked = asked.parse_args()
    if asked.record:
        kept = {}
        for program in asked.programs:
            for number, launch in enumerate(launches_of(program, launch_there)):
                kept |= {f"{program.stem} {number} {k}": array for k, array in enumerate(launch)}
        np.savez_compressed(asked.record, **kept)
        return 0
    kept = np.load(asked.against)
    wrong = 0
    seen = set()
    for program in asked.programs:
        for number, launch in enumerate(launches_of(program, launch_here)):
            for k, array in enumerate(launch):
                name = f"{program.stem} {number} {k}"
                seen.add(name)
                agrees, said = same(program.stem, array, kept[name]) if name in kept else (False, "not in the recording")
                wrong += not agrees
                print(f"{program.stem}, launch {number}, array {k}: {said}")
    asked_for = {program.stem for program in asked.programs}
    for name in sorted({name for name in kept if name.split()[0] in asked_for} - seen):
        wrong += 1
        print(f"{name}: in the recording alone")
    print(f"{len(seen)} arrays, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
