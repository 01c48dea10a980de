#!/usr/bin/env python3
"""What a GPU makes of programs in Python whose arrays are NumPy's: a recording each, by tilesim.record().

    record_examples.py FOLDER PROGRAM...      on a machine with a GPU, cuda-tile and the package tilesim

A program's arrays go to the device before each launch and come back behind it, so that it runs there as it does in the
simulator. FOLDER/NAME.rec is what `tilesim diff NAME.py --against FOLDER/NAME.rec` compares anywhere. Needs the driver
(libcuda.so.1) alone: no torch, no CuPy. Exit status: 0, 1 when a program fails, 69 without a GPU.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import contextlib
import ctypes
import pathlib
import runpy
import sys
import traceback

import cuda.tile as ct
import numpy as np

import tilesim


class Driver:
    """The CUDA driver's functions, and the first device's primary context."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise OSError(f"{name} gives the error {status}")


class There:
    """An array's memory on the device, by the array interface."""

    def __init__(self, driver, here):
        self.driver, self.here = driver, here
        self.place = ctypes.c_uint64()
        driver.call("cuMemAlloc_v2", ctypes.byref(self.place), ctypes.c_size_t(max(here.nbytes, 1)))
        flat = np.ascontiguousarray(here)
        driver.call("cuMemcpyHtoD_v2", self.place, ctypes.c_void_p(flat.ctypes.data), ctypes.c_size_t(flat.nbytes))
        self.__cuda_array_interface__ = {"shape": here.shape, "typestr": here.dtype.str, "version": 3, "strides": None,
                                         "data": (self.place.value, False), "stream": None}

    def back(self):
        flat = np.empty(self.here.shape, self.here.dtype)
        self.driver.call("cuCtxSynchronize")
        self.driver.call("cuMemcpyDtoH_v2", ctypes.c_void_p(flat.ctypes.data), self.place, ctypes.c_size_t(flat.nbytes))
        self.driver.call("cuMemFree_v2", self.place)
        self.here[...] = flat


@contextlib.contextmanager
def arrays_on_the_device(driver):
    """Within: ct.launch takes NumPy arrays, and gives its place the device's."""
    recorded = ct.launch

    def launch(stream, grid, kernel, arguments, *more, **named):
        there = {}

        def sent(value):
            if isinstance(value, np.ndarray):
                return there.setdefault(id(value), There(driver, value))
            if isinstance(value, (list, tuple)):
                return type(value)(sent(each) for each in value)
            return value

        recorded(stream, grid, kernel, sent(arguments), *more, **named)
        for each in there.values():
            each.back()

    ct.launch = launch
    try:
        yield
    finally:
        ct.launch = recorded


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("folder", type=pathlib.Path)
    asked.add_argument("programs", nargs="+", type=pathlib.Path)
    asked = asked.parse_args()
    try:
        driver = Driver()
    except OSError as error:
        print(f"record_examples.py: error: no GPU: {error}", file=sys.stderr)
        return 69
    asked.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for program in asked.programs:
        sys.argv = [str(program)]  # whose text the recording is of
        # record() has taken ct.launch's place before the arrays are sent: it is given what lies on the device.
        with tilesim.record(asked.folder / f"{program.stem}.rec"), arrays_on_the_device(driver):
            try:
                runpy.run_path(str(program), run_name="__main__")
            except Exception:
                failed += 1
                traceback.print_exc()
    return 1 if failed else 0


sys.exit(main())
