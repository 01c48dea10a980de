"""A stand-in for CuPy where it is not installed: NumPy's arrays and functions, and what of cupy.cuda programs of
cuTile use.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import sys
import types


class Stream:
    """Work is done when its call returns: streams have nothing to keep apart."""

    null = None

    def __init__(self, null=False, non_blocking=False, ptds=False):
        self.ptr = 0

    def synchronize(self):
        pass

    def use(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


Stream.null = Stream()


class Device:
    def __init__(self, device=0):
        self.id = device

    def synchronize(self):
        pass

    def use(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def _make(numpy):
    cupy = types.ModuleType("cupy")
    cupy.__doc__ = __doc__
    cupy.__version__ = "0 (tilesim's stand-in)"
    cupy.__getattr__ = lambda name: getattr(numpy, name)
    cupy.ndarray = numpy.ndarray
    cupy.asnumpy = lambda array, *more, **options: numpy.array(array)
    cupy.get_array_module = lambda *arrays: cupy
    cuda = types.ModuleType("cupy.cuda")
    cuda.Stream = Stream
    cuda.Device = Device
    cuda.get_current_stream = lambda *device: Stream.null
    cuda.runtime = types.SimpleNamespace(deviceSynchronize=lambda: None, getDeviceCount=lambda: 1)
    cuda.is_available = lambda: True
    cupy.cuda = cuda
    return cupy, cuda


def stand_in_if_missing():
    if "cupy" in sys.modules or importlib.util.find_spec("cupy") or not importlib.util.find_spec("numpy"):
        return
    import numpy
    sys.modules["cupy"], sys.modules["cupy.cuda"] = _make(numpy)
    sys.modules["cupy.random"] = numpy.random
