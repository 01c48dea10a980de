"""A stand-in for CuPy where it is not installed: arrays that are NumPy's with what CuPy's have besides, NumPy's functions,
and what of cupy.cuda programs of cuTile use.

An array of CuPy's is a copy of the host's: what a kernel does to it does not show in the array that it was made from.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import importlib.machinery
import importlib.util
import sys
import time
import types


class Event:
    """Times are the host's."""

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        self.ptr = 0
        self.at = None
        self.done = True

    def record(self, stream=None):
        self.at = time.perf_counter()

    def synchronize(self):
        pass


def get_elapsed_time(begin, end):
    """In milliseconds."""
    return (end.at - begin.at) * 1e3


class Stream:
    """Work is done when its call returns: streams have nothing to keep apart."""

    null = None
    done = True

    def __init__(self, null=False, non_blocking=False, ptds=False):
        self.ptr = 0

    def synchronize(self):
        pass

    def use(self):
        return self

    def record(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


Stream.null = Stream()


class _MemoryPool:
    """Memory is NumPy's."""

    def free_all_blocks(self, stream=None):
        pass

    def used_bytes(self):
        return 0

    total_bytes = free_bytes = n_free_blocks = used_bytes


def _device_of(attribute):
    """cupy.cuda.Device; `attribute(n)` is the simulated device's of that number."""
    class Device:
        def __init__(self, device=0):
            self.id = device

        @property
        def compute_capability(self):
            return f"{attribute(75)}{attribute(76)}"

        def synchronize(self):
            pass

        def use(self):
            pass

        def __int__(self):
            return self.id

        def __eq__(self, other):
            return isinstance(other, Device) and self.id == other.id

        __hash__ = None

        def __enter__(self):
            return self

        def __exit__(self, *exception):
            return False

    return Device


def _array_class(numpy, Device):
    class ndarray(numpy.ndarray):
        device = property(lambda self: Device(0))

        def get(self, stream=None, order="C", out=None, blocking=True):
            if out is None:
                return numpy.array(self, order=order)
            out[...] = self
            return out

        def set(self, values, stream=None):
            self[...] = values

    ndarray.__module__ = "cupy"
    ndarray.__qualname__ = "ndarray"
    return ndarray


class _Names:
    """NumPy's names as CuPy's: functions give arrays of CuPy's."""

    def __init__(self, numpy, ndarray):
        self._numpy = numpy
        self._ndarray = ndarray

    def of_device(self, result):
        if type(result) is self._numpy.ndarray:
            return result.view(self._ndarray)
        if type(result) in (tuple, list):
            return type(result)(map(self.of_device, result))
        return self.object(result) if isinstance(result, self._numpy.random.Generator) else result

    def function(self, original):
        @functools.wraps(original, assigned=("__name__", "__qualname__", "__doc__"))
        def given(*args, **more):
            return self.of_device(original(*args, **more))

        return given

    def typed(self, original):
        """A function that draws, which takes a type here."""
        def given(*args, dtype=None, **more):
            result = self._numpy.asarray(original(*args, **more))
            return self.of_device(result if dtype is None else result.astype(dtype))

        return given

    def copying(self, original):
        """asarray and its kin: the host's arrays are copied."""
        def given(values, *args, **more):
            if not isinstance(values, self._ndarray):
                values = self._numpy.array(values)
            return self.of_device(original(values, *args, **more))

        return given

    def object(self, of):
        """A generator of numbers."""
        names = self

        class Given:
            def __getattr__(self, name):
                value = getattr(of, name)
                return names.function(value) if callable(value) else value

        return Given()

    def module(self, name, of, **own):
        made = types.ModuleType(name)
        for key, value in own.items():
            setattr(made, key, value)

        def find(key):
            if not hasattr(of, key):
                raise AttributeError(f"tilesim's stand-in for CuPy has no {name}.{key}")
            value = getattr(of, key)
            if isinstance(value, types.ModuleType):
                value = self.module(f"{name}.{key}", value)
            elif callable(value) and not isinstance(value, (type, self._numpy.ufunc)):
                value = self.function(value)
            setattr(made, key, value)
            return value

        made.__getattr__ = find
        return made


def _make_cuda(attribute, Device):
    cuda = types.ModuleType("cupy.cuda")
    cuda.Stream, cuda.Event, cuda.Device = Stream, Event, Device
    cuda.get_elapsed_time = get_elapsed_time
    cuda.get_current_stream = lambda *device: Stream.null
    cuda.runtime = types.SimpleNamespace(
        deviceSynchronize=lambda: None, getDeviceCount=lambda: 1, getDevice=lambda: 0, setDevice=lambda device: None,
        getDeviceProperties=lambda device: {"name": b"tilesim", "major": attribute(75), "minor": attribute(76),
                                            "multiProcessorCount": attribute(16), "warpSize": attribute(10)})
    cuda.is_available = lambda: True
    return cuda


def _make(numpy, attribute):
    Device = _device_of(attribute)
    ndarray = _array_class(numpy, Device)
    names = _Names(numpy, ndarray)
    cuda = _make_cuda(attribute, Device)
    legacy = {name: names.typed(getattr(numpy.random, name))
              for name in ("rand", "randn", "random", "random_sample", "uniform", "normal", "standard_normal")}
    copying = {name: names.copying(getattr(numpy, name))
               for name in ("asarray", "asanyarray", "ascontiguousarray", "asfortranarray")}
    pool = _MemoryPool()
    cupy = names.module(
        "cupy", numpy, __doc__=__doc__, __version__="0 (tilesim's stand-in)", __path__=[], ndarray=ndarray, cuda=cuda,
        random=names.module("cupy.random", numpy.random, **legacy),
        testing=names.module("cupy.testing", numpy.testing),
        asnumpy=lambda array, *more, **options: numpy.array(array), get_default_memory_pool=lambda: pool,
        get_default_pinned_memory_pool=lambda: pool, **copying)
    cupy.get_array_module = lambda *arrays: cupy if any(isinstance(a, ndarray) for a in arrays) else numpy
    return {"cupy": cupy, "cupy.cuda": cuda, "cupy.random": cupy.random, "cupy.testing": cupy.testing}


def stand_in_if_missing(attribute):
    if "cupy" in sys.modules or importlib.util.find_spec("cupy") or not importlib.util.find_spec("numpy"):
        return
    import numpy
    for name, module in _make(numpy, attribute).items():
        module.__spec__ = importlib.machinery.ModuleSpec(name, None)  # what asks whether there is CuPy finds it
        sys.modules[name] = module
