"""Processes that a program makes: their launches run in the simulator, too, and what these find is told.

A forked one has all that its parent has. One that begins anew ("spawn", "forkserver") is told by its parent how to become
what the parent is, in a pickled dictionary: what is in it besides, whose unpickling installs the simulator, is taken as
well, before any module of the program is imported. Of a Python that the program starts itself, sitecustomize.py does it.

Forked ones end by os._exit, which is the system's call: they tell before.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import os
import pathlib

from ._imports import when_imported
from ._library import find


def begin():
    """In the new process."""
    from ._cutile import install

    install()


class _Begins:
    def __reduce__(self):
        return begin, ()


def _tell(spawn):
    original = spawn.get_preparation_data

    def get_preparation_data(name):
        return original(name) | {"tilesim": _Begins()}

    spawn.get_preparation_data = get_preparation_data


def _leaving(leave, tell):
    @functools.wraps(leave)
    def _exit(status):
        tell()
        leave(status)

    return _exit


def when_made(library):
    """Sees to that where the program imports what makes them."""
    when_imported("multiprocessing.spawn", _tell)
    os._exit = _leaving(os._exit, library.leaves)


def hand_on():
    """Pythons that this process starts run in the simulator, too, as those do that a program under `tilesim run` starts."""
    package = pathlib.Path(__file__).resolve().parent
    brought = package / "_installed" / "include" / "tilesim-cuda" / "python"
    path = [str(brought if brought.exists() else package.parent), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    os.environ["TILESIM_PROCESSES"] = "1"
    os.environ["TILESIM_LIBRARY"] = find()
