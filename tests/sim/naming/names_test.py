#!/usr/bin/env python3
"""What buffers are called in reports, and at which lines they are told to come from.

Each way to allocate is a call of tests/sim/naming/names.cu, with and without optimisation: a name that is
given has to be right, and a certain one has to be given.

  TILESIM_TOOL=build/dev/bin/tilesim names_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "check"))
import sarif  # noqa: E402
TOOL = os.environ.get("TILESIM_TOOL", "")


def tilesim(*words, script=None):
    return subprocess.run([TOOL, *words], cwd=HERE, input=script, capture_output=True, text=True, timeout=250)


def line_of(text, file="names.cu", nth=0):
    """The number of the line that holds the text."""
    return [n for n, line in enumerate((HERE / file).read_text().splitlines(), 1) if text in line][nth]


class Names(unittest.TestCase):
    """`tilesim run`: the name, the element, the type, and the line."""
    maxDiff = None

    def told(self, level, way, which):
        done = tilesim("run", level, "names.cu", "--", way, str(which))
        self.assertEqual(done.returncode, 101, done.stderr)
        return done.stderr

    def holds(self, way, which, names, size, line, helper=None, optimised=()):
        """`names`: any of them is right; `optimised`: also, where the compiler has kept nothing better."""
        for level in ("-O0", "-O2"):
            with self.subTest(level=level, way=way, which=which):
                told = self.told(level, way, which)
                named = re.search(r"(?m)^  it is (.*)$", told)
                self.assertIsNotNone(named, told)
                right = list(names) + (list(optimised) if level != "-O0" else [])
                self.assertRegex(named[1], rf"^({'|'.join(map(re.escape, right))})$".replace("@", rf"(int|number)\[{size}\]"))
                place = re.search(r"allocated at names\.cu:(\d+)(?:, through (\S+) \(helpers\.h:\d+\))?\)", told)
                self.assertIsNotNone(place, told)
                self.assertEqual((int(place[1]), place[2]), (line, helper), told)

    def test_objects_of_one_line(self):
        line = line_of("dbuf<number> tail(1)")
        for i, name in enumerate(("tail", "head", "ready", "slots", "dx", "dy")):
            self.holds("one_line", i, [f"{name}[{i + 1}] of @"], i + 1, line, "dbuf<int>::dbuf")

    def test_members(self):
        for i, name in enumerate(("m.weights", "m.bias", "behind->weights", "behind->bias")):
            size = 8 if i % 2 == 0 else 4
            self.holds("members", i, [f"{name}[{size}] of @"], size,
                       line_of("cudaMalloc(&weights" if i % 2 == 0 else "cudaMalloc(&bias"),
                       optimised=[f"all[{i}][{size}] of @", f"pointer[{size}] of @"])

    def test_arrays(self):
        line = line_of("cudaMalloc(&parts[i]")
        self.holds("arrays", 0, ["parts[0][4] of @"], 4, line)
        self.holds("arrays", 1, ["parts[2][4] of @"], 4, line)
        self.holds("arrays", 2, ["more[1][4] of @"], 4, line_of("cudaMalloc(&one"))

    def test_vectors(self):
        for i in range(3):
            self.holds("vectors", i, [f"objects[{i}][4] of @"], 4, line_of("objects.emplace_back"),
                       "dbuf<int>::dbuf", ["pointer[4] of @"])
            self.holds("vectors", 3 + i, [f"pointers[{i}][4] of @"], 4, line_of("pointers.push_back"),
                       "make<int>", ["pointer[4] of @"])

    def test_swapped_pointers_leave_the_kernels_parameter(self):
        for i in (0, 1):
            self.holds("swapped", i, ["victim[4] of @ in spoil"], 4, line_of(f"cudaMalloc(&{'ba'[i]}, 16)"))

    def test_what_was_freed_has_lost_its_variable(self):
        self.holds("again", 0, ["p[4] of @"], 4, line_of("cudaMalloc(&p, 16)", nth=1))
        for level in ("-O0", "-O2"):
            told = self.told(level, "again", 1)
            self.assertRegex(told, r"(?m)^  victim of spoil \(number\[4\]\), allocation #1 .* was freed at names.cu:"
                                   rf"{line_of('cudaFree(p);')}$")

    def test_returned_pointers(self):
        line = line_of("auto* first = make")
        pointer = ["pointer[4] of @"]
        self.holds("returned", 0, ["first[4] of @"], 4, line, "make<int>", pointer)
        self.holds("returned", 1, ["second[4] of @"], 4, line, "make<int>", pointer)
        self.holds("returned", 2, ["third[4] of @"], 4, line_of("make_into(third"), "make_into<int>")
        self.holds("returned", 3, ["owned[4] of @"], 4, line_of("owned(make<number>"), "make<int>", pointer)

    def test_what_no_variable_leads_to_goes_by_a_pointer_to_it(self):
        self.holds("hidden", 0, ["pointer[4] of @"], 4, line_of('by_name["x"] = make'), "make<int>")

    def test_variables_outside_of_functions(self):
        self.holds("outside", 0, ["global_buffer[4] of @"], 4, line_of("cudaMalloc(&global_buffer"))
        self.holds("outside", 1, ["local[4] of @", "app::shared[4] of @"], 4,
                   line_of("static dbuf<number> local"), "dbuf<int>::dbuf")


class Calls(unittest.TestCase):
    """Misuses of the runtime name the buffer, as those of kernels do."""

    def test_all(self):
        second = r"second\.?\w* \(float\[3\]\), allocation #2"
        for way, words in enumerate((
                r"cudaMemset: the destination has 16 bytes left in first \(int\[4\]\), allocation #1 \(16 bytes of device "
                r"memory, calls\.cu:\d+\), but 17 are set",
                rf"the destination has 12 bytes left in {second} .*, but 13 are set",
                rf"cudaMemcpy: the source has 12 bytes left in {second} .*, but 32 are copied",
                r"the destination has 8 bytes left in first \(int\[4\]\), allocation #1 .*, but 16 are copied",
                r"0x\w+ \(first\[1\] of int\[4\], 4 bytes into allocation #1 .*\) is not where the allocation begins",
                r"first \(int\[4\]\), allocation #1 .* is not freed by this function",
                r"cudaFree: freed twice: first \(int\[4\]\), allocation #1 \(.*, freed at calls\.cu:\d+\)",
                r"the source is 0x\w+ \(first\[1\] of int\[4\], 4 bytes into allocation #1 ")):
            with self.subTest(way):
                self.assertRegex(tilesim("run", "-O0", "calls.cu", "--", str(way)).stderr, words)


class Kernels(unittest.TestCase):
    """A kernel goes by its own name and kind, however it is launched."""
    maxDiff = None
    NAMES = ("plain", "overloaded", "templated", "hidden", "member", "of_macro", "threads")

    def test_every_way_to_launch(self):
        with tempfile.TemporaryDirectory() as folder:
            for compiler in os.environ.get("TILESIM_TEST_COMPILERS", "g++ clang++").split():
                for level in ("-O0", "-O2"):
                    program = os.path.join(folder, f"{compiler}{level}")
                    built = subprocess.run([TOOL, "build", level, "kernels.cu", "-o", program], cwd=HERE, text=True,
                                           capture_output=True, env={**os.environ, "CXX": compiler})
                    self.assertEqual((built.returncode, built.stderr), (0, ""))
                    for i, name in enumerate(self.NAMES):
                        for way in (6,) if name == "plain" else (0, 1, 2, 3, 4, 5, 7):
                            with self.subTest(f"{compiler} {level} {name} {way}"):
                                done = subprocess.run([program, name, str(way), str(i)], cwd=HERE, capture_output=True,
                                                      text=True, timeout=60)
                                self.assertEqual(done.returncode, 101, done.stderr)
                                block = r"thread \(0,0,0\) of block" if name == "threads" else "tile block"
                                self.assertRegex(done.stderr, rf"(?m)^  by {block} \([01],0,0\) of (\w+::)?{name}(<int>)?, ")

    def test_a_breakpoint_stops_in_a_kernel_launched_by_pointer(self):
        for way in ("0", "3", "5"):
            told = tilesim("step", "kernels.cu", "--", "templated", way, script="break templated\nrun\n").stdout
            self.assertIn("breakpoint 1, templated\ntile block (0,0,0) of templated<int> ", told)


class Owners(unittest.TestCase):
    """Helpers, lambdas, factories and classes of public code: the line outside of them, the element, the certain name."""
    maxDiff = None
    NAMES = {"shared_raw": "raw", "unique_raw": "raw", "vector": "v[1]", "vector_push": "v[1]", "vector_alloc": "v[1]",
             "vector_shared": "v[1]", "vector_unique": "v[1]", "array": "a[1]", "member": "m.bias", "member_ptr": "m->bias",
             "pool": "memory.all[0]", "layer": "l.b", "layer_make": "l->b", "ns": "app::scratch", "ns_alloc": "app::scratch",
             "ns_vector": "app::many[0]", "ns_unique": "app::kept", "ns_anon": "app::hidden",
             "global_restrict": "global_restrict", "singleton": "s", "voidpp": "p", "async_void": "v", "result": "r",
             "static_lambda": "cache", "static_local": "kept", "static_member": "registry::scratch", "offset": "base",
             "map": "p", "argument": "p", "tls": "p"}  # by nothing but the parameter that it is passed to
    # Two allocations of one line are told where they part.
    LINES = {"member": "cudaMalloc(&bias", "member_ptr": "cudaMalloc(&bias", "layer": ", b(n)", "layer_make": ", b(n)",
             "two": "return {alloc<T>(n)"}
    WAYS = re.findall(r'way == "(\w+)"|WAY\("(\w+)"\)', (HERE / "owners.cu").read_text())

    def told(self, program, way):
        done = subprocess.run([program, way], cwd=HERE, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 101, done.stderr)
        name, array = re.search(r"(?m)^  it is (.+)\[\d+\] of (\w+\[\d+\])", done.stderr).groups()
        file, line = re.search(r"allocated at (?:\./)?(owners\.\w+):(\d+)", done.stderr).groups()
        return name, array, file, int(line)

    def expected(self, way):
        name = self.NAMES.get(way, "x")
        if way in self.LINES:
            return name, "float[4]", "owners.h", line_of(self.LINES[way], "owners.h")
        return name, "float[8]" if way == "offset" else "float[4]", "owners.cu", line_of(f'"{way}"', "owners.cu")

    def test_all(self):
        ways = [a or b for a, b in self.WAYS]
        self.assertGreater(len(ways), 60)
        with tempfile.TemporaryDirectory() as folder:
            for compiler in os.environ.get("TILESIM_TEST_COMPILERS", "g++ clang++").split():
                for level in ("-O0", "-O2"):
                    program = os.path.join(folder, f"{compiler}{level}")
                    built = subprocess.run([TOOL, "build", level, "owners.cu", "-o", program], cwd=HERE, text=True,
                                           capture_output=True, env={**os.environ, "CXX": compiler})
                    self.assertEqual((built.returncode, built.stderr), (0, ""))
                    for way in ways:
                        with self.subTest(f"{compiler} {level} {way}"):
                            name, *rest = self.told(program, way)
                            right, *expected = self.expected(way)
                            self.assertEqual(rest, expected)
                            # Where the compiler has kept nothing better, by a parameter.
                            if level != "-O0" or (compiler, way) == ("clang++", "two"):
                                self.assertIn(name, (right, "x", "p", "victim"))
                            else:
                                self.assertEqual(name, right)


class Outside(unittest.TestCase):
    """Accesses outside of all allocations: the nearest one's name is given where the kernel was given it."""

    def told(self, which, n):
        done = tilesim("run", "--hooks", "not_given.cu", "--", which, str(n))
        self.assertIn("[out-of-bounds]", done.stderr)
        self.assertIn("of allocation #2 (64 bytes" if n >= 0 else "before allocation #2 (64 bytes", done.stderr)
        return done.stderr

    def test_what_the_kernel_was_not_given_is_not_named(self):
        for n in (16, 2048):
            self.assertNotIn("weights", self.told("x", n))

    def test_what_it_was_given_is(self):
        for which, n in (("w", 16), ("w", -1), ("w", 4000), ("s", 16), ("b", 16)):
            self.assertIn(f"it is weights[{n}] of float[16]", self.told(which, n))
        self.assertNotIn("it is", self.told("b", 4000))  # it may be computed from the other


class Everywhere(unittest.TestCase):
    """The same names in the stepper, the trace and check's reports."""

    def test_the_stepper_lists_and_takes_them(self):
        done = tilesim("step", "-O0", "names.cu", "--", "one_line", "2",
                       script="break spoil\nrun\ninfo buffers\nprint ready[0:3]\nwatch victim[1]\nwatch *victim\nprint victim\n")
        for name, size in (("tail", 1), ("head", 2), ("ready", 3), ("slots", 4), ("dx", 5), ("dy", 6)):
            self.assertRegex(done.stdout, rf"(?m)^{name}: {size} i32, .* allocated at names\.cu:\d+, through dbuf<int>::dbuf")
        self.assertRegex(done.stdout, r"(?m)^\$1 = i32\[3\]")
        self.assertRegex(done.stdout, r"(?m)^watch 2: victim\[1\] \(ready\[1\]\)$")
        self.assertRegex(done.stdout, r"(?m)^watch 3: \*victim \(ready\[0\]\)$")
        self.assertRegex(done.stdout, r"(?m)^\$2 = &ready\[0\]$")

    def test_work_that_waits_has_the_names_of_its_call(self):
        for level in ("-O0", "-O2"):
            for told in (tilesim("run", level, "swapped_late.cu").stderr,
                         tilesim("check", level, "--schedules", "2", "swapped_late.cu").stderr,
                         tilesim("step", level, "swapped_late.cu", script="run\n").stdout):
                # Where the compiler has kept nothing of it, by the kernel's parameter.
                self.assertRegex(told, r"(?m)^  it is (next\[4\] of int\[4\]|to\[4\] of int\[4\] in advance)$")
                if level == "-O0":
                    self.assertIn("it is next[4]", told)

    def test_the_trace_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "t.html")
            tilesim("trace", "-O0", "--html", page, "names.cu", "--", "returned", "1")
            text = pathlib.Path(page).read_text()
        for name in ("first", "second", "third", "owned"):
            self.assertIn(f'"{name}"', text)
        self.assertNotIn('"fresh"', text)

    def test_check_tells_names_launches_and_the_whole_chain(self):
        with tempfile.TemporaryDirectory() as folder:
            report, sarif = os.path.join(folder, "r.json"), os.path.join(folder, "r.sarif")
            done = tilesim("check", "--schedules", "1", f"--json={report}", f"--sarif={sarif}", "streams.cu")
            found = json.loads(pathlib.Path(report).read_text())["findings"]
            results = json.loads(pathlib.Path(sarif).read_text())["runs"][0]["results"]
        race = [f for f in found if f["code"] == "data-race"]
        self.assertEqual(len(race), 1, done.stderr)
        told = "\n".join(race[0]["details"])
        first, second = (line_of("add_one<<<", "streams.cu", n) for n in (0, 1))
        self.assertRegex(told, r"both are at shared\[\d+\] of int\[8\], byte \d+ of allocation #\d+ ")
        self.assertRegex(told, rf"of add_one \(launch 1, at streams.cu:{first}, stream 1\)")
        self.assertRegex(told, rf"of add_one \(launch 2, at streams.cu:{second}, stream 2\)")
        leaks = [f for f in found if f["code"] == "leak"]
        self.assertEqual([f["where"][0]["line"] for f in leaks],
                         [line_of("forgotten = make", "streams.cu"), line_of("too = make", "streams.cu")], leaks)
        for f in leaks:
            self.assertEqual([w["function"] for w in f["where"]], ["main"], f)
            self.assertRegex(f["details"][-1], r"^through make<int> \(helpers\.h:\d+\)$")
        text = [r for r in results if r["ruleId"] == "leak"][0]["message"]["text"]
        self.assertIn("through make<int> (helpers.h:", text)


class TwoOwners(unittest.TestCase):
    """Which of two variables names a buffer follows from where the host stands, not from what was told before."""

    def test_an_access_of_the_host(self):
        line = line_of("// written early", "two_owners.cu")
        for level in ("-O0", "-O2"):
            for words in ((), ("early",)):
                for command in (("run", "--races", "--hooks"), ("run", "--races", "--hooks", "--schedule", "random", "--seed", "5"),
                                ("check", "--schedules", "8")):
                    with self.subTest(level=level, words=words, command=command):
                        told = tilesim(*command, level, "two_owners.cu", "--", *words).stderr
                        self.assertRegex(told, rf"(?m)^two_owners\.cu:{line}:\d+: error: weak store by the host and .*\n"
                                               r"  both are at input\[0\] of int\[4\], byte 0 of allocation #2 ")
                        self.assertEqual("both are at other[0] of int[1], " in told, bool(words), told)


class HostAccesses(unittest.TestCase):
    """Races with host code: the access's own line and its callers, in every kind of report."""
    maxDiff = None

    LAUNCH = [("launch_it", "host.cu", "fill<<<1, 1>>>"), ("main", "host.cu", None)]
    WAYS = {
        # What is told of the host's side: functions with the line that each stands at, innermost first.
        "read": [("total", "helpers.h", "sum += p[i]"), ("sum_of", "host.cu", "return total(p, 8)"),
                 ("main", "host.cu", "// read early")],
        "write": [("clear", "host.cu", "std::memset"), ("main", "host.cu", "// written early")],
        "copy": [("total", "helpers.h", "sum += p[i]"), ("sum_of", "host.cu", "return total(p, 8)"),
                 ("main", "host.cu", "// copied early")],
        "deep": [("deep", "host.cu", "return n == 0")] * 4 + [("main", "host.cu", "// deep early")],
        # Whoever waits for the stream has not called the function.
        "function": [("clear", "host.cu", "std::memset"), ("in_stream", "host.cu", "clear(static_cast")],
        "library": [("less", "host.cu", "return p[a]"), ("operator()", "host.cu", "std::sort(order"),
                    ("by_library", "host.cu", "std::sort(order"), ("main", "host.cu", "// compared early")],
        "thread": [("total", "helpers.h", "sum += p[i]"), ("sum_of", "host.cu", "return total(p, 8)"),
                   ("operator()", "host.cu", "// read in a thread")],
    }

    def expected(self, way):
        return [(f, line_of(text, file)) for f, file, text in self.WAYS[way]]

    def check(self, way, level):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        files = {kind: os.path.join(folder.name, f"r.{kind}") for kind in ("json", "sarif", "html")}
        done = tilesim("check", "--schedules", "1", level, *(f"--{k}={f}" for k, f in files.items()), "host.cu", "--", way)
        self.assertEqual(done.returncode, 1, done.stderr)
        texts = {kind: pathlib.Path(f).read_text() for kind, f in files.items()}
        found = [f for f in json.loads(texts["json"])["findings"] if f["code"] == "host-race"]
        self.assertEqual(len(found), 1, done.stderr)
        result, = (r for r in json.loads(texts["sarif"])["runs"][0]["results"] if r["ruleId"] == "host-race")
        self.assertEqual(sarif.errors(json.loads(texts["sarif"])), [])
        return done.stderr, found[0], result, texts["html"]

    @staticmethod
    def place(location):
        return (location["logicalLocations"][0]["name"], location["physicalLocation"]["region"]["startLine"])

    def test_all(self):
        for way in self.WAYS:
            for level in ("-O0", "-O2"):
                with self.subTest(way=way, level=level):
                    self.one(way, level)

    def one(self, way, level):
        told, found, result, page = self.check(way, level)
        host = found["where"] if "the host" in found["details"][1] or "host function" in found["details"][1] else found["other"]
        frames = [(f["function"], f["line"]) for f in host]
        wanted = self.expected(way)
        self.assertEqual([line for _, line in frames], [line for _, line in wanted], told)
        for (function, _), (name, _) in zip(frames, wanted):
            self.assertTrue(function.startswith(name), (function, name))
        for i, (function, line) in enumerate(frames):
            words = "called from" if i > 0 else "in" if host is found["where"] else "other in"
            self.assertRegex(told, rf"(?m)^  {words} {re.escape(function)} \((host\.cu|helpers\.h):{line}:\d+\)$")
            self.assertIn(f":{line}", page)
        related = [self.place(l) for l in result["relatedLocations"]]
        for frame in frames[0 if host is found["other"] else 1:]:
            self.assertIn(frame, related)
        self.assertIn([self.place(f["location"]) for f in result["stacks"][0]["frames"]],
                      [frames, [self.place(f["location"]) for f in result["stacks"][-1]["frames"]]])
        stacks = [[self.place(f["location"]) for f in s["frames"]] for s in result["stacks"]]
        self.assertIn(frames, stacks)
        flow, = result["codeFlows"]
        ways = [[self.place(step["location"]) for step in thread["locations"]] for thread in flow["threadFlows"]]
        self.assertEqual(len(ways), 2)
        self.assertIn(frames[::-1], ways)

    def test_a_copy_is_told_through_its_helper(self):
        told, found, result, _ = self.check("copy", "-O0")
        self.assertEqual([(f["function"], f["line"]) for f in found["other"]],
                         [("main", line_of("start_copy(pinned", "host.cu"))])
        self.assertEqual([f["function"] for f in found["other_through"]], ["start_copy"])
        self.assertRegex(told, rf"weak store, by cudaMemcpyAsync, at host\.cu:\d+, through start_copy \(helpers\.h:\d+\)")
        self.assertIn("start_copy", [l["logicalLocations"][0]["name"] for l in result["relatedLocations"]])
        self.assertIn(["start_copy", "main"],
                      [[f["location"]["logicalLocations"][0]["name"] for f in s["frames"]] for s in result["stacks"]])

    def test_access_of_device_memory(self):
        source = pathlib.Path(tempfile.mkdtemp()) / "device.cu"
        source.write_text('''#include <cuda_tile.h>
[[gnu::noinline]] int get(const int* p) { return *p; }
[[gnu::noinline]] int twice(const int* p) { return get(p) * 2; }
int main() { int* p; cudaMalloc(&p, 4); return twice(p); }
''')
        done = tilesim("check", "--schedules", "1", str(source))
        self.assertEqual(re.findall(r"(?m)^  (?:in|called from) (\S+) \(", done.stderr), ["get", "twice", "main"], done.stderr)


if __name__ == "__main__":
    unittest.main()
