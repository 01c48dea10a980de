#!/usr/bin/env python3
"""`tilesim dap` from outside: whole sessions by a client that knows the protocol's rules.

  TILESIM_TOOL=build/dev/bin/tilesim dap_test.py [Class]

One file in spite of its length: one protocol's sessions over one client; ctest runs each class by itself.
"""
# SPDX-License-Identifier: Apache-2.0
import base64
import os
import pathlib
import shutil
import signal
import struct
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
from client import Client, Refused  # noqa: E402
TOOL = os.environ.get("TILESIM_TOOL", "")
PROGRAM = HERE / "scale.cu"


def line_of(text):
    """The number of the first line of scale.cu that contains it."""
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1):
        if text in line:
            return number
    raise AssertionError(text)


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim dap "))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)
        env = dict(os.environ)
        env.pop("TILESIM_OPTIONS", None)
        env["TMPDIR"] = str(self.kept)
        self.client = Client(TOOL, self.kept, env)
        self.addCleanup(self.client.close)

    def refused(self, command, *said, **arguments):
        with self.assertRaises(Refused) as caught:
            self.client.ask(command, arguments)
        for text in said:
            self.assertIn(text, str(caught.exception))

    def launch(self, *args, lines=(), values=(), program=PROGRAM, filters=("findings",), **more):
        """Initialises, launches, sets breakpoints at lines. Returns the breakpoints."""
        c = self.client
        c.ask("initialize", adapterID="tilesim", linesStartAt1=True, columnsStartAt1=True,
              pathFormat="path", supportsVariablePaging=True)
        c.ask("launch", program=str(program), args=list(args), **more)
        c.wait_for("process")
        c.wait_for("initialized")
        reply = c.ask("setBreakpoints", source={"path": str(program)},
                      breakpoints=[one if isinstance(one, dict) else {"line": one} for one in lines])
        c.ask("setExceptionBreakpoints", filters=list(filters))
        return reply["breakpoints"]

    def start(self, *args, **more):
        """launch, configurationDone, and the first stop."""
        self.breakpoints = self.launch(*args, **more)
        self.client.ask("configurationDone")
        return self.stopped()

    def stopped(self):
        stop = self.client.wait_for("stopped")
        self.thread = stop["threadId"]
        return stop

    def move(self, command, **more):
        self.client.ask(command, threadId=self.thread, **more)
        return self.stopped()

    def top(self):
        """The innermost frame of the thread that stands."""
        return self.client.ask("stackTrace", threadId=self.thread)["stackFrames"][0]

    def scopes(self):
        found = self.client.ask("scopes", frameId=self.top()["id"])["scopes"]
        return {s["name"]: s["variablesReference"] for s in found}

    def children(self, reference, **more):
        return self.client.ask("variables", variablesReference=reference, **more)["variables"]

    def child(self, reference, name, **more):
        for v in self.children(reference, **more):
            if v["name"] == name:
                return v
        raise AssertionError(f"no {name}")

    def local(self, name):
        return self.child(self.scopes()["Locals"], name)

    def value(self, expression, **more):
        return self.client.ask("evaluate", expression=expression, context="watch", **more)["result"]

    def position(self):
        return int(self.value("$position"))

    def typed(self, line):
        return self.client.ask("evaluate", expression=line, context="repl")["result"]


class Sessions(Case):
    """From launch to the end."""

    def test_to_the_end(self):
        self.launch("three")
        self.client.ask("configurationDone")
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 3})
        self.client.wait_for("terminated")
        self.assertEqual(self.client.output("stdout"), "scaled: 3 … 45\n")
        self.refused("threads", "the program has ended")
        self.client.ask("disconnect")
        self.assertEqual(self.client.close(), 0)
        self.assertEqual(os.listdir(self.kept), [])

    def test_a_whole_session(self):
        line = line_of("auto scaled")
        stop = self.start(lines=[line])
        [breakpoint] = self.breakpoints
        self.assertTrue(breakpoint["verified"])
        self.assertEqual(breakpoint["line"], line)
        self.assertEqual(stop["reason"], "breakpoint")
        self.assertEqual(stop["hitBreakpointIds"], [breakpoint["id"]])
        self.assertTrue(stop["allThreadsStopped"])
        self.assertEqual(self.client.output("stdout"), "")

        threads = self.client.ask("threads")["threads"]
        self.assertIn({"id": self.thread, "name": "tile block (0,0,0) of scale"}, threads)
        frame = self.top()
        self.assertEqual(frame["line"], line)
        self.assertEqual(frame["source"], {"name": "scale.cu", "path": str(PROGRAM)})
        self.assertIn("scale", frame["name"])

        before = self.position()
        self.assertEqual(self.local("mine")["value"], "i32[8] 0 1 2 3 4 5 6 7")
        self.assertEqual(self.move("stepIn")["reason"], "step")
        self.assertEqual(self.position(), before + 1)
        self.assertEqual(self.move("next")["reason"], "step")
        self.assertGreater(self.top()["line"], line)
        self.assertEqual(self.local("scaled")["value"], "i32[8] 0 3 6 9 12 15 18 21")

        # Back, exactly: the last step, whichever it was, and then by lines or operations.
        after = self.position()
        self.move("stepBack", granularity="instruction")
        self.assertEqual(self.position(), after - 1)
        self.move("next")
        self.assertEqual(self.position(), after)
        self.move("stepBack")
        self.assertEqual(self.position(), after - 1)
        self.move("stepOut")
        self.move("stepBack", granularity="line")
        self.assertEqual(self.position(), after - 1)
        stop = self.move("reverseContinue")
        self.assertEqual(stop["reason"], "breakpoint")
        self.assertEqual((self.position(), self.top()["line"]), (before, line))

        # The second block comes there, too.
        stop = self.move("continue")
        self.assertEqual(stop["reason"], "breakpoint")
        self.assertEqual(self.value("$block"), "1")
        self.client.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=[])
        self.client.ask("continue", threadId=self.thread)
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 0})
        self.client.wait_for("terminated")

    def test_stop_on_entry(self):
        stop = self.start(stopOnEntry=True)
        self.assertEqual(stop["reason"], "entry")
        self.assertEqual(self.position(), 0)
        self.assertEqual(self.top()["line"], line_of("ct::bid().x"))

    def test_step_out_ends_the_block(self):
        self.start(stopOnEntry=True)
        stop = self.move("stepOut")
        self.assertEqual(stop["reason"], "step")
        self.assertIn("has ended", stop["description"])
        self.assertEqual(self.value("$block"), "1")

    def test_the_end_can_be_gone_back_from(self):
        stop = self.start("three", stopAtEnd=True)
        self.assertEqual(stop["reason"], "end")
        self.assertIn("status 3", stop["description"])
        self.assertEqual(self.client.ask("threads")["threads"],
                         [{"id": self.thread, "name": "the host program"}])
        self.assertEqual(self.client.ask("stackTrace", threadId=self.thread)["stackFrames"], [])
        self.refused("next", "has ended", threadId=self.thread)
        self.assertEqual(self.move("stepBack")["reason"], "step")
        self.assertEqual(self.top()["line"], line_of("ct::store(out + where"))
        self.move("continue")
        self.client.ask("continue", threadId=self.thread)
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 3})

    def test_going_on_from_a_checkpoint_inside_of_a_kernel(self):
        """Long enough for checkpoints: going back ends in one, and its process ends as the first."""
        line = line_of("ct::store(p + 1, times)")
        self.start("busy", lines=[line])
        before = self.position()
        self.assertGreater(before, 200000)
        self.move("stepBack", granularity="instruction")
        self.assertEqual(self.position(), before - 1)
        self.assertEqual(self.value("p[0]"), "99999")
        self.move("continue")
        self.assertEqual((self.position(), self.top()["line"]), (before, line))
        self.client.ask("continue", threadId=self.thread)
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 0})

    def test_terminate(self):
        self.start(stopOnEntry=True)
        self.client.ask("terminate")
        self.client.wait_for("terminated")
        self.client.ask("disconnect")
        self.assertEqual(self.client.close(), 0)

    def test_back_to_where_blocks_began_to_wait(self):
        c = self.client
        c.ask("initialize", adapterID="tilesim")
        c.ask("launch", program=str(HERE.parents[1] / "waiting" / "polls.cu"), args=["reference_cas", "3"])
        c.wait_for("process")
        c.wait_for("initialized")
        c.ask("setExceptionBreakpoints", filters=["findings"])
        c.ask("configurationDone")
        self.assertIn("[deadlock]", self.stopped()["text"])
        end = self.position()
        for block in ("2", "1", "0"):
            stop = self.move("reverseContinue")
            self.assertEqual((stop["reason"], stop["description"]), ("goto", "this block begins to wait here"))
            self.assertEqual(self.value("$block"), block)
            self.assertEqual(self.value("$operations"), "0")
            self.assertLess(self.position(), end)
            end = self.position()
        self.refused("reverseContinue", "nothing has happened yet", threadId=self.thread)

    def test_no_debug(self):
        self.launch("race", lines=[line_of("auto mine")], noDebug=True)
        self.client.ask("configurationDone")
        self.client.wait_for("exited")

    def test_lines_from_zero(self):
        c = self.client
        line = line_of("auto mine")
        c.ask("initialize", adapterID="tilesim", linesStartAt1=False, columnsStartAt1=False)
        c.ask("launch", program=str(PROGRAM))
        c.wait_for("process")
        c.wait_for("initialized")
        c.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=[{"line": line - 1}])
        c.ask("configurationDone")
        self.stopped()
        self.assertEqual(self.top()["line"], line - 1)

    def test_leaving_without_a_word(self):
        self.start(stopOnEntry=True)
        self.assertEqual(self.client.close(), 0)
        self.assertEqual(os.listdir(self.kept), [])

    def test_a_signal(self):
        self.start(stopOnEntry=True)
        self.client.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.client.process.wait(timeout=30), 0)
        self.assertEqual(os.listdir(self.kept), [])


class Breakpoints(Case):
    def test_conditions(self):
        self.start(lines=[{"line": line_of("auto mine"), "condition": "block == 1"}])
        self.assertEqual(self.value("block"), "1")

    def test_what_cannot_be_set(self):
        found = self.launch(lines=[{"line": 100000},
                                   {"line": 20, "condition": "1 +"},
                                   {"line": 20, "hitCondition": "3"},
                                   {"line": 20, "logMessage": "here"}])
        self.assertEqual([b["verified"] for b in found], [False] * 4)
        for b, said in zip(found, ("lines", "", "hit condition", "log points")):
            self.assertIn(said, b["message"])
        self.assertFalse(any("id" in b for b in found))

    def test_a_variable(self):
        """It is the one of the block that stands there; going back finds its changes, too."""
        self.start("busy", lines=[line_of("ct::store(p, (int)ct::load(p) + 1)")])
        self.client.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=[])
        info = self.client.ask("dataBreakpointInfo", name="i", frameId=self.top()["id"])
        [found] = self.client.ask("setDataBreakpoints",
                                  breakpoints=[{"dataId": info["dataId"]}])["breakpoints"]
        self.assertTrue(found["verified"])
        for wanted in ("1", "2"):
            self.assertEqual(self.move("continue")["reason"], "data breakpoint")
            self.assertEqual(self.value("i"), wanted)
        self.assertEqual(self.move("reverseContinue")["reason"], "data breakpoint")
        self.assertEqual(self.value("i"), "1")
        self.move("reverseContinue")
        self.assertEqual(self.value("i"), "0")

    def test_a_line_without_operations(self):
        [found, after] = self.launch(lines=[{"line": 1}, {"line": line_of("auto mine")}])
        first = line_of("int block = (int)ct::bid().x")
        self.assertEqual(found["message"], f"line 1 performs no operation: it stops at line {first}, the next that does")
        self.assertEqual((found["verified"], found["line"]), (True, first))
        self.assertEqual((after["verified"], after["line"]), (True, line_of("auto mine")))
        self.assertNotIn("message", after)
        self.client.ask("configurationDone")
        self.assertEqual(self.stopped()["hitBreakpointIds"], [found["id"]])
        self.assertEqual(self.top()["line"], first)

    def test_a_line_behind_the_last_operation(self):
        [found] = self.launch(lines=[line_of("return is(")])
        self.assertFalse(found["verified"])
        self.assertIn("nor does one behind it: nothing stops there", found["message"])

    def test_unknown_kernels(self):
        self.launch()
        found = self.client.ask("setFunctionBreakpoints",
                                breakpoints=[{"name": "nosuch"}, {"name": "main"}])["breakpoints"]
        self.assertEqual([b["verified"] for b in found], [False, False])
        self.assertIn("no kernel is called nosuch; there ", found[0]["message"])
        self.assertIn("main is a function and no kernel", found[1]["message"])

    def test_replaced(self):
        """A second setBreakpoints of a file replaces the first."""
        self.launch(lines=[line_of("auto mine")])
        later = line_of("auto table")
        self.client.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=[{"line": later}])
        self.client.ask("configurationDone")
        self.stopped()
        self.assertEqual(self.top()["line"], later)

    def test_kernels(self):
        self.launch("race")
        [found] = self.client.ask("setFunctionBreakpoints", breakpoints=[{"name": "clash"}])["breakpoints"]
        self.assertTrue(found["verified"])
        self.client.ask("configurationDone")
        stop = self.stopped()
        self.assertEqual(stop["reason"], "function breakpoint")
        self.assertEqual(stop["hitBreakpointIds"], [found["id"]])
        self.assertTrue(self.top()["name"].startswith("clash"))

    def test_values(self):
        """A data breakpoint stops behind the write, the last operation's, too; going back stops before it."""
        self.start(stopOnEntry=True)
        info = self.client.ask("dataBreakpointInfo", name="out[9]", frameId=self.top()["id"])
        self.assertEqual(info["dataId"], "out[9]")
        self.assertEqual(info["accessTypes"], ["write"])
        [found] = self.client.ask("setDataBreakpoints", breakpoints=[
            {"dataId": info["dataId"], "accessType": "write"}])["breakpoints"]
        self.assertTrue(found["verified"])
        stop = self.move("continue")
        self.assertEqual(stop["reason"], "data breakpoint")
        self.assertEqual(stop["hitBreakpointIds"], [found["id"]])
        self.assertIn("is:  27", self.client.output("console")) # it has been freed since
        self.move("reverseContinue")
        self.assertNotEqual(self.value("out[9]"), "27")
        self.assertEqual(self.top()["line"], line_of("ct::store(out + where"))

    def test_values_of_the_tree(self):
        self.start(stopOnEntry=True)
        buffers = self.scopes()["Buffers"]
        out = self.child(buffers, "out")
        info = self.client.ask("dataBreakpointInfo", name="[3]",
                               variablesReference=out["variablesReference"])
        self.assertEqual(info["dataId"], "out[3]")
        info = self.client.ask("dataBreakpointInfo", name="nowhere[3]")
        self.assertIsNone(info["dataId"])
        self.assertIn("nowhere", info["description"])

    def test_values_cannot_be_watched_for_reads(self):
        self.start(stopOnEntry=True)
        found = self.client.ask("setDataBreakpoints", breakpoints=[
            {"dataId": "out[0]", "accessType": "read"},
            {"dataId": "out[0]", "condition": "1"}])["breakpoints"]
        self.assertEqual([b["verified"] for b in found], [False, False])

    def test_while_the_program_runs(self):
        """Breakpoints are set while it runs, without the client's noticing a stop."""
        self.launch("forever")
        self.client.ask("setExceptionBreakpoints", filters=[])
        self.client.ask("configurationDone")
        self.client.wait_for_output("stdout", "scaled")  # what follows is the kernel that goes on
        line = line_of("ct::load(p) + 2")
        self.client.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=[{"line": line}])
        self.assertEqual(self.stopped()["reason"], "breakpoint")
        self.assertEqual(self.top()["line"], line)


class Findings(Case):
    def test_a_race(self):
        stop = self.start("race")
        self.assertEqual(stop["reason"], "exception")
        self.assertIn("[data-race]", stop["text"])
        info = self.client.ask("exceptionInfo", threadId=self.thread)
        self.assertEqual(info["exceptionId"], "data-race")
        self.assertEqual(info["breakMode"], "always")
        self.assertIn(f"scale.cu:{line_of('ct::store(p, (int)ct::bid')}", info["details"]["stackTrace"])
        self.assertIn("data-race", self.client.output("console"))
        # It was the last operation of a block of which nothing stands any more: still its line is shown.
        line = line_of("ct::store(p, (int)ct::bid")
        self.assertEqual(self.client.ask("threads")["threads"],
                         [{"id": self.thread, "name": "tile block (1,0,0) of clash, launch 2 (has ended)"}])
        self.assertEqual((self.top()["name"], self.top()["line"]), ("clash", line))
        self.assertIn("Block", self.scopes())
        self.refused("evaluate", "has ended", expression="p", context="watch", frameId=self.top()["id"])
        block = self.thread
        self.move("stepBack")
        self.assertEqual((self.thread, self.top()["line"]), (block, line))
        self.assertEqual(self.value("p[0]"), "0")

    def test_switched_off(self):
        self.launch("race")
        self.client.ask("setExceptionBreakpoints", filters=[])
        self.client.ask("configurationDone")
        self.client.wait_for("exited")

    def test_a_filter_that_is_none(self):
        self.launch()
        self.refused("setExceptionBreakpoints", "\"nothing\"", "findings", filters=["nothing"])

    def test_what_tilesim_ends(self):
        stop = self.start("outside")
        self.assertEqual(stop["reason"], "exception")
        self.assertIn("[out-of-bounds]", stop["text"])
        self.assertEqual(self.move("stepBack")["reason"], "step")
        self.assertEqual(self.top()["line"], line_of("ct::store(p + 16, 1)"))
        self.refused("exceptionInfo", "no finding", threadId=self.thread)
        self.move("continue")
        self.client.ask("continue", threadId=self.thread)
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 101})

    def test_a_crash(self):
        stop = self.start("abort")
        self.assertEqual(stop["reason"], "exception")
        self.assertRegex(stop["text"], r"signal 6 \(Aborted\), in host code at .*scale.cu:\d+$")
        self.assertEqual(self.top()["line"], line_of("std::abort()"))
        self.move("stepBack")
        self.assertEqual(self.top()["line"], line_of("ct::store(out + where"))

    def test_replay(self):
        """A schedule leads to the finding, and stands before the operation."""
        self.start("race")
        saved = self.kept / "schedule"
        self.typed(f"save {saved}")
        self.client.ask("disconnect")
        self.client.close()
        self.client = Client(TOOL, self.kept, dict(os.environ))
        self.addCleanup(self.client.close)
        stop = self.start("race", replay=saved.read_text().strip().rsplit("-", 1)[0])
        self.assertEqual(stop["reason"], "exception")
        self.assertIn("[data-race]", stop["text"])
        self.assertEqual(self.top()["line"], line_of("ct::store(p, (int)ct::bid"))


class Values(Case):
    def setUp(self):
        super().setUp()
        self.start(lines=[line_of("ct::store(out + where")])

    def test_locals(self):
        """Tiles by rows, numbers of half, pointers as an element of their buffer."""
        values = {v["name"]: v for v in self.children(self.scopes()["Locals"])}
        self.assertEqual(values["factor"]["value"], "3")
        self.assertEqual(values["factor"]["variablesReference"], 0)
        self.assertEqual(values["block"]["type"], "int")
        self.assertEqual(values["small"]["value"], "f16[8] 0 0.5 1 1.5 2 2.5 3 3.5")
        self.assertEqual(values["in"]["value"], "&in[0]")
        [pointed] = self.children(values["in"]["variablesReference"])
        self.assertEqual((pointed["name"], pointed["value"]), ("*in", "0"))

        table = values["table"]
        self.assertEqual(table["indexedVariables"], 2)
        rows = self.children(table["variablesReference"])
        self.assertEqual([r["name"] for r in rows], ["[0]", "[1]"])
        self.assertEqual(rows[1]["value"], "i32[4] 12 15 18 21")
        cells = self.children(rows[1]["variablesReference"])
        self.assertEqual([c["value"] for c in cells], ["12", "15", "18", "21"])
        self.assertEqual(cells[2]["evaluateName"], "table[1][2]")
        self.assertEqual(self.value("table[1][2]"), "18")

    def test_pages(self):
        large = self.child(self.scopes()["Buffers"], "large")
        self.assertEqual(large["indexedVariables"], 100000)
        page = self.children(large["variablesReference"], filter="indexed", start=99998, count=10)
        self.assertEqual([v["name"] for v in page], ["[99998]", "[99999]"])
        self.assertEqual(self.children(large["variablesReference"], filter="named"), [])
        # Without a page: ranges, and ranges of ranges.
        ranges = self.children(large["variablesReference"])
        self.assertEqual((ranges[0]["name"], ranges[-1]["name"]), ("[0:65536]", "[65536:100000]"))
        inner = self.children(ranges[1]["variablesReference"])
        self.assertEqual(inner[0]["name"], "[65536:65792]")
        cells = self.children(inner[-1]["variablesReference"])
        self.assertEqual(cells[-1]["name"], "[99999]")

    def test_buffers(self):
        values = {v["name"]: v for v in self.children(self.scopes()["Buffers"])}
        self.assertRegex(values["in"]["type"], r"^\S+\[16\], device memory, allocated at \S+scale.cu:\d+$")
        self.assertEqual(values["out"]["value"], "i32[16] ? ? ? ? ? ? ? ? …")  # nothing has written there

    def test_elements_that_nothing_has_written(self):
        """Each for itself: block 0 has written the first half of out, block 1 nothing yet."""
        while self.top()["line"] == line_of("ct::store(out + where"):
            self.move("next")
        out = self.child(self.scopes()["Buffers"], "out")
        half = self.children(out["variablesReference"], filter="indexed", start=4, count=8)
        self.assertEqual([v["value"] for v in half],
                         ["12", "15", "18", "21"] + ["<never written>"] * 4)
        self.assertEqual(half[3]["evaluateName"], "out[7]")

    def test_last_operation(self):
        self.assertNotIn("Last operation", self.scopes())
        line = self.top()["line"]
        while self.top()["line"] == line:
            self.move("stepIn")
            last = {v["name"]: v for v in self.children(self.scopes()["Last operation"])}
            if "writes" in last:
                break
        places = self.children(last["writes"]["variablesReference"])
        self.assertEqual(places[5]["name"], "out[5]")
        operand = self.children(last["values"]["variablesReference"])
        self.assertEqual([v["value"] for v in operand], ["0", "3", "6", "9", "12", "15", "18", "21"])

    def test_the_block(self):
        values = {v["name"]: v["value"] for v in self.children(self.scopes()["Block"])}
        self.assertEqual((values["block"], values["kernel"]), ("(0,0,0)", "scale"))
        self.assertEqual(values["position"], str(self.position()))

    def test_expressions(self):
        e = self.client.ask("evaluate", expression="mine + 1", context="hover",
                            frameId=self.top()["id"])
        self.assertEqual(e["result"], "i32[8] 1 2 3 4 5 6 7 8")
        cells = self.children(e["variablesReference"])
        self.assertEqual([c["value"] for c in cells], [str(i) for i in range(1, 9)])
        self.refused("evaluate", "nobody", expression="nobody", context="watch")
        self.refused("evaluate", "arguments", expression="mine", frameId="a")

    def test_memory(self):
        address = self.child(self.scopes()["Buffers"], "in")["memoryReference"]
        reply = self.client.ask("readMemory", memoryReference=address, offset=8, count=12)
        self.assertEqual(int(reply["address"], 16), int(address, 16) + 8)
        self.assertEqual(struct.unpack("<3i", base64.b64decode(reply["data"])), (2, 3, 4))
        reply = self.client.ask("readMemory", memoryReference=address, offset=60, count=10)
        self.assertEqual(reply["unreadableBytes"], 6)
        self.assertEqual(len(base64.b64decode(reply["data"])), 4)
        reply = self.client.ask("readMemory", memoryReference="0x10", count=4)
        self.assertEqual(reply["unreadableBytes"], 4)
        self.refused("readMemory", "memoryReference", memoryReference="in", count=4)

    def test_references_end_with_the_next_move(self):
        scope = self.scopes()["Locals"]
        frame = self.top()["id"]
        self.move("stepIn")
        self.refused("variables", "moved on", variablesReference=scope)
        self.refused("scopes", "moved on", frameId=frame)

    def test_frames_in_parts(self):
        every = self.client.ask("stackTrace", threadId=self.thread)
        part = self.client.ask("stackTrace", threadId=self.thread, startFrame=0, levels=1)
        self.assertEqual(part["totalFrames"], every["totalFrames"])
        self.assertEqual([f["name"] for f in part["stackFrames"]], [every["stackFrames"][0]["name"]])
        part = self.client.ask("stackTrace", threadId=self.thread, startFrame=every["totalFrames"], levels=1)
        self.assertEqual(part["stackFrames"], [])


class Console(Case):
    """The commands of `tilesim step` in the editor's console."""

    def setUp(self):
        super().setUp()
        self.start(lines=[line_of("auto scaled")])

    def test_an_expression_first(self):
        self.assertEqual(self.typed("mine"), "i32[8] 0 1 2 3 4 5 6 7")
        self.assertIn("bytes of device memory", self.typed("info buffers"))
        self.assertIn(f"scale.cu:{line_of('auto scaled')}", self.typed("info breakpoints"))
        with self.assertRaises(Refused):
            self.typed("nothing_of_this_kind")

    def test_commands_that_move(self):
        before = self.position()
        self.typed("step 2")
        self.client.wait_for("continued")
        self.stopped()
        self.assertEqual(self.position(), before + 2)

    def test_break_and_delete(self):
        self.typed("delete")
        self.typed("break clash")
        self.assertIn("break clash", self.typed("info breakpoints"))
        self.client.ask("continue", threadId=self.thread)
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 0})

    def test_quit(self):
        self.typed("quit")
        self.client.wait_for("exited")

    def test_completions(self):
        reply = self.client.ask("completions", text="info bu", column=8)
        self.assertEqual(reply["targets"], [{"label": "buffers", "start": 6, "length": 2}])
        reply = self.client.ask("completions", text="sca", column=4)
        self.assertIn("scaled", [t["label"] for t in reply["targets"]])


class Blocks(Case):
    """The protocol's threads."""

    def test_going_on_with_another_block(self):
        self.start(stopOnEntry=True)
        first = self.thread
        self.typed("block 1")
        self.client.wait_for("continued")
        self.stopped()
        second = self.thread
        self.assertNotEqual(first, second)
        self.assertEqual({t["id"] for t in self.client.ask("threads")["threads"]}, {first, second})
        # The frames of the one that waits are shown, its values are not.
        frame = self.client.ask("stackTrace", threadId=first)["stackFrames"][0]
        self.assertEqual(frame["line"], line_of("ct::bid().x"))
        self.assertEqual([s["name"] for s in self.client.ask("scopes", frameId=frame["id"])["scopes"]],
                         ["Buffers", "Block"])
        self.refused("evaluate", "stands here", expression="block", frameId=frame["id"])
        # A step of the first one goes there.
        self.thread = first
        self.move("stepIn")
        self.assertEqual(self.thread, first)
        self.assertEqual(self.value("$block"), "0")
        self.refused("stepBack", "stands here", threadId=second)
        # One that has ended cannot go on.
        self.move("stepOut")
        self.assertEqual(self.thread, second)
        self.refused("next", "has ended", threadId=first)
        self.refused("next", "no block", threadId=99)
        self.refused("stackTrace", "alive", threadId=first)


class Threads(Case):
    """Threads of a block."""

    def setUp(self):
        super().setUp()
        program = HERE.parent / "step" / "block.cu"
        c = self.client
        c.ask("initialize", adapterID="tilesim", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
        c.ask("launch", program=str(program))
        c.wait_for("process")
        c.wait_for("initialized")
        c.ask("setBreakpoints", source={"path": str(program)}, breakpoints=[{"line": 13, "condition": "t == 5"}])
        c.ask("configurationDone")
        self.stopped()

    def test_those_at_one_place_are_one(self):
        names = [t["name"] for t in self.client.ask("threads")["threads"]]
        self.assertEqual(set(names), {"threads 0..4 of block (0,0,0) of sum (waits)", "thread (5,0,0) of block (0,0,0) of sum"})
        waiting, = [t["id"] for t in self.client.ask("threads")["threads"] if t["id"] != self.thread]
        self.assertEqual(self.client.ask("stackTrace", threadId=waiting)["stackFrames"][0]["line"], 13)
        self.refused("next", "waits for others of its block", threadId=waiting)

    def test_a_warp_or_a_block_goes_on_by_a_line(self):
        # The protocol steps one thread; the console those of its warp, or of its block. Who has met others stands lines
        # further when its turn comes: that is its step.
        program = str(HERE.parent / "step" / "block.cu")
        for command in ("next warp", "next block"):
            with self.subTest(command=command):
                self.client.ask("setBreakpoints", source={"path": program}, breakpoints=[{"line": 16}])
                if command == "next warp":
                    self.move("continue")
                else:
                    self.move("reverseContinue")
                self.client.ask("setBreakpoints", source={"path": program}, breakpoints=[])
                self.assertEqual(self.value("$thread"), "0")
                self.typed(command)
                self.client.wait_for("continued")
                self.assertEqual(self.stopped()["reason"], "step")
                self.assertEqual(self.value("$thread"), "0")
                names = {t["name"]: self.client.ask("stackTrace", threadId=t["id"])["stackFrames"][0]["line"]
                         for t in self.client.ask("threads")["threads"]}
                self.assertEqual(names, {"thread (0,0,0) of block (0,0,0) of sum": 18, "threads 1..3 of block (0,0,0) of sum": 16,
                                         "threads 4..6 of block (0,0,0) of sum": 18,
                                         "thread (7,0,0) of block (0,0,0) of sum (waits)": 18})

    def test_thread_in_the_console(self):
        self.client.ask("setBreakpoints", source={"path": str(HERE.parent / "step" / "block.cu")}, breakpoints=[{"line": 16}])
        self.move("continue")
        self.assertEqual(self.value("$thread"), "0")
        self.typed("thread (2,0,0)")
        self.client.wait_for("continued")
        self.stopped()
        self.assertEqual((self.value("$thread"), self.value("t")), ("2", "2"))


class Running(Case):
    def run_forever(self):
        self.launch("forever")
        self.client.ask("setExceptionBreakpoints", filters=[])
        self.client.ask("configurationDone")
        self.client.wait_for_output("stdout", "scaled")  # what follows is the kernel that goes on

    def test_pause(self):
        self.run_forever()
        self.client.ask("threads")
        self.client.ask("pause", threadId=1)
        self.assertEqual(self.stopped()["reason"], "pause")
        self.assertEqual(self.top()["line"], line_of("ct::load(p) + 2"))
        self.refused("pause", "stands", threadId=self.thread)
        self.move("stepIn")

    def test_pause_in_a_loop_without_operations(self):
        self.launch("stuck")
        self.client.ask("configurationDone")
        self.client.wait_for_output("stdout", "scaled")
        time.sleep(0.5)
        self.client.ask("pause", threadId=1)
        self.assertEqual(self.stopped()["reason"], "pause")
        names = [t["name"] for t in self.client.ask("threads")["threads"]]
        self.assertTrue(any("of stuck" in name for name in names), names)
        self.assertEqual(self.top()["name"], "stuck")
        self.assertEqual(self.top()["line"], line_of("while (zero == 0)"))

    def test_pause_while_the_host_runs(self):
        """It stops there, and goes on from there."""
        self.launch("host")
        self.client.ask("configurationDone")
        self.client.wait_for_output("stdout", "scaled")
        self.client.ask("pause", threadId=1)
        self.assertEqual(self.stopped()["reason"], "pause")
        self.assertEqual(self.top()["name"], "main")
        self.assertEqual(self.top()["line"], line_of("i < 2000000000"))
        self.move("stepIn")
        self.assertTrue(self.top()["name"].startswith("clash"))

    def test_leaving(self):
        self.run_forever()
        begun = time.monotonic()
        self.client.ask("terminate")
        self.client.wait_for("terminated")
        self.client.ask("disconnect")
        self.assertEqual(self.client.close(), 0)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual(os.listdir(self.kept), [])

    def test_the_client_is_gone(self):
        self.run_forever()
        self.assertEqual(self.client.close(), 0)
        self.assertEqual(os.listdir(self.kept), [])


class Reads(Case):
    """What strong reads take, as targets to step into (`stepInTargets`)."""

    CHOICES = HERE.parent / "step" / "choices.cu"

    def start_choosing(self, what="message", model="ptx", filters=("findings", "choices"), **more):
        if model:
            more["model"] = model
        return self.start(what, program=self.CHOICES, filters=filters, **more)

    seen = 0

    def shown(self):
        """What the console has shown since this was asked last."""
        text = self.client.output("console")
        new, self.seen = text[self.seen:], len(text)
        return new

    def targets(self):
        return self.client.ask("stepInTargets", frameId=self.top()["id"])["targets"]

    def test_the_menu(self):
        stop = self.start_choosing()
        self.assertEqual(stop["reason"], "breakpoint")
        self.assertEqual(stop["description"], "the read that comes may take several writes")
        self.assertNotIn("hitBreakpointIds", stop)
        self.assertEqual([t["label"].split(",")[0] for t in self.targets()], ["flags[1] = 1", "flags[1] = 0"])
        self.move("continue")
        labels = [t["label"] for t in self.targets()]
        self.assertEqual(len(labels), 3)
        self.assertRegex(labels[0], r"^flags\[0\] = 42, #\d+ relaxed store of device scope by tile block \(0,0,0\) of pass "
                         r"\(.*choices.cu:\d+\); the newest$")
        self.assertRegex(labels[1], r"^flags\[0\] = 41, .*; stale: passes over 42$")
        self.assertEqual(labels[2], "flags[0] = 0, there before any strong write; stale: passes over 42 and 41")

    def test_one_is_taken_and_another_one_after_stepping_back(self):
        self.start_choosing()
        self.move("continue")
        before = self.position()
        for label, value in (("= 41,", "41"), ("= 0,", "0"), ("= 42,", "42")):
            with self.subTest(label):
                [target] = [t for t in self.targets() if label in t["label"]]
                self.shown()
                self.move("stepIn", targetId=target["id"])
                self.assertEqual(self.position(), before + 1)
                self.assertRegex(self.shown(), rf"result: +{value}\n")
                self.move("stepBack")
                self.assertEqual(self.position(), before)
        [old] = [t for t in self.targets() if "= 41," in t["label"]]
        self.move("stepIn", targetId=old["id"])
        self.client.ask("setExceptionBreakpoints", filters=[])
        self.client.ask("continue", threadId=self.thread)
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 1})
        self.assertEqual(self.client.output("stdout"), "seen 1 41 42, 0 0\n")

    def test_a_plain_step_takes_the_newest(self):
        self.start_choosing()
        self.move("continue")
        self.shown()
        self.move("stepIn")
        self.assertRegex(self.shown(), r"result: +42\n")

    def test_elements_of_a_tile(self):
        self.start_choosing("tile")
        labels = [t["label"] for t in self.targets()]
        self.assertEqual([label.split(",")[0] for label in labels],
                         ["cells[1] = 1.5", "cells[1] = 0", "cells[3] = 3.5", "cells[3] = 2.5", "cells[3] = 0"])
        self.typed("choose 1:1 3:2")
        self.shown()
        self.move("stepIn")
        self.assertIn("f32[4] 0 0 0 0", self.shown())

    def test_targets_of_another_stop_are_refused(self):
        self.start_choosing()
        [_, stale] = self.targets()
        self.move("continue")
        self.refused("stepIn", "the target is of another stop", threadId=self.thread, targetId=stale["id"])
        self.targets()
        self.refused("stepIn", "the target is of another stop", threadId=self.thread, targetId=9)

    def test_targets_are_the_standing_blocks(self):
        self.start_choosing("tile")
        [_, stale, *_] = self.targets()
        self.refused("stepIn", "the targets are writes that", "may read, which stands here", threadId=self.thread + 100,
                     targetId=stale["id"])

    def test_where_there_is_nothing_to_choose(self):
        self.start_choosing("update", stopOnEntry=True)
        self.assertEqual(self.targets(), [])

    def test_without_the_model(self):
        self.launch("message", program=self.CHOICES, filters=("choices",))
        self.client.ask("configurationDone")
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 0})
        self.assertIn("begin with --model ptx", self.client.output("console"))

    def test_a_wrong_model(self):
        self.client.ask("initialize", adapterID="tilesim")
        self.refused("launch", '"model" takes "ptx" or "sc", not "tso"', program=str(self.CHOICES), model="tso")


class Wrong(Case):
    """Requests out of place, arguments that are none, programs that do not compile."""

    def test_order(self):
        self.refused("launch", "'initialize' comes first", program=str(PROGRAM))
        self.client.ask("initialize", adapterID="tilesim")
        self.refused("initialize", "once", adapterID="tilesim")
        self.refused("threads", "no program")
        self.refused("attach", "launch")
        self.refused("dance", "does not know", "dance")

    def test_before_configuration_done(self):
        self.launch()
        self.refused("continue", "configurationDone", threadId=1)
        self.refused("launch", "already", program=str(PROGRAM))
        self.client.ask("configurationDone")
        self.client.wait_for("exited")

    def test_uris(self):
        self.refused("initialize", "uri", adapterID="tilesim", pathFormat="uri")

    def test_arguments(self):
        self.start(stopOnEntry=True)
        self.refused("continue", "threadId")
        self.refused("stackTrace", "arguments", threadId="one")
        self.refused("setBreakpoints", "source")
        self.refused("variables", "9999", variablesReference=9999)
        self.refused("stepBack", "nothing", threadId=self.thread)
        self.assertEqual(self.position(), 0)

    def test_launch_arguments(self):
        self.client.ask("initialize", adapterID="tilesim")
        self.refused("launch", "\"program\"")
        self.refused("launch", "\"args\"", "list", program=str(PROGRAM), args="three")
        self.refused("launch", "\"stopOnEntry\"", "true or false", program=str(PROGRAM), stopOnEntry=1)
        self.refused("launch", "--sede", program=str(PROGRAM), options=["--sede=3"])
        self.refused("launch", "\"cwd\"", program=str(PROGRAM), cwd="/nowhere")
        self.refused("launch", "no replay string", program=str(PROGRAM), replay="3")
        self.refused("launch", "nowhere.cu", program="nowhere.cu")
        # Another attempt may be right.
        self.client.ask("launch", program=str(PROGRAM), options=["--seed=3"], flags=["-DUNUSED"])

    def test_a_program_that_does_not_compile(self):
        source = self.kept / "wrong.cu"
        source.write_text("int main() { return nowhere; }\n")
        self.client.ask("initialize", adapterID="tilesim")
        self.refused("launch", "wrong.cu:1", "nowhere", "not declared", program=str(source))
        self.assertIn("wrong.cu:1", self.client.output("stderr"))
        self.client.ask("disconnect")
        self.assertEqual(self.client.close(), 0)

    def test_warnings_are_shown(self):
        source = self.kept / "warns.cu"
        source.write_text('#warning "look here"\nint main() {}\n')
        self.client.ask("initialize", adapterID="tilesim")
        self.client.ask("launch", program=str(source))
        self.assertIn("look here", self.client.output("console"))
        self.client.wait_for("process")
        self.client.wait_for("initialized")
        self.client.ask("configurationDone")
        self.assertEqual(self.client.wait_for("exited"), {"exitCode": 0})

    def test_bytes_that_are_no_message(self):
        for header, content, said in ((b"Length: 2\r\n\r\n", b"{}", b"Content-Length"),
                                      (b"Content-Length: two\r\n\r\n", b"{}", b"'two'")):
            with self.subTest(content=content, header=header):
                client = Client(TOOL, self.kept, dict(os.environ))
                client.send_bytes(content, header)
                self.assertEqual(client.process.wait(timeout=30), 64)
                client.close()
                self.assertIn(said, client.errors)

    def test_messages_that_are_no_requests(self):
        # What can be no request is refused, events and responses are told elsewhere, and the next one is answered.
        told = []
        for content in (b"[1]", b"{", b'{"type": "request"}', b'{"type": "request", "seq": "one", "command": "threads"}',
                        b'{"seq": 7, "type": "event", "event": "x"}',
                        b'{"seq": 8, "type": "response", "request_seq": 1, "success": true, "command": "x"}'):
            self.client.send_bytes(content)
        check_response = self.client.check_response

        def keep(message):
            if not message["success"]:
                told.append((message["request_seq"], message["command"], message["message"]))
            check_response(message)

        self.client.check_response = keep
        self.client.ask("initialize", adapterID="tilesim")
        self.assertEqual([(seq, command) for seq, command, _ in told], [(0, ""), (0, ""), (0, ""), (0, "threads")])
        self.assertIn("no JSON object", told[0][2])
        self.assertIn('"seq"', told[2][2])
        self.client.close()
        self.assertEqual(self.client.errors.count(b"no request: "), 2)


if __name__ == "__main__":
    unittest.main()
