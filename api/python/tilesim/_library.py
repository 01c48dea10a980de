"""libtilesim.so, by ctypes.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import json
import os
import pathlib


def find():
    """$TILESIM_LIBRARY, else what the package has brought along, else where the loader looks."""
    named = os.environ.get("TILESIM_LIBRARY")
    if named:
        return named
    brought = sorted((pathlib.Path(__file__).resolve().parent / "_installed").glob("lib*/**/libtilesim.so"))
    return str(brought[0]) if brought else "libtilesim.so"


def beside(name):
    """Another library of tilesim's."""
    library = pathlib.Path(find())
    return str(library.with_name(name)) if library.parent.name else name


class Library:
    """The functions that a host program calls; sim/driver/host.cpp and driver.cpp define them."""

    def __init__(self):
        self.loaded = ctypes.CDLL(find())
        self.at = self.loaded.tilesim_host_at
        self.at.argtypes = [ctypes.c_char_p, ctypes.c_uint, ctypes.c_char_p]
        self.at.restype = None
        self.lends = self.loaded.tilesim_host_lends
        self.lends.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_char_p]
        self.lends.restype = ctypes.c_int
        self.overlap = self.loaded.tilesim_host_overlap
        self.overlap.argtypes = [ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
        self.overlap.restype = None
        self.only_read = self.loaded.tilesim_host_only_read
        self.only_read.argtypes = [ctypes.c_size_t, ctypes.c_char_p]
        self.only_read.restype = None
        self.takes_back = self.loaded.tilesim_host_takes_back
        self.takes_back.argtypes = [ctypes.c_void_p]
        self.takes_back.restype = None
        self.leaves = self.loaded.tilesim_host_leaves
        self.leaves.argtypes = []
        self.leaves.restype = None
        self.outlives_runs = self.loaded.tilesim_host_outlives_runs
        self.outlives_runs.argtypes = []
        self.outlives_runs.restype = None
        self.wants_variables = self.loaded.tilesim_host_wants_variables
        self.wants_variables.argtypes = []
        self.wants_variables.restype = ctypes.c_int
        self.variables = self.loaded.tilesim_host_variables
        self.variables.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_char_p]
        self.variables.restype = None
        self.numpy_handler = self.loaded.tilesim_host_numpy_handler
        self.numpy_handler.argtypes = []
        self.numpy_handler.restype = ctypes.c_void_p
        self._check_begins = self.loaded.tilesim_host_check_begins
        self._check_begins.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]
        self._check_begins.restype = ctypes.c_uint64
        self.check_ends = self.loaded.tilesim_host_check_ends  # of a number: its report, as JSON
        self.check_ends.argtypes = [ctypes.c_uint64]
        self.check_ends.restype = ctypes.c_char_p
        self.attribute = self.loaded.tilesim_host_attribute  # of the simulated device: a CUdevice_attribute, 0 if there is none
        self.attribute.argtypes = [ctypes.c_int]
        self.attribute.restype = ctypes.c_int
        # cuTile wants the address of a pointer to cuGetProcAddress.
        self.get = ctypes.c_void_p(ctypes.cast(self.loaded.tilesim_driver_get, ctypes.c_void_p).value)
        self.address_of_get = ctypes.addressof(self.get)

    def check_begins(self, options):
        """The number of a check that begins. ValueError: what is wrong with its options."""
        wrong = ctypes.c_char_p()
        number = self._check_begins(json.dumps(options).encode(), ctypes.byref(wrong))
        if not number:
            raise ValueError(wrong.value.decode())
        return number
