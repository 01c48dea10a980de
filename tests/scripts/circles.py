#!/usr/bin/env python3
"""Holds includes to small circles: `tests/scripts/circles.py ROOT [--list]`.

A module is a header and the sources of its name, and includes the modules whose files its own name in an #include. Two
modules of one folder may include each other: a class and what it is made of. More than two are one module in several files,
of which nobody can read or change one alone; and a circle through two folders makes one room of both. What both sides of a
circle share belongs in a header of its own, what one needs of the other is often a parameter.

It sees includes, and nothing else. Who declares what another module defines names no file of that: sim/core/scheduler.hpp has the
make_* that sim/execution/schedulers defines, so that core, which includes nothing of execution, does not link without it. And
sources that share a class are modules of their own: the members of execution::impl stand in nine of sim/execution, all of which
include execution_impl.hpp and none each other. Such ties are a review's to see.

`--list` shows the circles of two. The test also finds the circles of a graph that it knows.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import os
import pathlib
import re
import sys

MOST = 2
FOLDERS = ("api", "gpu_backend", "memmodel", "sim", "tools")
SOURCES = {"", ".cpp", ".cu", ".cuh", ".def", ".h", ".hpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def module_of(file):
    """sim/core/fiber, of sim/core/fiber.hpp and sim/core/fiber.cpp."""
    return os.path.splitext(file)[0]


def included_file(files, by, name):
    """The project's file that an #include means; None: it is none of them."""
    for folder in (os.path.dirname(by), "", by.split("/")[0], "api"):
        file = os.path.normpath(os.path.join(folder, name))
        if file in files:
            return file
    return None


def includes_of(texts):
    """By module, the modules that it includes, with the places of that. `texts`: by file."""
    edges = collections.defaultdict(lambda: collections.defaultdict(list))
    for by, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            file = included_file(texts, by, match.group(1) or match.group(2)) if match else None
            if file is not None and module_of(file) != module_of(by):
                edges[module_of(by)][module_of(file)].append(f"{by}:{number}")
    return edges


def reached(edges, begin, seen):
    """What can be reached and has not been seen, each behind all that only it leads to."""
    seen.add(begin)
    order, path = [], [(begin, iter(edges.get(begin, ())))]
    while path:
        for other in path[-1][1]:
            if other not in seen:
                seen.add(other)
                path.append((other, iter(edges.get(other, ()))))
                break
        else:
            order.append(path.pop()[0])
    return order


def circles_of(edges):
    """The strongly connected components of several modules, by Kosaraju's way: depth first, then against the edges from who
    was left last."""
    seen, order = set(), []
    for module in edges:
        if module not in seen:
            order += reached(edges, module, seen)
    back = collections.defaultdict(list)
    for module, others in edges.items():
        for other in others:
            back[other].append(module)
    seen, circles = set(), []
    for module in reversed(order):
        if module not in seen:
            circles.append(sorted(reached(back, module, seen)))
    return sorted(c for c in circles if len(c) > 1)


def wrong_with(circle):
    folders = sorted({os.path.dirname(module) for module in circle})
    if len(folders) > 1:
        return f"{len(circle)} modules of {' and '.join(folders)} include each other, and a circle stays in one folder"
    if len(circle) > MOST:
        return f"{len(circle)} modules of {folders[0]} include each other, and {MOST} are the most"
    return None


def described(circle, edges):
    """An edge a line: who includes whom, and where."""
    return "\n".join(f"  {module} -> {other}: {', '.join(edges[module][other])}"
                     for module in circle for other in circle if other in edges[module])


KNOWN = {
    "sim/a/one.hpp": '#include "sim/a/two.hpp"\n',
    "sim/a/one.cpp": '#include "sim/a/one.hpp"\n#include "sim/a/four.hpp"\n',
    "sim/a/two.cpp": '#  include "three.hpp"\n',
    "sim/a/two.hpp": "#include <vector>\n",
    "sim/a/three.hpp": '// #include "sim/a/four.hpp"\n#include "sim/a/one.hpp"\n',
    "sim/a/four.hpp": "",
    "sim/b/five.hpp": '#include <tilesim/six.hpp>\n#include "sim/a/one.hpp"\n',
    "api/tilesim/six.hpp": '#include "sim/b/five.hpp"\n',
    "sim/b/seven.hpp": '#include "eight.def"\n',
    "sim/b/eight.def": '#include "sim/b/seven.hpp"\n',
}
KNOWN_CIRCLES = [["api/tilesim/six", "sim/b/five"], ["sim/a/one", "sim/a/three", "sim/a/two"], ["sim/b/eight", "sim/b/seven"]]
KNOWN_WRONG = [True, True, False]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="circles of two modules")
    options = parser.parse_args()
    failures = []
    found = circles_of(includes_of(KNOWN))
    if found != KNOWN_CIRCLES or [wrong_with(c) is not None for c in found] != KNOWN_WRONG:
        failures.append(f"of the known files, these circles were found: {found}")
    texts = {path.relative_to(options.root).as_posix(): path.read_text()
             for top in FOLDERS for path in sorted((options.root / top).rglob("*"))
             if path.is_file() and path.suffix in SOURCES}
    edges = includes_of(texts)
    circles = circles_of(edges)
    for circle in circles:
        wrong = wrong_with(circle)
        if wrong:
            failures.append(f"{wrong}: {', '.join(circle)}. Move what they share to a header of its own, or hand in what one "
                            f"needs of the other:\n{described(circle, edges)}")
        elif options.list:
            print(f"{circle[0]} and {circle[1]}:\n{described(circle, edges)}")
    print("\n".join(failures + [f"{len(texts)} files, {len(circles)} circles: {len(failures)} wrong"]))
    return 1 if failures or not edges else 0


if __name__ == "__main__":
    sys.exit(main())
