"""cuTile on top of the simulator.

cuTile is as it is: its front end compiles the kernel, its launch flattens the arguments. Four names of it, which it has
not promised, are taken over, and held to be there: the module that loads the driver, the function that compiles (to
bytecode, where it would go on to machine code), the one that asks the assembler which bytecode it takes, and the launch,
which says where it stands and lends its arrays.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import importlib.metadata
import importlib.util
import os
import re
import sys
import types

from . import _arrays, _cupy, _numpy_memory, _processes, _torch, _variables
from ._library import Library

KNOWN = ("1.6", "1.7")
_begun_in = os.getcwd()  # paths of code are relative to it, also when the program has changed it
_library = None
_watch = None  # _record.watch: it imports this module


class NotKnown(RuntimeError):
    """What cuTile is installed, or is not, cannot be used."""


def version():
    """Of cuda-tile; None: it is not installed."""
    try:
        return importlib.metadata.version("cuda-tile")
    except importlib.metadata.PackageNotFoundError:
        return getattr(sys.modules.get("cuda.tile"), "__version__", None)  # a folder on the path


def _need(holder, name, version):
    if not hasattr(holder, name):
        raise NotKnown(f"cuda-tile {version} has no {getattr(holder, '__name__', holder)}.{name}, which tilesim takes "
                       f"over; versions {' and '.join(KNOWN)} are known: pip install 'cuda-tile<1.8'")
    return getattr(holder, name)


def _compiling(original, recorder):
    """compile_tile, of which the machine code is the bytecode."""

    @functools.wraps(original)
    def compile_tile(*args, **more):
        more["return_bytecode"] = True
        more["return_cubin"] = False
        result = original(*args, **more)
        result.cubin = bytes(result.bytecode)
        if recorder is not None:
            recorder.tell(args[0], result)
        return result

    return compile_tile


def _newest(version):
    module = importlib.import_module("cuda.tile._bytecode.version")
    return _need(_need(module, "BytecodeVersion", version), "V_13_4", version)


def _program_frame():
    """Who launches: the innermost frame that is not cuTile's own, which launches when it tunes."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("cuda.tile."):
        frame = frame.f_back
    return frame


def _take_over_tuning(extension, library):
    """ct.tune launches by a function of its own, where this version has it."""
    if not hasattr(extension, "_benchmark"):
        return
    original = extension._benchmark
    extension._benchmark = _launching(original, library)
    for name, module in list(sys.modules.items()):
        if name.startswith("cuda.tile.") and getattr(module, "_benchmark", None) is original:
            module._benchmark = extension._benchmark


def parameter_names(kernel):
    """Of a kernel's Python function; none where this version keeps it elsewhere."""
    function = getattr(getattr(kernel, "_annotated_function", None), "pyfunc", None)
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_varnames[:code.co_argcount]


@functools.lru_cache(maxsize=None)
def _as_reports_have_it(file):
    return (file if file[:1] == "<" else os.path.normpath(os.path.join(_begun_in, file))).encode()


def _launching(original, library):
    @functools.wraps(original)
    def launch(stream, grid, kernel, kernel_args, /, *args, **more):
        caller = _program_frame()
        code = caller.f_code
        library.at(_as_reports_have_it(code.co_filename), caller.f_lineno, code.co_name.encode())
        ranges = []
        lent_args = _arrays.lend_all(kernel_args, parameter_names(kernel), ranges)
        pairs, places = _arrays.arranged(ranges)
        for one, other in pairs:
            library.overlap(one.data, one.name, other.data, other.name)
        for array in ranges:
            if array.only_read:
                library.only_read(array.data, array.name)
        lent = [r.begin for r in places if library.lends(r.begin, r.size, r.name, r.element)]
        sys.stdout.flush()  # what the kernel prints comes after what the program has printed
        try:
            if _watch is not None:
                return _watch(lambda: original(stream, grid, kernel, lent_args, *args, **more), grid, kernel, places)
            return original(stream, grid, kernel, lent_args, *args, **more)
        except RuntimeError as error:
            error.tilesim_launch_failed = True
            raise
        finally:
            for begin in lent:
                library.takes_back(begin)

    return launch


def is_failed_launch(error):
    """Is it cuTile's own, of a launch that was stopped here?"""
    return getattr(error, "tilesim_launch_failed", False)


def _driver_module(library):
    module = types.ModuleType("cuda.tile._load_libcuda")
    module.cuGetProcAddress_v2_ptrptr = library.address_of_get
    module._cuGetProcAddress_v2 = library.loaded.tilesim_driver_get  # for who loads compiled kernels by himself
    return module


class NotInstalled(ImportError):
    """The program imports cuTile, and this Python has none."""


def _explain_missing():
    class Finder:
        """Says what is missing where a program asks for it."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            if name in ("cuda", "cuda.tile"):
                raise NotInstalled(f"cuTile is not installed: {sys.executable} -m pip install cuda-tile")
            return None

    sys.meta_path.append(Finder)


def _is_installed():
    try:
        return importlib.util.find_spec("cuda.tile") is not None
    except ImportError:
        return False


def is_installed_here():
    """Do cuTile's launches run in the simulator?"""
    return _library is not None


def library():
    """What install() has loaded."""
    if _library is None:
        raise NotKnown("cuTile is not installed: pip install cuda-tile")
    return _library


def install():
    """From now on, cuTile's launches in this process run in the simulator."""
    global _library
    if _library is not None:
        return
    if not _is_installed():
        _explain_missing()
        return
    installed = version()
    if installed is not None and not installed.startswith(KNOWN):
        raise NotKnown(f"cuda-tile {installed} is not known to this release; versions {' and '.join(KNOWN)} are: "
                       "pip install 'cuda-tile<1.8'")
    wanted = os.environ.get("TILESIM_COMPUTE_CAPABILITY")
    if wanted is not None and re.fullmatch(r"\d+\.\d", wanted) is None:
        raise NotKnown(f"TILESIM_COMPUTE_CAPABILITY is a number such as 10.0, not '{wanted}'")
    library = Library()
    if "TILESIM_PROCESSES" not in os.environ:  # this Python is somebody's own, and not what `tilesim run` has started
        library.outlives_runs()
    sys.modules["cuda.tile._load_libcuda"] = _driver_module(library)
    tile = importlib.import_module("cuda.tile")
    compiler = importlib.import_module("cuda.tile._compile")
    recorder = _variables.Recorder(library) if library.wants_variables() else None
    if recorder is not None and not recorder.install(compiler):
        recorder = None
    # What cuTile asks its assembler for, where a program names no version.
    newest = _newest(installed)
    _need(compiler, "_get_max_supported_bytecode_version", installed)
    compiler._get_max_supported_bytecode_version = lambda *args, **more: newest
    compiler.compile_tile = _compiling(_need(compiler, "compile_tile", installed), recorder)
    extension = importlib.import_module("cuda.tile._cext")
    launch = _launching(_need(extension, "launch", installed), library)
    extension.launch = launch
    tile.launch = launch
    _take_over_tuning(extension, library)
    _cupy.stand_in_if_missing(library.attribute)
    _torch.when_imported(library.attribute)
    _processes.when_made(library)
    _numpy_memory.align(library)
    _library = library
