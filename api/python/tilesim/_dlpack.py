"""DLPack [dlpack.h]: arrays of the host's that know no other way to say where they lie, and NumPy's whose elements an array
interface has no name for.

cuTile takes a capsule, reads its tensor, and calls its deleter at once.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes

_CPU, _CUDA = 1, 2
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}
_SMALL = {"float8_e4m3fn": 10, "float8_e5m2": 12, "float8_e8m0fnu": 14}  # of one byte, each a code of its own
_NAMES = {code: name for name, code in _SMALL.items()}


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]


_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_NAME = b"dltensor"  # which a capsule does not copy
_nothing_to_delete = _Deleter(lambda managed: None)


class Capsule:
    """What a launch is given: a capsule that another has made, of memory that is said to be a device's."""

    __slots__ = ("_capsule",)

    def __init__(self, capsule):
        self._capsule = capsule

    def __dlpack__(self, **more):
        return self._capsule


class Small:
    """An array of NumPy's of small floats, as often as it is launched."""

    __slots__ = ("_managed", "_kept")

    def __init__(self, interface, name):
        shape = interface["shape"]
        strides = interface.get("strides")
        places = ctypes.c_int64 * max(len(shape), 1)
        self._kept = [places(*shape), None if strides is None else places(*strides)]
        tensor = _Tensor(interface["data"][0], _CUDA, 0, len(shape), _SMALL[name], 8, 1, self._kept[0], self._kept[1], 0)
        self._managed = _Managed(tensor, None, _nothing_to_delete)

    def __dlpack__(self, **more):
        return _new(ctypes.addressof(self._managed), _NAME, None)


def is_small(name):
    """Is it the name of a type that only DLPack can tell?"""
    return name in _SMALL


def is_of_host(value):
    """Does it speak DLPack, of memory of the host's?"""
    tells = getattr(value, "__dlpack_device__", None)
    return tells is not None and hasattr(value, "__dlpack__") and int(tells()[0]) == _CPU


def read(value):
    """What a launch is given for it; its interface, with places alone; and the name of its elements."""
    capsule = value.__dlpack__()
    tensor = _Managed.from_address(_pointer_of(capsule, _NAME)).tensor
    tensor.device = _CUDA
    shape = tuple(tensor.shape[:tensor.ndim])
    size = (tensor.bits * tensor.lanes + 7) // 8
    strides = tuple(size * s for s in tensor.strides[:tensor.ndim]) if tensor.strides else None
    interface = {"shape": shape, "typestr": f"|V{size}", "data": ((tensor.data or 0) + tensor.byte_offset, True),
                 "strides": strides, "version": 3}
    name = _NAMES.get(tensor.code) or ("bool" if tensor.code == 6 else f"{_CODES.get(tensor.code, '?')}{tensor.bits}")
    return Capsule(capsule), interface, name
