"""Memory of NumPy's arrays, aligned as a device's is: by an allocator of the library's [NEP 49].

SPDX-License-Identifier: Apache-2.0
"""
import ctypes

from ._imports import when_imported

_SET_HANDLER = 304  # PyDataMem_SetHandler's place in NumPy's table of functions, from 1.22 on
_kept = []


def _take_over(numpy, library):
    core = getattr(numpy, "_core", None) or getattr(numpy, "core", None)
    table = getattr(getattr(core, "_multiarray_umath", None), "_ARRAY_API", None)
    if table is None or tuple(int(n) for n in numpy.__version__.split(".")[:2]) < (1, 22):
        return  # what cuTile compiles for is the alignment that there is
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    functions = ctypes.cast(pointer(table, None), ctypes.POINTER(ctypes.c_void_p))
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(functions[_SET_HANDLER])
    name = ctypes.c_char_p(b"mem_handler")  # which a capsule does not copy
    handler = capsule(library.numpy_handler(), name, None)
    _kept.extend((name, handler))
    set_handler(handler)


def align(library):
    when_imported("numpy", lambda numpy: _take_over(numpy, library))
