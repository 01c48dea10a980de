#!/usr/bin/env python3
"""The stand-in for the CUDA driver, called as cuTile calls it: recorded bytecode, without cuTile.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import os
import pathlib
import unittest

RECORDED = pathlib.Path(__file__).resolve().parents[2] / "tileir" / "recorded"
LIBRARY = os.environ["TILESIM_LIBRARY"]


class Config(ctypes.Structure):
    """CUlaunchConfig."""
    _fields_ = [(name, ctypes.c_uint) for name in ("gx", "gy", "gz", "bx", "by", "bz", "shared")] + [
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint)]


class KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS."""
    _fields_ = [("func", ctypes.c_void_p)] + [(name, ctypes.c_uint) for name in ("gx", "gy", "gz", "bx", "by", "bz", "shared")] + [
        (name, ctypes.c_void_p) for name in ("parameters", "extra", "kern", "context")]


class FillNode(ctypes.Structure):
    """CUDA_MEMSET_NODE_PARAMS."""
    _fields_ = [("dst", ctypes.c_uint64), ("pitch", ctypes.c_size_t), ("value", ctypes.c_uint), ("element", ctypes.c_uint),
                ("width", ctypes.c_size_t), ("height", ctypes.c_size_t)]


class AllocationNode(ctypes.Structure):
    """CUDA_MEM_ALLOC_NODE_PARAMS."""
    _fields_ = [("pool", ctypes.c_ubyte * 88), ("access", ctypes.c_void_p), ("accesses", ctypes.c_size_t),
                ("bytes", ctypes.c_size_t), ("pointer", ctypes.c_uint64)]


class Driver:
    """Functions of the driver by name; each gives a CUresult."""

    def __init__(self):
        self.library = ctypes.CDLL(LIBRARY)

    def function(self, name, version=13000):
        found = ctypes.c_void_p()
        assert self.library.tilesim_driver_get(name.encode(), ctypes.byref(found), version, ctypes.c_uint64(0), None) == 0
        return ctypes.CFUNCTYPE(ctypes.c_int)(found.value)

    def call(self, name, *arguments):
        f = self.function(name)
        return ctypes.CFUNCTYPE(ctypes.c_int, *[type(a) for a in arguments])(
            ctypes.cast(f, ctypes.c_void_p).value)(*arguments)

    def words(self):
        text = ctypes.c_char_p()
        self.call("cuGetErrorString", ctypes.c_int(1), ctypes.c_void_p(ctypes.addressof(text)))
        return text.value.decode()

    def load(self, code):
        self.kept = ctypes.create_string_buffer(code, len(code))
        library = ctypes.c_void_p()
        null = ctypes.c_void_p()
        result = self.call("cuLibraryLoadData", ctypes.c_void_p(ctypes.addressof(library)),
                           ctypes.c_void_p(ctypes.addressof(self.kept)), null, null, ctypes.c_uint(0), null, null,
                           ctypes.c_uint(0))
        return result, library

    def kernel(self, library, name):
        kernel = ctypes.c_void_p()
        result = self.call("cuLibraryGetKernel", ctypes.c_void_p(ctypes.addressof(kernel)), library,
                           ctypes.c_char_p(name.encode()))
        return result, kernel

    def launch(self, kernel, grid, parameters):
        config = Config(gx=grid, gy=1, gz=1, bx=1, by=1, bz=1)
        pointers = (ctypes.c_void_p * len(parameters))(*[ctypes.addressof(p) for p in parameters])
        return self.call("cuLaunchKernelEx", ctypes.c_void_p(ctypes.addressof(config)), kernel,
                         ctypes.c_void_p(ctypes.addressof(pointers)), ctypes.c_void_p())


class Launches(unittest.TestCase):
    def setUp(self):
        self.driver = Driver()

    def entry(self, library, code, beginning):
        """The entry whose mangled name begins so: strings have no end in the file."""
        at = code.index(beginning)
        for end in range(at + 120, at, -1):
            result, kernel = self.driver.kernel(library, code[at:end].decode(errors="replace"))
            if result == 0:
                return kernel
        self.fail("there is no such entry")

    def test_a_recorded_kernel_runs_on_memory_that_is_lent(self):
        code = (RECORDED / "vector_add.tilebc").read_bytes()
        result, library = self.driver.load(code)
        self.assertEqual(result, 0)
        kernel = self.entry(library, code, b"vector_add_Kt1")
        n = 300
        arrays = [(ctypes.c_float * n)(*values) for values in (range(n), [0.5] * n, [0] * n)]
        for a in arrays:
            self.assertEqual(self.driver.library.tilesim_host_lends(ctypes.c_void_p(ctypes.addressof(a)), ctypes.c_size_t(4 * n), b"array", b"float32"), 1)
        parameters = []
        for a in arrays:
            parameters += [ctypes.c_void_p(ctypes.addressof(a)), ctypes.c_int(n), ctypes.c_int(1)]
        self.assertEqual(self.driver.launch(kernel, 2, parameters), 0, self.driver.words())
        self.assertEqual(list(arrays[2]), [i + 0.5 for i in range(n)])
        for a in arrays:
            self.driver.library.tilesim_host_takes_back(ctypes.c_void_p(ctypes.addressof(a)))

    def test_what_cannot_run_is_refused_by_name_and_line(self):
        code = (RECORDED / "shows_scales.tilebc").read_bytes()
        _, library = self.driver.load(code)
        kernel = self.entry(library, code, b"shows_scales_Kt1")
        self.assertEqual(self.driver.launch(kernel, 1, []), 801)
        self.assertRegex(self.driver.words(), r"tests/tileir/kernels\.py:\d+:\d+: 'print_tko' cannot be run")

    def test_code_that_is_none_and_entries_that_are_not_there(self):
        self.assertEqual(self.driver.load(b"\x7fELF and so on, and on, and on")[0], 200)
        self.assertIn("no Tile IR bytecode", self.driver.words())
        damaged = bytearray((RECORDED / "vector_add.tilebc").read_bytes())
        damaged[0x20] ^= 0xFF
        self.assertEqual(self.driver.load(bytes(damaged))[0], 200)
        self.assertIn("section ", self.driver.words())
        _, library = self.driver.load((RECORDED / "vector_add.tilebc").read_bytes())
        self.assertEqual(self.driver.kernel(library, "nothing")[0], 500)
        self.assertIn("nothing", self.driver.words())

    def made(self, name, *arguments):
        """What a function makes, whose first argument takes it."""
        handle = ctypes.c_void_p()
        result = self.driver.call(name, ctypes.c_void_p(ctypes.addressof(handle)), *arguments)
        self.assertEqual(result, 0, self.driver.words())
        return handle

    def test_a_graph_does_what_it_was_told_each_time_it_is_launched(self):
        code = (RECORDED / "vector_add.tilebc").read_bytes()
        _, library = self.driver.load(code)
        kernel = self.entry(library, code, b"vector_add_Kt1")
        none, zero, kept = ctypes.c_void_p(), ctypes.c_size_t(0), []

        def of(thing):
            kept.append(thing)
            return ctypes.c_void_p(ctypes.addressof(thing))

        n = 300
        graph = self.made("cuGraphCreate", ctypes.c_uint(0))
        sum_ = AllocationNode(bytes=4 * n)
        self.made("cuGraphAddMemAllocNode", graph, none, zero, of(sum_))
        arrays = [(ctypes.c_float * n)(*[1.5] * n), (ctypes.c_float * n)(*range(n))]
        for a in arrays:
            self.driver.library.tilesim_host_lends(of(a), ctypes.c_size_t(4 * n), b"array", b"float32")
        begin, end = (self.made("cuEventCreate", ctypes.c_uint(0)) for _ in range(2))
        time = ctypes.c_float(-1)
        self.assertEqual(self.driver.call("cuEventElapsedTime", of(time), begin, end), 1)
        self.assertIn("never recorded", self.driver.words())
        self.made("cuGraphAddEventRecordNode", graph, none, zero, begin)
        parameters = []
        for pointer in (ctypes.addressof(arrays[0]), sum_.pointer, ctypes.addressof(arrays[1])):
            parameters += [ctypes.c_void_p(pointer), ctypes.c_int(n), ctypes.c_int(1)]
        pointers = (ctypes.c_void_p * len(parameters))(*[ctypes.addressof(p) for p in parameters])
        self.made("cuGraphAddMemsetNode", graph, none, zero, of(FillNode(dst=sum_.pointer, value=0, element=1, width=4 * n, height=1)), none)
        self.made("cuGraphAddKernelNode", graph, none, zero, of(KernelNode(gx=2, gy=1, gz=1, bx=1, by=1, bz=1, parameters=ctypes.addressof(pointers), kern=kernel.value)))
        parameters[0].value = 0  # the node has its values already
        self.made("cuGraphAddEventRecordNode", graph, none, zero, end)
        self.assertEqual(self.driver.call("cuGraphAddMemsetNode", of(ctypes.c_void_p()), graph, none, zero, of(FillNode(element=4)), none), 801)
        ready = self.made("cuGraphInstantiateWithFlags", graph, ctypes.c_uint64(0))
        self.assertEqual(self.driver.call("cuGraphDestroy", graph), 0)
        for first in (1.5, 2.5):  # what lies there when it is launched
            arrays[0][:] = [first] * n
            arrays[1][:] = [0] * n
            self.assertEqual(self.driver.call("cuGraphLaunch", ready, none), 0, self.driver.words())
            self.assertEqual(list(arrays[1]), [first] * n)
        self.assertEqual(self.driver.call("cuEventElapsedTime", of(time), begin, end), 0)
        self.assertGreater(time.value, 0)
        self.assertEqual(self.driver.call("cuGraphExecDestroy", ready), 0)
        for a in arrays:
            self.driver.library.tilesim_host_takes_back(of(a))

    def test_a_function_that_is_not_there_says_so_when_it_is_called(self):
        self.assertEqual(self.driver.call("cuGraphAddChildGraphNode"), 801)
        self.assertIn("does not have this function", self.driver.words())


if __name__ == "__main__":
    unittest.main(verbosity=2)
