#!/usr/bin/env python3
"""Arrays that a launch is given: what has them, what may be done to them, and what is said of those that are none.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import importlib.util
import subprocess
import unittest

HAS_CUPY = importlib.util.find_spec("cupy") is not None

import tilesim  # noqa: E402

tilesim.install()

import cuda.tile as ct  # noqa: E402
import numpy as np  # noqa: E402


@ct.kernel
def twice(x):
    ct.store(x, (0,), ct.load(x, (0,), (4,)) * 2)


@ct.kernel
def add_all(parts, y):
    total = ct.load(y, (0,), (4,))
    for i in range(len(parts)):
        total = total + ct.load(parts[i], (0,), (4,))
    ct.store(y, (0,), total)


@ct.kernel
def converts(x, y):
    ct.store(y, (0,), ct.astype(ct.load(x, (0,), (8,)), y.dtype))


@ct.kernel
def outside(x):
    ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)


def launch(kernel, *arguments):
    ct.launch(0, (1,), kernel, arguments)


class OnlyDlpack:
    """An array of the host's as other libraries have them."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnlyInterface:
    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class Exchange(unittest.TestCase):
    def test_each_protocol(self):
        for protocol in (OnlyDlpack, OnlyInterface):
            with self.subTest(protocol=protocol.__name__):
                x = np.arange(8, dtype=np.float32)
                launch(twice, protocol(x))
                launch(twice, protocol(x[::2]))
                self.assertEqual(x.tolist(), [0, 2, 8, 6, 8, 5, 12, 7])

    def test_in_lists(self):
        parts = [np.full(4, i, np.int32) for i in range(3)]
        y = np.zeros(4, np.int32)
        launch(add_all, [OnlyDlpack(p) for p in parts], OnlyDlpack(y))
        self.assertEqual(y.tolist(), [3] * 4)

    def test_their_bounds_are_known(self):
        with self.assertRaises(tilesim.FindingsError) as raised:
            with tilesim.check():
                launch(outside, OnlyDlpack(np.zeros(4, np.int32)))
        self.assertIn("it is x[4] of int32[4]", str(raised.exception))

    def test_one_that_cannot_be_exported_says_so_itself(self):
        with self.assertRaises(BufferError):
            launch(twice, OnlyDlpack(np.zeros(4, ">f4")))


class Types(unittest.TestCase):
    def test_those_that_are_none_are_refused_as_cutile_refuses_them(self):
        for array in (np.zeros(4, "M8[ns]"), np.zeros(4, "m8[s]"), np.array([object()] * 4), np.zeros(4, "U3"), np.zeros(4, "S3"),
                      np.zeros(4, [("a", "i1"), ("b", "i1")]), np.zeros(4, [("a", "f4"), ("b", "f4")]), np.zeros(4, ">f4"),
                      np.zeros(4, np.complex64), np.zeros(4, np.longdouble)):
            with self.subTest(dtype=array.dtype):
                with self.assertRaises(TypeError) as raised:
                    launch(twice, array)
                self.assertRegex(str(raised.exception), "Unsupported|Only little-endian|invalid value")

    @unittest.skipUnless(importlib.util.find_spec("ml_dtypes"), "ml_dtypes is not installed")
    def test_small_floats_of_ml_dtypes(self):
        import ml_dtypes

        values = np.array([0, 1, 2.5, -3, 0.1, 100, 17, -0.0], np.float32)
        for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
            with self.subTest(dtype=dtype):
                small, back = np.zeros(8, dtype), np.zeros(8, np.float32)
                for _ in range(2):
                    launch(converts, values, small)
                    launch(converts, small, back)
                self.assertEqual(small.tolist(), values.astype(dtype).tolist())
                self.assertEqual(back.tolist(), values.astype(dtype).astype(np.float32).tolist())
        with self.assertRaises(TypeError):
            launch(twice, np.zeros(4, ml_dtypes.int4))


class OnlyRead(cases.Case):
    def test_a_kernel_reads_it(self):
        x = np.arange(8, dtype=np.float32)
        x.flags.writeable = False
        y = np.zeros(8, np.float16)
        launch(converts, x, y)
        self.assertEqual(y.tolist(), x.tolist())

    def test_a_kernel_that_writes_to_it_is_refused(self):
        content = np.arange(4, dtype=np.float32).tobytes()
        x = np.frombuffer(content, np.float32)
        with self.assertRaises(RuntimeError) as raised:
            launch(twice, x)
        self.assertIn("x is read-only, and the kernel writes to it: give it a copy", str(raised.exception))
        self.assertEqual(content, np.arange(4, dtype=np.float32).tobytes())
        y = np.array(x)
        launch(twice, y)
        y.flags.writeable = False
        with self.assertRaises(RuntimeError):
            launch(twice, y)
        y.flags.writeable = True
        launch(twice, y)
        self.assertEqual(y.tolist(), [0, 4, 8, 12])

    def test_memory_that_the_system_protects_is_told_as_such(self):
        (self.folder / "data").write_bytes(bytes(64))
        path = self.program(f"""
            @ct.kernel
            def kernel(parts):
                ct.store(parts[0], (0,), ct.full((16,), 1, ct.float32))
            x = np.memmap({str(self.folder / "data")!r}, np.float32, "r", shape=(16,))
            ct.launch(0, (1,), kernel, ([x],))
        """)
        done = subprocess.run([TOOL, "run", path], text=True, capture_output=True, timeout=100, cwd=ROOT)
        self.assertEqual(done.returncode, 101, done.stderr)
        self.assertIn("write of memory that the host itself may not use so [host-memory]", done.stderr)
        self.assertIn("it is parts[0][0] of float32[16]", done.stderr)


class StandInForCupy(cases.Case):
    def run_text(self, text):
        done = subprocess.run([TOOL, "run", self.program(text)], text=True, capture_output=True, timeout=100, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @unittest.skipIf(HAS_CUPY, "CuPy itself is installed")
    def test_its_arrays_are_copies_of_the_hosts(self):
        self.assertEqual(self.run_text("""
            import cupy as cp
            @ct.kernel
            def twice(x):
                ct.store(x, (0,), ct.load(x, (0,), (4,)) * 2)
            here = np.arange(4, dtype=np.float32)
            for make in (cp.asarray, cp.array, cp.ascontiguousarray):
                there = make(here)
                ct.launch(cp.cuda.get_current_stream(), (1,), twice, (there,))
                print(here.tolist(), there.get().tolist(), type(there.get()) is np.ndarray, cp.asarray(there) is there)
            there.set(here)
            again = cp.asarray(there)
            ct.launch(0, (1,), twice, (again,))
            print(cp.asnumpy(there).tolist(), cp.get_array_module(there).__name__, cp.get_array_module(here).__name__)
        """), """\
[0.0, 1.0, 2.0, 3.0] [0.0, 2.0, 4.0, 6.0] True False
[0.0, 1.0, 2.0, 3.0] [0.0, 2.0, 4.0, 6.0] True False
[0.0, 1.0, 2.0, 3.0] [0.0, 2.0, 4.0, 6.0] True False
[0.0, 2.0, 4.0, 6.0] cupy numpy
""")

    @unittest.skipIf(HAS_CUPY, "CuPy itself is installed")
    def test_what_programs_use_of_it(self):
        self.assertEqual(self.run_text("""
            import cupy as cp
            import importlib.util
            import cupy.testing
            print(importlib.util.find_spec("cupy").name)
            x = cp.random.rand(3, dtype=cp.float32) + cp.random.default_rng(1).random(3, dtype=cp.float32)
            made = (x, cp.zeros(3), cp.concatenate([x, x]), cp.sqrt(x), x.reshape(3, 1), cp.linalg.qr(cp.eye(2))[0])
            print(x.dtype, all(isinstance(a, cp.ndarray) for a in made))
            begin, end = cp.cuda.Event(), cp.cuda.Event()
            with cp.cuda.Stream(non_blocking=True) as stream:
                begin.record(stream)
                end.record()
            end.synchronize()
            print(cp.cuda.get_elapsed_time(begin, end) >= 0, cp.cuda.Device().compute_capability, x.device.id)
            cupy.testing.assert_allclose(x, cp.asarray(x))
            cp.get_default_memory_pool().free_all_blocks()
            try:
                cp.RawKernel("", "")
            except AttributeError as error:
                print(error)
        """), "cupy\nfloat32 True\nTrue 90 0\ntilesim's stand-in for CuPy has no cupy.RawKernel\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
