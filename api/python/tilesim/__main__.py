"""python3 -m tilesim PROGRAM.py ...: the program, with its launches on this machine.

What `tilesim run` and `tilesim check` start.

SPDX-License-Identifier: Apache-2.0
"""
import builtins
import importlib.machinery
import linecache
import os
import runpy
import sys
import types

from . import NotKnown, install
from ._cutile import NotInstalled

USAGE = """\
usage: python3 -m tilesim PROGRAM.py [arguments]

Runs a cuTile program with its launches in the simulator. The command `tilesim` does this, and more:
tilesim run, check, step, trace, dap, explore, diff.
"""


def _below(trace, program):
    """What of a traceback is the program's; nothing where it has not begun (a syntax error)."""
    while trace is not None and trace.tb_frame.f_code.co_filename != program:
        trace = trace.tb_next
    return trace


def _run(program):
    """As Python runs it, with the whole path as __file__ and what was given as sys.argv[0]; runpy knows one of both."""
    if os.path.isdir(program) or not program.endswith(".py"):
        runpy.run_path(program, run_name="__main__")
        return
    file = os.path.join(os.getcwd(), program)
    loader = importlib.machinery.SourceFileLoader("__main__", file)
    text = loader.get_data(file)
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = file
    main.__loader__ = loader
    main.__builtins__ = builtins
    # Reports name lines by the path that was given: it is found behind os.chdir(), too.
    lines = linecache.getlines(program)
    linecache.cache[program] = (len(text), None, lines, program)
    exec(loader.source_to_code(text, program), main.__dict__)


def main():
    words = sys.argv[1:]
    if not words or words[0].startswith("-"):
        asked = words[:1] in (["-h"], ["--help"])
        print(USAGE, end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 64
    program = words[0]
    if not os.path.exists(program):
        print(f"tilesim: error: cannot read '{program}'", file=sys.stderr)
        return 64
    sys.argv = words
    sys.path[0] = os.path.dirname(os.path.realpath(program))
    try:
        install()
    except NotKnown as why:
        print(f"tilesim: error: {why}", file=sys.stderr)
        return 69
    try:
        _run(program)
    except NotInstalled as why:
        place = _below(why.__traceback__, program)
        print(f"{program}:{place.tb_lineno}: error: {why}" if place else f"{program}: error: {why}", file=sys.stderr)
        return 69
    except Exception as error:  # as Python shows it that was given the program
        own = _below(error.__traceback__, program)
        sys.excepthook(type(error), error.with_traceback(own), own)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
