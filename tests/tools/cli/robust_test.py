#!/usr/bin/env python3
"""What surrounds the commands: devices and links as outputs, streams that cannot be written, shared and damaged
caches, names of any bytes, programs that end themselves.

  TILESIM_TOOL=build/dev/bin/tilesim robust_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TOOL = os.environ.get("TILESIM_TOOL", "")
RACY = ROOT / "examples/histogram_racy.cu"
SAXPY = ROOT / "examples/saxpy.cu"
ENDING = ROOT / "tests/bad_input/ending.cu"
EACH_KIND = ROOT / "tests/tools/step/each_kind.cu"
UNSPECIFIED = ROOT / "tests/tools/check/unspecified.cu"
LITMUS = ROOT / "tests/litmus/ptx/MP+rlx.litmus"


def storing(value, first="", last="return 0;"):
    """A program whose kernel stores a value; main begins and ends so."""
    return f"""#include "cuda_tile.h"
#include <climits>
#include <cstdio>
#include <unistd.h>
namespace ct = cuda::tiles;
using one = ct::tile<int, ct::shape<1>>;
__tile_global__ void store(int* p) {{ ct::store(p + ct::iota<one>(), {value}); }}
int main() {{
  {first}
  int* p = nullptr;
  cudaMalloc(&p, 64);
  store<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
  {last}
}}
"""


FITS = "ct::full<one>(1)"
OVERFLOWS = "ct::full<one>(INT_MAX) + 1"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilesim robust "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.env = dict(os.environ)
        for name in ("TILESIM_OPTIONS", "TILESIM_CACHE_SIZE", "NO_COLOR"):
            self.env.pop(name, None)

    def tool(self, code, *words, env=(), **more):
        """What it says on standard output and standard error, as bytes."""
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL,
                "cwd": self.folder, **more}
        # surrogateescape: words may be any bytes
        result = subprocess.run([TOOL, *map(str, words)], env={**self.env, **dict(env)}, timeout=240, **more)
        out, err = result.stdout or b"", result.stderr or b""
        self.assertEqual(result.returncode, code, f"\n{out.decode(errors='replace')}\n{err.decode(errors='replace')}")
        return out + err

    def shell(self, code, text, *words):
        """A shell's line; "$T" is the tool, "$1" and so on are the words."""
        result = subprocess.run(["bash", "-c", text, "bash", *map(str, words)], cwd=self.folder, timeout=240,
                                env={**self.env, "T": TOOL}, stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def file(self, name, text=""):
        path = self.folder / name
        path.write_text(text)
        return path

    def check(self, code, *words, **more):
        return self.tool(code, "check", "--schedules", "1", *words, **more)


class Outputs(Case):
    """Every output of every command, into whatever the path is."""

    def outputs(self, path):
        yield lambda: self.check(1, f"--json={path}", RACY)
        yield lambda: self.check(1, f"--sarif={path}", RACY)
        yield lambda: self.check(1, f"--html={path}", RACY)
        yield lambda: self.tool(102, "trace", "-o", path, RACY)
        yield lambda: self.tool(102, "trace", "--html", path, RACY)
        yield lambda: self.tool(0, "build", SAXPY, "-o", path)
        yield lambda: self.tool(0, "build", "-c", SAXPY, "-o", path)
        yield lambda: self.tool(0, "litmus", "--dot", path, LITMUS)
        yield lambda: self.tool(0, "step", "--batch", "--ex", "run", "--ex", f"save {path}", RACY)

    def test_sources_and_other_outputs_are_not_overwritten(self):
        text = SAXPY.read_text()
        source = self.file("own.cu", text)
        (self.folder / "link.cu").symlink_to("own.cu")
        for path in ("own.cu", "./own.cu", "link.cu"):
            for words in (["check", f"--json={path}"], ["check", f"--sarif={path}"], ["check", f"--html={path}"],
                          ["trace", "-o", path], ["trace", "--html", path], ["build", "-o", path],
                          ["build", "-c", "-o", "own.o", "--dependency-file", path]):
                self.assertIn(b"is the program's source", self.tool(64, *words, "own.cu"))
                self.assertEqual(source.read_text(), text)
        other = self.file("other.cu", text)
        for words in (["trace", "--html", "other.cu"], ["trace", "-o", "other.cu"], ["check", "--json=other.cu"], ["build", "-o", "other.cu"]):
            self.assertIn(b"'other.cu' is there and a source", self.tool(64, *words, "own.cu"))
            self.assertEqual(other.read_text(), text)
        for words in (["check", "--json=one", "--html=./one"], ["check", "--sarif=one", "--html=one"],
                      ["trace", "-o", "one", "--html", "one"]):
            self.file("one", "kept")
            self.assertIn(b"two outputs", self.tool(64, *words, "own.cu"))
            self.assertEqual((self.folder / "one").read_text(), "kept")

    def test_what_is_read_is_not_overwritten(self):
        text = "data-race *\n"
        known = self.file("known", text)
        (self.folder / "also").symlink_to("known")
        for option in ("--suppress", "--input"):
            for output in ("--json", "--sarif", "--html"):
                for path in ("known", "./known", "also"):
                    self.assertIn(b"is read, too", self.check(64, option, "known", f"{output}={path}", RACY))
                    self.assertEqual(known.read_text(), text)

    def test_a_link_that_loops_is_no_place(self):
        loop = self.folder / "loop"
        loop.symlink_to("loop")
        for words in (["check", f"--json={loop}"], ["check", f"--html={loop}"], ["trace", "-o", loop], ["build", "-o", loop]):
            said = self.tool(69, *words, SAXPY)
            self.assertEqual(said.count(b"\n"), 1, said)
            self.assertIn(b"cannot write", said)
            self.assertTrue(loop.is_symlink())
        self.tool(69, "litmus", "--dot", loop, LITMUS)
        self.assertTrue(loop.is_symlink())

    def test_a_link_stays_and_its_target_is_written(self):
        target = self.file("target")
        link = self.folder / "link"
        link.symlink_to("target")
        for write in self.outputs(link):
            target.write_text("")
            write()
            self.assertTrue(link.is_symlink())
            self.assertGreater(target.stat().st_size, 0)

    def test_a_private_file_stays_private(self):
        path = self.file("report")
        for write in self.outputs(path):
            path.write_text("")  # what holds something else, `save` does not write over
            path.chmod(0o600)
            write()
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0)
        # A program that its owner may read may be run by its owner.
        self.tool(0, "build", SAXPY, "-o", path)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700)

    def test_a_pipe_is_written_to(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for write in list(self.outputs(fifo))[:4]:
            read = []
            reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
            reader.start()
            write()
            reader.join(60)
            self.assertTrue(read and read[0])
            self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))

    def test_descriptors(self):
        self.shell(1, '"$T" check --schedules 1 --json=/dev/fd/3 "$1" 3>x 2>/dev/null', RACY)
        self.assertIn("findings", json.loads((self.folder / "x").read_text()))
        self.shell(1, '"$T" check --schedules 1 --json=/dev/stdout "$1" 2>/dev/null >y', RACY)
        self.assertIn('"findings"', (self.folder / "y").read_text()) # behind what the program printed
        self.assertIn(b"Bad file descriptor",
                      self.shell(69, '"$T" check --schedules 1 --json=/dev/fd/9 "$1"', RACY))

    @unittest.skipUnless(os.geteuid() == 0, "only root makes devices")
    def test_a_device_stays_one(self):
        null = self.folder / "null"
        try:
            os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            null.write_bytes(b"")
        except PermissionError:
            self.skipTest("devices are not to be made or opened here")
        for write in self.outputs(null):
            write()
            self.assertTrue(stat.S_ISCHR(null.stat().st_mode))
        self.assertIn(b"No space left", self.tool(69, "build", SAXPY, "-o", "/dev/full"))

    def test_hard_links_and_folders(self):
        path = self.file("one")
        os.link(path, self.folder / "two")
        self.check(1, f"--json={path}", RACY)
        self.assertEqual(path.read_text(), (self.folder / "two").read_text())
        self.assertIn(b"Is a directory", self.check(69, f"--json={self.folder}", RACY))
        self.assertIn(b"No such file", self.check(69, f"--json={self.folder}/no/x", RACY))
        self.assertEqual([], [f for f in os.listdir(self.folder) if f.startswith(".tilesim")])


class Streams(Case):
    """Standard streams that are closed or full."""

    def test_standard_error(self):
        wrong = self.file("wrong.cu", "int main() { return x; }\n")
        clean = self.file("clean.cu", storing(FITS))
        leaves = self.file("leaves.cu", storing(OVERFLOWS, last="_exit(0);"))
        for stream in ("2>&-", "2>/dev/full"):
            # What is told besides is written all the same.
            self.shell(69, f'"$T" check --schedules 1 --json=x.json "$1" {stream}', RACY)
            self.assertIn("findings", json.loads((self.folder / "x.json").read_text()))
            self.shell(69, f'"$T" check --schedules 1 "$1" {stream}', clean)
            self.shell(69, f'"$T" nosuch {stream}')
            self.shell(69, f'"$T" run "$1" {stream}', wrong)
            for way in ("null-tile", "trap"):
                self.shell(69, f'"$T" run "$1" -- {way} {stream}', EACH_KIND)
            self.shell(69, f'"$T" run "$1" -- signed-overflow {stream}', EACH_KIND)
            self.shell(69, f'"$T" run --stats "$1" {stream}', clean)
            self.shell(69, f'"$T" run "$1" {stream}', leaves)
            self.shell(69, f'"$T" run "$1" -- sum {stream}', UNSPECIFIED)
            self.shell(69, f'"$T" trace -o t.json "$1" -- signed-overflow {stream}', EACH_KIND)
            self.shell(69, f'"$T" step --batch --ex "print 3 +" "$1" {stream}', clean)
            self.shell(69, f'"$T" litmus "$1" {stream}', self.file("bad.litmus", "PTX bad\n{"))
            # Where nothing is to be told nothing is lost.
            self.shell(0, f'"$T" run "$1" {stream}', clean)
            self.shell(0, f'"$T" step --batch --ex run "$1" {stream}', clean)
        self.shell(101, '"$T" run "$1" -- null-tile', EACH_KIND)
        self.shell(102, '"$T" run "$1" -- signed-overflow', EACH_KIND)
        self.shell(0, '"$T" check --schedules 1 "$1"', clean)

    def test_a_file_is_not_taken_for_standard_error(self):
        """Where that is closed the first file that is opened would be: a report would go into it."""
        source = self.file("opens.cu", storing(OVERFLOWS, 'std::FILE* data = std::fopen("data", "w");\n  std::fputs("data", data);',
                                               "std::fclose(data);\n  return 0;"))
        self.shell(69, '"$T" run "$1" 2>&-', source)
        self.assertEqual((self.folder / "data").read_text(), "data")
        self.tool(0, "build", source, "-o", "opens")
        self.shell(69, "./opens 2>&-")
        self.assertEqual((self.folder / "data").read_text(), "data")

    def test_standard_output(self):
        for stream in (">&-", ">/dev/full"):
            for words in ('litmus "$2"', 'build --print-rewritten "$1"', "cache info", "--help", "run --help",
                          '--version', 'check --schedules 1 --json "$1"',
                          'step --batch --ex run --ex "info blocks" "$1"'):
                told = self.shell(69, f'"$T" {words} {stream}', RACY, LITMUS)
                # The reason of the write that failed, or none: not that of some later call.
                self.assertRegex(told, rb"standard output(: (No space left on device|Bad file descriptor))?\n$")

    def test_a_program_gets_its_streams_as_they_were(self):
        source = self.file("closed.cu", '#include <fcntl.h>\nint main() { return fcntl(1, F_GETFD) < 0 ? 5 : 0; }\n')
        self.shell(5, '"$T" run "$1" >&-', source)
        self.shell(0, '"$T" run "$1"', source)


class Caches(Case):
    """Shared, damaged and foreign ones."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.env["TILESIM_CACHE"] = str(self.cache)
        self.source = self.file("a.cu", '#include <cstdio>\nint main() { std::puts("fine"); }\n')

    def run_it(self, code=0, **more):
        return self.tool(code, "run", self.source, **more)

    def test_damaged_entries_are_made_anew(self):
        self.run_it()
        for damage in (lambda b: b"", lambda b: bytes(len(b)), lambda b: b[:len(b) // 2],
                       lambda b: b[:4096] + bytes([b[4096] ^ 1]) + b[4097:]):
            for f in [*(self.cache / "results").iterdir(), *(self.cache / "manifests").iterdir()]:
                before = f.read_bytes()
                if len(before) > 4097:
                    f.write_bytes(damage(before))
            self.assertEqual(self.run_it(), b"fine\n")

    def test_leftovers_of_others_are_in_nobodys_way(self):
        for part in ("tmp", "manifests", "results"):
            (self.cache / part).mkdir(parents=True, exist_ok=True)
            for pid in range(1, 4):
                for name in (f"{pid}-0.tmp", f"{pid}-0.o", f"{pid}-1.cpp"):
                    old = self.cache / part / name
                    old.write_text("half")
                    os.utime(old, (1, 1))
        self.run_it()
        self.assertEqual([], list((self.cache / "tmp").iterdir()))
        self.assertEqual([], list((self.cache / "manifests").glob("*.tmp")))

    def test_nobody_else_may_write(self):
        self.shell(0, 'umask 000; "$T" run "$1"', self.source)
        for f in [self.cache, *self.cache.rglob("*")]:
            self.assertEqual(f.stat().st_mode & 0o077, 0, f)
        # An older one is closed.
        (self.cache / "results").chmod(0o777)
        self.run_it()
        self.assertEqual((self.cache / "results").stat().st_mode & 0o077, 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_entries_of_others_are_not_run(self):
        self.run_it()
        programs = list((self.cache / "results").glob("*.exe"))
        for p in programs:
            p.write_text("#!/bin/sh\necho POISONED\n")
            os.chown(p, 65534, 65534)
        self.assertEqual(self.run_it(), b"fine\n")
        # Where the folder is another's, there is one in it for this user.
        os.chown(self.cache, 65534, 65534)
        self.assertEqual(self.run_it(), b"fine\n")
        self.assertTrue((self.cache / "user-0/results").is_dir())

    @unittest.skipUnless(shutil.which("unshare"), "needs unshare")
    def test_same_process_numbers(self):
        if subprocess.run(["unshare", "-rpf", "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces of processes here")
        sources = [self.file(f"p{i}.cu", f'#include <cstdio>\nint main() {{ std::puts("p{i}"); }}\n') for i in range(2)]
        running = [subprocess.Popen(["unshare", "-rpf", TOOL, "run", str(s)], env=self.env, cwd=self.folder,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for s in sources]
        for i, p in enumerate(running):
            out = p.communicate(timeout=240)[0]
            self.assertEqual((p.returncode, out), (0, f"p{i}\n".encode()))

    def test_sizes(self):
        for size in ("-1M", "99999999999999999999G", "17592186044416M", "1K", " 1M", "+1M", "1", "M", "1MB"):
            said = self.run_it(64, env={"TILESIM_CACHE_SIZE": size})
            self.assertIn(b"such as 500M or 2G", said)
        self.assertFalse(self.cache.exists() and any(self.cache.rglob("*.exe")))
        self.assertIn(b"of 3 MiB", self.tool(0, "cache", "info", env={"TILESIM_CACHE_SIZE": "3M"}))

    def test_a_relative_cache_home_is_ignored(self):
        home = self.folder / "home"
        home.mkdir()
        self.tool(0, "cache", "info", env={"TILESIM_CACHE": "", "XDG_CACHE_HOME": "rel", "HOME": str(home)})
        self.assertFalse((self.folder / "rel").exists())
        self.assertTrue((home / ".cache/tilesim").is_dir())

    def test_no_room_is_no_fault_of_the_source(self):
        # ulimit -f: 8 blocks of 1024 bytes
        for limit in ("ulimit -f 8", "ulimit -n 12"):
            self.file("a.cu", f'#include <cstdio>\nint main() {{ std::puts("{limit}"); }}\n')
            said = self.shell(69, f'{limit}; "$T" run "$1"', self.source)
            self.assertNotIn(b"bug report", said)
            self.assertIn(b"for want of room", said)
        self.file("a.cu", "#error No space left on device\n")
        self.run_it(65)

    def test_places_below_a_strange_folder(self):
        for name in ("line\nbreak", os.fsdecode(b"bytes \xff")):
            said = self.tool(101, "run", ENDING, "--", "null", env={"TILESIM_CACHE": str(self.folder / name)})
            self.assertRegex(said, rb"ending.cu:\d+:\d+: error")


class Names(Case):
    """Of any bytes: valid reports, no control of the terminal, no further words for a compiler."""

    def source(self, name, text=None):
        path = self.folder / name
        path.write_text(RACY.read_text() if text is None else text)
        return name

    def test_bytes_that_are_no_text(self):
        name = self.source(os.fsdecode(b"\xff\xfe.cu"))
        out = self.check(1, "--json=r.json", "--sarif=r.sarif", "--html=r.html", name)
        self.assertIn(rb"\xff\xfe.cu:", out)
        report = json.loads((self.folder / "r.json").read_bytes().decode())
        json.loads((self.folder / "r.sarif").read_bytes().decode())
        (self.folder / "r.html").read_bytes().decode()
        self.assertIn("\\xff\\xfe.cu", report["findings"][0]["where"][0]["file"])
        self.assertIn("%FF%FE.cu", (self.folder / "r.sarif").read_text())
        # What is printed is taken back: a place, a selector, a suppression.
        place = re.search(rb"(\\xff\\xfe\.cu:\d+)", out).group(1).decode()
        said = self.tool(0, "step", "--batch", "--finding", f"duplicate-store@{place}", "--ex", "where", name)
        self.assertIn(rb"\xff\xfe.cu:", said)
        self.file("known", "data-race \\xff\\xfe.cu:*\n* *:*\n")
        self.check(0, "--suppress", "known", name)
        self.tool(102, "trace", "-o", "t.json", "--html", "t.html", name)
        json.loads((self.folder / "t.json").read_bytes().decode())
        (self.folder / "t.html").read_bytes().decode()

    def test_suppressions(self):
        (self.folder / "known").write_bytes(b"\xef\xbb\xbfdata-race \xff:1\r\n")
        self.check(1, "--suppress", "known", RACY)

    def test_options(self):
        bad = os.fsdecode(b"\xff")
        for words in (("run", "--schedule", bad, SAXPY), ("run", "--no-ub=" + bad, SAXPY),
                      ("check", "--replay", bad, SAXPY), ("step", "--finding", bad, SAXPY)):
            self.tool(64, *words)
        for options in (bad, "[" * 100000, '{"seed":' + "[" * 60000 + "}", '{"known":[["' + bad + '","x"]]}'):
            self.assertIn(b"TILESIM_OPTIONS", self.tool(64, "run", SAXPY, env={"TILESIM_OPTIONS": options}))

    def test_terminal_escapes(self):
        title = "\033]0;PWN\007"
        name = self.source(f"{title}.cu", "int main() { return nowhere; }\n")
        for words in (("run", name), ("run", "no" + name), ("lint", "no" + name), ("litmus", "no" + title)):
            code = 65 if words == ("run", name) else 64
            said = self.tool(code, *words)
            self.assertNotIn(b"\033", said)
            self.assertIn(rb"\x1b]0;PWN\x07", said)
        self.source("inside.cu", '# 50 "\\033]0;PWN\\007.cu"\nint main() { return nowhere; }\n')
        self.assertNotIn(b"\033", self.tool(65, "run", "inside.cu"))
        # Colours are taken from messages, not from names.
        red = self.source("\033[31mred.cu", "int main() { return nowhere; }\n")
        self.assertIn(rb"\x1b[31mred.cu:1", self.tool(65, "run", red))

    def test_response_files(self):
        marker = self.folder / "marker"
        script = self.file("w.sh", f"#!/bin/sh\ntouch '{marker}'\n")
        script.chmod(0o755)
        self.source("real.cu", "int main() {}\n")
        self.source("resp.cu", f"-wrapper {script} -x c++ -E real.cu\n".replace(" robust ", "\\ robust\\ "))
        self.tool(65, "build", "--print-rewritten", "@resp.cu", cwd=self.folder) if (
            self.folder / "@resp.cu").exists() else self.tool(64, "build", "--print-rewritten", "@resp.cu")
        (self.folder / "@x.cu").write_text(f"-wrapper {script}\n")
        self.tool(0, "build", "--print-rewritten", "@x.cu") # the file itself
        self.tool(0, "run", "-I", "@resp.cu", "real.cu")
        self.assertFalse(marker.exists())
        (self.folder / "@y.cu").write_text("int main() { return 3; }\n")
        self.tool(3, "run", "@y.cu")

    def test_a_template_in_a_title(self):
        name = self.source("{{data}}.cu", SAXPY.read_text())
        self.tool(0, "trace", "--html", "t.html", name)
        page = (self.folder / "t.html").read_text()
        self.assertIn("<title>tilesim trace '{{data}}'</title>", page)
        json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))

    def test_legal_spellings(self):
        """Digraphs, universal character names and tokens of a launch on several lines."""
        name = self.source("d.cu", """%:include <cuda_tile.h>
__tile_global__ void gr\\u00f6(int* p) <% cuda::tiles::store(p + 1, 3); %>
__tile_global__ void k(int* p) { cuda::tiles::store(p, 2); }
int main() {
  int* p;
  cudaMallocManaged(&p, 8);
  gr\\u00f6<<<1, 1>>>(p);
  k<\\
<\\
<1, 1>>>(p);
  cudaDeviceSynchronize();
  const int sum = p[0] + p[1];
  cudaFree(p);
  return sum;
}
""".replace("\\\\", "\\"))
        self.tool(5, "run", name)
        self.assertIn(b"ended with status 5", self.check(66, name))

    def test_options_of_the_environment(self):
        for options in ('{"seed":-1}', '{"timeout":-5}', '{"timeout":"1"}', '{"seed":1e99}'):
            self.assertIn(b"TILESIM_OPTIONS", self.tool(64, "run", SAXPY, env={"TILESIM_OPTIONS": options}))

    def test_a_step_script_can_be_ended(self):
        name = self.source("e.cu", """#include <cuda_tile.h>
__tile_global__ void spin(int* p) { for (;;) {} }
int main() { int* p; cudaMalloc(&p, 4); spin<<<1, 1>>>(p); cudaDeviceSynchronize(); }
""")
        self.assertIn(b"--timeout", self.tool(3, "step", "--batch", "--timeout", "2", "--ex", "run", name))

    def test_an_empty_table(self):
        for text in ("", "test,quantifier,condition,race,terminates\n"):
            self.file("t.csv", text)
            self.assertIn(b"t.csv:", self.tool(65, "litmus", "--expect", "t.csv", LITMUS.parent))

    def test_long_words(self):
        long = "x" * 200000
        for command in (f"break histogram if {long}", f"block 0 thread {long}", f"watch {'(' * 50000}", f"break {long}:1"):
            self.file("script", f"run\n{command}\n")
            self.tool(64, "step", "--batch", "-x", "script", RACY)
        said = self.tool(64, "step", "--batch", "--finding", f"data-race@{'x' * 100000}:1", "--ex", "run", RACY)
        self.assertIn(b"--finding takes the name of a finding", said)
        # What is long but may be meant is taken: a condition is looked at where it could stop.
        self.file("script", f"break histogram if {'x' * 60000}\nrun\n")
        self.assertIn(b"its condition cannot be evaluated here: no variable or buffer is named 'xxx",
                      self.tool(0, "step", "--batch", "-x", "script", RACY))


class Endings(Case):
    """Kernels that end the program, and programs with signals of their own."""

    WAYS = {"trap": b"trap", "throw": b"exception of type int", "abort": b"aborts", "raise": b"raises SIGSEGV",
            "exit": rb"exit\(7\)", "_exit": rb"_exit\(7\)", "terminate": b"aborts", "divide": b"division by zero",
            "quick_exit": rb"quick_exit\(7\)", "fork": rb"fork\(\)", "thread": rb"pthread_create\(\)",
            "null": b"null pointer", "sigtrap": b"raises SIGTRAP",
            "sigterm": rb"raise\(SIGTERM\)", "sigkill": rb"kill\(SIGKILL\)", "pthread_kill": rb"pthread_kill\(SIGUSR2\)",
            "pthread_exit": rb"pthread_exit\(\)", "null_call": rb"call through a null pointer \[null-pointer\]",
            "data_call": rb"call of address 0x[0-9a-f]+, where no code lies \[wild-pointer\]",
            "device_trap": b"the kernel calls __trap",
            "sigint": rb"raise\(SIGINT\)"}

    # The address sanitizer keeps exceptions for itself: their line is not known then.
    TAKEN = ("throw", "terminate") if "address" in os.environ.get("TILESIM_SANITIZE", "") else ()

    def line(self, way):
        case = list(self.WAYS).index(way)
        lines = ENDING.read_text().splitlines()
        return 1 + next(i for i, text in enumerate(lines) if f"case {case}:" in text)

    @unittest.skipIf(TAKEN, "the address sanitizer keeps exceptions for itself")
    def test_with_the_library_in_the_program(self):
        """Its frames are the program's then, and have no lines."""
        for way in ("throw", "terminate"):
            said = self.tool(101, "run", "-static-libstdc++", ENDING, "--", way)
            self.assertRegex(said, rb"ending.cu:%d:\d+: error: " % self.line(way))

    def test_run(self):
        for way, words in self.WAYS.items():
            if way in self.TAKEN:
                continue
            for own in ("", "own-") if way != "sigint" else ("",): # its own handler is the program's affair
                said = self.tool(101, "run", ENDING, "--", own + way)
                self.assertRegex(said, rb"ending.cu:%d:\d+: error: .*%s" % (self.line(way), words), way)
                self.assertIn(b"tile block (1,0,0) of ends", said)

    def test_check_and_trace(self):
        for way, words in self.WAYS.items():
            if way in self.TAKEN:
                continue
            said = self.check(1, ENDING, "--", way)
            # Hooks see what std::thread writes to memory of the host, before it starts the thread.
            words = rb"a kernel calls std::thread::thread, which uses memory of the host's" if way == "thread" else words
            self.assertRegex(said, rb"ending.cu:%d:\d+: error: .*%s" % (self.line(way), words), way)
        for way in ("abort", "exit"):
            self.assertRegex(self.tool(101, "trace", "-o", "t.json", ENDING, "--", way), self.WAYS[way])
            self.assertIn("ending.cu", (self.folder / "t.json").read_text())

    def test_signals_that_end_nothing(self):
        self.assertIn(b"done", self.tool(0, "run", ENDING, "--", "harmless"))

    def test_step(self):
        for way in ("sigterm", "sigkill", "pthread_exit", "trap", "throw", "abort", "exit", "_exit", "fork", "thread", "null_call"):
            said = self.tool(0, "step", "--batch", "--ex", "run", "--ex", "where", ENDING, "--", way)
            self.assertRegex(said, rb"\(1,0,0\)", way)
            self.assertIn(b"ending.cu:%d" % self.line(way), said, way)

    def test_signals_of_the_programs_own(self):
        for words in (("run",), ("check", "--schedules", "1"), ("step", "--batch", "--ex", "run")):
            codes = {"run": -signal.SIGALRM, "check": 66, "step": 0}
            self.tool(codes[words[0]], *words, ENDING, "--", "alarm")
        self.assertIn(b"ticks", self.tool(0, "run", ENDING, "--", "timer"))
        self.assertIn(b"own handler of 2", self.tool(9, "run", ENDING, "--", "own-interrupt"))
        self.assertIn(b"own handler of 8", self.tool(9, "run", ENDING, "--", "own-host"))


if __name__ == "__main__":
    if not TOOL:
        raise SystemExit("set TILESIM_TOOL to the program to test")
    unittest.main()
