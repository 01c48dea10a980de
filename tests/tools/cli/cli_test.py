#!/usr/bin/env python3
"""The command line from outside: programs, messages, exit codes, cache, launcher.

Programs are compiled against stub/, a stand-in for the API, so that only the tool is tested.
  TILESIM_TOOL=build/dev/bin/tilesim TILESIM_LIBRARY=build/dev/lib/libtilesim.so cli_test.py [Class]

One file in spite of its length: one command line's tests over one case; ctest runs each class by itself.
"""
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
from tool_case import FolderCase, read_terminal  # noqa: E402

ROOT = HERE.parents[2]
FORMS = HERE.parent / "rewrite" / "forms"
TOOL = os.environ.get("TILESIM_TOOL", "")
LIBRARY = os.environ.get("TILESIM_LIBRARY", "")
# $TILESIM_TEST_COMPILERS: a sanitized library runs with the compiler that built it alone.
COMPILERS = [c for c in os.environ.get("TILESIM_TEST_COMPILERS", "g++ clang++").split() if shutil.which(c)]

HELLO = """\
#include <cstdio>
__tile_global__ void hello(int n) { std::printf("hello %d\\n", n); }
int main(int count, char** words) {
  hello<<<count>>>(N);
  for (int i = 1; i < count; ++i) std::printf("[%s]", words[i]);
  return count;
}
"""


class Case(FolderCase):
    """With a cache in its folder."""

    def setUp(self):
        super().setUp()
        self.env = dict(os.environ)
        for name in ("CXX", "TILESIM_OPTIONS", "CPATH", "NO_COLOR", "TILESIM_NVCC"):
            self.env.pop(name, None)
        self.env |= {
            "TILESIM_CACHE": str(self.folder / "cache"),
            "TILESIM_API_DIR": str(HERE / "stub"),
            "TILESIM_LIB_DIR": str(pathlib.Path(LIBRARY).parent),
            "LC_ALL": "C",
        }

    def tool(self, *words, env=None, cwd=None, stdin=None):
        return subprocess.run([TOOL, *map(str, words)], cwd=cwd or self.folder, text=True,
                              env=self.env | (env or {}), input=stdin, capture_output=True,
                              timeout=120)


class Forms(Case):
    """Every form of a launch, compiled and run."""

    def test_forms(self):
        expected = (FORMS / "forms.expected").read_text()
        for compiler in COMPILERS:
            for flags in ([], ["-O0"], ["-O2"], ["-std=c++23" if compiler == "g++" else "-std=c++2b"]):
                with self.subTest(compiler=compiler, flags=flags):
                    self.check(self.tool("run", FORMS / "forms.cu", *flags,
                                         env={"CXX": compiler}), out=expected, err="")

    def test_no_warnings(self):
        for compiler in COMPILERS:
            for hard in (["-Wall", "-Wextra"], ["-Wall", "-Wextra", "-pedantic"]):
                with self.subTest(compiler=compiler, flags=hard):
                    self.check(self.tool("build", FORMS / "forms.cu", "-Werror", *hard,
                                         env={"CXX": compiler}), err="")

    def test_text_that_the_preprocessor_stumbles_over(self):
        self.write("x.cu", HELLO + "#if 0\ndon't\n#endif\n")
        for compiler in COMPILERS:
            self.check(self.tool("run", "x.cu", "-DN=1", env={"CXX": compiler}), code=1,
                       out="tile hello<1,1,0>: hello 1\n" if compiler != "g++" else None)


class Diagnostics(Case):
    """Errors show the user's file, line, column and text."""

    CODE = textwrap.dedent("""\
        #include "part.h"
        #define BAD(x) wrong_##x
        #define START(k) k<<<1, wrong_grid>>>(1)
        __tile_global__ void k(int) {}
        int before = WRONG;
        void f(int n) {
          int a = 1; k<<<n, WRONG>>>(n); int b = WRONG;
          k<<<1>>>(
              WRONG);
          missing<<<1>>>(n);
          int c = BAD(name);
          START(k);
          int d = WRONG;
        }
        int main() {}
        """)
    # Name, the line and column of `WRONG` when it stands there.
    PLACES = [
        ("int before = WRONG", 5, 14),
        ("n, WRONG>>>", 7, 21),
        ("int b = WRONG", 7, 42),
        ("      WRONG);", 9, 7),
        ("int d = WRONG", 13, 11),
    ]

    def source(self, keep):
        text = self.CODE
        for place, _, _ in self.PLACES:
            if place != keep:
                text = text.replace(place, place.replace("WRONG", "0    "))
        for place, fixed in (("missing<<<", "k<<<"), ("BAD(name)", "1"), ("wrong_grid", "1")):
            if place != keep:
                text = text.replace(place, fixed.ljust(len(place)) if "<" not in place else
                                    place.replace("missing", "k      "))
        return text

    def places(self, result):
        return [(m[1], int(m[2]), int(m[3])) for m in
                re.finditer(r"^(\S+?):(\d+):(\d+): error", result.stderr, re.M)]

    def test_places(self):
        self.write("part.h", "#pragma once\n")
        cases = self.PLACES + [("BAD(name)", 11, 11)]
        for compiler in COMPILERS:
            for place, line, column in cases:
                with self.subTest(compiler=compiler, place=place):
                    self.write("x.cu", self.source(place))
                    result = self.check(self.tool("run", "x.cu", env={"CXX": compiler}), code=65,
                                        out="")
                    found = self.places(result)
                    if place == "BAD(name)" and compiler == "g++":
                        self.assertIn(("x.cu", 2, 16), found)  # and "in expansion of macro" below
                        self.assertIn("x.cu:11:11: note: in expansion of macro", result.stderr)
                    else:
                        self.assertIn(("x.cu", line, column), found, result.stderr)
                    self.assertNotIn(str(self.folder / "cache"), result.stderr)
                    if compiler == "g++" and place != "BAD(name)":
                        text = self.source(place).splitlines()[line - 1]
                        self.assertIn(text, result.stderr)  # the user's line as it is written

    def test_in_a_launch_of_a_macro(self):
        self.write("part.h", "")
        self.write("x.cu", self.source("wrong_grid"))
        result = self.check(self.tool("run", "x.cu"), code=65)
        # In a macro's body no newline can be added: the line is right, the column is not.
        self.assertRegex(result.stderr, r"(?m)^x\.cu:3:\d+: error: 'wrong_grid'")
        self.assertIn("x.cu:12:3: note: in expansion of macro", result.stderr)

    def test_in_a_header(self):
        self.write("inc/part.h", "inline void g() {\n  oops;\n}\n")
        self.write("x.cu", self.source(None))
        result = self.check(self.tool("run", "x.cu", "-I", "inc"), code=65)
        self.assertIn("inc/part.h:2:3: error", result.stderr)
        self.assertRegex(result.stderr, r"In file included from x\.cu:1")

    def test_kernel_arguments(self):
        self.write("x.cu", "__tile_global__ void k(int*) {}\nint main() {\n  k<<<1>>>(1.5);\n}\n")
        result = self.check(self.tool("run", "x.cu"), code=65)
        self.assertIn("x.cu:3:12: error: cannot convert 'double' to 'int*'\n"
                      "    3 |   k<<<1>>>(1.5);\n"
                      "      |            ^~~\n", result.stderr)
        self.assertIn("initializing argument 1 of 'void k(int*)'", result.stderr)
        self.assertNotIn("tilesim", result.stderr)

    def test_unknown_kernel(self):
        self.write("part.h", "")
        self.write("x.cu", self.source("missing<<<"))
        result = self.check(self.tool("run", "x.cu"), code=65)
        self.assertRegex(result.stderr, r"(?m)^x\.cu:10:\d+: error: 'missing' was not declared")
        self.assertIn("\n   10 |   missing<<<1>>>(n);\n      |   ^~~", result.stderr)

    def test_missing_header(self):
        self.write("x.cu", '#include "none.h"\nint main() {}\n')
        result = self.check(self.tool("run", "x.cu"), code=65)
        self.assertIn("x.cu:1:10: fatal error: none.h", result.stderr)

    def test_missing_library(self):
        """A header of CCCL's, where nobody has brought them."""
        nowhere = {"PATH": "/usr/bin:/bin", "CUDA_HOME": "", "CXX": shutil.which(COMPILERS[0])}
        self.write("x.cu", "#include <cub/no_such_header.cuh>\nint main() {}\n")
        result = self.check(self.tool("run", "x.cu", env=nowhere), code=65)
        self.assertIn("x.cu:1:10: fatal error: cub/no_such_header.cuh", result.stderr)
        self.assertIn("\nx.cu:1:10: note: it is of CCCL, NVIDIA's C++ libraries: 'tilesim toolchain "
                      "install' brings them, or name the folder that you have them in with -I\n", result.stderr)

    def test_libraries_of_a_compiler(self):
        """nvcc's are found beside it: behind the program's own folders, and without their warnings."""
        self.write("cuda/bin/nvcc", "#!/bin/sh\n").chmod(0o755)
        self.write("cuda/include/cccl/cub/x.cuh", "#warning seen\nconstexpr int x = 7;\n")
        self.write("own/cub/x.cuh", "constexpr int x = 8;\n")
        self.write("x.cu", "#include <cub/x.cuh>\nint main() { return x; }\n")
        for env in ({"TILESIM_NVCC": "cuda/bin/nvcc"}, {"CUDA_HOME": str(self.folder / "cuda")},
                    {"PATH": f"{self.folder}/cuda/bin:{os.environ['PATH']}"}):
            env = {"CUDA_HOME": ""} | env
            with self.subTest(env=env):
                self.check(self.tool("run", "x.cu", env=env), code=7)
                self.check(self.tool("run", "x.cu", "-I", "own", env=env), code=8)

    def test_changed_meanings(self):
        """What nvcc takes and g++ does not: alone it is no word worth; beside an error it is told with that."""
        text = "struct tag {};\nstruct s { tag tag; };\nint main() { int unused; %s }\n"
        self.write("x.cu", text % "")
        self.check(self.tool("run", "x.cu"))
        warned = self.check(self.tool("run", "x.cu", "-Wall")).stderr
        self.assertIn("x.cu:3:18: warning: unused variable", warned)
        self.assertNotIn("meaning", warned)
        self.write("x.cu", text % "const char* p = 5;")
        result = self.check(self.tool("run", "x.cu"), code=65)
        self.assertIn("x.cu:3:42: error: ", result.stderr)

    def test_launch_syntax(self):
        self.write("x.cu", "void k();\nint main() {\n  k<<<1>>>;\n}\n")
        self.check(self.tool("run", "x.cu"), code=65,
                   err="x.cu:3:4: error: launch '<<<' without '>>>' and an argument list; write "
                       "kernel<<<grid, block>>>(...)\n")

    def test_no_main(self):
        self.write("x.cu", "void k() {}\n")
        for compiler in COMPILERS:
            self.check(self.tool("run", "x.cu", env={"CXX": compiler}), code=65,
                       err="x.cu: error: the file has no main function; add one, or make an object "
                           "with 'tilesim build -c x.cu'\n")

    def test_undefined_function(self):
        self.write("x.cu", "void gone();\nint main() {\n  gone();\n}\n")
        result = self.check(self.tool("run", "x.cu"), code=65)
        self.assertIn("undefined reference to `gone()'", result.stderr)
        self.assertNotIn(str(self.folder / "cache"), result.stderr)

    def test_warnings_once_and_again(self):
        self.write("x.cu", "#warning look\nint main() { int unused; }\n")
        first = self.check(self.tool("run", "x.cu", "-Wall"))
        self.assertEqual(first.stderr.count("[-Wcpp]"), 1, first.stderr)
        self.assertEqual(first.stderr.count("[-Wunused-variable]"), 1)
        again = self.check(self.tool("run", "x.cu", "-Wall"))
        self.assertEqual(first.stderr, again.stderr)

    def test_colours_only_on_a_terminal(self):
        self.write("x.cu", "int main() { return oops; }\n")
        self.assertNotIn("\033", self.check(self.tool("run", "x.cu"), code=65).stderr)
        import pty
        ours, theirs = pty.openpty()
        child = subprocess.Popen([TOOL, "run", "x.cu"], cwd=self.folder, stderr=theirs,
                                 env=self.env | {"TERM": "xterm"})
        os.close(theirs)
        text = read_terminal(ours)
        self.assertEqual(child.wait(), 65)
        self.assertIn("\033[01;31m", text)


class Usage(Case):
    """What is no program: message and exit code."""

    def error(self, code, message, *words, env=None):
        self.check(self.tool(*words, env=env), code=code, out="", err=f"tilesim: error: {message}\n")

    def test_files(self):
        here = self.folder
        self.error(64, f"none.cu: no such file; paths are relative to {here}", "run", "none.cu")
        (here / "dir.cu").mkdir()
        self.error(64, "dir.cu: is a folder; name a source file", "run", "dir.cu")
        os.mkfifo(here / "pipe.cu")
        self.error(64, "pipe.cu: is not a regular file; name a source file", "run", "pipe.cu")
        (here / "built").write_bytes(b"\x7fELF\x02\x00")
        for command in ("run", "check", "step", "build"):
            self.error(64, "built: is no source file (it holds zero bytes); name its .cu file, or start a program "
                       "that was built before by itself", command, "built")
        self.error(64, "no source file: 'x.cu' is the value of --html; write 'tilesim trace FILE.cu', "
                   "see 'tilesim trace --help'", "trace", "--html", "x.cu")
        self.error(64, "no source file; write 'tilesim build FILE.cu', see 'tilesim build --help'",
                   "build")

    def test_words(self):
        self.error(64, "unknown command 'rnu'; did you mean 'run'? see 'tilesim --help'", "rnu")
        self.error(64, "unknown command 'quite'; see 'tilesim --help'", "quite")
        self.error(64, "'x.cu' is no command; write 'tilesim run x.cu'", "x.cu")
        self.error(64, "unknown option '--sede'; did you mean '--seed'? see 'tilesim run --help'",
                   "run", "--sede", "1", "x.cu")
        self.error(64, "--seed takes a whole number or random, not '-1'", "run", "--seed=-1", "x.cu")
        self.error(64, "--schedule takes round-robin, random, bursts or pct, not 'best'", "run", "--schedule",
                   "best", "x.cu")
        self.error(64, "--order takes fixed or random, not 'up'", "run", "--order", "up", "x.cu")
        self.error(64, "--timeout takes seconds, such as 2.5, not '0'", "run", "--timeout", "0", "x.cu")
        # What would be set to the next that is possible is refused, and 64K is the least.
        for least in ("1", "65535", "63K"):
            self.error(64, f"--stack-bytes takes a number of bytes, at least 64K, such as 512M, not '{least}'",
                       "run", "--stack-bytes", least, "x.cu")
        self.error(64, "--multiprocessors takes a whole number, at least 2, not '1'", "run", "--multiprocessors", "1", "x.cu")

    def test_empty_values(self):
        """A name that is empty is a mistake, of a script whose variable is not set: no file has it, a.out is not meant."""
        self.write("x.cu", "int main() {}\n")
        self.write("x.litmus", "")
        for command, option in (("build", "-o"), ("build", "--output-file"), ("build", "--dependency-file"), ("trace", "-o"),
                                ("trace", "--html"), ("check", "--input"), ("check", "--suppress"), ("check", "--resume"),
                                ("check", "--replay"), ("run", "--replay"), ("step", "--trace"), ("step", "--finding"),
                                ("step", "--program"), ("step", "-x"), ("diff", "--json"), ("diff", "--html"), ("explore", "--dot"),
                                ("explore", "--svg")):
            self.error(64, f"'{option}' needs a value, not an empty one", command, "x.cu", option, "")
        for command, option in (("build", "--output-file"), ("check", "--json"), ("check", "--sarif"), ("check", "--html"),
                                ("explore", "--json"), ("merge", "--json"), ("step", "--trace")):
            self.error(64, f"'{option}' needs a value, not an empty one", command, "x.cu", f"{option}=")
        for option in ("--dot", "--svg", "--expect"):
            self.error(64, f"'{option}' needs a value, not an empty one", "litmus", "x.litmus", option, "")
        self.error(64, "'-o' needs a value, not an empty one", "fuzz", "--seed", "1", "-o", "")
        self.error(64, "'-o' needs a value, not an empty one", "gpu", "build", "x.cu", "-o", "")
        self.assertEqual(sorted(f.name for f in self.folder.iterdir() if f.suffix not in (".cu", ".litmus")),
                         sorted(f.name for f in self.folder.iterdir() if f.is_dir()))

    def test_no_compiler(self):
        self.write("x.cu", "int main() {}\n")
        self.error(69, "CXX names 'none++', and there is no such program; unset CXX or set it to a "
                       "C++20 compiler", "run", "x.cu", env={"CXX": "none++"})
        self.error(69, "no C++ compiler found; install g++ 12 or newer, or set CXX to a C++20 "
                       "compiler", "run", "x.cu", env={"PATH": "/nowhere"})

    def test_help(self):
        self.assertIn("commands:", self.check(self.tool("--help")).stdout)
        self.assertRegex(self.check(self.tool("--version")).stdout, r"^tilesim \d+\.\d+\.\d+\n$")
        self.assertIn("commands:", self.check(self.tool(), code=64).stderr)
        for command in ("run", "build", "check", "step", "trace", "dap", "lint", "diff", "explore", "merge", "fuzz", "litmus", "toolchain", "cache"):
            text = self.check(self.tool(command, "--help")).stdout
            self.assertIn(f"usage: tilesim {command}", text)
            self.assertIn("examples:", text)

    def test_lint_without_the_compiler(self):
        self.write("x.cu", "int main() {}\n")
        self.error(3, "NVIDIA's compiler is not installed; run 'tilesim toolchain install', or set "
                      "TILESIM_NVCC to an nvcc of CUDA 13.1 or newer", "lint", "x.cu")
        self.error(64, "unknown action 'instal'; did you mean 'install'? see 'tilesim toolchain "
                       "--help'", "toolchain", "instal")
        self.error(64, "what to do? see 'tilesim cache --help'", "cache")
        self.check(self.tool("toolchain", "path"), code=1, out="")
        self.check(self.tool("toolchain", "path", env={"TILESIM_NVCC": TOOL}), out=f"{TOOL}\n")

    def test_lint_with_some_compiler(self):
        self.write("x.cu", "int main() {}\n")
        nvcc = self.write("nvcc", '#!/bin/sh\necho "$@" > "$LOG"\n[ -z "$SAY" ] || echo "$SAY"\n')
        nvcc.chmod(0o755)
        log = self.folder / "log"
        env = {"TILESIM_NVCC": str(nvcc), "LOG": str(log), "SAY": ""}
        self.check(self.tool("lint", "x.cu", "-DX", "-arch=sm_100", env=env), out="")
        self.assertRegex(log.read_text(),
                         r"^--enable-tile -c -std=c\+\+20 -arch=sm_100 -DX x\.cu -o \S.*\.o\n$")
        self.check(self.tool("lint", "x.cu", env=env | {"SAY": "x.cu(1): warning"}), code=1,
                   out="x.cu(1): warning\n")


class Caching(Case):
    """Results are found again exactly while nothing has changed."""

    def commands(self, *words, env=None):
        """How many compilers and linkers a command starts."""
        result = self.tool(words[0], "-v", *words[1:], env=env)
        return sum(" -o " in line for line in result.stderr.splitlines())

    def test_second_run_starts_nothing(self):
        self.write("x.cu", HELLO)
        self.assertEqual(self.commands("run", "x.cu", "-DN=1"), 3)
        self.assertEqual(self.commands("run", "x.cu", "-DN=1"), 0)
        self.assertEqual(self.commands("run", "x.cu", "-DN=1", "--", "more"), 0)
        self.assertEqual(self.commands("run", "x.cu", "-DN=2"), 3)
        self.assertEqual(self.commands("run", "x.cu", "-DN=1", "-O2"), 3)
        # Host functions are compiled once more, without hooks.
        self.assertEqual(self.commands("run", "--hooks", "x.cu", "-DN=1"), 4)
        self.assertEqual(self.commands("build", "x.cu", "-DN=1"), 0)

    def test_changes(self):
        self.write("part.h", "#define N 1\n")
        self.write("x.cu", '#include "part.h"\n' + HELLO)
        self.assertIn("hello 1\n", self.tool("run", "x.cu").stdout)
        kept = (self.folder / "part.h").stat()
        self.write("part.h", "#define N 2\n")
        os.utime(self.folder / "part.h", ns=(kept.st_atime_ns, kept.st_mtime_ns))
        self.assertIn("hello 2\n", self.tool("run", "x.cu").stdout)  # same size, same time
        self.write("x.cu", '#include "part.h"\n' + HELLO.replace("hello %d", "bye %d"))
        self.assertIn("bye 2\n", self.tool("run", "x.cu").stdout)
        (self.folder / "part.h").unlink()
        self.check(self.tool("run", "x.cu"), code=65)

    def test_a_header_that_comes_first_from_now_on(self):
        self.write("inc/part.h", "#define N 1\n")
        self.write("x.cu", '#include "part.h"\n' + HELLO)
        command = ["run", "x.cu", "-Iown", "-Iinc"]
        self.assertIn("hello 1\n", self.tool(*command).stdout)
        self.write("own/other.h", "#define N 2\n")
        self.assertEqual(self.commands(*command), 0)
        self.write("own/part.h", "#define N 2\n")
        self.assertIn("hello 2\n", self.tool(*command).stdout)
        self.write("part.h", "#define N 3\n")
        self.assertIn("hello 3\n", self.tool(*command).stdout)
        (self.folder / "part.h").unlink()
        self.assertIn("hello 2\n", self.tool(*command).stdout)

    def test_changed_library(self):
        self.write("x.cu", '#include <cstdio>\nint f();\nint main() { std::printf("%d", f()); }\n')
        for n in "12":
            self.write("f.cpp", f"int f() {{ return {n}; }}\n")
            self.check(self.tool("build", "-c", "f.cpp", "-o", "f.o"))
            self.check(self.tool("run", "x.cu", "f.o"), out=n)
            (self.folder / "lib").mkdir(exist_ok=True)
            subprocess.run(["ar", "rc", "lib/libf.a", "f.o"], cwd=self.folder, check=True)
            self.check(self.tool("run", "x.cu", "-Llib", "-lf"), out=n)

    def test_another_folder(self):
        self.write("a/x.cu", HELLO)
        self.write("b/x.cu", HELLO)
        self.check(self.tool("run", "x.cu", "-DN=1", cwd=self.folder / "a"), code=1)
        # Debug information and __FILE__ depend on the folder.
        self.assertIn(" -o ", self.tool("run", "-v", "x.cu", "-DN=1", cwd=self.folder / "b").stderr)

    def test_several_at_once(self):
        self.write("x.cu", HELLO)
        running = [subprocess.Popen([TOOL, "run", "x.cu", "-DN=1"], cwd=self.folder, env=self.env,
                                    stdout=subprocess.PIPE, text=True) for _ in range(6)]
        for child in running:
            out, _ = child.communicate()
            self.assertEqual((out, child.returncode), ("tile hello<1,1,0>: hello 1\n", 1))
        self.assertEqual(list((self.folder / "cache/tmp").iterdir()), [])

    def test_info_and_clear(self):
        self.write("x.cu", HELLO)
        self.tool("run", "x.cu", "-DN=1")
        self.assertRegex(self.check(self.tool("cache", "info")).stdout, r"\n[1-9]\d* files, ")
        self.assertRegex(self.check(self.tool("cache", "clear")).stdout, r"\n0 files, ")
        self.assertIn(" -o ", self.tool("run", "-v", "x.cu", "-DN=1").stderr)

    def test_failures_are_not_kept(self):
        self.write("x.cu", "int main() { return N; }\n")
        for _ in range(2):
            self.check(self.tool("run", "x.cu"), code=65)
        self.assertEqual(list((self.folder / "cache/tmp").iterdir()), [])


class Building(Case):
    """Programs and objects that are kept; what `run` passes on."""

    def test_run_passes_on(self):
        self.write("x.cu", HELLO)
        self.check(self.tool("run", "x.cu", "-DN=5", "--", "-v", "a b", "--", ""), code=5,
                   out="tile hello<5,1,0>: hello 5\n[-v][a b][--][]")
        self.write("cat.cu", "#include <cstdio>\nint main(int, char** w) { int c; while ((c = "
                             "std::getchar()) != EOF) std::putchar(c); std::puts(w[0]); }\n")
        self.check(self.tool("run", "cat.cu", stdin="line\n"), out="line\ncat\n")
        self.write("abort.cu", "#include <cstdlib>\nint main() { std::abort(); }\n")
        self.check(self.tool("run", "abort.cu"), code=-signal.SIGABRT)

    def test_options_reach_the_program(self):
        self.write("x.cu", "#include <cstdio>\n#include <cstdlib>\nint main() { const char* o = "
                           'std::getenv("TILESIM_OPTIONS"); std::puts(o ? o : "none"); }\n')
        self.check(self.tool("run", "x.cu"), out="none\n")
        self.check(self.tool("run", "--schedule", "random", "x.cu", "--seed=42", "--stats",
                             "--max-ops", 1000, "--timeout", 2.5, "--device-memory", "1G"),
                   out='{"device_memory":1073741824,"max_ops":1000,"schedule":"random","seed":42,'
                       '"stats":true,"timeout":2.5}\n')
        given = {"TILESIM_OPTIONS": '{"seed": 1, "stats": true}'}
        self.check(self.tool("run", "x.cu", "--seed", "random", env=given),
                   out='{"seed":"random","stats":true}\n')
        self.check(self.tool("run", "x.cu", env={"TILESIM_OPTIONS": "[]"}), code=64)

    def test_program(self):
        self.write("x.cu", HELLO)
        self.check(self.tool("build", "x.cu", "-DN=1", "-o", "prog"), out="", err="")
        self.assertEqual(subprocess.run([self.folder / "prog"], capture_output=True).stdout,
                         b"tile hello<1,1,0>: hello 1\n")
        self.check(self.tool("build", "x.cu", "-DN=1"))
        self.assertTrue((self.folder / "a.out").stat().st_mode & stat.S_IXUSR)
        self.check(self.tool("build", "x.cu", "-DN=1", "-o", "none/prog"), code=69)

    def test_objects(self):
        self.write("k.cu", '#include <cstdio>\nstatic __global__ void k() { std::puts("k"); }\n'
                           "void start() { k<<<1>>>(); }\n")
        self.write("main.cpp", "void start();\nint main() { start(); }\n")
        self.check(self.tool("build", "-c", "k.cu"))
        subprocess.run(["g++", "main.cpp", "k.o", "-L" + self.env["TILESIM_LIB_DIR"], "-ltilesim",
                        "-Wl,-rpath," + self.env["TILESIM_LIB_DIR"], "-o", "prog"], cwd=self.folder,
                       check=True)
        self.check(subprocess.run([self.folder / "prog"], capture_output=True, text=True),
                   out="simt k<1,1,0>: k\n")
        self.check(self.tool("run", "main.cpp", "k.cu"), out="simt k<1,1,0>: k\n")
        self.check(self.tool("run", "main.cpp", "k.o"), out="simt k<1,1,0>: k\n")
        self.check(self.tool("build", "-c", "k.cu", "main.cpp", "-o", "x.o"), code=64)

    def test_errors_of_all_files(self):
        for name in "abc":
            self.write(f"{name}.cu", f"int {name} = oops_{name};\n")
        result = self.check(self.tool("run", "a.cu", "b.cu", "c.cu"), code=65)
        self.assertEqual(re.findall(r"^(.\.cu):1:9: error", result.stderr, re.M),
                         ["a.cu", "b.cu", "c.cu"])

    def test_odd_names(self):
        self.write("a b/it's $x.cu", HELLO)
        self.check(self.tool("run", "a b/it's $x.cu", "-DN=1"), code=1)
        self.check(self.tool("run", self.folder / "a b/it's $x.cu", "-DN=1", cwd="/"), code=1)


class Flags(Case):
    """g++'s flags and nvcc's, as nvcc users write them."""

    def test_nvcc_command_line(self):
        self.write("inc/n.h", "#define N 3\n")
        self.write("x.cu", '#include "n.h"\n' + HELLO)
        self.check(self.tool("build", "--enable-tile", "-std=c++20", "-arch=sm_90", "-O3", "-lineinfo",
                             "--expt-relaxed-constexpr", "-Xcompiler", "-Wall", "-rdc=true",
                             "-gencode", "arch=compute_90,code=sm_90", "-I", "inc", "x.cu", "-o",
                             "prog", "-lcudart", "-lm"), out="", err="")
        self.check(self.tool("run", "-use_fast_math", "-use_fast_math", "-Iinc", "x.cu"), code=1,
                   err="tilesim: note: -use_fast_math has no effect: tilesim computes what the source "
                       "says, without approximations\n")

    def test_macros(self):
        self.write("x.cu", textwrap.dedent("""\
            #if !defined __CUDACC__ || !defined __NVCC__ || __CUDACC_VER_MAJOR__ != 13 || \\
                defined __CUDA_ARCH__ || TILESIM != 1 || __CUDA_ARCH_LIST__ != 1000 || \\
                __cplusplus < 202002L || !defined __OPTIMIZE__
            #error macros
            #endif
            int main() { return static_cast<int>(dim3(3).x); }
            """))
        for compiler in COMPILERS:
            self.check(self.tool("run", "x.cu", "-arch", "sm_100", env={"CXX": compiler}), code=3)

    def test_own_headers_win_and_warn_not(self):
        self.write("inc/cuda_runtime.h", "#error not this one\n")
        self.write("x.cu", HELLO)
        self.check(self.tool("run", "x.cu", "-DN=1", "-Iinc", "-Wall", "-Wextra", "-Wold-style-cast"),
                   code=1, err="")

    def test_compiler_of_two_words(self):
        self.write("x.cu", HELLO)
        self.check(self.tool("run", "x.cu", "-DN=1", env={"CXX": "env g++"}), code=1)

    def test_the_compiler_names_its_objcopy(self):
        # As a cross compiler does, whose objects the machine's own objcopy does not know.
        objcopy = self.write("bin/own-objcopy", f'#!/bin/sh\n: > "{self.folder}/used"\nexec objcopy "$@"\n')
        objcopy.chmod(0o755)
        self.write("bin/own-g++", f'#!/bin/sh\n[ "$1" = -print-prog-name=objcopy ] && exec echo "$ANSWER"\nexec g++ "$@"\n'
                   ).chmod(0o755)
        path = f'{self.folder}/bin:{os.environ["PATH"]}'
        self.write("x.cu", HELLO)
        for answer, used in (("none", False), ("own-objcopy", True)):
            env = {"CXX": "own-g++", "PATH": path, "ANSWER": answer, "TILESIM_CACHE": str(self.folder / answer)}
            self.check(self.tool("run", "--hooks", "x.cu", "-DN=1", env=env), code=1)
            self.assertEqual((self.folder / "used").exists(), used)


class Hooks(Case):
    """--hooks: raw accesses call the simulator, and nothing of the sanitizer is linked."""

    CODE = textwrap.dedent("""\
        #include <algorithm>
        #include <atomic>
        #include <cstring>
        struct big { long v[9]; };
        struct __attribute__((packed)) odd { char c; int i; long l; };
        struct base { virtual ~base() {} };
        struct derived : base { int x; ~derived() override { x = 1; } };
        void f(int* p, int* q, std::atomic<int>* a, volatile int* v, char* s, big* b, odd* o) {
          *p += q[1]; *v = *v + 1;
          a->fetch_add(1); a->store(a->load() + 1); int e = 1; a->compare_exchange_weak(e, 2);
          std::atomic_thread_fence(std::memory_order_acquire);
          std::copy(p, p + 100, q); std::strcpy(s, s + 10); *p = (int)std::strlen(s);
          b[0] = b[1]; o->i += 1; o->l = 2;
          __uint128_t* w = reinterpret_cast<__uint128_t*>(p); *w += 1;
          for (int i = 0; i < 1000; ++i) p[i] = q[i] + 1;
          delete new derived; delete static_cast<base*>(new derived);
        }
        int main() {}
        """)

    def symbols(self, *words):
        text = subprocess.run(["nm", *map(str, words)], capture_output=True, text=True,
                              check=True).stdout
        return {line.split()[-1].split("@")[0] for line in text.splitlines() if line}

    def table(self):
        text = (ROOT / "tools/build/hook_symbols.def").read_text()
        return set(re.findall(r"^TILESIM_HOOK\((\w+)\)", text, re.M))

    def test_renamed(self):
        self.write("x.cu", self.CODE)
        for compiler in COMPILERS:
            for level in ("-O0", "-O1", "-O2", "-O3"):
                with self.subTest(compiler=compiler, level=level):
                    self.check(self.tool("build", "--hooks", "-c", "x.cu", "-o", "x.o", level,
                                         env={"CXX": compiler}))
                    used = self.symbols("-u", self.folder / "x.o")
                    hooks = {s.removeprefix("tilesim_hook_") for s in used if "tilesim_hook_" in s}
                    self.assertIn("__tsan_read4", hooks)
                    self.assertIn("__tsan_atomic32_fetch_add", hooks)
                    self.assertIn("strlen", hooks)
                    self.assertLessEqual(hooks, self.table())
                    self.assertEqual({s for s in used if s.startswith("__tsan")}, set())
                    self.assertEqual(used & self.table(), set())

    def test_the_library_defines_all(self):
        defined = self.symbols("-D", "--defined-only", LIBRARY)
        hooks = {s.removeprefix("tilesim_hook_") for s in defined if s.startswith("tilesim_hook_")}
        if not hooks:
            self.skipTest("this library has no hooks")
        self.assertEqual(self.table() - hooks, set(), "in the table, but not in the library")
        self.assertEqual(hooks - self.table(), set(), "in the library, but not in the table")


class Launcher(Case):
    """./tilesim: where it looks, and what it says when something is missing."""

    SOURCES = ("api", "cmake", "gpu_backend", "memmodel", "sim", "tools")  # what the tool is made of

    def checkout(self):
        """A checkout with a build in it that is newer than its sources."""
        root = self.folder / "check out"
        for part in (*self.SOURCES, "build/release/bin"):
            (root / part).mkdir(parents=True)
        for part in ("CMakeLists.txt", "CMakePresets.json"):
            (root / part).touch()
        shutil.copy(ROOT / "tilesim", root / "tilesim")
        built = root / "build/release/bin/tilesim"
        built.write_text('#!/bin/sh\necho "$PWD" "$@"\n')
        built.chmod(0o755)
        (root / "build/release/.stamp").touch()
        return root

    def start(self, script, *words, cwd=None, path=None):
        env = self.env | ({"PATH": path} if path else {})
        return subprocess.run([script, *words], cwd=cwd or self.folder, env=env, text=True,
                              capture_output=True)

    def fake(self, **programs):
        """A folder for $PATH with these programs in it, and the few that the script needs."""
        folder = self.folder / "fake"
        folder.mkdir(exist_ok=True)
        for name in ("sh", "find", "readlink", "mkdir", "mv", "cat", "rm", "grep", "uname", "id"):
            if not (folder / name).exists():
                (folder / name).symlink_to(shutil.which(name))
        for name, text in programs.items():
            (folder / name.replace("_", "-")).unlink(missing_ok=True)
            (folder / name.replace("_", "-")).write_text("#!/bin/sh\n" + text)
            (folder / name.replace("_", "-")).chmod(0o755)
        return str(folder)

    def test_runs_what_is_built(self):
        root = self.checkout()
        self.check(self.start(root / "tilesim", "run", "a b.cu"), out=f"{self.folder} run a b.cu\n",
                   err="")
        (self.folder / "link").symlink_to(root / "tilesim")
        (self.folder / "link2").symlink_to("link")
        self.check(self.start(self.folder / "link2", "x"), out=f"{self.folder} x\n")
        self.check(self.start("../tilesim", "x", cwd=root / "api"), out=f"{root}/api x\n")

    def test_quick(self):
        root = self.checkout()
        times = []
        for _ in range(10):
            start = time.monotonic()
            self.start(root / "tilesim", "x")
            times.append(time.monotonic() - start)
        self.assertLess(min(times), 0.05)

    def test_rebuilds_after_a_change(self):
        root = self.checkout()
        path = self.fake(cmake='echo "cmake $@" >&2\n', dpkg_query="echo installed\n", apt_get="exit 1")
        (root / "build/release/build.ninja").touch()
        for part in self.SOURCES:
            time.sleep(0.02)
            (root / part / "new.cpp").touch()
            result = self.check(self.start(root / "tilesim", "x", path=path), out=f"{self.folder} x\n")
            self.assertIn(f"cmake --build {root}/build/release", result.stderr)
            self.check(self.start(root / "tilesim", "x", path=path), err="")

    def test_builds_tests_alone(self):
        root = self.checkout()
        path = self.fake(cmake='echo "cmake $@" >&2\n', ctest="echo ctest\n", apt_get="exit 1",
                         dpkg_query="echo installed\n")
        (root / "build/dev").mkdir()
        (root / "build/dev/build.ninja").touch()
        self.check(self.start(root / "tilesim", "test", "--build", path=path), out="",
                   err=f"cmake --build {root}/build/dev\n")
        self.check(self.start(root / "tilesim", "test", "--build", "a", "b", path=path), out="",
                   err=f"cmake --build {root}/build/dev --target a b\n")
        self.check(self.start(root / "tilesim", "test", path=path), out="ctest\n")
        # Who asks for help waits for no build.
        result = self.check(self.start(root / "tilesim", "test", "--help", path=path), err="")
        self.assertIn("--build [TARGET...]", result.stdout)

    def test_missing_packages(self):
        root = self.checkout()
        (root / "build/release/.stamp").unlink()
        path = self.fake(dpkg_query='for p; do :; done; [ "$p" != libdw-dev ] && echo installed\n',
                         apt_get="exit 1", id="echo 1000\n", sudo="exit 1\n", env="exit 1\n")
        self.check(self.start(root / "tilesim", "x", path=path), code=69, out="",
                   err="tilesim: these packages are missing: libdw-dev\n"
                       "tilesim: error: they cannot be installed without a password; run\n"
                       "  sudo apt-get install -y --no-install-recommends libdw-dev\n")

    def test_other_systems(self):
        root = self.checkout()
        (root / "build/release/.stamp").unlink()
        result = self.check(self.start(root / "tilesim", "x", path=self.fake(uname="echo Darwin\n")),
                            code=69)
        self.assertIn("Darwin is not supported", result.stderr)
        self.assertIn(f"{root}/Containerfile", result.stderr)
        result = self.check(self.start(root / "tilesim", "x", path=self.fake(uname="echo Linux\n")),
                            code=69)
        self.assertIn("neither Debian nor Ubuntu", result.stderr)
        result = self.check(self.start(root / "tilesim", "x", path=self.fake(dnf="exit 1\n")), code=69)
        line = next(l for l in result.stderr.splitlines() if l.startswith("  sudo dnf install -y gcc-c++ "))
        self.assertIn(f"`{line.strip()}`", (ROOT / "docs" / "machines.md").read_text())

    def old_cmake(self, root, python3):
        for part in ("build/release/.stamp", "build/release/bin/tilesim"):
            (root / part).unlink()
        return self.fake(dpkg_query="echo installed\n", apt_get="exit 1\n", cmake="echo cmake version 3.22.1\n",
                         chmod=f'exec {shutil.which("chmod")} "$@"\n', python3=python3)

    def test_an_old_cmake_is_replaced_by_pips(self):
        root = self.checkout()
        # What pip "installs" configures, and builds a tool that says who built it.
        path = self.old_cmake(root, textwrap.dedent("""\
            mkdir -p "$3/bin"
            cat > "$3/bin/pip" <<'PIP'
            #!/bin/sh
            cat > "${0%/pip}/cmake" <<'CMAKE'
            #!/bin/sh
            if [ "$1" = --preset ]; then : > "build/$2/build.ninja"; exit; fi
            printf '#!/bin/sh\\necho built by pip\\n' > "$2/bin/tilesim"; chmod +x "$2/bin/tilesim"
            CMAKE
            chmod +x "${0%/pip}/cmake"
            PIP
            chmod +x "$3/bin/pip"
            """))
        result = self.check(self.start(root / "tilesim", "x", path=path), out="built by pip\n")
        self.assertIn("cmake is older than 3.25", result.stderr)

    def test_an_old_cmake_without_pip(self):
        root = self.checkout()
        path = self.old_cmake(root, "exit 1\n")
        result = self.check(self.start(root / "tilesim", "x", path=path), code=69)
        self.assertIn("pip cannot install cmake", result.stderr)
        self.assertFalse((root / "build/cmake").exists())

    def test_installs_packages(self):
        root = self.checkout()
        (root / "build/release/.stamp").unlink()
        (root / "build/release/build.ninja").touch()
        # The first try fails: a fresh container has no lists of packages.
        lists = self.folder / "lists"
        path = self.fake(dpkg_query='for p; do :; done; [ "$p" != g++ ] && echo installed\n',
                         apt_get=f'echo "$@"; [ "$1" = update ] && touch "{lists}"; [ -e "{lists}" ]\n',
                         id="echo 0\n", env='shift; exec "$@"\n', touch=f': > "$1"\n', cmake="\n")
        result = self.check(self.start(root / "tilesim", "x", path=path), out=f"{self.folder} x\n")
        self.assertEqual(result.stderr,
                         "tilesim: these packages are missing: g++\n"
                         "tilesim: installing them\n"
                         "install -y --no-install-recommends g++\nupdate\n"
                         "install -y --no-install-recommends g++\n"
                         "tilesim: building tilesim, once (a few minutes)\n")

    def test_failing_build(self):
        root = self.checkout()
        path = self.fake(cmake="echo no such compiler; exit 1\n")
        (root / "build/release/.stamp").unlink()
        self.fake(dpkg_query="echo installed\n", apt_get="exit 1\n")
        result = self.check(self.start(root / "tilesim", "x", path=path), code=70)
        self.assertIn("no such compiler", result.stderr)
        self.assertFalse((root / "build/release/.stamp").exists())


class CMakeFunction(Case):
    """tilesim_add_executable() in somebody's project."""

    def test_project(self):
        if not shutil.which("cmake") or not shutil.which("ninja"):
            self.skipTest("no cmake or no ninja")
        self.write("part.h", "#define N 1\n")
        self.write("x.cu", '#include "part.h"\n' + HELLO)
        self.write("more.cpp", "int more() { return 0; }\n")
        self.write("CMakeLists.txt", textwrap.dedent(f"""\
            cmake_minimum_required(VERSION 3.25)
            project(p LANGUAGES CXX)
            include("{ROOT}/cmake/TilesimAddExecutable.cmake")
            add_executable(tilesim::cli IMPORTED)
            set_target_properties(tilesim::cli PROPERTIES IMPORTED_LOCATION "{TOOL}")
            add_library(tilesim::tilesim SHARED IMPORTED)
            set_target_properties(tilesim::tilesim PROPERTIES IMPORTED_LOCATION "{LIBRARY}")
            tilesim_add_executable(prog x.cu more.cpp)
            target_compile_definitions(prog PRIVATE "WORD=\\"two words\\"")
            """))
        def build():
            subprocess.run(["cmake", "-S", ".", "-B", "b", "-G", "Ninja"], cwd=self.folder, check=True,
                           env=self.env, capture_output=True)
            subprocess.run(["cmake", "--build", "b"], cwd=self.folder, check=True, env=self.env,
                           capture_output=True)
            return subprocess.run([self.folder / "b/prog"], capture_output=True, text=True).stdout
        self.assertEqual(build(), "tile hello<1,1,0>: hello 1\n")
        time.sleep(0.02)
        self.write("part.h", "#define N 2\n")
        self.assertEqual(build(), "tile hello<1,1,0>: hello 2\n")


if __name__ == "__main__":
    if not TOOL or not LIBRARY:
        sys.exit("set TILESIM_TOOL and TILESIM_LIBRARY")
    unittest.main()
