"""torch programs that say device='cuda', on a machine that has none.

A tensor "on the device" is one in the host's memory that is marked so. A function mode turns the device in every call
into the host's, marks what comes of it, and answers `.device`, `.is_cuda`, `.cuda()`, `.cpu()`, `.to(…)` as a GPU's torch would; what programs of
cuTile use of `torch.cuda` is here. cuTile takes a marked tensor by DLPack, where its memory is said to be a device's; one that is not marked it
refuses itself, as it would on a GPU.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import ctypes
import sys
import time
import types

from . import _imports

_MARK = "_tilesim_on_device"
# Of tiles, in products of matrices: the usual one, by the size of an element.
_DEPTH = {2: 64, 4: 32}
# DLPack [dlpack.h]: of a DLManagedTensor the device's kind lies behind the pointer to the data.
_CUDA = 2
_KIND_AT = {b"dltensor": 8, b"dltensor_versioned": 40}


def _is_cuda(device):
    """Whether it names the device: 'cuda', 'cuda:0', torch.device('cuda')."""
    if isinstance(device, str):
        return device == "cuda" or device.startswith("cuda:")
    return getattr(device, "type", None) == "cuda"


class _Redirected:
    """What the mode needs of torch, looked up once."""

    def __init__(self, torch):
        self.torch = torch
        self.tensor = torch.Tensor
        self.cpu = torch.device("cpu")
        self.device = torch.device("cuda", 0)
        getter = lambda name: getattr(torch.Tensor, name).__get__  # noqa: E731
        self.answers = {
            getter("device"): lambda t: self.device,
            getter("is_cuda"): lambda t: True,
            getter("is_cpu"): lambda t: False,
            torch.Tensor.get_device: lambda t: 0,
            torch.Tensor.is_pinned: lambda t, *more: False,
        }
        self.moves = {torch.Tensor.to, torch.Tensor.cuda, torch.Tensor.cpu}
        # The host's, whatever they come from.
        self.leaves = {torch.Tensor.numpy, torch.Tensor.__array__, torch.Tensor.tolist, torch.Tensor.item}
        # A GPU adds small floats up in float, and rounds once; torch's code for the host may not.
        functional = torch.nn.functional
        self.attention = functional.scaled_dot_product_attention
        self.products = {torch.matmul, torch.mm, torch.bmm, torch.Tensor.matmul, torch.Tensor.mm, torch.Tensor.bmm,
                         torch.Tensor.__matmul__}
        self.in_float = self.products | {functional.linear, functional.layer_norm, functional.rms_norm, torch.layer_norm,
                                         self.attention, torch.einsum, torch.addmm, torch.baddbmm}
        self.small = {torch.float16, torch.bfloat16}
        # Rounded correctly, as kernels' are here: a CPU's are off in the last bit, each in its own way.
        self.functions = {getattr(of, name) for of in (torch, torch.Tensor) for name in
                          ("sqrt", "rsqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "log", "log2")}
        self.absolute = {torch.abs, torch.Tensor.abs, torch.Tensor.__abs__}

    def in_backward(self):
        """Tensors that autograd's engine makes pass no Python code that could mark them."""
        return self.torch._C._current_graph_task_id() != -1

    def is_marked(self, t):
        return getattr(t, _MARK, False) or self.in_backward()

    def mark(self, result, on_device=True):
        if isinstance(result, self.tensor):
            if on_device:
                setattr(result, _MARK, True)
            elif getattr(result, _MARK, False):
                delattr(result, _MARK)
        elif isinstance(result, (tuple, list)):
            for item in result:
                self.mark(item, on_device)
        return result

    def any_marked(self, values):
        for value in values:
            if isinstance(value, self.tensor):
                if self.is_marked(value):
                    return True
            elif isinstance(value, (tuple, list)) and self.any_marked(value):
                return True
        return False

    def computed(self, func, args, kwargs):
        """What the function returns; of tensors of small floats computed in float, and rounded once."""
        if func in self.functions and len(args) == 1 and not kwargs:
            return self.rounded_once(func, args[0])
        if func in self.absolute and len(args) == 1 and not kwargs and args[0].dtype == self.torch.bool:
            return args[0].clone()  # a CPU has none
        if func not in self.in_float:
            return func(*args, **kwargs)
        if func is self.attention:  # a program may ask for an implementation that only GPUs have
            attention = self.torch.nn.attention
            with attention.sdpa_kernel(attention.SDPBackend.MATH):
                return self.widened(func, args, kwargs)
        return self.widened(func, args, kwargs)

    def rounded_once(self, func, t):
        """A function of floats, or of integers, which become such: in double, then in what it is of."""
        single = self.torch.float32
        result = t.dtype if t.dtype.is_floating_point else self.torch.get_default_dtype()
        if result not in self.small | {single} or t.dtype.is_complex or t.requires_grad:
            return func(t)
        value = func(t.double())
        return value.to(single) if result == single else self.to_odd(value).to(result)

    def to_odd(self, value):
        """Doubles as floats whose last bit says whether something is behind it: a further rounding is the only one."""
        single = value.to(self.torch.float32)
        bits, again = single.view(self.torch.int32), single.double()
        bits = self.torch.where(again.abs() > value.abs(), bits - 1, bits)
        return self.torch.where(again != value, bits | 1, bits).view(self.torch.float32)

    def widened(self, func, args, kwargs):
        small = next((a.dtype for a in args if isinstance(a, self.tensor) and a.dtype in self.small), None)
        if kwargs.get("out") is not None:
            return func(*args, **kwargs)
        if func in self.products and set(kwargs) == {"out_dtype"} and len(args) == 2:  # which only a device has
            if small is not None:
                return self.in_order(*(a.float() for a in args), _DEPTH[2]).to(kwargs["out_dtype"])
            return self.widened(func, args, {}).to(kwargs["out_dtype"])
        if func in self.products and len(args) == 2 and not kwargs and not any(a.requires_grad for a in args):
            if small is not None:
                return self.in_order(*(a.float() for a in args), _DEPTH[2]).to(small)
            if args[0].dtype == self.torch.float32 and self.torch.get_float32_matmul_precision() != "highest":
                return self.in_order(*map(self.tf32, args), _DEPTH[4])
        if small is None:
            return func(*args, **kwargs)
        wide = lambda a: a.float() if isinstance(a, self.tensor) and a.dtype == small else a  # noqa: E731
        return func(*map(wide, args), **{k: wide(a) for k, a in kwargs.items()}).to(small)

    def tf32(self, t):
        """Rounded to 10 bits of fraction, to nearest even."""
        bits = t.contiguous().view(self.torch.int32)
        rounded = (bits + 0xfff + ((bits >> 13) & 1)) & ~0x1fff
        return self.torch.where(t.isfinite(), rounded.view(self.torch.float32), t)

    def in_order(self, a, b, depth):
        """A product of matrices as kernels with tiles of the usual depth compute it here: in float, where each product of
        two elements is exact, added one after the other within a tile, and tile after tile. So a reference is equal to
        the bit, as on a GPU, where both use its tensor cores."""
        if a.ndim < 2 or b.ndim < 2:
            return self.torch.matmul(a, b)
        total = self.torch.zeros((), dtype=a.dtype)
        for begin in range(0, a.shape[-1], depth):
            of_tile = self.torch.zeros((), dtype=a.dtype)
            for k in range(begin, min(begin + depth, a.shape[-1])):
                of_tile = of_tile + a[..., :, k:k + 1] * b[..., k:k + 1, :]
            total = of_tile + total
        return total

    # --- What a call says of devices.

    def without_device(self, args, kwargs):
        """The arguments with the host in the device's place, and whether the device stood there; None: no device did."""
        said = None
        device = kwargs.get("device")
        if _is_cuda(device) or type(device) is int:
            kwargs = {**kwargs, "device": self.cpu}
            said = True
        elif device is not None:
            said = False
        if kwargs.get("pin_memory"):
            kwargs = {**kwargs, "pin_memory": False}
        return args, kwargs, said

    def moved(self, func, args, kwargs):
        """Tensor.to, cuda and cpu: another tensor, unless it is there already."""
        t, rest = args[0], list(args[1:])
        there = self.is_marked(t)
        if func is self.torch.Tensor.cuda:
            to_device, rest, kwargs = True, [], {}
        elif func is self.torch.Tensor.cpu:
            to_device, rest, kwargs = False, [], {}
        else:
            to_device, rest, kwargs = self.target(t, there, rest, kwargs)
        result = func.__get__(t)(*rest, **kwargs) if func is self.torch.Tensor.to else t
        if to_device != there and result is t:
            result = t.clone()
        if result is not t:
            self.mark(result, to_device)
        return result

    def target(self, t, there, rest, kwargs):
        """Of Tensor.to: where, and its other arguments."""
        kwargs = dict(kwargs)
        where = kwargs.pop("device", None)
        if rest and (isinstance(rest[0], (str, int)) and not isinstance(rest[0], bool) or isinstance(rest[0], self.torch.device)):
            where = rest.pop(0)
            if rest and rest[0] is None:  # as modules call it
                rest[0] = t.dtype
        elif rest and isinstance(rest[0], self.tensor):
            other = rest.pop(0)
            return self.is_marked(other), [other.dtype, *rest], kwargs
        if where is None:
            return there, rest, kwargs
        if not rest and "dtype" not in kwargs:
            rest = [self.cpu]
        return isinstance(where, int) or _is_cuda(where), rest, kwargs


def _mode(of):
    torch = of.torch

    class OnDevice(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types_, args=(), kwargs=None):
            kwargs = kwargs or {}
            first = args[0] if args else None
            if isinstance(first, of.tensor):
                answer = of.answers.get(func)
                if answer is not None:
                    return answer(*args) if of.is_marked(first) else func(*args, **kwargs)
                if func in of.moves:
                    return of.moved(func, args, kwargs)
            if func in of.leaves:
                return func(*args, **kwargs)
            args, kwargs, said = of.without_device(args, kwargs)
            result = of.computed(func, args, kwargs)
            if getattr(func, "__name__", "") == "__set__":  # of data, of a gradient
                return of.mark(first) if of.any_marked(args[1:]) else result
            on_device = said if said is not None else of.any_marked(args) or of.any_marked(kwargs.values())
            if said is False:
                return result  # what it comes from may be marked, and the same
            return of.mark(result) if on_device else result

    return OnDevice()


# --- DLPack

def _stamping(original, of):
    """The capsule of a marked tensor says that its memory is a device's."""
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype = ctypes.c_void_p
    pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype = ctypes.c_char_p
    name_of.argtypes = [ctypes.py_object]

    def to_dlpack(tensor, *args, **kwargs):
        capsule = original(tensor, *args, **kwargs)
        if of.is_marked(tensor):
            name = name_of(capsule)
            ctypes.c_int32.from_address(pointer_of(capsule, name) + _KIND_AT[name]).value = _CUDA
        return capsule

    return to_dlpack


_nothing = contextlib.nullcontext()


def plainly():
    """While it is entered, torch's functions are its own: what is asked about tensors takes a tenth of the time."""
    torch = sys.modules.get("torch")
    return _nothing if torch is None else torch._C.DisableTorchFunction()


def memory_of(tensor):
    """The first byte of a tensor's elements, and how many bytes there are to the last one's end."""
    if 0 in tensor.shape:
        return tensor.data_ptr(), 0
    last = sum((extent - 1) * stride for extent, stride in zip(tensor.shape, tensor.stride()))
    return tensor.data_ptr(), (last + 1) * tensor.element_size()


def is_tensor(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


# --- torch.cuda

class Stream:
    """Work is done when its call returns: streams have nothing to keep apart."""

    def __init__(self, device=None, priority=0, **more):
        self.cuda_stream = 0
        self.device_index = 0

    def synchronize(self):
        pass

    def wait_stream(self, other):
        pass

    def wait_event(self, event):
        pass

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def query(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


class Event:
    """Times are the host's."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self._at = None

    def record(self, stream=None):
        self._at = time.perf_counter()

    def elapsed_time(self, end):
        return (end._at - self._at) * 1e3

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True


class _Context:
    """`with torch.cuda.device(0):`, `with torch.cuda.stream(s):`"""

    def __init__(self, of=None):
        self.of = of
        self.idx = 0

    def __enter__(self):
        return self.of

    def __exit__(self, *exception):
        return False


def _cuda_names(of, attribute):
    """What stands in torch.cuda; `attribute(n)` is the simulated device's of that number."""
    torch = of.torch
    capability = (attribute(75), attribute(76))
    properties = types.SimpleNamespace(
        name="tilesim", major=capability[0], minor=capability[1], multi_processor_count=attribute(16),
        total_memory=1 << 36, warp_size=attribute(10), max_threads_per_multi_processor=attribute(39),
        shared_memory_per_block=attribute(8), L2_cache_size=attribute(38), gcnArchName="", is_integrated=False)
    current = Stream()
    nothing = lambda *args, **kwargs: None  # noqa: E731
    zero = lambda *args, **kwargs: 0  # noqa: E731
    yes = lambda *args, **kwargs: True  # noqa: E731
    names = {
        "is_available": yes, "is_initialized": yes, "is_bf16_supported": yes,
        "device_count": lambda: 1, "current_device": zero,
        "get_device_name": lambda device=None: "tilesim",
        "get_device_capability": lambda device=None: capability,
        "get_device_properties": lambda device=None: properties,
        "get_arch_list": lambda: [f"sm_{capability[0]}{capability[1]}"],
        "mem_get_info": lambda device=None: (properties.total_memory, properties.total_memory),
        "current_stream": lambda device=None: current, "default_stream": lambda device=None: current,
        "is_current_stream_capturing": lambda: False,
        "Stream": Stream, "Event": Event, "ExternalStream": Stream,
        "stream": _Context, "device": _Context,
        "manual_seed": torch.default_generator.manual_seed, "manual_seed_all": torch.default_generator.manual_seed,
        "initial_seed": torch.initial_seed,
        "get_rng_state": lambda device=None: torch.get_rng_state(),
        "set_rng_state": lambda state, device=None: torch.set_rng_state(state),
    }
    names |= dict.fromkeys(("init", "_lazy_init", "synchronize", "set_device", "set_stream", "empty_cache",
                            "ipc_collect", "reset_peak_memory_stats", "reset_max_memory_allocated"), nothing)
    names |= dict.fromkeys(("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"), zero)
    return names


def _generator(torch):
    original = torch.Generator

    class Generator(original):
        """The host's, wherever it is said to be."""

        def __new__(cls, device="cpu"):
            return super().__new__(cls, "cpu" if _is_cuda(device) else device)

    Generator.__name__ = Generator.__qualname__ = "Generator"
    return Generator


def _parameters_keep_marks(of):
    parameter = of.torch.nn.Parameter
    original = parameter.__new__

    def __new__(cls, data=None, *args, **kwargs):
        made = original(cls, data, *args, **kwargs)
        return of.mark(made) if data is not None and of.is_marked(data) else made

    parameter.__new__ = __new__


def _backward_knows(of, mode):
    """A call that goes through the mode is made without it, and so is what it calls: backward() all that a program's own
    gradients do."""
    node = of.torch.autograd.function.BackwardCFunction
    original = node.apply

    def apply(self, *args):
        with mode:
            return original(self, *args)

    node.apply = apply


def _refusing(what):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"tilesim: {what} cannot be simulated yet; run the program without it")

    return refuse


def redirect(torch, attribute):
    """From now on torch's device is the host's memory. `attribute(n)`: CUdevice_attribute number n."""
    of = _Redirected(torch)
    for name, value in _cuda_names(of, attribute).items():
        setattr(torch.cuda, name, value)
    torch.Stream = Stream
    torch.Generator = _generator(torch)
    for name in ("_to_dlpack", "_to_dlpack_versioned"):
        if hasattr(torch._C, name):
            setattr(torch._C, name, _stamping(getattr(torch._C, name), of))
    _parameters_keep_marks(of)
    for name in ("CUDAGraph", "graph", "make_graphed_callables"):
        setattr(torch.cuda, name, _refusing(f"torch.cuda.{name}"))
    mode = _mode(of)
    _backward_knows(of, mode)
    mode.__enter__()  # for good
    return mode


def when_imported(attribute):
    """Redirects torch where the program imports it: it is large, and many do not."""
    _imports.when_imported("torch", lambda torch: redirect(torch, attribute))
