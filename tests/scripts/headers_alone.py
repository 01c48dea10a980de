#!/usr/bin/env python3
"""Every public header compiles by itself: what a program includes first must not need another one before it.

headers_alone.py API_FOLDER, with the compiler in $CXX. A file that says that it is included inside of a namespace is a part of
another header, and named as such.
"""
# SPDX-License-Identifier: Apache-2.0
import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys


def compiled(api, header):
    command = [*shlex.split(os.environ.get("CXX", "c++")), "-std=c++20", "-fsyntax-only", "-w", f"-I{api}", "-x", "c++", "-"]
    done = subprocess.run(command, input=f'#include "{header}"\n', text=True, capture_output=True)
    return done.returncode, done.stderr


def main():
    api = pathlib.Path(sys.argv[1])
    headers = sorted(str(p.relative_to(api)) for p in api.rglob("*")
                     if p.is_file() and p.suffix in ("", ".h", ".hpp", ".cuh") and p.name != "CMakeLists.txt")
    parts = [h for h in headers if "\n// Included inside of namespace " in (api / h).read_text()]
    headers = [h for h in headers if h not in parts]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda h: compiled(api, h), headers))
    wrong = [(h, said) for h, (code, said) in zip(headers, results) if code != 0]
    for header, said in wrong:
        print(f"{header}: does not compile alone\n{said[:2000]}")
    print(f"{len(headers)} headers, {len(wrong)} of them need others before them; parts of others: {', '.join(parts) or 'none'}")
    return 1 if wrong or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
