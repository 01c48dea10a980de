#!/usr/bin/env python3
"""`tilesim diff`: recordings that agree and that do not, launch by launch.

The recordings are made by hand (make_recording.cpp): what a GPU would have written.

One file in spite of its length: one command's tests over one maker of recordings; ctest runs each class by itself.

  TILESIM_TOOL=$PWD/build/dev/bin/tilesim TILESIM_MAKE_RECORDING=$PWD/build/dev/bin/make_recording diff_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import fractions
import html.parser
import itertools
import json
import math
import os
import pathlib
import platform
import random
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import unittest

TOOL = os.environ.get("TILESIM_TOOL", "")
MAKE = os.environ.get("TILESIM_MAKE_RECORDING", "")
HERE = pathlib.Path(__file__).resolve().parent

# The program's three allocations, as the other machine had them.
IN, OUT, TABLE = 0x7F0000000000, 0x7F0000000400, 0x7F0000000800
NUMBERS = [float(i) for i in range(256)]


def floats(numbers):
    return struct.pack(f"<{len(numbers)}f", *numbers).hex()


def words(numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers).hex()


def twice(numbers):
    return [2 * n for n in numbers]


def three(first=None, table=None, last=None, printed="4 1020", before=None, wrote=NUMBERS, end="end 0", kernel="_Z5twicePfPKf",
          mask="", grid="4 1 1"):
    """The recording of programs/three.cu, with what another machine did otherwise."""
    first = first or twice(NUMBERS)
    last = last or twice(first)
    lines = ["machine NVIDIA H200", f"memory 1 device {IN:x} 1024", f"memory 2 device {OUT:x} 1024",
             f"memory 3 device {TABLE:x} 32", f"wrote 1 0 {floats(wrote)}"]
    lines += [before] if before else []
    lines += [f"launch {kernel} {grid} 1 1 1", f"after 2 0 {floats(first)} {mask}", "observed 0 0",
              "launch _Z7connectPPfS_ 1 1 1 1 1 1",
              f"after 3 0 {words(table or [OUT + 4 * i for i in range(4)])}", "observed 1 1",
              "launch _Z5twicePfPKf 4 1 1 1 1 1", f"after 1 0 {floats(last)}", "observed 2 2",
              f"printed {printed}", end]
    return "\n".join(lines) + "\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim-diff-"))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)

    def record(self, lines, name="x.rec"):
        path = self.kept / name
        subprocess.run([MAKE, path], input=lines, text=True, check=True)
        return path

    def tool(self, *given, code=0):
        result = subprocess.run([TOOL, *map(str, given)], cwd=self.kept, text=True, capture_output=True, timeout=200)
        if code is not None:
            self.assertEqual(result.returncode, code, f"{given}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
        return result

    def diff(self, lines, *options, program="three.cu", code=0):
        path = self.record(lines)
        return self.tool("diff", HERE / "programs" / program, "--against", path, *options, code=code).stdout

    def data(self, lines, *options, code=0, **more):
        return json.loads(self.diff(lines, "--json", "-", *options, code=code, **more))


class Agreement(Case):
    def test_what_is_the_same_agrees(self):
        text = self.diff(three())
        self.assertIn("agrees: 3 of 3 launches compared with", text)
        self.assertIn("(NVIDIA H200), 6240 bytes: 3 the same, 0 differ, 0 undecided, 0 with other input", text)

    def test_as_data(self):
        data = self.data(three())
        self.assertEqual((data["schema"], data["verdict"], data["exit_code"]), (2, "agrees", 0))
        self.assertEqual([l["verdict"] for l in data["launches"]], ["same"] * 3)
        self.assertEqual(data["recording"]["device"], "NVIDIA H200")

    def test_addresses_in_memory_are_places(self):
        # The table's pointers are others here: they are compared as buffer and offset.
        self.diff(three(table=[OUT, OUT + 4, OUT + 8, OUT + 12]))
        data = self.data(three(table=[OUT, OUT + 4, OUT + 12, OUT + 12]), code=1)
        self.assertEqual([l["verdict"] for l in data["launches"]], ["same", "differs", "same"])
        self.assertEqual(data["launches"][1]["buffers"][0]["runs"], [[2, 3]])

    def test_a_mask_says_which_bytes_are_meant(self):
        other = twice(NUMBERS)
        other[0] = 77.0  # not meant: the first element's bytes
        self.data(three(first=other, last=twice(twice(NUMBERS)), mask="f0" + "ff" * 127))


class Differences(Case):
    def otherwise(self):
        first = twice(NUMBERS)
        first[100] = 201.0
        first[130] = struct.unpack("<f", struct.pack("<I", 0x43820001))[0]  # 260, and an ulp
        return first

    def test_the_launch_the_element_the_block_and_the_line_are_named(self):
        text = self.diff(three(first=self.otherwise()), code=1)
        self.assertRegex(text, r"three\.cu:\d+:\d+: error: launch 1 \(twice\): the results differ, and every operation has one "
                               r"right result")
        self.assertIn("2 of 256 elements of out differ", text)
        self.assertIn("out[100]: 43480000 (200) here, 43490000 (201) there, 65536 ulps apart", text)
        self.assertIn("out[130]: 43820000 (260) here, 43820001 (260.000031) there, 1 ulp apart", text)
        self.assertRegex(text, r"written by tile block \(1,0,0\) at .*three\.cu:9:\d+")

    def stands(self, text):
        """Carries out the command that a report prints, and gives where it stands."""
        command = shlex.split(re.search(r"^to look at it: tilesim (.*)$", text, re.M).group(1))
        return self.tool(command[0], "--batch", *command[1:]).stdout

    def test_the_command_that_is_printed_stands_at_the_line_that_wrote_the_first_wrong_element(self):
        text = self.diff(three(first=self.otherwise()), code=1)
        self.assertIn("tilesim step --ex 'break ", text)
        self.assertIn(" launch=1 block=(1,0,0)' --ex run --arith hardware ", text)
        self.assertRegex(self.stands(text), r"tile block \(1,0,0\) of twice.*, next: \w+ at .*three\.cu:9")

    def test_the_command_stands_in_the_launch_that_differs(self):
        last = twice(twice(NUMBERS))
        last[130] = 7.0
        text = self.diff(three(last=last), code=1)
        self.assertIn(" launch=3 block=(2,0,0)' --ex run ", text)
        command = shlex.split(re.search(r"^to look at it: tilesim (.*)$", text, re.M).group(1))
        behind = command.index("run") + 1
        command[behind:behind] = ["--ex", "info blocks"]
        said = self.tool(command[0], "--batch", *command[1:]).stdout
        self.assertRegex(said, r"launch 3: twice, grid 4x1x1")

    def test_the_command_stands_at_what_a_gpu_did_otherwise(self):
        gpu = HERE.parents[1] / "gpu" / "defects"
        text = self.tool("diff", gpu / "mask.cu", "--against", gpu / "recordings" / "mask.rec", code=1).stdout
        self.assertRegex(self.stands(text), r"tile block \(3,0,0\) of .*, next: \w+ at .*mask\.cu:24")

    def test_what_the_comparison_was_asked_for_goes_with_the_command(self):
        text = self.diff(three(first=self.otherwise()), "--arith", "page", "--html", self.kept / "x.html", "--json", self.kept / "x.json",
                         code=1)
        self.assertRegex(text, r"(?m)^to look at it: tilesim step --ex 'break [^']*' --ex run [^ ]*three\.cu --arith page$")

    def test_the_next_launch_begins_from_what_the_other_machine_had(self):
        # Launch 3 doubles what the recording has behind launch 1: its results are the same again.
        data = self.data(three(first=self.otherwise()), code=1)
        self.assertEqual([l["verdict"] for l in data["launches"]], ["differs", "same", "same"])

    def test_a_map_shows_where_in_the_buffer(self):
        text = self.diff(three(first=self.otherwise()), code=1)
        self.assertIn("  |" + "." * 25 + "+" + "." * 6 + "+" + "." * 31 + "| 4 elements a cell", text)

    def test_another_line_or_status(self):
        text = self.diff(three(printed="4 1021"), code=1)
        self.assertIn("printed here and not there: 4 1020", text)
        self.assertIn("printed there and not here: 4 1021", text)
        self.assertIn("exit status 0 here, 3 there", self.diff(three(end="end 3"), code=1))


class Inputs(Case):
    def test_what_the_host_wrote_otherwise_is_no_kernels_fault(self):
        other = [n + 1 for n in NUMBERS]
        text = self.diff(three(wrote=other, first=twice(other)), code=3)
        self.assertIn("undecided: launch 1 (twice): the input differs", text)
        self.assertIn("bytes 0 to 1024 of in were not the same before the launch", text)

    def test_memory_that_nobody_has_written_is_as_it_was_there(self):
        # Bytes that the kernel leaves alone: 'out' has 256 floats, of which the GPU changed none but these.
        garbage = [5.0] * 256
        lines = three(before=f"before 2 0 {floats(garbage)}")
        self.assertEqual(self.data(lines)["verdict"], "agrees")


    def test_a_recording_in_which_nothing_ran_says_so(self):
        lines = "machine NVIDIA H200\nerror cudaMalloc 35 cudaErrorInsufficientDriver\nend 1\n"
        result = self.tool("diff", HERE / "programs" / "three.cu", "--against", self.record(lines), code=3)
        self.assertEqual(result.stdout, "")
        self.assertIn("x.rec: no kernel ran there: cudaMalloc returned cudaErrorInsufficientDriver (driver 580)", result.stderr)

    def test_another_text_is_said_in_front(self):
        first = twice(NUMBERS)
        first[100] = 201.0
        text = self.diff("source 1234\n" + three(first=first), code=1)
        self.assertRegex(text, r"^note: \S*x\.rec is a recording of another text than \S*three\.cu: what differs may be the program\n")
        self.assertRegex(self.diff("source 1234\n" + three()), r"^note: .* another text")

    def test_what_lies_outside_of_its_memory_is_no_recording(self):
        lines = three().replace(f"memory 1 device {IN:x} 1024", f"memory 1 device {IN:x} 1020")
        result = self.tool("diff", HERE / "programs" / "three.cu", "--against", self.record(lines), code=65)
        self.assertIn("x.rec: error: event 5 of the recording: it tells of 1024 bytes from byte 0 of memory 1 on, which has 1020; record the "
                      "program anew", result.stderr)

    def test_a_nan_has_no_distance(self):
        first = twice(NUMBERS)
        first[100] = math.nan
        text = self.diff(three(first=first, last=twice(twice(NUMBERS)[:100]) + [math.nan] + twice(twice(NUMBERS)[101:])), code=1)
        self.assertIn("out[100]: 43480000 (200) here, 7fc00000 (nan) there\n", text)

    def test_memory_of_another_size_is_another_input(self):
        lines = three().replace(f"memory 2 device {OUT:x} 1024", f"memory 2 device {OUT:x} 2048")
        data = self.data(lines, code=3)
        self.assertEqual([l["verdict"] for l in data["launches"]], ["other input", "same", "other input"])
        self.assertEqual(data["launches"][0]["inputs"], [{"name": "out", "size_here": 1024, "size_there": 2048}])
        text = self.diff(lines, code=3)
        self.assertIn("undecided: launch 1 (twice): the input differs: memory does not have the size that it had there", text)
        self.assertIn("  out has 1024 bytes here, 2048 there\n", text)

    def passed(self, *arguments, factor=2.0, skip=0, to=IN, seen=(0, 1, 2, 3), name="seen", code=0):
        values = [factor * i for i in range(8)]
        passed = [words([to]), words([IN + 32]), floats([factor]), words([skip]), words([0])]
        lines = "\n".join(["machine NVIDIA H200", f"memory 1 device {IN:x} 64", f"variable 0 {name} {TABLE:x} 16",
                           f"wrote 1 32 {floats(range(8))}", f"before 4294967296 0 {'00' * 16}",
                           "launch _Z5scalePfPKffxPh 1 1 1 8 1 1", "arguments " + " ".join(passed), f"after 1 0 {floats(values)}",
                           f"after 4294967296 0 {struct.pack('<4i', *seen).hex()}", "observed 0 0", "end 0"]) + "\n"
        return self.data(lines, *arguments, program="passed.cu", code=code), self.diff(lines, *arguments, program="passed.cu", code=code)

    def test_what_a_launch_passes_otherwise_is_no_kernels_fault(self):
        self.assertEqual(self.passed()[0]["verdict"], "agrees")
        data, text = self.passed(factor=2.5, code=3)
        self.assertEqual(data["launches"][0]["verdict"], "other input")
        self.assertEqual(data["launches"][0]["inputs"],
                         [{"argument": 2, "name": "factor", "type": "float", "here": "2", "there": "2.5"}])
        self.assertIn("the input differs: the launch does not pass what it passed there\n  argument 3, factor (float): 2 here, 2.5 there\n", text)
        self.passed("--", "2.5", factor=2.5)

    def test_pointers_are_passed_as_places(self):
        data, _ = self.passed(to=IN + 8, code=3)
        self.assertEqual(data["launches"][0]["inputs"], [{"argument": 0, "name": "out", "type": "pointer", "here": "byte 0 of allocation #1",
                                                          "there": "byte 8 of allocation #1"}])
        data, _ = self.passed(skip=1 << 40, code=3)
        self.assertEqual(data["launches"][0]["inputs"][0]["there"], str(1 << 40))

    def test_another_amount_of_shared_memory_is_another_launch(self):
        self.assertIn("launch 1 is scale<<<(1,1,1), (8,1,1), 64>>> here, scale<<<(1,1,1), (8,1,1)>>> there",
                      self.passed("--", "2", "64", code=1)[1])

    def test_elements_of_variables_have_their_type(self):
        data, text = self.passed(seen=(0, 1, 7, 3), code=1)
        [buffer] = data["launches"][0]["buffers"]
        self.assertEqual((buffer["name"], buffer["type"], buffer["count"], buffer["runs"]), ("seen", "i32", 4, [[2, 3]]))
        self.assertIn("seen[2]: 00000002 (2) here, 00000007 (7) there", text)


class Orders(Case):
    """Results that depend on who comes first: of a small launch all executions are looked at."""

    def lines(self, symbol, results):
        return "\n".join(["machine NVIDIA H200", f"memory 1 device {IN:x} 16", f"wrote 1 0 {'00' * 16}", f"launch {symbol} 2 1 1 1 1 1",
                          f"after 1 0 {struct.pack('<4i', *results).hex()}", "observed 0 0", "end 0"]) + "\n"

    def tickets(self, *results, code=0):
        return self.data(self.lines("_Z7ticketsPi", results), program="orders.cu", code=code)["launches"][0]

    def flags(self, *read, code=0):
        return self.data(self.lines("_Z5flagsPi", (1, 1, *read)), "--", "flags", program="orders.cu", code=code)["launches"][0]

    def test_either_may_come_first(self):
        self.assertEqual(self.tickets(2, 1, 2, 0)["verdict"], "same")
        self.assertEqual(self.tickets(2, 2, 1, 0)["verdict"], "within the bounds")

    def test_what_no_order_gives_differs(self):
        for results in ((1, 1, 2, 0), (2, 1, 99, 0), (2, 1, 2, 7), (2, 1, 1, 0)):
            launch = self.tickets(*results, code=1)
            self.assertEqual(launch["verdict"], "differs", results)
            self.assertEqual(launch["executions"], {"among": False, "complete": False, "excluded": True, "ends": 0, "executions": 0})
        text = self.diff(self.lines("_Z7ticketsPi", (1, 1, 2, 0)), program="orders.cu", code=1)
        self.assertIn("error: launch 1 (tickets): no execution gives these results, whatever its reads take", text)

    def test_an_order_that_no_execution_has_differs(self):
        def message(*seen):
            return self.lines("_Z7messagePi", (1, 1, *seen)), "--", "message"

        for seen in ((0, 0), (0, 1), (1, 1)):
            launch = self.data(*message(*seen), program="orders.cu")["launches"][0]
            self.assertIn(launch["verdict"], ("same", "within the bounds"), seen)
        launch = self.data(*message(1, 0), program="orders.cu", code=1)["launches"][0]  # each may be, but not both
        self.assertEqual(launch["verdict"], "differs")
        self.assertEqual(launch["executions"], {"among": False, "complete": True, "excluded": False, "ends": 3, "executions": 3})
        text = self.diff(*message(1, 0), program="orders.cu", code=1)
        self.assertIn("error: launch 1 (message): no execution gives these results: of all 3 of the launch there are 3 ends", text)

    def test_what_was_not_looked_for_is_said(self):
        lines = self.lines("_Z7ticketsPi", (1, 1, 2, 0))
        text = self.diff(lines, "--search-time", "1e-9", program="orders.cu", code=3)
        self.assertIn("whether another execution gives these results is not known: the 4e-09 seconds for all launches were over; "
                      "--search-time SECONDS looks longer\n", text)
        self.assertRegex(text, r"at .*orders\.cu:\d+:\d+: an atomic operation: who comes first is left open")
        launch = self.data(lines, "--search-time", "1e-9", program="orders.cu", code=3)["launches"][0]
        self.assertIn("seconds for all launches were over", launch["executions_unseen"])
        self.assertIsNone(self.tickets(2, 2, 1, 0)["executions_unseen"])
        self.assertIn("--search-time: takes seconds", self.tool("diff", "orders.cu", "--search-time", "0", code=64).stderr)

    def test_a_weak_execution_is_one(self):
        for read in ((0, 1), (1, 0), (1, 1), (0, 0)):  # store buffering: both read 0, which no interleaving gives
            self.assertIn(self.flags(*read)["verdict"], ("same", "within the bounds"), read)
        self.assertEqual(self.flags(0, 0)["executions"]["among"], True)
        self.assertEqual(self.flags(0, 2, code=1)["verdict"], "differs")


class Turns(Case):
    """… of a large one, an execution that ends as it did there is looked for."""

    WORDS = 256

    def drawn(self, seed, threads, most_alive=1 << 30):
        """Runs generators, each up to its next yield, in an order that is drawn; some start later than others end."""
        draw = random.Random(seed)
        waiting, alive = list(threads), []
        draw.shuffle(waiting)
        while waiting or alive:
            if waiting and (not alive or (len(alive) < most_alive and draw.random() < 0.3)):
                alive.append(waiting.pop())
            t = draw.choice(alive)
            if next(t, "over") == "over":
                alive.remove(t)

    def tickets(self, seed):
        m = [0] * self.WORDS
        order = list(range(200))
        random.Random(seed).shuffle(order)
        m[0], m[1:201] = 200, [b + 1 for b in order]
        return m

    def elements(self, seed):
        m = [0] * self.WORDS

        def element(own):
            which = own % 3 % 2
            ticket = m[which]
            m[which] += 1
            yield
            m[2 + which * 64 + ticket] = own + 1
        self.drawn(seed, map(element, range(64)))
        return m

    def stack(self, seed):
        m, changes, top = [0] * self.WORDS, 0, 0

        def thread(own):
            nonlocal changes, top
            m[2 + own], top, changes = top, own, changes + 1
            yield
            if own % 2 == 0:
                top, changes = m[2 + top], changes + 1
        self.drawn(seed, map(thread, range(1, 33)), most_alive=seed + 2)
        m[0], m[1] = top, changes
        return m

    def gathered(self, seed):
        m = [0] * self.WORDS
        found, come = [[] for _ in range(4)], [0] * 4

        def thread(own):
            block = own // 8
            for i in range(3):
                n = (own * 5 + i * 7) % 48
                won = m[64 + n] == 0
                m[64 + n] = 1
                yield
                if won:
                    found[block].append(n + 1)
                    yield
            come[block] += 1
            if come[block] == 8:
                base = m[0]
                m[0] += len(found[block])
                m[1 + base:1 + m[0]] = found[block]
        self.drawn(seed, map(thread, range(32)))
        return m

    def contest(self, seed):
        m = [0] * self.WORDS
        m[0], m[1] = random.Random(seed).choices(range(1, 33), k=2)
        return m

    contest_of_elements = contest
    KERNELS = {"contest": ("_Z7contestPi", "4 1 1 8"), "contest_of_elements": ("_Z19contest_of_elementsPi", "2 1 1 1"),
               "tickets": ("_Z7ticketsPi", "200 1 1 1"), "elements": ("_Z8elementsPi", "4 1 1 1"),
               "stack": ("_Z5stackPyPj", "4 1 1 8"), "gathered": ("_Z8gatheredPiS_S_", "4 1 1 8")}

    def runs(self, which, ends, *options, code=0):
        symbol, grid = self.KERNELS[which]
        lines = ["machine NVIDIA H200"]
        for number, m in enumerate(ends):
            lines += [f"run {number}", f"memory 1 device {IN:x} {4 * self.WORDS}", f"wrote 1 0 {'00' * 4 * self.WORDS}",
                      f"launch {symbol} {grid} 1 1", f"after 1 0 {struct.pack(f'<{self.WORDS}I', *m).hex()}", "observed 0 0", "end 0"]
        data = self.data("\n".join(lines) + "\n", *options, "--", which, program="turns.cu", code=code)
        return [run["launches"][0] for run in data.get("runs", [data])]

    def each_is_found(self, which, seeds):
        for launch in self.runs(which, [getattr(self, which)(seed) for seed in range(seeds)]):
            self.assertIn(launch["verdict"], ("same", "within the bounds"), which)

    def test_tickets_of_blocks(self):
        self.each_is_found("tickets", 4)

    def test_tickets_of_elements(self):
        self.each_is_found("elements", 4)

    def test_links(self):
        self.each_is_found("stack", 8)

    def test_the_first_and_the_last(self):
        self.each_is_found("contest", 4)
        self.each_is_found("contest_of_elements", 4)

    def test_finds_that_are_gathered(self):
        self.each_is_found("gathered", 4)

    def test_what_no_execution_gives_is_not_found(self):
        lost, torn, more = self.tickets(7), self.tickets(7), self.tickets(7)
        lost[0], lost[200] = 199, 0  # two have drawn one ticket
        torn[20] |= 0x4000
        more[220] = 1  # there is no ticket of that number
        elements = self.elements(7)
        elements[3], elements[70] = elements[70], elements[3]  # each has its ticket from the other's counter
        linked = self.stack(7)
        linked[2 + linked[0]] = linked[0]
        for which, ends in (("tickets", [lost, torn, more]), ("elements", [elements]), ("stack", [linked])):
            # Where nothing is told all of the time is used up: those above are found in a fraction of this second.
            time = () if which == "tickets" else ("--search-time", "1")
            for launch in self.runs(which, ends, *time, code=None):
                self.assertIn(launch["verdict"], ("undecided", "differs"), which)
                self.assertFalse(launch["executions"] and launch["executions"]["among"], which)
                self.assertEqual(launch["verdict"], "differs" if which == "tickets" else launch["verdict"])


class Kept(Case):
    """What threads keep of what they have drawn: ends that some execution gives, and ends that none does, whatever its reads take."""

    WORDS = 256

    def setUp(self):
        super().setUp()
        self.random = random.Random(3)

    def judged(self, which, m, code, grid="4 1 1 8", argument="Pi"):
        lines = ["machine NVIDIA H200", f"memory 1 device {IN:x} {4 * self.WORDS}", f"wrote 1 0 {'00' * 4 * self.WORDS}",
                 f"launch _Z{len(which)}{which}{argument} {grid} 1 1", f"after 1 0 {struct.pack(f'<{self.WORDS}i', *m).hex()}", "observed 0 0", "end 0"]
        return self.data("\n".join(lines) + "\n", "--", which, program="kept.cu", code=code)["launches"][0]

    def agrees(self, which, m, **more):
        self.assertIn(self.judged(which, m, 0, **more)["verdict"], ("same", "within the bounds"), which)

    def differs(self, which, m, **more):
        launch = self.judged(which, m, 1, **more)
        self.assertEqual((launch["verdict"], launch["executions"]["excluded"]), ("differs", True), which)

    def drawn(self, count):
        return self.random.sample(range(count), count)

    def test_two_tickets_of_one_counter(self):
        m = [32] + [0] * (self.WORDS - 1)
        come = [0] * 16
        for ticket, own in enumerate(self.random.sample([t for t in range(16) for _ in (0, 1)], 32)):
            m[8 + own * 2 + come[own]] = ticket
            come[own] += 1
        self.agrees("twice", m, grid="4 1 1 4")
        self.differs("twice", [33] + m[1:], grid="4 1 1 4")  # one is lost
        self.differs("twice", m[:8] + [m[9], m[8]] + m[10:], grid="4 1 1 4")  # the second before the first
        self.differs("twice", m[:8] + [m[10]] + m[9:], grid="4 1 1 4")  # two have one
        self.differs("twice", m[:200] + [1] + m[201:], grid="4 1 1 4")  # nobody writes there

    def test_tickets_of_two_counters(self):
        m = [32, 32] + [0] * (self.WORDS - 2)
        m[8:72:2], m[9:73:2] = self.drawn(32), self.drawn(32)
        self.agrees("both", m)
        self.differs("both", m[:9] + [m[11]] + m[10:])

    def test_what_is_seen_of_a_message(self):
        m = [32, 1, 1] + [0] * (self.WORDS - 3)
        m[8:40] = [own + 1 for own in self.drawn(32)]
        m[65:96] = self.random.choices((1, 2, 4), k=31)  # nothing; what it says; its flag, too
        self.agrees("message", m)
        self.differs("message", m[:70] + [5] + m[71:])

    def test_pairs_that_look_at_each_other(self):
        m = [0] * self.WORDS
        m[:64], m[128:192] = [1] * 64, [11] * 64
        for pair in range(32):
            m[128 + pair * 2 + self.random.randrange(2)] = 10
        self.agrees("pairs", m, grid="64 1 1 1")
        self.differs("pairs", m[:130] + [12] + m[131:], grid="64 1 1 1")

    def test_what_reads_weakly_may_be_behind(self):
        m = [16] + [0] * (self.WORDS - 1)
        sums = [0]
        for own in self.drawn(8):
            sums.append(sums[-1] + 1 + own % 2 * 2)
        m[64:72] = self.random.choices(sums[:3], k=8)  # they look, and then they add
        launch = self.judged("looks", m, None, grid="2 1 1 4")
        self.assertFalse(launch["executions"] and launch["executions"]["excluded"])
        launch = self.judged("looks", [15] + m[1:], None, grid="2 1 1 4")
        self.assertTrue(launch["executions"]["excluded"])

    def test_of_numbers_that_may_be_off_nothing_is_excluded(self):
        m = [32] + [0] * (self.WORDS - 1)
        m[8:40] = [struct.unpack("<i", struct.pack("<f", math.exp(0.1 * own)))[0] + own % 2 for own in self.drawn(32)]
        self.assertEqual(self.judged("powers", m, 3)["verdict"], "undecided")

    def test_of_launches_one_behind_the_other_nothing_is_excluded(self):
        m = [32] + [0] * (self.WORDS - 1)
        m[8:24], m[24:40] = [t + 1 for t in self.drawn(16)], [t + 101 for t in self.drawn(16)]
        lines = ["machine NVIDIA H200", f"memory 1 device {IN:x} {4 * self.WORDS}", f"wrote 1 0 {'00' * 4 * self.WORDS}",
                 *["launch _Z7ticketsPii 4 1 1 4 1 1"] * 2, f"after 1 0 {struct.pack(f'<{self.WORDS}i', *m).hex()}", "observed 0 1", "end 0"]
        launch = self.data("\n".join(lines) + "\n", "--", "tickets", program="kept.cu", code=3)["launches"][0]
        self.assertEqual(launch["verdict"], "undecided")
        self.assertIsNone(launch["executions"])
        self.assertIn("they are looked at one by one", launch["executions_unseen"])


class Together(Case):
    """Launches that the other machine observed together."""

    def lines(self, first=None, last=None):
        lines = three(first=first, last=last)
        lines = lines.replace("observed 0 0\n", "").replace("observed 1 1\n", "").replace("observed 2 2", "observed 0 2")
        return lines

    def test_the_launch_that_wrote_it_is_named(self):
        self.assertRegex(self.diff(self.lines()), "agrees: 3 of 3 launches compared .*: 3 the same, 0 differ, 0 undecided")
        first = twice(NUMBERS)
        first[7] = 15.0
        lines = self.lines(first=first, last=twice(twice(NUMBERS)))
        text = self.diff(lines, code=1)
        self.assertIn("error: launches 1 to 3, compared together, the last of twice: ", text)
        self.assertRegex(text, r"written by tile block \(0,0,0\) of launch 1 \(twice\) at ")
        self.assertIn("'break ", text)
        self.assertIn(" launch=1 block=(0,0,0)'", text)
        self.assertRegex(text, "differs: 3 of 3 launches compared .*: 0 the same, 3 differ, 0 undecided")
        data = self.data(lines, code=1)["launches"]
        self.assertEqual([(l["first_launch"], l["launch"]) for l in data], [(1, 3)])
        self.assertEqual(data[0]["buffers"][0]["first"][0]["written_by_launch"], 1)

    # Tickets of two launches, one behind the other, of two blocks each.
    def test_who_comes_first_in_each_of_them(self):
        source = self.kept / "pair.cu"
        source.write_text("#include <cuda_runtime.h>\n__global__ void draw(int* m, int base) {\n  const int t = atomicAdd(m, 1);\n"
                          "  m[1 + t] = base + blockIdx.x;\n}\nint main() {\n  int* m;\n  cudaMalloc(&m, 64);\n  cudaMemset(m, 0, 64);\n"
                          "  draw<<<2, 1>>>(m, 100);\n  draw<<<2, 1>>>(m, 200);\n  cudaDeviceSynchronize();\n  cudaFree(m);\n}\n")
        def drawn(*tickets, code):
            lines = "\n".join(["machine NVIDIA H200", f"memory 1 device {IN:x} 64", f"wrote 1 0 {'00' * 64}",
                               "launch _Z4drawPii 2 1 1 1 1 1", "launch _Z4drawPii 2 1 1 1 1 1",
                               f"after 1 0 {struct.pack('<5i', 4, *tickets).hex()}", "observed 0 1", "end 0"]) + "\n"
            return self.data(lines, program=source, code=code)["launches"][0]
        for tickets in itertools.product(((100, 101), (101, 100)), ((200, 201), (201, 200))):
            self.assertNotEqual(drawn(*tickets[0], *tickets[1], code=None)["verdict"], "differs")
        launch = drawn(200, 100, 101, 201, code=3)  # no execution gives it, but a few schedules do not say so
        self.assertEqual((launch["verdict"], launch["executions"]), ("undecided", None))
        self.assertIn("they are looked at one by one", launch["executions_unseen"])

    def test_what_the_other_machine_left_as_it_was_is_compared_too(self):
        # There nobody has written the last element of `out`; here launch 1 does.
        first = twice(NUMBERS)
        lines = self.lines(first=first, last=twice(first)).replace(f"after 2 0 {floats(first)} ", f"after 2 0 {floats(first[:-1])}")
        lines = lines.replace("launch _Z5twicePfPKf", f"before 2 0 {floats([3.0] * 256)}\nlaunch _Z5twicePfPKf", 1)
        data = self.data(lines, code=1)["launches"]
        self.assertEqual([(b["name"], b["runs"]) for b in data[0]["buffers"]], [("out", [[255, 256]])])


class Urgent(Case):
    """Of several runs."""

    def test_the_run_that_no_execution_gives_is_told_in_full(self):
        head = ["machine NVIDIA H200"]
        def run(number, results):
            return [f"run {number}", f"memory 1 device {IN:x} 16", f"wrote 1 0 {'00' * 16}", "launch _Z7ticketsPi 2 1 1 1 1 1",
                    f"after 1 0 {struct.pack('<4i', *results).hex()}", "observed 0 0", f"end {number % 2}"]
        lines = "\n".join(head + run(0, (2, 1, 2, 0)) + run(1, (2, 2, 1, 0)) + run(2, (1, 1, 2, 0))) + "\n"
        text = self.diff(lines, program="orders.cu", code=1)
        self.assertIn("error: launch 1 (tickets): no execution gives these results", text)
        self.assertRegex(text, r"(?m)^run 2 of 3: differs: .* 1 within the bounds")  # its exit status is another
        self.assertIn("to look at one of the other runs: --run N\n", text)

    def test_runs_are_numbered_one_behind_the_other(self):
        result = self.tool("diff", HERE / "programs" / "orders.cu", "--against", self.record("machine NVIDIA H200\nrun 40\nend 0\n"), code=65)
        self.assertTrue(result.stderr.endswith("x.rec: error: run 41 follows no other; record the program anew\n"), result.stderr)
        self.assertFalse(result.stderr.startswith("tilesim: error"), result.stderr)  # it is the file's


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def up(x, steps):
    """The number so many floats above."""
    return struct.unpack("<f", struct.pack("<i", struct.unpack("<i", struct.pack("<f", x))[0] + steps))[0]


def fused32(x, y, z):
    """x * y + z, rounded once."""
    exact = fractions.Fraction(x) * fractions.Fraction(y) + fractions.Fraction(z)
    near = float32(float(exact))
    if near == 0:
        return near
    # float() has rounded before: the neighbours of what came of it are asked, too; of two as near, the even one.
    return min((up(near, i) for i in (-1, 0, 1)),
               key=lambda c: (abs(fractions.Fraction(c) - exact), struct.unpack("<i", struct.pack("<f", c))[0] & 1))


class BoundsCase(Case):
    """Recordings of one launch that reads 64 floats."""
    TENTHS = [float32(float32(0.1) * (i + 1)) for i in range(64)]

    def lines(self, symbol, results, inputs=None, bytes_out=256, flags="-fmad=false"):
        inputs = inputs or [i / 8 for i in range(64)]
        return "\n".join([f"flags {flags}", "machine NVIDIA H200", f"memory 1 device {IN:x} 256",
                          f"memory 2 device {OUT:x} {bytes_out}", f"wrote 1 0 {floats(inputs)}", f"launch {symbol} 1 1 1 1 1 1",
                          f"after 2 0 {floats(results)}", "observed 0 0", "end 0"]) + "\n"


class Bounds(BoundsCase):
    def grows(self, results, code):
        lines = self.lines("_Z5growsPfPKf", results)
        return self.data(lines, program="grows.cu", code=code)["launches"][0], self.diff(lines, program="grows.cu", code=code)

    def test_within_what_an_operation_may_be_off_the_results_agree(self):
        launch, text = self.grows([up(float32(math.exp(i / 8)), i % 3) for i in range(64)], code=0)
        self.assertEqual((launch["verdict"], launch["bounded"]), ("within the bounds", True))
        buffer = launch["buffers"][0]
        self.assertEqual((buffer["differing"], buffer["allowed"], buffer["open"]), (42, 42, 0))
        self.assertLessEqual(buffer["worst"]["part"], 1)
        self.assertGreater(buffer["worst"]["part"], 0.3)
        self.assertRegex(text, r"grows\.cu:\d+:\d+: agrees: launch 1 \(grows\): the results agree within the bounds")
        self.assertIn("42 of 64 elements of out differ", text)
        self.assertRegex(text, r"all lie within the bounds, using \d+ % of them at most:")
        self.assertRegex(text, r"allowed: .* to .*, \d+ ulps off at most")
        self.assertIn("1 of 1 launch compared", text)
        self.assertIn("0 the same, 1 within the bounds, 0 differ", text)

    def nans(self, last, code):
        """62 numbers and two NaNs, one of another pattern; the last of the integers, made of that one's bits."""
        out = [struct.unpack("<I", struct.pack("<f", i / 8 + 1))[0] for i in range(62)] + [0x7FFFFFFF, 0xFFC00000]
        lines = "\n".join(["flags -fmad=false", "machine NVIDIA H200", f"memory 1 device {IN:x} 256",
                           f"memory 2 device {OUT:x} 256", f"memory 3 device {TABLE:x} 256",
                           f"wrote 1 0 {floats([i / 8 for i in range(62)] + [math.inf, math.inf])}",
                           "launch _Z4nansPfPiPKf 1 1 1 1 1 1", f"after 2 0 {struct.pack('<64I', *out).hex()}",
                           f"after 3 0 {struct.pack('<64I', *[0] * 63, last).hex()}", "observed 0 0", "end 0"]) + "\n"
        return self.data(lines, program="nans.cu", code=code)["launches"][0], self.diff(lines, program="nans.cu", code=code)

    def test_which_nan_an_operation_gives_is_left_open(self):
        launch, text = self.nans(last=0, code=0)
        self.assertEqual(launch["verdict"], "within the bounds")
        self.assertEqual([(b["name"], b["differing"], b["allowed"]) for b in launch["buffers"]], [("out", 1, 1)])
        self.assertTrue(launch["buffers"][0]["first"][0]["nan"])
        self.assertIn("allowed: any NaN, for which of them an operation gives is left open", text)

    def test_the_bits_of_a_nan_are_open_and_a_number_is_none(self):
        launch, text = self.nans(last=7, code=3)
        self.assertEqual(launch["verdict"], "undecided")
        self.assertIn("not known: the bits of a number that may be off", text)
        results = [float32(math.exp(i / 8)) for i in range(64)]
        results[5] = math.nan  # a NaN there, a number here
        self.assertEqual(self.grows(results, code=1)[0]["verdict"], "differs")

    def test_outside_they_differ_at_the_element_and_with_the_bound(self):
        results = [float32(math.exp(i / 8)) for i in range(64)]
        results[3] = up(results[3], 9)  # within 4 and a half, and one of rounding here
        launch, text = self.grows(results, code=1)
        self.assertEqual(launch["verdict"], "differs")
        wrong = launch["buffers"][0]["first"][0]
        self.assertEqual((wrong["index"], wrong["ulps"] in (8, 9, 10)), (3, True))
        self.assertLess(wrong["allowed_ulps"], 5)
        self.assertIn("error: launch 1 (grows): no allowed execution gives these results", text)
        self.assertRegex(text, r"written by tile block \(0,0,0\) at .*grows\.cu:12:\d+")

    def test_a_sum_in_any_order(self):
        exact = sum(self.TENTHS)
        for off, code in ((2, 0), (60, 1)):  # 63 roundings of half a unit are 32 units at most
            results = [up(float32(exact), off)] * 32 + [1.0] * 32
            self.data(self.lines("_Z4sumsPfPKff", results, self.TENTHS), program="sums.cu", code=code)

    def test_a_decision_that_an_error_may_turn_is_undecided_with_its_place(self):
        results = [float32(sum(self.TENTHS))] * 32 + [2.0] * 32
        lines = self.lines("_Z4sumsPfPKff", results, self.TENTHS)
        data = self.data(lines, program="sums.cu", code=1)  # 208 is more than 100 in every order
        self.assertEqual(data["launches"][0]["verdict"], "differs")
        data = self.data(lines, "--", "near", program="sums.cu", code=3) # whether it is more than 208 is open
        self.assertEqual(data["launches"][0]["verdict"], "undecided")
        first = data["launches"][0]["buffers"][0]["first"][0]
        self.assertEqual(first["open"]["why"], "a comparison of numbers that may be off")
        self.assertEqual(first["open"]["where"][0]["line"], 15)
        text = self.diff(lines, "--", "near", program="sums.cu", code=3)
        self.assertRegex(text, r"not known: a comparison of numbers that may be off, at .*sums\.cu:15")

    def scalars(self, mean, code, flags="-fmad=false"):
        results = [mean] + [float32(x - mean) for x in self.TENTHS]
        lines = self.lines("_Z7scalarsPfPKf", results, self.TENTHS, 260, flags)
        return self.data(lines, program="scalars.cu", code=code)["launches"][0]

    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_plain_code_is_followed(self):
        mean = float32(float32(float32(float32(sum(self.TENTHS)) / 64) * 3) + 1)
        self.assertEqual(self.scalars(up(mean, 3), 0)["verdict"], "within the bounds")
        self.assertEqual(self.scalars(mean + 0.01, 1)["verdict"], "differs")

    # Each is a run of its own here, with handlers of signals that it puts back.
    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_plain_code_is_followed_in_launches_that_are_judged_together(self):
        mean = float32(float32(float32(float32(sum(self.TENTHS)) / 64) * 3) + 1)
        results = [up(mean, 3)] + [float32(x - up(mean, 3)) for x in self.TENTHS]
        lines = self.lines("_Z7scalarsPfPKf", results, self.TENTHS, 260)
        launch = "launch _Z7scalarsPfPKf 1 1 1 1 1 1\n"
        lines = lines.replace(launch, launch + launch).replace("observed 0 0", "observed 0 1")
        data = self.data(lines, "--", "twice", program="scalars.cu", code=0)
        self.assertEqual([l["verdict"] for l in data["launches"]], ["within the bounds"])

    # What CUDA documents of each function, in units in the last place, and what a GPU may be off here.
    CALLED = [(lambda x: math.exp(x), 2), (lambda x: math.exp(x), 2), (math.log1p, 1), (lambda x: math.erf(x / 8), 2), (lambda x: x**1.5, 4),
              (lambda x: 3 * float32(math.exp(-x)), 1), (lambda x: float32(math.sin(x)) + float32(math.cos(x)), 1),
              (lambda x: float32(math.sqrt(x)) + x, 0), (math.exp, 0), (lambda x: 1 / math.sqrt(x + 1), 2), (lambda x: math.log(x + 0.5), 3),
              (lambda x: math.sin(x / 4), 6), (lambda x: math.hypot(x, 3), 3), (lambda x: 10**(x / 4), 2), (lambda x: math.gamma(x + 1), 0)]

    def calls(self, off, *arguments, code, flags="-fmad=false"):
        """Of threads_math.cu, with results that are off by as much as `off` gives for the function's number and x."""
        functions = 15 if arguments else 14
        results = []
        for i in range(64):
            f, most = self.CALLED[i % functions]
            results.append(up(float32(f(i / 8)), off(i % functions, i / 8, most)))
        lines = self.lines("_Z7computePfPKfj", results, flags=flags).replace("1 1 1 1 1 1", "1 1 1 64 1 1")
        return self.data(lines, *(("--", *arguments) if arguments else ()), program="threads_math.cu", code=code)["launches"][0]

    # [CUDA C++ Programming Guide, Mathematical Functions]
    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_functions_that_threads_call_may_be_off_as_documented(self):
        launch = self.calls(lambda n, x, most: most, code=0)
        self.assertEqual(launch["verdict"], "within the bounds")
        # __expf: 2 + floor(|1.173 x|); __exp10f: 2 + floor(|2.97 x|); __logf about 1: 2^-21.41
        more = {1: lambda x: int(1.173 * x), 10: lambda x: 3 if x < 1.5 else 0, 13: lambda x: int(2.97 * x / 4)}
        launch = self.calls(lambda n, x, most: most + more.get(n, lambda x: 0)(x), code=0)
        self.assertEqual(launch["buffers"][0]["open"], 0)

    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_and_no_further(self):
        for function, off in ((0, 5), (1, 16), (2, 4), (3, 5), (4, 7), (5, 9), (7, 1), (8, 2), (9, 5), (10, 8), (11, 15), (12, 5), (13, 9)):
            with self.subTest(function=function):
                launch = self.calls(lambda n, x, most: off if n == function and x > 1 else 0, code=1)
                self.assertEqual(launch["verdict"], "differs")
                self.assertTrue(all(e["index"] % 14 == function for e in launch["buffers"][0]["first"] if not e.get("allowed_ulps")))

    def test_where_the_compiler_was_to_approximate_nothing_is_known(self):
        exact = lambda n, x, most: 40 if n == 7 else 0  # a square root
        for flags in ("-fmad=false -use_fast_math", "-fmad=false --prec-sqrt=false", "-fmad=false -ftz=true"):
            launch = self.calls(exact, code=3, flags=flags)
            self.assertEqual(launch["verdict"], "undecided")
            self.assertIn("built with -use_fast_math", launch["diverted"]["why"])
        self.assertEqual(self.calls(exact, code=1, flags="-fmad=false -ftz=false")["verdict"], "differs")

    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_of_others_nothing_is_known(self):
        launch = self.calls(lambda n, x, most: 40 if n == 14 else 0, "all", code=3)
        self.assertEqual(launch["verdict"], "undecided")
        first = launch["buffers"][0]["first"][0]
        self.assertEqual((first["open"]["why"], first["open"]["where"][0]["line"]),
                         ("a mathematical function whose error is not known", 38))

    def contracted(self, first, second, sums, code):
        products = [float32(x * x) for x in self.TENTHS]
        lines = self.lines("_Z10contractedPfPKf", first + products + second, self.TENTHS, 768, "-O2")
        table = "".join(f"|sum 0 f32 {s}" for s in sums)
        lines = lines.replace("memory 1", f"sums tilesim-sums 1|file contracted.cu|kernel _Z10contractedPfPKf{table}|\nmemory 1",
                              1) if sums else lines
        return self.data(lines, program="contracted.cu", code=code)["launches"][0]

    def test_a_sum_is_fused_where_the_recording_says_so_and_nowhere_else(self):
        # p + 1, whose p is used again, is apart; x * 3 - x is fused. g++ and clang++ see them at these places.
        apart = [float32(float32(x * x) + 1) for x in self.TENTHS]
        fused = [fused32(x, x, 1.0) for x in self.TENTHS]
        tripled = [fused32(x, 3.0, -x) for x in self.TENTHS]
        rounded = [float32(float32(x * 3) - x) for x in self.TENTHS]
        self.assertNotEqual(apart, fused)
        self.assertNotEqual(tripled, rounded)
        said = ("apart 0,13:24,13:26,13:12", "fused 0,16:30,16:32,16:12")
        self.assertEqual(self.contracted(apart, tripled, said, 0)["verdict"], "same")
        # What is known leaves nothing open: there is no bound that allows the other.
        self.assertEqual(self.contracted(fused, tripled, said, 1)["verdict"], "differs")
        self.assertEqual(self.contracted(apart, rounded, said, 1)["verdict"], "differs")
        # Where it is not known, both are within the bounds; so in a recording without a table.
        for sums in ((), ("open 0,13:0", said[1])):
            self.assertEqual(self.contracted(fused, tripled, sums, 0)["verdict"], "within the bounds")
        self.assertEqual(self.contracted(apart, rounded, (), 0)["verdict"], "same")

    def test_of_several_unordered_stores_one_is_the_last(self):
        def lines(value):
            return "\n".join(["machine NVIDIA H200", f"memory 1 device {OUT:x} 64", "launch _Z5racesPi 4 1 1 1 1 1",
                              f"after 1 0 {struct.pack('<16i', *[value] * 16).hex()}", "observed 0 0", "end 0"]) + "\n"
        data = self.data(lines(99), program="races.cu", code=1)  # nobody writes that
        self.assertEqual(data["launches"][0]["verdict"], "differs")
        data = self.data(lines(11), program="races.cu", code=0)
        self.assertNotEqual(data["launches"][0]["explained_by"], 0)
        self.assertIn("--schedule random --seed", self.diff(lines(11), program="races.cu"))


class Chance(BoundsCase):
    """Exact values that have the bytes of values that may be off."""

    # A value is known by its bytes. [docs/diff.md: values that are known by their bytes]
    def by_chance(self, kernel, symbol, inputs, results, code, threads=1):
        lines = self.lines(symbol, results, inputs, bytes_out=768).replace("launch", f"wrote 2 0 {'00' * 768}\nlaunch", 1)
        lines = lines.replace("1 1 1 1 1 1", f"1 1 1 {threads} 1 1")
        return self.data(lines, "--", kernel, program="chance.cu", code=code)["launches"][0]

    def test_an_exact_value_with_the_bytes_of_a_sum_is_exact(self):
        inputs = [1e7 * (i // 2 + 1) * (1 if i % 2 == 0 else -1) for i in range(48)] + [0.0] * 16
        off = 8.0  # the sum may be 22 thousand off
        def results(first=0.0, copy=0.0, padding=0.0, constant=0.0):
            return ([float32(x - first) for x in inputs] + inputs[:5] + [inputs[5] + copy] + inputs[6:60] + [padding] + inputs[61:] +
                    [0.0] * 20 + [constant] + [0.0] * 43)
        zeros = lambda code, **off: self.by_chance("zeros", "_Z5zerosPfPKf", inputs, results(**off), code)["verdict"]
        self.assertEqual(zeros(0, first=off), "within the bounds")
        for exact in ("copy", "padding", "constant"):
            with self.subTest(exact=exact):
                self.assertEqual(zeros(1, **{exact: off}), "differs")
                self.assertEqual(zeros(1, first=off, **{exact: off}), "differs")

    def test_the_element_that_is_exact_is_told_as_it_is_here(self):
        results = [1.0] * 64 + [1.0] * 31 + [up(1.0, 1)] + [1.0] * 32
        launch = self.by_chance("ones", "_Z4onesPfPKf", [0.0] * 64, results, 1)
        self.assertEqual([(b["name"], b["differing"], b["allowed"]) for b in launch["buffers"]], [("out", 1, 0)])
        element = launch["buffers"][0]["first"][0]
        self.assertEqual((element["index"], element["here"], element["written_at"][0]["line"]), (95, "3f800000 (1)", 26))
        self.assertEqual(self.by_chance("ones", "_Z4onesPfPKf", [0.0] * 64, [up(1.0, 1)] * 64 + [1.0] * 64, 0)["verdict"],
                         "within the bounds")

    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_of_what_threads_compute_too(self):
        of_threads = lambda e, one, code: self.by_chance("threads", "_Z10of_threadsPfPKf", [0.0] * 64, [e] * 64 + [one] * 64, code, 64)
        self.assertEqual(of_threads(up(1.0, 1), 1.0, 0)["verdict"], "within the bounds")
        self.assertEqual(of_threads(up(1.0, 1), up(1.0, 1), 1)["verdict"], "differs")
        self.assertEqual(of_threads(1.0, up(1.0, 1), 1)["verdict"], "differs")


@unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
class Bits(BoundsCase):
    """Whole numbers that plain code computes from what may be off."""

    def bits(self, kernel, symbol, inputs, results, code):
        lines = "\n".join(["flags -fmad=false", "machine NVIDIA H200", f"memory 1 device {IN:x} 256", f"memory 2 device {OUT:x} 512",
                           f"wrote 1 0 {floats(inputs)}", f"wrote 2 0 {'00' * 512}", f"launch {symbol} 1 1 1 64 1 1",
                           f"after 2 0 {struct.pack(f'<{len(results)}I', *results).hex()}", "observed 0 0", "end 0"]) + "\n"
        return self.data(lines, "--", kernel, program="bits.cu", code=code)["launches"][0]

    # [docs/diff.md: values that are known by their bytes] Another number there leaves another word: it depends on it.
    def test_a_word_of_the_bits_of_a_number_that_may_be_off_is_undecided(self):
        def keys(off=0, second=0, code=0):
            inputs = [i / 64 for i in range(64)]
            key = [struct.unpack("<I", struct.pack("<f", math.exp(x)))[0] ^ 0x80000000 for x in inputs]
            key[5] += off
            return self.bits("keys", "_Z4keysPjPKf", inputs, key + [7 * i + (second if i == 3 else 0) for i in range(64)], code)

        self.assertEqual(keys()["verdict"], "same")
        launch = keys(off=1, code=3)
        self.assertEqual(launch["verdict"], "undecided")
        element = launch["buffers"][0]["first"][0]
        self.assertEqual((element["index"], element["open"]["why"]), (5, "what is written here depends on numbers that may be off"))
        self.assertEqual(element["open"]["where"][0]["line"], 11)
        self.assertEqual(keys(second=1, code=1)["verdict"], "differs")  # an exact one beside it
        self.assertEqual(keys(off=1, second=1, code=1)["verdict"], "differs")

    # exp of this number lies in the middle of two halves: one of the ends of what it may be gives the other one.
    def test_halves_in_words_are_undecided(self):
        def packed(off=0, code=0):
            half = [0x3EFC] * 64
            half[9] += off
            return self.bits("packed", "_Z6packedPjPKf", [float.fromhex("0x1.1d85b6p-1")] * 64, [h | (h << 16) for h in half], code)["verdict"]

        self.assertEqual(packed(), "same")
        self.assertEqual(packed(off=1, code=3), "undecided")


class CountsCase(Case):
    BINS = [4096] * 8

    def lines(self, kernel, results):
        return "\n".join(["machine NVIDIA H200", f"memory 1 device {OUT:x} 64", f"wrote 1 0 {'00' * 64}",
                          f"launch _Z{len(kernel)}{kernel}Pj 128 1 1 256 1 1",
                          f"after 1 0 {struct.pack('<16I', *results, *[0] * (16 - len(results))).hex()}", "observed 0 0", "end 0"]) + "\n"

    def counts(self, kernel, results, code):
        return self.data(self.lines(kernel, results), "--search-time", "0.1", "--", kernel, program="counts.cu", code=code)["launches"][0]


class Counts(CountsCase):
    """Atomic updates of whole numbers by many threads: of these no execution can be looked for."""

    def test_they_come_to_the_same_in_every_order(self):
        for kernel in ("histogram", "of_ptx"):
            with self.subTest(kernel=kernel):
                self.assertEqual(self.counts(kernel, self.BINS + [32767], 0)["verdict"], "same")
                self.assertEqual(self.counts(kernel, self.BINS[:7] + [4095, 32767], 1)["verdict"], "differs")  # a lost one
                self.assertEqual(self.counts(kernel, self.BINS + [32766], 1)["verdict"], "differs")
        text = self.diff(self.lines("histogram", self.BINS[:7] + [4095, 32767]), "--", "histogram", program="counts.cu", code=1)
        self.assertIn("among them are sums of whole numbers, which come to the same in every order: no execution gives these\n", text)
        self.assertNotIn("not known", text)

    def test_unless_somebody_looks_at_what_they_give(self):
        self.assertEqual(self.counts("looks", self.BINS + [0, 16384], 3)["verdict"], "undecided")

        # Most orders leave the same mark: where no old value counts, or every one, it is another.
        self.assertEqual(self.counts("limits", [32768, 0x80000001], 3)["verdict"], "undecided")

    def test_or_several_operations_update_one_place(self):
        self.assertEqual(self.counts("mixed", [64199], 3)["verdict"], "undecided")
        self.assertEqual(self.counts("stores", [3577], 3)["verdict"], "undecided")
        self.assertEqual(self.counts("floats_too", [0x46800000], 3)["verdict"], "undecided")
        self.assertEqual(self.counts("overlaps", [0, 40000], None)["verdict"], "undecided")  # which is a finding, too

    def test_what_lies_beside_them_is_judged_by_itself(self):
        for wrong in (self.BINS[:7] + [4095], self.BINS):
            for stored in (2, 5):
                same = wrong == self.BINS and stored == 2
                launch = self.counts("beside", wrong + [0, stored] + [2 * i for i in range(2, 8)], 0 if same else 1)
                self.assertEqual(launch["verdict"], "same" if same else "differs")

    # A clock has another time in each run.
    def test_what_a_clock_says_is_undecided(self):
        self.assertEqual(self.counts("times", list(range(8)) + [3] * 8, 3)["verdict"], "undecided")
        self.assertEqual(self.counts("times", list(range(8)) + [3] * 7 + [4], 1)["verdict"], "differs")


class Polls(CountsCase):
    """Who waits for a volatile variable has every turn where no hook gives one to another."""

    def test_what_waits_for_a_volatile_variable_comes_to_its_end(self):
        self.assertEqual(self.counts("polls", [32768, 1], 0)["verdict"], "same")


class Unordered(Case):
    """Plain stores of threads."""

    def of_threads(self, kernel, symbol, threads, values):
        lines = "\n".join(["machine NVIDIA H200", f"memory 1 device {OUT:x} 64", f"wrote 1 0 {'00' * 64}", f"launch {symbol} 1 1 1 {threads} 1 1",
                           f"after 1 0 {struct.pack('<16i', *values).hex()}", "observed 0 0", "end 0"]) + "\n"
        data = self.data(lines, "--", kernel, program="thread_races.cu", code=1)
        return data["launches"][0], [f["code"] for f in data["findings"]]

    # A race is reported as a race, and the value has to be one that a thread writes.
    def test_of_stores_of_threads_that_race_one_is_the_last(self):
        written = [100 + i + 16 * (i % 4) for i in range(16)]
        for name, size in (("one_place", 1), ("bytes", 4)):
            launch, findings = self.of_threads(name, "_Z9one_placePi", 64, written)
            self.assertEqual((launch["verdict"], findings), ("undecided", ["data-race"]))
            first = launch["buffers"][0]["first"][0]
            self.assertIn("this is what one of them writes", first["open"]["why"])
            self.assertEqual(first["open"]["where"][0]["line"], 7)
            launch, findings = self.of_threads(name, "_Z9one_placePi", 64, written[:5] + [99] + written[6:])
            self.assertEqual((launch["verdict"], launch["buffers"][0]["first"][0]["index"], findings), ("differs", 5 * size, ["data-race"]))

    def test_each_element_of_a_vector_is_one_that_is_written(self):
        vector = lambda t: [t, 10 * t, 20 * t, 30 * t]
        launch, _ = self.of_threads("vectors", "_Z7vectorsP4int4", 32, vector(4) + vector(9) + vector(14) + vector(3))
        self.assertEqual(launch["verdict"], "undecided")
        launch, _ = self.of_threads("vectors", "_Z7vectorsP4int4", 32, vector(4) + vector(8) + vector(14) + vector(3))
        self.assertEqual(launch["verdict"], "differs")  # 8 writes to the first

    def test_what_is_read_where_stores_race_is_not_known(self):
        launch, findings = self.of_threads("in_shared", "_Z9in_sharedPi", 64, [200 + 2 * i for i in range(16)])
        self.assertEqual(findings, ["data-race"])
        if launch["explained_by"] == 0 and not (launch["executions"] or {}).get("among"):
            self.assertEqual((launch["verdict"], launch["diverted"]["where"][0]["line"]), ("undecided", 20))
            self.assertIn("where something races", launch["diverted"]["why"])

    def test_stores_that_a_barrier_orders_leave_one_value(self):
        launch, findings = self.of_threads("ordered", "_Z7orderedPi", 32, [2] * 15 + [1])
        self.assertEqual((launch["verdict"], findings), ("differs", []))


class Sums(BoundsCase):
    """Atomic additions of floating-point numbers by threads."""

    def thread_sums(self, kernel, symbol, results, code, form="16f"):
        lines = "\n".join(["flags -fmad=false", "machine NVIDIA H200", f"memory 1 device {IN:x} 256", f"memory 2 device {OUT:x} 64",
                           f"wrote 1 0 {floats(self.TENTHS)}", f"wrote 2 0 {'00' * 64}", f"launch {symbol} 4 1 1 16 1 1",
                           f"after 2 0 {struct.pack(f'<{form}', *results).hex()}", "observed 0 0", "end 0"]) + "\n"
        return self.data(lines, "--", kernel, program="thread_sums.cu", code=code)["launches"][0]

    # The order of atomic additions is left open; how far apart their sums may be is not. No schedule has to be looked for.
    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_a_sum_of_threads_in_any_order(self):
        exact = float32(sum(self.TENTHS))
        total = lambda off, zero, code: self.thread_sums("total", "_Z5totalPfPKf", [up(exact, off)] + [zero] * 8 + [0.0] * 7, code)
        launch = total(3, 0.0, 0)
        self.assertEqual((launch["verdict"], launch["executions"]), ("within the bounds", None))
        self.assertLess(launch["buffers"][0]["worst"]["allowed_ulps"], 70)
        self.assertEqual(total(120, 0.0, 1)["verdict"], "differs")
        # The old value that a thread gets and drops is zero, too: other zeros of the thread are exact.
        self.assertEqual(total(3, up(0.0, 1), 1)["verdict"], "differs")

    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_of_doubles_of_references_and_of_ptx(self):
        exact = sum(x / 3 for x in self.TENTHS)
        off = lambda steps: exact * (1 + steps * 2.0**-52)
        refs = lambda a, b, c, code: self.thread_sums("refs", "_Z4refsPdPKf", [a, -b, c] + [0.0] * 5, code, "8d")["verdict"]
        self.assertEqual(refs(off(20), off(1), off(3), 0), "within the bounds")
        for wrong in range(3):
            self.assertEqual(refs(*[off(90) if i == wrong else exact for i in range(3)], 1), "differs")

    # [docs/diff.md: what an atomic addition gives back depends on the order]
    @unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
    def test_an_old_value_that_is_used_is_open(self):
        sums = [0.0]
        for x in self.TENTHS:
            sums.append(float32(sums[-1] + x))
        olds = lambda old, chosen, code: self.thread_sums("olds", "_Z4oldsPfPKf", [sums[64], old, chosen] + [0.0] * 13, code)
        self.assertEqual(olds(sums[5], 3.0, 0)["verdict"], "same")
        launch = olds(sums[41], 3.0, 3)
        self.assertEqual((launch["verdict"], launch["diverted"]["where"][0]["line"]), ("undecided", 37))
        self.assertIn("compares numbers that may be off", launch["diverted"]["why"])


@unittest.skipUnless(platform.machine() == "x86_64", "plain code is followed on x86-64")
class Handed(BoundsCase):
    """What threads compute in loops and hand to each other, and what copies carry on."""

    INPUTS = [i / 8 for i in range(64)]

    def handed(self, kernel, results, code, threads=64):
        lines = self.lines(f"_Z{len(kernel)}{kernel}PfPKf", results, self.INPUTS).replace("launch", f"wrote 2 0 {'00' * 256}\nlaunch", 1)
        return self.data(lines.replace("1 1 1 1 1 1", f"1 1 1 {threads} 1 1"), "--", kernel, program="handed.cu", code=code)["launches"][0]

    # The trap flag is set in the middle of a launch that is begun when it is called and ended when it is waited for.
    def test_loops_are_stepped_through(self):
        sums = []
        for x in self.INPUTS:
            total = 0.0
            for k in range(6):
                total = float32(total + float32(math.exp(float32(x - 4.0 * k))))
            sums.append(total)
        self.assertEqual(self.handed("loops", [up(x, 2) for x in sums], 0)["verdict"], "within the bounds")
        self.assertEqual(self.handed("loops", [up(x, 40) for x in sums], 1)["verdict"], "differs")

    def test_shuffles_carry_bounds(self):
        totals = [math.fsum(math.exp(x) for x in self.INPUTS[half:half + 32]) for half in (0, 32)]
        results = lambda off: [up(float32(totals[i // 32]), off) for i in range(64)]
        self.assertEqual(self.handed("shuffles", results(2), 0)["verdict"], "within the bounds")
        self.assertEqual(self.handed("shuffles", results(90), 1)["verdict"], "differs")

    def test_copies_within_launches_that_were_observed_together(self):
        e = [up(float32(math.exp(x)), 1) for x in self.INPUTS]
        def copied(results, code):
            lines = "\n".join(["flags -fmad=false", "machine NVIDIA H200", f"memory 1 device {IN:x} 256", f"memory 2 device {OUT:x} 256",
                               f"memory 3 device {TABLE:x} 256", f"wrote 1 0 {floats(self.INPUTS)}", f"wrote 2 0 {'00' * 256}",
                               "launch _Z12exponentialsPfPKf 1 1 1 64 1 1", "launch _Z7doubledPfPKf 1 1 1 64 1 1",
                               f"after 1 0 {floats(e)}", f"after 2 0 {floats(results)}", f"after 3 0 {floats(e)}", "observed 0 1", "end 0"]) + "\n"
            return self.data(lines, "--", "copies", program="handed.cu", code=code)["launches"][0]["verdict"]
        self.assertEqual(copied([2 * x for x in e], 0), "within the bounds")
        self.assertEqual(copied([2 * up(x, 20) for x in e], 1), "differs")

    def test_halves_are_rounded_from_what_may_be_off(self):
        def halves(bits, code):
            lines = self.lines("_Z6halvesP6__halfPKf", [0.0], [float.fromhex("0x1.1d85b6p-1")] * 64, bytes_out=128)
            lines = lines.replace("launch", f"wrote 2 0 {'00' * 128}\nlaunch", 1).replace("1 1 1 1 1 1", "1 1 1 64 1 1")
            lines = re.sub("after 2 0 .*", f"after 2 0 {struct.pack('<64H', *[bits] * 64).hex()}", lines)
            return self.data(lines, program="halves.cu", code=code)["launches"][0]["verdict"]
        self.assertEqual([halves(0x3EFC, 0), halves(0x3EFD, 0), halves(0x3EFE, 1)], ["same", "within the bounds", "differs"])

    # Nine schedules do not say what others give.
    def test_what_some_order_gives_does_not_differ(self):
        launch = self.handed("decides", [40.0] + [0.0] * 63, code=None)
        self.assertIn(launch["verdict"], ("undecided", "within the bounds"))


class Races(Case):
    """Of launches that are the same nobody looks for races, unless that is asked for."""

    def test_in_what_is_the_same(self):
        source = self.kept / "adds.cu"
        source.write_text("#include <cuda_runtime.h>\n__global__ void adds(int* m) { *m = *m + 1; }\n"
                          "int main() {\n  int* m;\n  cudaMalloc(&m, 4);\n  cudaMemset(m, 0, 4);\n  adds<<<2, 1>>>(m);\n"
                          "  cudaDeviceSynchronize();\n  cudaFree(m);\n}\n")
        lines = "\n".join(["machine NVIDIA H200", f"memory 1 device {IN:x} 4", "wrote 1 0 00000000", "launch _Z4addsPi 2 1 1 1 1 1",
                           "after 1 0 02000000", "observed 0 0", "end 0"]) + "\n"
        self.assertIn("agrees: 1 of 1 launch compared", self.diff(lines, program=source))
        text = self.diff(lines, "--races", program=source, code=1)
        self.assertRegex(text, r"adds\.cu:2:\d+: error: .*nothing orders them \[data-race\]")
        self.assertRegex(text, "differs: 1 of 1 launch compared .*: 1 the same, 0 differ, .*; data-race found here\n$")
        # What another execution gives is known, race or not.
        lost = lines.replace("02000000", "01000000")
        text = self.diff(lost, program=source, code=1)
        self.assertIn("another execution gives just these\n  1 of 1 element of m differ\n  m[0]: 00000002 (2) here, 00000001 (1) there\n    written by", text)
        self.assertRegex(text, "1 within the bounds, 0 differ, .*; data-race found here\n$")
        self.assertNotIn("not known", self.diff(lost, "--html", "-", program=source, code=1).split("</style>")[1].replace("</span>not known", ""))


class Variables(Case):
    def lines(self, counter=7, name="counters"):
        return "\n".join(["machine NVIDIA H200", f"variable 0 {name} {IN:x} 16", f"variable 1 level {OUT:x} 4",
                          f"before 4294967296 0 {struct.pack('<4i', 1, 2, 3, 4).hex()}", "launch _Z6writesv 1 1 1 1 1 1",
                          f"after 4294967296 0 {struct.pack('<4i', 1, 2, counter, 4).hex()}",
                          f"after 4294967297 0 {floats([1.5])}", "observed 0 0", "end 0"]) + "\n"

    def test_are_compared_by_name(self):
        self.assertIn("20 bytes: 1 the same", self.diff(self.lines(), program="variables.cu"))
        text = self.diff(self.lines(counter=8), program="variables.cu", code=1)
        self.assertRegex(text, r"of counters differ")

    def test_one_that_the_program_does_not_have_is_told(self):
        text = self.diff(self.lines(name="other"), program="variables.cu")
        self.assertIn("note: the variable other is not compared", text)


class Runs(Case):
    def runs(self):
        other = twice(NUMBERS)
        other[7] = 15.0
        # Allocations count anew in each run.
        return "run 0\n" + three() + "run 1\n" + three(first=other) + "run 2\n" + three()

    def test_each_run_is_compared(self):
        text = self.diff(self.runs(), code=1)
        self.assertIn("run 1 of 3: agrees", text)
        self.assertIn("run 2 of 3: differs", text)
        self.assertIn("run 3 of 3: agrees", text)
        self.assertIn("out[7]: 41600000 (14) here, 41700000 (15) there", text)
        data = self.data(self.runs(), code=1)
        self.assertEqual([r["verdict"] for r in data["runs"]], ["agrees", "differs", "agrees"])
        self.assertEqual((data["verdict"], data["exit_code"]), ("differs", 1))

    def test_one_of_them(self):
        self.assertIn("run 1 of 3: agrees", self.diff(self.runs(), "--run", "1"))
        self.assertNotIn("run 1 of 3", self.diff(self.runs(), "--run", "2", code=1))
        path = self.record(self.runs())
        said = self.tool("diff", HERE / "programs/three.cu", "--against", path, "--run", "4", code=64).stderr
        self.assertIn("holds 3 runs, and none has the number 4", said)

    def test_pages_that_the_first_run_had_too(self):
        """A later run names them by their hashes: the first run's content is taken."""
        same = three().replace("\nafter ", "\nsame ")
        self.assertIn("\nsame ", same)
        text = self.diff("run 0\n" + three() + "run 1\n" + same)
        self.assertIn("run 2 of 2: agrees", text)
        self.assertIn("3 of 3 launches", text)
        # The first has none either, but for addresses (gpu compact): by the hashes.
        compact = same.replace("\nsame 3 ", "\nafter 3 ")
        self.assertIn("run 2 of 2: agrees", self.diff("run 0\n" + compact + "run 1\n" + same))
        begins = three().replace("after 2 0 ", "same 2 8 ")
        self.assertIn("1024 bytes of memory 2 from byte 8 on are told in 1 hashes of pages; record the program anew",
                      self.tool("diff", HERE / "programs/three.cu", "--against", self.record(begins), code=65).stderr)


class Page(Case):
    def test_a_page_with_a_map(self):
        first = twice(NUMBERS)
        first[100] = 201.0
        page = self.diff(three(first=first), "--html", "-", code=1)
        parser = Tags()
        parser.feed(page)
        self.assertEqual(parser.open, [])
        self.assertEqual(page.count('<i class="wrong"'), 1)
        self.assertIn('title="out[100..100]: 1 differ"', page)
        self.assertEqual(page.count("<i></i>"), 255)
        self.assertIn("43480000 (200)", page)
        self.assertIn('<a href="#launch-1">1</a>', page)
        self.assertNotIn("<script", page)
        self.assertNotRegex(page, r"https?://")

    def test_to_a_file_beside_the_text(self):
        page = self.kept / "d.html"
        self.assertIn("agrees: 3 of 3", self.diff(three(), "--html", page))
        self.assertIn("<strong>agrees</strong>", page.read_text())

    def test_both_on_standard_output_are_refused(self):
        path = self.record(three())
        said = self.tool("diff", HERE / "programs/three.cu", "--against", path, "--json", "-", "--html", "-", code=64).stderr
        self.assertIn("share standard output", said)


class Tags(html.parser.HTMLParser):
    """Elements that are open."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()


class Launches(Case):
    def test_another_kernel_or_grid(self):
        text = self.diff(three(kernel="_Z5otherPfPKf"), code=1)
        self.assertIn("error: launch 1 is twice<<<(4,1,1), (1,1,1)>>> here, other<<<(4,1,1), (1,1,1)>>> there", text)
        self.assertIn("other", self.diff(three(kernel="_ZN2my5otherIfEEvPT_"), code=1))
        self.assertIn("twice<<<(5,1,1), (1,1,1)>>> there", self.diff(three(grid="5 1 1"), code=1))

    def test_templates_and_namespaces_are_the_same_kernel(self):
        self.diff(three(kernel="_ZN2my5twiceIfEEvPT_PKS1_"))

    def test_another_number(self):
        lines = three().replace("launch _Z5twicePfPKf 4 1 1 1 1 1\nafter 1", "after 1").replace("observed 2 2\n", "")
        self.assertIn("error: 3 launches here, 2 launches there", self.diff(lines, code=1))

    def test_several_that_were_observed_together(self):
        lines = three().replace("observed 0 0\n", "").replace("observed 1 1", "observed 0 1")
        data = self.data(lines)
        self.assertEqual([l["launch"] for l in data["launches"]], [2, 3])
        self.assertEqual(data["verdict"], "agrees")


class Recordings(Case):
    def refused(self, path, expected, code=65):
        result = self.tool("diff", HERE / "programs/three.cu", "--against", path, code=code)
        self.assertIn(expected, result.stderr)

    def test_what_is_no_recording(self):
        path = self.kept / "x.rec"
        self.refused(path, "x.rec: No such file or directory", code=64)
        path.write_text("tilesim-recording 1\n")
        self.refused(path, "x.rec: error: this is no recording")
        path = self.record(three())
        whole = path.read_bytes()
        path.write_bytes(whole[:-40])
        self.refused(path, "the recording is cut short")
        path.write_bytes(whole[:50] + bytes([whole[50] ^ 1]) + whole[51:])
        self.refused(path, "the recording is damaged")
        path.write_bytes(whole[:8] + b"\1" + whole[9:])
        self.refused(path, "a recording of version 1, and this tilesim reads version 2; record the program anew")

    def test_of_a_program_that_was_killed(self):
        text = self.diff(three(end="killed"), code=1)
        self.assertIn("note: the recording is not complete: its program was killed", text)
        self.assertIn("the recorded program did not come to an end", text)

    def test_of_another_source(self):
        text = self.diff("source abcdef\n" + three())
        self.assertRegex(text, r"note: .*x\.rec is a recording of another text than .*three\.cu")

    def test_errors_of_the_runtime_are_told(self):
        text = self.diff(three(end="error cudaFree 1 cudaErrorInvalidValue\nend 0"))
        self.assertIn("note: on the GPU, cudaFree returned cudaErrorInvalidValue", text)

    def test_launches_that_are_observed_before_they_began(self):
        path = self.record("machine x\nobserved 0 0\nend 0\n")
        self.refused(path, "x.rec: error: event 2 of the recording: launches 1 to 1 are observed, and 0 have begun; record the program anew\n")

    def test_what_no_program_leaves(self):  # tests/gpu/container.test.cpp has all of it
        begun = ["machine x", f"memory 1 device {IN:x} 16"]
        launched = ["launch k 1 1 1 1 1 1", "after 1 0 00000000 0f", "observed 0 0", "end 0"]
        for lines, what in ((begun + ["freed 1", "freed 1"] + launched, "event 4 of the recording: memory 1 is freed a second time"),
                            (begun + ["freed 1"] + launched, "event 5 of the recording: it tells of memory 1, which has been freed"),
                            (begun + begun[1:] + launched, "event 3 of the recording: memory 1 comes a second time"),
                            (begun[1:] + launched, "event 1 of the recording: no event before it says on which machine the program ran"),
                            (["machine x", "memory 1 device fffffffffffffff8 16"] + launched,
                             "event 2 of the recording: memory 1 has 16 bytes at 0xfffffffffffffff8: addresses end before"),
                            (begun + [launched[0], "after 1 0 00000000 0f0f", *launched[2:]],
                             "event 4 of the recording: its mask has 2 bytes, and 1 say which of its 4 are meant")):
            path = self.record("\n".join(lines) + "\n")
            for command in (("gpu", "show", path), ("gpu", "compact", path, "-o", "y.rec"), ("diff", path, path),
                            ("diff", HERE / "programs/three.cu", "--against", path)):
                self.assertEqual(self.tool(*command, code=65).stderr, f"{path}: error: {what}; record the program anew\n")
        self.tool("gpu", "show", self.record("\n".join(begun + launched) + "\n"))


class Two(Case):
    """Recordings of two machines."""

    def two(self, first, second, code):
        self.record(first, "x.rec")
        self.record(second, "y.rec")
        return self.tool("diff", "x.rec", "y.rec", code=code).stdout

    def test_the_same(self):
        self.assertIn("agrees: 3 of 3 launches compared with y.rec (NVIDIA H200)", self.two(three(), three(), 0))

    def test_addresses_are_places(self):
        moved = three(table=[0x600000000000 + 4 * i for i in range(4)]).replace(f"memory 2 device {OUT:x}", "memory 2 device 600000000000")
        self.two(three(), moved, 0)

    def test_the_launch_and_the_words_that_differ(self):
        other = twice(NUMBERS)
        other[7] = 15.0
        text = self.two(three(), three(first=other), 1)
        self.assertIn("x.rec: error: launch 1 (twice): the results differ", text)
        self.assertIn("memory 2[7]: 41600000 here, 41700000 there", text)
        # Launch 3 began from other memory: nobody blames it.
        self.assertIn("launch 3 (twice) at an unknown place: other input", text)
        self.assertNotIn("one right result", text)

    # What the host wrote is known by its hash alone.
    def test_a_launch_that_changes_memory_on_one_machine_alone(self):
        def adds(*after):
            return "\n".join(["machine NVIDIA H200", f"memory 1 device {IN:x} 16", f"wrote 1 0 {floats([0.0] * 4)}",
                              "launch _Z4addsPf 1 1 1 1 1 1", *after, "observed 0 0", "end 0"]) + "\n"
        wrote = f"after 1 0 {floats([0.0, 1.0, 2.0, 3.0])}"
        self.two(adds(), adds(), 0)
        self.two(adds(wrote), adds(wrote), 0)
        for first, second in ((adds(wrote), adds()), (adds(), adds(wrote))):
            text = self.two(first, second, 1)
            self.assertIn("bytes 0 to 16 of memory 1 differ", text)

    def test_other_input_and_other_launches(self):
        self.assertIn("the input differs", self.two(three(), three(wrote=[1.0] * 256), 3))
        self.assertIn("x.rec: error: launch 1 is twice<<<(4,1,1), (1,1,1)>>> here, other<<<(4,1,1), (1,1,1)>>> there",
                      self.two(three(), three(kernel="_Z5otherv"), 1))

    def test_variables_and_arrays_are_told_by_their_names(self):
        ends = ["observed 0 0", "end 0"]

        def variables(names, number, count):
            at = {name: 4294967296 + i for i, name in enumerate(names)}
            return "\n".join(["machine X", *(f"variable {i} {name} {IN + 64 * i:x} 8" for i, name in enumerate(names)),
                              "memory 1 device 1000 8", "launch k 1 1 1 1 1 1", f"after {at['level']} 0 {words([number])}",
                              f"after {at['count']} 0 {words([count])}",
                              f"after 1 0 {words([IN + 64 * names.index('level')])}", *ends]) + "\n"
        self.two(variables(["level", "count"], 1, 2), variables(["count", "level"], 1, 2), 0)
        text = self.two(variables(["level", "count"], 1, 2), variables(["count", "level"], 1, 3), 1)
        self.assertIn("of count differ\n", text)
        self.assertNotIn("level", text)
        self.two(variables(["level", "count", "level"], 1, 2), variables(["count", "level", "level"], 1, 2), 0)

        def arrays(*given):
            lines = ["machine X"]
            for launch in range(2):
                for i, (name, number) in enumerate(given):
                    lines += [f"memory {2 * launch + i + 1} lent {IN + 64 * i:x} 8 {name}", f"before {2 * launch + i + 1} 0 {words([number])}"]
                lines += ["launch k 1 1 1 1 1 1"]
                lines += [f"after {2 * launch + i + 1} 0 {words([number + 1])}" for i, (_, number) in enumerate(given)]
                lines += [f"observed {launch} {launch}", f"freed {2 * launch + 1}", f"freed {2 * launch + 2}"]
            return "\n".join([*lines, "end 0"]) + "\n"
        self.two(arrays(("x", 1), ("y", 2)), arrays(("y", 2), ("x", 1)), 0)
        self.assertIn("  y has 8 bytes here, and is not there\n", self.two(arrays(("x", 1), ("y", 2)), arrays(("x", 1), ("z", 2)), 3))

    def last_lines(self, first, second, code):
        both = []
        for pair in ((first, second), (second, first)):
            text = self.two(*pair, code)
            self.assertNotIn("one of the recordings does not have", text)
            both.append(text.splitlines()[-1])
        self.assertEqual(*both)
        return both[0]

    def test_the_last_line_is_that_of_the_other_direction(self):
        one = "machine X\nmemory 1 device 1000 16\nlaunch k 1 1 1 1 1 1\nafter 1 0 00000000\nobserved 0 0\n"
        more = one + "launch k 1 1 1 1 1 1\nafter 1 4 00000000\nobserved 1 1\n"
        self.assertIn("differs: 1 of 2 launches compared with y.rec (X), 16 bytes: 1 the same", self.last_lines(one, more, 1))
        # What comes behind another launch is not compared, whether the recording has it or not.
        self.assertIn("differs: 0 of 1 launch compared with y.rec (X), 0 bytes", self.last_lines(one, one.replace("launch k", "launch l"), 1))
        # One of them has freed a memory before the launch that is compared.
        two = one.replace("memory 1", "memory 2 device 2000 8\nmemory 1")
        self.assertIn("agrees: 1 of 1 launch compared with y.rec (X), 16 bytes", self.last_lines(two, two.replace("launch", "freed 2\nlaunch"), 0))

    def test_a_launch_that_passes_something_else(self):
        lines = three().replace("launch _Z7connectPPfS_ 1 1 1 1 1 1\n", "launch _Z7connectPPfS_ 1 1 1 1 1 1\narguments {}\n")
        passed = [lines.format(f"{words([TABLE])} {floats([x])}") for x in (1.0, 2.0)]
        text = self.two(*passed, 3)
        self.assertIn("the input differs: the launch does not pass what it passed there\n  argument 2: 3f800000 here, 40000000 there\n", text)
        self.two(passed[0], passed[0], 0)

    def test_one_in_which_nothing_ran_says_so(self):
        idle = "no driver\nmachine\nerror cudaMalloc 35 cudaErrorInsufficientDriver\nend 1\n"
        for pair, name in (((idle, three()), "x.rec"), ((three(), idle), "y.rec"), ((idle, idle), "x.rec")):
            for path, lines in zip(("x.rec", "y.rec"), pair):
                self.record(lines, path)
            self.assertIn(f"{name}: no kernel ran there: cudaMalloc returned cudaErrorInsufficientDriver (no driver); record it on a machine",
                          self.tool("diff", "x.rec", "y.rec", code=3).stderr)

    def test_what_the_host_wrote_on_one_side_alone(self):
        more = three().replace("launch _Z7connect", f"wrote 1 16 {floats([1.0])}\nlaunch _Z7connect")
        for pair in ((three(), more), (more, three())):
            self.assertIn("bytes 16 to 20 of memory 1 were not the same before the launch", self.two(*pair, 3))

    def test_what_the_host_wrote_is_there_for_later_launches_too(self):
        def lines(given, out, between=""):
            return (f"machine X\nmemory 1 device 1000 4\nmemory 2 device 2000 4\nwrote 1 0 {floats([given])}\nlaunch k 1 1 1 1 1 1\n"
                    f"after 2 0 {floats([0.0])}\nobserved 0 0\n{between}launch k 1 1 1 1 1 1\nafter 2 0 {floats([out])}\nobserved 1 1\nend 0\n")
        self.assertRegex(self.two(lines(1.0, 5.0), lines(2.0, 6.0), 3), ": 0 the same, 0 differ, 0 undecided, 2 with other input\n$")
        # Written over by the host, or by a launch: what comes then is the launch's.
        for over in (f"wrote 1 0 {floats([3.0])}\n", f"launch k 1 1 1 1 1 1\nafter 1 0 {floats([3.0])}\nobserved 1 1\n"):
            pair = [lines(given, out, over) for given, out in ((1.0, 5.0), (2.0, 6.0))]
            if "observed" in over:
                pair = [text[::-1].replace("1 1 devresbo", "2 2 devresbo", 1)[::-1] for text in pair]
            self.assertRegex(self.two(*pair, 1), r"error: launch [23] \(k\): the results differ\n")

    def test_what_the_host_wrote_without_a_call(self):
        def lines(given, out, later="", changes=""):
            return (f"machine X\nmemory 1 managed 1000 16\nmemory 2 device 2000 4\nbefore 1 0 {floats(given)}\nlaunch k 1 1 1 1 1 1\n"
                    f"{changes}after 2 0 {floats([out])}\nobserved 0 0\n{later}launch k 1 1 1 1 1 1\nafter 2 0 {floats([7.0])}\nobserved 1 1\nend 0\n")
        same = [1.0, 2.0, 3.0, 4.0]
        self.two(lines(same, 5.0), lines(same, 5.0), 0)
        for pair in ((lines(same, 5.0), lines([1.0, 9.0, 3.0, 4.0], 6.0)), (lines([1.0, 9.0, 3.0, 4.0], 6.0), lines(same, 5.0))):
            text = self.two(*pair, 3)
            self.assertIn("undecided: launch 1 (k): the input differs: what lay in memory before it was not the same\n"
                          "  bytes 4 to 8 of memory 1 were not the same before the launch\n  1 of 1 element of memory 2 differ\n", text)
            self.assertRegex(text, "2 with other input\n$")
        # A launch changes what is beside it.
        changes = f"after 1 8 {floats([5.0])}\n"
        text = self.two(lines(same, 5.0, changes=changes), lines([1.0, 9.0, 3.0, 4.0], 5.0, changes=changes), 3)
        self.assertEqual(text.count("of memory 1"), 1)
        # The host makes it the same again: launch 2 has the same input.
        again = lines([1.0, 9.0, 3.0, 4.0], 5.0, later=f"before 1 0 {floats(same)}\n")
        self.assertRegex(self.two(lines(same, 5.0), again, 3), ": 1 the same, 0 differ, 0 undecided, 1 with other input\n$")
        # A result that differs is the launch's.
        self.assertIn("error: launch 1 (k): the results differ\n", self.two(lines(same, 5.0), lines(same, 6.0), 1))

    def test_what_nobody_had_written_is_no_kernels_fault(self):
        def found(last, changed="00000000", rest=""):
            return (f"machine X\nmemory 1 device 1000 16\nbefore 1 0 {'11' * 12}{last}\nlaunch k 1 1 1 1 1 1\nafter 1 0 {changed}\n"
                    f"{rest}observed 0 0\nend 0\n")
        self.two(found("00000000"), found("00000000"), 0)
        text = self.two(found("00000000"), found("000000ff"), 3)
        self.assertIn("the input differs: what lay in memory before it was not the same\n  bytes 12 to 16 of memory 1 were not the same", text)
        # Of what one of them has changed it is.
        self.assertIn("error: launch 1 (k): the results differ", self.two(found("00000000"), found("00000000", rest="after 1 12 000000ff\n"), 1))

    def test_memory_of_another_size_or_that_only_one_has(self):
        one = "machine X\nmemory 1 device 1000 16\nlaunch k 1 1 1 1 1 1\nafter 1 0 00000000\nobserved 0 0\nend 0\n"
        self.assertIn("  memory 1 has 16 bytes here, 8 there\n", self.two(one, one.replace("1000 16", "1000 8"), 3))
        more = one.replace("launch", "memory 2 device 2000 8\nlaunch")
        self.assertIn("  memory 2 has 8 bytes there, and is not here\n", self.two(one, more, 3))
        self.assertIn("  memory 2 has 8 bytes here, and is not there\n", self.two(more, one, 3))

    def test_a_kernel_that_failed_on_one_of_them(self):
        failed = three(end="error cudaDeviceSynchronize 700 cudaErrorIllegalAddress\nerror cudaFree 700 cudaErrorIllegalAddress\n" * 2 + "end 0")
        there = self.two(three(), failed, 1)
        self.assertIn("error: a kernel failed there, and none here: cudaDeviceSynchronize returned cudaErrorIllegalAddress\n", there)
        self.assertEqual(there.count("cudaDeviceSynchronize"), 1)  # no note beside the error
        self.assertIn("note: there, and not here, cudaFree returned cudaErrorIllegalAddress, 2 times\n", there)
        self.assertRegex(there, "differs: 3 of 3 launches compared .*: 3 the same")
        self.assertIn("error: a kernel failed here, and none there: ", self.two(failed, three(), 1))
        data = json.loads(self.tool("diff", "x.rec", "y.rec", "--json", "-", code=1).stdout)
        self.assertEqual((data["failed_here"], data["failed_there"]), ("cudaDeviceSynchronize returned cudaErrorIllegalAddress", None))
        self.assertIn("a kernel failed here", self.tool("diff", "x.rec", "y.rec", "--html", "-", code=1).stdout)
        self.assertNotIn("failed", self.two(failed, failed, 0))
        # Another call tells of the same failure: that is a matter of time.
        later = three(end="error cudaMemcpy 700 cudaErrorIllegalAddress\nend 0")
        text = self.two(failed, later, 0)
        self.assertIn("note: there, and not here, cudaMemcpy returned cudaErrorIllegalAddress\n", text)
        other = three(end="error cudaMemcpy 716 cudaErrorMisalignedAddress\nend 0")
        self.assertIn("error: a kernel failed on both, otherwise: here cudaDeviceSynchronize returned cudaErrorIllegalAddress, there "
                      "cudaMemcpy returned cudaErrorMisalignedAddress\n", self.two(failed, other, 1))

    def test_other_errors_are_notes(self):
        one, two = (three(end="error cudaMalloc 2 cudaErrorMemoryAllocation\n" * count + "end 0") for count in (1, 2))
        self.assertIn("note: here, and not there, cudaMalloc returned cudaErrorMemoryAllocation\n", self.two(one, three(), 0))
        self.assertIn("note: there cudaMalloc returned cudaErrorMemoryAllocation 2 times, here once\n", self.two(one, two, 0))
        self.assertNotIn("note", self.two(two, two, 0))

    def test_lines_and_status(self):
        self.assertIn("  printed here and not there: 4 1020\n  printed there and not here: 5\n", self.two(three(), three(printed="5"), 1))
        self.assertIn("  exit status 0 here, 3 there\n", self.two(three(), three(end="end 3"), 1))
        self.assertIn("exit status 0 here, 3 there", self.tool("diff", "x.rec", "y.rec", "--html", "-", code=1).stdout)
        # The last line says what it is that differs, where no launch does.
        for other, reason in ((three(printed="5"), "other lines were printed"), (three(end="end 3"), "the program ended otherwise"),
                              (three(end="error cudaFree 700 cudaErrorIllegalAddress\nend 0"), "a kernel failed"),
                              (three(kernel="_Z5otherv"), "another launch came"), (three()[:three().index("launch _Z7")], "another number of launches came")):
            self.assertRegex(self.two(three(), other, 1), f" 0 differ, 0 undecided, 0 with other input; {reason}\n$")

    def test_launches_that_one_of_them_observed_together(self):
        together = three().replace("observed 0 0\n", "").replace("observed 1 1\n", "").replace("observed 2 2", "observed 0 2")
        for pair in ((together, three()), (three(), together), (together, together)):
            self.assertRegex(self.two(*pair, 0), "agrees: 3 of 3 launches compared .*: 3 the same, 0 differ")
        other = twice(NUMBERS)
        other[7] = 15.0
        text = self.two(together, three(last=other), 1)
        self.assertIn("error: launches 1 to 3, compared together, the last of twice: the results differ", text)
        self.assertRegex(text, "differs: 3 of 3 launches compared .*: 0 the same, 3 differ")

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the address sanitizer ends who asks for more memory than there is")
    def test_more_memory_than_this_machine_has(self):
        self.record(f"machine x\nmemory 1 device 1000 {1 << 62}\nend 0\n", "x.rec")
        self.assertIn(f"x.rec: memory 1 has {1 << 62} bytes, for which this machine has no room",
                      self.tool("diff", "x.rec", "x.rec", code=69).stderr)

    def test_options_that_go_with_a_program(self):
        self.record(three(), "x.rec")
        said = "tilesim: error: --against goes with a program; two recordings are compared with each other: tilesim diff {}\n"
        self.assertEqual(self.tool("diff", "x.rec", "x.rec", "--against", "x.rec", code=64).stderr, said.format("x.rec x.rec"))
        self.assertEqual(self.tool("diff", "--against", "x.rec", "x.rec", code=64).stderr, said.format("x.rec OTHER.rec"))
        self.assertIn("--search-time goes with a program", self.tool("diff", "x.rec", "x.rec", "--search-time", "3", code=64).stderr)
        self.assertIn("two recordings are compared with each other, not 3", self.tool("diff", "x.rec", "x.rec", "x.rec", code=64).stderr)
        self.assertIn("x.rec is a recording; to compare a program with it write '--against x.rec'",
                      self.tool("diff", "a.cu", "x.rec", code=64).stderr)
        self.assertIn("x.rec is a recording; to compare", self.tool("diff", "a.py", "x.rec", code=64).stderr)
        self.assertIn("what stands behind '--' is for a program", self.tool("diff", "x.rec", "x.rec", "--", "1", code=64).stderr)
        self.assertIn("'x.rec' is read, too, and would be overwritten",
                      self.tool("diff", "x.rec", "x.rec", "--json", "x.rec", code=64).stderr)
        self.assertIn("agrees: 3 of 3", self.tool("diff", "--json", "d.json", "x.rec", "x.rec").stdout)

    def test_what_is_no_comparison(self):
        self.record(three(), "x.rec")
        self.assertIn("one recording alone: write 'tilesim diff FILE.cu --against x.rec'", self.tool("diff", "x.rec", code=64).stderr)
        self.assertIn("leave out --run", self.tool("diff", "x.rec", "x.rec", "--run", "2", code=64).stderr)

    def test_one_that_did_not_come_to_its_end(self):
        self.assertIn("the program of x.rec did not come to an end, that of y.rec did", self.two(three(end="killed"), three(), 1))
        self.assertIn("the program of y.rec did not come to an end, that of x.rec did", self.two(three(), three(end="killed"), 1))
        self.assertIn("note: neither program came to an end", self.two(three(end="killed"), three(end="killed"), 0))

    def test_one_that_is_none(self):
        self.record(three(), "x.rec")
        (self.kept / "y.rec").write_text("no")
        self.assertIn("y.rec: error: this is no recording", self.tool("diff", "x.rec", "y.rec", code=65).stderr)
        self.assertIn("z.rec", self.tool("diff", "x.rec", "z.rec", code=64).stderr)


class Here(Case):
    """Without a recording: the compiler is one of ours, whose programs leave what a GPU would have recorded."""

    def compiler(self, program):
        nvcc = self.kept / "nvcc"
        nvcc.write_text(f"""#!/bin/sh
case "$*" in
*--version*) echo 'release 13.4, V13.4.92'; exit ;;
*' -lib '*) for last; do :; done; : > "$last"; exit ;;
*broken.cu*) echo 'broken.cu(1): error: expected a declaration'; exit 2 ;;
esac
for last; do :; done
cat > "$last" <<'END'
#!/bin/sh
{program}
END
chmod +x "$last"
""")
        nvcc.chmod(0o755)
        return {"TILESIM_NVCC": str(nvcc), "TILESIM_CACHE": str(self.kept / "cache")}

    def run_with(self, program, *words, code=0, source=HERE / "programs/three.cu"):
        env = dict(os.environ, **self.compiler(program))
        result = subprocess.run([TOOL, "diff", source, *words], cwd=self.kept, text=True, capture_output=True, timeout=200,
                                env=env)
        self.assertEqual(result.returncode, code, result.stdout[-2000:] + result.stderr[-2000:])
        return result

    def test_builds_runs_and_compares(self):
        path = self.record(three())
        text = self.run_with(f'cp {path} "$TILESIM_RECORD"; echo 4 1020').stdout
        self.assertIn("agrees: 3 of 3 launches compared with this machine's device (NVIDIA H200)", text)

    def test_no_device(self):
        path = self.record("machine  \nend 0\n")
        self.assertIn("this machine has no CUDA device", self.run_with(f'cp {path} "$TILESIM_RECORD"', code=69).stderr)
        self.assertIn("this machine has no CUDA device", self.run_with("exit 1", code=69).stderr)
        # What stands behind -- is the program's, also where it was meant for diff.
        self.assertIn("give --against FILE.rec in front of '--', for what stands behind that is the program's\n",
                      self.run_with("exit 1", "--", "--against", "x.rec", code=69).stderr)

    def test_a_driver_that_is_too_old(self):
        path = self.record("machine  \nerror cudaMalloc 35 cudaErrorInsufficientDriver\nend 0\n")
        said = self.run_with(f'cp {path} "$TILESIM_RECORD"', code=69).stderr
        self.assertIn("this machine's driver 580 is too old for a program of CUDA 13.4; install a newer driver", said)

    def test_no_driver_at_all(self):  # the runtime returns the same error
        path = self.record("no driver\nmachine  \nerror cudaMalloc 35 cudaErrorInsufficientDriver\nend 0\n")
        self.assertIn("this machine has no CUDA device", self.run_with(f'cp {path} "$TILESIM_RECORD"', code=69).stderr)

    def test_a_program_that_crashes_on_the_device(self):
        path = self.record(three(end="killed"))
        text = self.run_with(f'cp {path} "$TILESIM_RECORD"; kill -ABRT $$', code=1).stdout
        self.assertIn("note: the recording is not complete: its program was killed", text)
        self.assertIn("the recorded program did not come to an end", text)

    def test_a_program_that_hangs_on_the_device(self):
        said = self.run_with("sleep 100", "--gpu-timeout", "1", code=69).stderr
        self.assertIn("on the device the program has not ended after 1 s; give it more with --gpu-timeout", said)

    def test_what_does_not_compile_there(self):
        source = self.kept / "broken.cu"
        source.write_text("int main() {}\n")
        self.assertIn("expected a declaration", self.run_with("", code=65, source=source).stderr)


class Usage(Case):
    def test_help(self):
        self.assertIn("examples:", self.tool("diff", "--help").stdout)

    def test_no_device_program_and_no_source(self):
        path = self.record(three())
        self.assertIn("no source file", self.tool("diff", "--against", path, code=64).stderr)

    def test_output_that_cannot_be_written(self):
        path = self.record(three())
        self.tool("diff", HERE / "programs/three.cu", "--against", path, "--json", "/nonexistent/x.json", code=69)

    def test_a_run_that_there_is_not(self):
        path = self.record(three())
        said = self.tool("diff", HERE / "programs/three.cu", "--against", path, "--run", "2", code=64).stderr
        self.assertIn("x.rec holds 1 run, and none has the number 2\n", said)


if __name__ == "__main__":
    unittest.main()
