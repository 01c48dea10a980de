"""What is to be done where the program imports a module that many programs do not import.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.abc
import importlib.util
import sys


def when_imported(wanted, action):
    """Calls action(module), now or behind the module's own code."""
    if wanted in sys.modules:
        action(sys.modules[wanted])
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
                    action(module)

                spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
