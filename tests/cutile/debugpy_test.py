#!/usr/bin/env python3
"""debugpy on the host part of a program under `tilesim run`: it stops between launches, and sees what kernels have made.

SPDX-License-Identifier: Apache-2.0
"""
import needs
import cases
from cases import ROOT, TOOL

import importlib.util
import json
import os
import socket
import subprocess
import sys
import unittest

if importlib.util.find_spec("debugpy") is None:
    print(f"skipped: {sys.executable} has no debugpy; set TILESIM_TEST_PYTHON to a Python that has")
    sys.exit(needs.SKIPPED)

PROGRAM = """
    import debugpy
    import sys

    @ct.kernel
    def twice(x):
        ct.store(x, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * 2)

    x = np.arange(32, dtype=np.int32)
    print(debugpy.listen(("127.0.0.1", 0))[1], flush=True)
    debugpy.wait_for_client()
    ct.launch(0, (2,), twice, (x,))
    ct.launch(0, (2,), twice, (x,))  # stops here
    print(x[:3].tolist())
    """


class Client:
    """Speaks the Debug Adapter Protocol, as far as is needed."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.file = self.socket.makefile("rb")
        self.number = 0

    def ask(self, command, **arguments):
        self.number += 1
        body = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self.number

    def until(self, wanted):
        """The first message that is wanted."""
        while True:
            length = 0
            while line := self.file.readline().strip():
                length = int(line.split(b":")[1])
            if length == 0:
                raise EOFError("the debugger has gone")
            message = json.loads(self.file.read(length))
            if wanted(message):
                return message

    def answer(self, command, **arguments):
        number = self.ask(command, **arguments)
        reply = self.until(lambda m: m["type"] == "response" and m["request_seq"] == number)
        assert reply["success"], reply
        return reply.get("body", {})

    def event(self, name):
        return self.until(lambda m: m["type"] == "event" and m["event"] == name).get("body", {})


class Debugging(cases.Case):
    def test_a_breakpoint_between_two_launches(self):
        path = self.program(PROGRAM)
        line = 1 + next(i for i, t in enumerate(path.read_text().splitlines()) if "stops here" in t)
        child = subprocess.Popen([TOOL, "run", path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
                                 env=os.environ | {"PYDEVD_DISABLE_FILE_VALIDATION": "1"})
        self.addCleanup(child.kill)
        client = Client(int(child.stdout.readline()))
        client.answer("initialize", clientID="test", adapterID="debugpy", linesStartAt1=True, pathFormat="path")
        client.ask("attach", justMyCode=False)
        client.event("initialized")
        told = client.answer("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": line}])
        self.assertTrue(told["breakpoints"][0]["verified"], told)
        client.ask("configurationDone")
        thread = client.event("stopped")["threadId"]
        frame = client.answer("stackTrace", threadId=thread)["stackFrames"][0]
        self.assertEqual((frame["line"], frame["source"]["path"]), (line, str(path)))
        seen = client.answer("evaluate", expression="x[:4].tolist()", frameId=frame["id"], context="watch")
        self.assertEqual(seen["result"], "[0, 2, 4, 6]")  # of the first launch
        client.ask("continue", threadId=thread)
        client.event("terminated")
        client.ask("disconnect")
        client.socket.shutdown(socket.SHUT_RDWR)  # else the debugger's own process waits for another client
        out, err = child.communicate(timeout=60)
        self.assertEqual((child.returncode, out), (0, "[0, 4, 8]\n"), err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
