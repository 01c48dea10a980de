#!/usr/bin/env python3
"""Holds every class of tests of a Python script to a test of ctest's: `tests/scripts/suites.py TESTS_FOLDER`.

A script is run class by class (its CMakeLists.txt names them), or whole.

SPDX-License-Identifier: Apache-2.0
"""
import ast
import pathlib
import re
import sys


def classes_with_tests(script):
    for node in ast.parse(script.read_text()).body:
        if isinstance(node, ast.ClassDef) and any(
            isinstance(part, ast.FunctionDef) and part.name.startswith("test") for part in node.body):
            yield node.name


def main():
    tests = pathlib.Path(sys.argv[1])
    failed = False
    for script in sorted(tests.rglob("*.py")):
        lists = [folder / "CMakeLists.txt" for folder in script.parents if tests in (folder, *folder.parents)]
        text = "\n".join(file.read_text() for file in lists if file.exists())
        run_whole = re.search(re.escape(script.name) + r"\)", text)
        for name in classes_with_tests(script):
            if not run_whole and not re.search(rf"\b{name}\b", text):
                print(f"{script}: class {name} is no test of ctest's: name it in the folder's CMakeLists.txt")
                failed = True
    sys.exit(failed)


main()
