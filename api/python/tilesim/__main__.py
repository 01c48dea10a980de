"""python3 -m tilesim PROGRAM.py ...: the program, with its launches on this machine.

What `tilesim run` and `tilesim check` start.

SPDX-License-Identifier: Apache-2.0
"""
import os
import runpy
import sys

from . import NotKnown, install
from ._cutile import NotInstalled


def _below(trace, program):
    """What of a traceback is the program's; nothing where it has not begun (a syntax error)."""
    while trace is not None and trace.tb_frame.f_code.co_filename != program:
        trace = trace.tb_next
    return trace


def main():
    if len(sys.argv) < 2:
        print("usage: python3 -m tilesim PROGRAM.py [arguments]", file=sys.stderr)
        return 64
    program = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    try:
        install()
    except NotKnown as why:
        print(f"tilesim: error: {why}", file=sys.stderr)
        return 69
    try:
        runpy.run_path(program, run_name="__main__")
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
