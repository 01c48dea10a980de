"""python3 -m tilesim PROGRAM.py ...: the program, with its launches on this machine.

What `tilesim run` and `tilesim check` start.

SPDX-License-Identifier: Apache-2.0
"""
import os
import runpy
import sys

from . import NotKnown, install


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
    runpy.run_path(program, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
