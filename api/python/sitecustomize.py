"""What a Python does as it begins that a program under `tilesim run` has started: its launches run in the simulator, too.

Where tilesim has not been started nothing is done. Of another file of this name, which Python would have taken without
this one, nothing is lost.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.machinery
import importlib.util
import os
import sys

_NEEDS = ("cuda", "cupy", "torch")


class _StandIn:
    """The loader of a module that the simulator has put in the place of one that is not installed."""

    def __init__(self, module):
        self._module = module

    def create_module(self, spec):
        return self._module

    def exec_module(self, module):
        pass


def _install(module):
    """Not in the midst of cuTile's own import, which may import torch: behind it."""
    tile = sys.modules.get("cuda.tile")
    if module is tile or not getattr(getattr(tile, "__spec__", None), "_initializing", False):
        from tilesim import install

        install()


class _Finder:
    """Installs the simulator behind the first import of a module that it stands behind. Until then nothing is imported."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _NEEDS:
            return None
        sys.meta_path.remove(_Finder)
        from tilesim._imports import when_imported

        if name == "cupy":
            _install(None)
            if name in sys.modules:
                return importlib.machinery.ModuleSpec(name, _StandIn(sys.modules[name]))
        else:
            for module in ("cuda.tile", "torch"):
                when_imported(module, _install)
        return importlib.util.find_spec(name)


def _others():
    been = sys.__dict__.setdefault("_tilesim_sites", set())  # another tilesim's, too, which would come back to this one
    been.add(os.path.dirname(os.path.abspath(__file__)))
    path = [folder for folder in sys.path if os.path.abspath(folder) not in been]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _is_tilesim_itself():
    words = sys.orig_argv
    return any(pair == ("-m", "tilesim") for pair in zip(words, words[1:]))


# Who explores has one process in his hands. cuTile is for Python 3.10 and newer.
if (os.environ.get("TILESIM_PROCESSES") and "TILESIM_EXPLORE" not in os.environ and sys.version_info >= (3, 10)
        and not _is_tilesim_itself()):
    sys.meta_path.insert(0, _Finder)
_others()
