"""tilesim.record(): what launches are given and what they make of it, in a file; tilesim.compare() and `tilesim diff` hold a run against it.

Where there is a CUDA driver cuTile is left as it is, and its launches are watched: behind each the device is waited for,
and the arrays are copied from it. Elsewhere, and where tilesim has been installed, the simulator's launches are recorded.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import ctypes
import functools
import importlib
import json
import os
import sys
import tempfile

from . import _arrays, _cutile
from ._library import beside


class RecordingError(RuntimeError):
    """A recording cannot be written, or is none."""


class _Writer:
    """libtilesim_check.so, by ctypes; tools/diff/for_python.cpp defines the functions."""

    def __init__(self):
        loaded = ctypes.CDLL(beside("libtilesim_check.so"))

        def function(name, result, *arguments):
            found = getattr(loaded, f"tilesim_recording_{name}")
            found.restype, found.argtypes = result, arguments
            return found

        text, pointer, size = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t
        self.begin = function("begin", pointer, text, text, text, text, text, text)
        self.array = function("array", ctypes.c_uint64, pointer, text, ctypes.c_uint64, pointer, size)
        self.launch = function("launch", None, pointer, text, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
        self.changed = function("changed", None, pointer, ctypes.c_uint64, pointer, pointer, size)
        self.observed = function("observed", None, pointer)
        self.end = function("end", ctypes.c_int, pointer, ctypes.c_int)
        self.feed = function("feed", text, text, text)


class _Simulated:
    """Memory of the host's, which the simulator's kernels use."""

    device, capability, driver = "tilesim", "", ""

    @staticmethod
    def read(address, size):
        return ctypes.string_at(address, size)


class _Device:
    """A device's memory, by the driver that cuTile uses."""

    def __init__(self, driver):
        self._driver = driver
        name = ctypes.create_string_buffer(256)
        number, version, major, minor = (ctypes.c_int(0) for _ in range(4))
        self._must("cuInit", driver.cuInit(0))
        self._must("cuDeviceGet", driver.cuDeviceGet(ctypes.byref(number), 0))
        self._must("cuDeviceGetName", driver.cuDeviceGetName(name, len(name), number))
        self._must("cuDriverGetVersion", driver.cuDriverGetVersion(ctypes.byref(version)))
        self._must("cuDeviceComputeCapability",
                   driver.cuDeviceComputeCapability(ctypes.byref(major), ctypes.byref(minor), number))
        self.device = name.value.decode()
        self.capability = f"{major.value}.{minor.value}"
        self.driver = f"CUDA {version.value // 1000}.{version.value % 1000 // 10}"

    @staticmethod
    def _must(name, error):
        if error:
            raise RecordingError(f"{name} returned {error}")

    def read(self, address, size):
        content = ctypes.create_string_buffer(size)
        self._must("cuCtxSynchronize", self._driver.cuCtxSynchronize())
        self._must("cuMemcpyDtoH", self._driver.cuMemcpyDtoH_v2(content, ctypes.c_uint64(address),
                                                                ctypes.c_size_t(size)))
        return content.raw


def _real_driver():
    """The machine's CUDA driver, if it has a device; None."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        there = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return None
    return driver if there else None


def _kernel_name(kernel):
    function = getattr(getattr(kernel, "_annotated_function", None), "pyfunc", None)
    return getattr(function, "__name__", "")


def _grid(grid):
    return (tuple(int(n) for n in grid) + (1, 1, 1))[:3]


_under_way = None  # the recording that launches go to


def watch(call, grid, kernel, places):
    """Calls; where a recording is under way, what the arrays at these places hold before and behind goes there."""
    if _under_way is None:
        return call()
    return _under_way.watch(call, grid, kernel, places)


def _watch_genuine():
    """cuTile's own launch, on its own driver, watched."""
    tile = importlib.import_module("cuda.tile")
    extension = importlib.import_module("cuda.tile._cext")
    original = extension.launch

    @functools.wraps(original)
    def launch(stream, grid, kernel, kernel_args, /, *args, **more):
        ranges = []
        _arrays.lend_all(kernel_args, _cutile.parameter_names(kernel), ranges)
        _, places = _arrays.arranged(ranges)
        return watch(lambda: original(stream, grid, kernel, kernel_args, *args, **more), grid, kernel, places)

    def restore():
        extension.launch = tile.launch = original

    extension.launch = tile.launch = launch
    return restore


class Recording(contextlib.AbstractContextManager):
    """Records the launches of a `with` block into a file."""

    def __init__(self, path):
        self._path = os.fspath(path)
        self._restore = None

    def __enter__(self):
        global _under_way
        if _under_way is not None:
            raise RecordingError("a recording is under way: one at a time")
        driver = None if _cutile.is_installed_here() else _real_driver()
        if driver is None:
            _cutile.install()
            _cutile.library()  # says what is missing
            self._memory = _Simulated
        else:
            self._memory = _Device(driver)
            self._restore = _watch_genuine()
        self._to = _Writer()
        self._file = self._to.begin(self._path.encode(), (sys.argv[0] or "python").encode(),
                                    f"cuda-tile {_cutile.version() or '?'}".encode(),
                                    self._memory.device.encode(), self._memory.capability.encode(),
                                    self._memory.driver.encode())
        _under_way = self
        _cutile._watch = watch
        return self

    def watch(self, call, grid, kernel, places):
        held = []
        for place in places:
            before = self._memory.read(place.begin, place.size)
            number = self._to.array(self._file, place.name, place.begin, before, place.size)
            held.append((place, number, before))
        self._to.launch(self._file, _kernel_name(kernel).encode(), *_grid(grid))
        result = call()
        for place, number, before in held:
            self._to.changed(self._file, number, before, self._memory.read(place.begin, place.size), place.size)
        self._to.observed(self._file)
        return result

    def __exit__(self, kind, exception, trace):
        global _under_way
        _under_way = _cutile._watch = None
        if self._restore is not None:
            self._restore()
        failed = self._to.end(self._file, 0 if kind is None else 1)
        if failed and kind is None:
            raise RecordingError(f"{self._path}: {os.strerror(failed)}")
        return False


def record(path):
    """Records the launches of a `with` block: arguments' arrays before and behind each, for `tilesim diff`."""
    return Recording(path)


class Comparison:
    """What a compared block's launches came to: whole when the block has been left."""

    def __init__(self):
        self.launches = []  # of dict: number, kernel, buffers that differ, inputs that differ
        self.recorded = 0
        self.other = None  # the launch that was another one than there

    @property
    def differing(self):
        return [told for told in self.launches if told["buffers"]]

    @property
    def agrees(self):
        """Every launch is there, began with the same, and left the same, bit for bit."""
        return (self.other is None and len(self.launches) == self.recorded
                and not any(told["buffers"] or told["inputs"] for told in self.launches))

    def __str__(self):
        lines = []
        for told in self.launches:
            for given in told["inputs"]:
                lines.append(f"launch {told['launch'] + 1} ({told['kernel']}): {given['name']} holds something else before it")
            for buffer in told["buffers"]:
                first = buffer["first"][0]
                lines.append(f"launch {told['launch'] + 1} ({told['kernel']}): {buffer['elements']} elements of {buffer['name']} "
                             f"differ, the first {buffer['name']}[{first['index']}]: {first['here']} here, {first['there']} there")
        if self.other is not None:
            lines.append(f"launch {self.other['other_launch'] + 1}: {self.other['here']['kernel']} here, "
                         f"{self.other['there']['kernel']} there")
        elif len(self.launches) != self.recorded:
            lines.append(f"{len(self.launches)} launches here, {self.recorded} there")
        return "\n".join(lines) if lines else f"{self.recorded} launches agree, bit for bit"


class DifferenceError(Exception):
    """A comparison has come to something else: `comparison` has it."""

    def __init__(self, comparison):
        super().__init__("\n" + str(comparison))
        self.comparison = comparison


class Comparing(contextlib.AbstractContextManager):
    """Holds the launches of a `with` block, in the simulator, against a recording."""

    def __init__(self, path, on_difference):
        self._path = os.fspath(path)
        self._on_difference = on_difference

    def __enter__(self):
        _cutile.install()
        library = _cutile.library()
        self._folder = tempfile.TemporaryDirectory()
        feed = os.path.join(self._folder.name, "feed")
        self._lines = os.path.join(self._folder.name, "lines")
        try:
            wrong = _Writer().feed(self._path.encode(), feed.encode())
            if wrong is not None:
                raise ValueError(wrong.decode())
            self._check = library.check_begins({"quiet": True, "feed": feed, "comparison": self._lines,
                                                "arith": "hardware", "compare_details": True})
        except ValueError as wrong:
            self._folder.cleanup()
            raise RecordingError(str(wrong)) from None
        self._comparison = Comparison()
        return self._comparison

    def __exit__(self, kind, exception, trace):
        _cutile.library().check_ends(self._check)
        told = self._comparison
        with self._folder, open(self._lines, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                if "launch" in line:
                    told.launches.append(line)
                elif "other_launch" in line:
                    told.other = line
                elif "end" in line:
                    told.recorded = line["recorded"]
        if self._on_difference == "raise" and not told.agrees and kind is None:
            raise DifferenceError(told)
        return False


def compare(path, *, on_difference="raise"):
    """Compares the launches of a `with` block, each begun with the memory that the recording has before it.

    on_difference: "raise" DifferenceError, or "collect" what differs in the comparison alone.
    """
    if on_difference not in ("raise", "collect"):
        raise ValueError(f"on_difference is raise or collect, not {on_difference!r}")
    return Comparing(path, on_difference)
