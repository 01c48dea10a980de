"""Arrays of the host's as those of a device, for the time of a launch.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import operator
import re
import typing
import weakref

from . import _dlpack, _torch


class DeviceArray:
    """What a launch is given for an array, which it outlives: its memory, said to be a device's."""

    __slots__ = ("__cuda_array_interface__",)

    def __init__(self, interface):
        self.__cuda_array_interface__ = {
            "shape": interface["shape"],
            "typestr": interface["typestr"],
            "data": interface["data"],
            "strides": interface.get("strides"),
            "version": 3,
        }


@functools.lru_cache(maxsize=None)
def _size(typestr):
    """Of an element, in bytes: "<f4", "<U3", "<M8[ns]", "|O"."""
    digits = re.match(r"\d*", typestr.lstrip("<>|=")[1:]).group()
    return int(digits or 8) * (4 if "U" in typestr else 1)


def byte_range(interface):
    """Where an array's elements lie: the first byte, and how many there are to the last one's end."""
    size = _size(interface["typestr"])
    shape = interface["shape"]
    if 0 in shape:
        return interface["data"][0], 0
    strides = interface.get("strides")
    if strides is None:
        count = 1
        for extent in shape:
            count *= extent
        return interface["data"][0], count * size
    begin = interface["data"][0]
    end = begin + size
    for extent, stride in zip(shape, strides):
        if stride < 0:
            begin += (extent - 1) * stride
        else:
            end += (extent - 1) * stride
    return begin, end - begin


def host_interface(value):
    """The array interface of an array in the host's memory; None: it is none."""
    if isinstance(value, (bool, int, float, str, tuple, list)) or value is None:
        return None
    if hasattr(value, "__cuda_array_interface__"):
        return value.__cuda_array_interface__
    interface = getattr(value, "__array_interface__", None)
    return interface if isinstance(interface, dict) and "data" in interface else None


_BY_PLACE = operator.itemgetter(0, 1)


class Lent(typing.NamedTuple):
    """An array that a kernel is given: where it lies, and what reports call it."""

    begin: int
    size: int
    name: bytes
    element: bytes
    data: int  # its first element's address
    interface: dict | None  # None: its elements lie one behind the other
    only_read: bool = False


def lend_all(arguments, names, ranges):
    """Arguments as a launch takes them, each under the name of the kernel's parameter."""
    if type(arguments) is not tuple:
        return lend(arguments, "arguments", ranges)  # cuTile says what is wrong with that
    with _torch.plainly():
        return tuple([lend(value, names[i] if i < len(names) else f"argument {i + 1}", ranges)
                      for i, value in enumerate(arguments)])


def lend(value, name, ranges):
    """The value as a launch takes it; the memory of its arrays goes to `ranges`."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    known = _known.get(id(value))
    if known is not None and known.describes(value):
        ranges.append(known.lent(name))
        return known.on_device
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(lend(item, f"{name}[{i}]", ranges) for i, item in enumerate(value))
    if isinstance(value, list):
        return [lend(item, f"{name}[{i}]", ranges) for i, item in enumerate(value)]
    if _torch.is_tensor(value):
        ranges.append(_lent_tensor(value, name))
        return value  # it says itself whose memory it has
    interface = host_interface(value)
    if interface is None or interface.get("data") is None:
        return _lend_by_dlpack(value, name, ranges) if interface is None and _dlpack.is_of_host(value) else value
    if interface["shape"] == () and type(value).__name__ != "ndarray":
        return value  # a scalar of NumPy's
    element = _element(interface["typestr"], str(getattr(value, "dtype", "")))
    lent = Lent(*byte_range(interface), name.encode(), element.encode(), interface["data"][0],
                None if interface.get("strides") is None else dict(interface), interface["data"][1])
    ranges.append(lent)
    device_array = _dlpack.Small(interface, element) if _dlpack.is_small(element) else DeviceArray(interface)
    if _is_plain(kind):
        _known[id(value)] = _Known(value, device_array, lent, name)
    return device_array


def _lend_by_dlpack(value, name, ranges):
    on_device, interface, element = _dlpack.read(value)
    ranges.append(Lent(*byte_range(interface), name.encode(), element.encode(), interface["data"][0],
                       None if interface["strides"] is None else interface))
    return on_device


@functools.lru_cache(maxsize=None)
def _name_of(dtype):
    return str(dtype).removeprefix("torch.").encode()


def _lent_tensor(tensor, name):
    """Contiguous ones are most."""
    begin = tensor.data_ptr()
    if tensor.is_contiguous():
        return Lent(begin, tensor.numel() * tensor.element_size(), name.encode(), _name_of(tensor.dtype), begin, None)
    return Lent(*_torch.memory_of(tensor), name.encode(), _name_of(tensor.dtype), begin, _strided(tensor))


_SCALARS = frozenset((int, float, bool))
_known = {}  # by id: NumPy's arrays that launches have been given before


def _is_plain(kind):
    """Is it an array of NumPy's own, whose memory is known by what it says?"""
    return kind.__name__ == "ndarray" and kind.__module__ == "numpy"


class _Known:
    """An array that is launched again and again: what there is to say of it."""

    __slots__ = ("_of", "_shape", "_strides", "_dtype", "_written", "on_device", "_by_name")

    def __init__(self, array, on_device, lent, name):
        self._of = weakref.ref(array, lambda _, key=id(array): _known.pop(key, None))
        self._shape = array.shape
        self._strides = array.strides
        self._dtype = array.dtype
        self._written = array.flags.writeable
        self.on_device = on_device
        self._by_name = {name: lent}

    def describes(self, array):
        """Still, and that one? Its memory cannot have changed without its shape."""
        return (self._of() is array and self._shape == array.shape and self._strides == array.strides
                and self._dtype is array.dtype and self._written == array.flags.writeable)

    def lent(self, name):
        lent = self._by_name.get(name)
        if lent is None:
            one = next(iter(self._by_name.values()))
            lent = self._by_name[name] = one._replace(name=name.encode())
        return lent


@functools.lru_cache(maxsize=None)
def _element(typestr, name):
    """"<f4" as "float32". Types that ml_dtypes adds have but a size there, and a name.

    What cuTile would take for another type, by a size that it does not know or by one of bytes, is refused as it refuses others.
    """
    kinds = {"b": "bool", "i": "int", "u": "uint", "f": "float"}
    kind, size = typestr.lstrip("<>|=")[0], _size(typestr)
    if _dlpack.is_small(name) or name == "bfloat16":
        return name
    if (kind == "V" and name) or (kind == "f" and size not in (2, 4, 8)):
        raise TypeError(f"Unsupported array dtype {name or typestr}")
    if kind == "b":
        return "bool"
    return kinds[kind] + str(8 * size) if kind in kinds else typestr


def _strided(tensor):
    """A tensor's elements as places alone."""
    size = tensor.element_size()
    return {"shape": tuple(tensor.shape), "typestr": f"|V{size}", "data": (tensor.data_ptr(), False),
            "strides": tuple(s * size for s in tensor.stride()), "version": 3}


class _Places:
    def __init__(self, interface):
        self.__array_interface__ = interface


def _share(one, other):
    """Do two arrays whose ranges overlap have an element's byte in common?"""
    if one.interface is None and other.interface is None:
        return True
    try:
        import numpy
        plain = [numpy.asarray(_Places(lent.interface or {"shape": (lent.size,), "typestr": "|V1",
                                                          "data": (lent.begin, True), "version": 3}))
                 for lent in (one, other)]
        return numpy.shares_memory(*plain, max_work=10_000)
    except Exception:  # NumPy is not there, or it would take too long: nobody knows
        return False


def arranged(ranges):
    """Pairs of arrays that have bytes in common; and the bytes of all, as ranges that do not overlap, in the order of `ranges`: the
    next run's lie elsewhere, and are to have the same numbers."""
    given = [r for r in ranges if r.size > 0]
    known = sorted(given, key=_BY_PLACE)
    end = 0
    for r in known:
        if r.begin < end:
            joined = _joined(known)
            return list(_overlapping(known, ranges)), sorted(joined, key=lambda j: next(i for i, r in enumerate(given) if j.begin <= r.begin < j.begin + j.size))
        end = r.begin + r.size
    return (), given


def _overlapping(known, ranges):
    for i, one in enumerate(known):
        for other in known[i + 1:]:
            if other.begin >= one.begin + one.size:
                break
            if _share(one, other):
                yield (one, other) if ranges.index(one) <= ranges.index(other) else (other, one)


def _joined(known):
    """Of those that overlap, the first one's name is kept."""
    result = []
    for lent in known:
        last = result[-1] if result else None
        if last is not None and lent.begin < last.begin + last.size:
            size = max(last.size, lent.begin + lent.size - last.begin)
            result[-1] = last._replace(size=size, element=last.element if last.element == lent.element else b"")
        else:
            result.append(lent)
    return result
