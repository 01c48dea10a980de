"""Processes that a program makes by multiprocessing: their launches run in the simulator, too.

A forked one has all that its parent has. One that begins anew ("spawn", "forkserver") is told by its parent how to become
what the parent is, in a pickled dictionary: what is in it besides, whose unpickling installs the simulator, is taken as
well, before any module of the program is imported.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.abc
import importlib.util
import sys


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


def when_made():
    """Sees to that where the program imports what makes them: many do not."""
    wanted = "multiprocessing.spawn"
    if wanted in sys.modules:
        _tell(sys.modules[wanted])
        return

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name != wanted:
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.loader is not None:
                execute = spec.loader.exec_module

                def exec_module(module):
                    execute(module)
                    _tell(module)

                spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
