"""A client of the Debug Adapter Protocol for tests: frames messages, and holds every answer and event
to the protocol's rules (https://microsoft.github.io/debug-adapter-protocol/specification)."""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import queue
import subprocess
import threading
import time

TIMEOUT = 120

# What the protocol requires of the bodies that an adapter sends: member to type, "?" if it may be
# missing. A list of one is an array of it; a name is another row.
RULES = {
    # events
    "stopped": {"reason": str, "description?": str, "threadId?": int, "text?": str,
                "allThreadsStopped?": bool, "hitBreakpointIds?": [int]},
    "continued": {"threadId": int, "allThreadsContinued?": bool},
    "exited": {"exitCode": int},
    "breakpoint": {"reason": str, "breakpoint": "one breakpoint"},
    "output": {"category?": str, "output": str},
    "process": {"name": str, "systemProcessId?": int, "isLocalProcess?": bool, "startMethod?": str},
    # responses
    "initialize": {"exceptionBreakpointFilters?": ["filter"]},
    "setBreakpoints": {"breakpoints": ["one breakpoint"]},
    "setFunctionBreakpoints": {"breakpoints": ["one breakpoint"]},
    "setDataBreakpoints": {"breakpoints": ["one breakpoint"]},
    "dataBreakpointInfo": {"dataId": (str, type(None)), "description": str, "accessTypes?": [str],
                           "canPersist?": bool},
    "threads": {"threads": ["thread"]},
    "stackTrace": {"stackFrames": ["frame"], "totalFrames?": int},
    "scopes": {"scopes": ["scope"]},
    "variables": {"variables": ["variable"]},
    "evaluate": {"result": str, "type?": str, "variablesReference": int, "namedVariables?": int,
                 "indexedVariables?": int, "memoryReference?": str},
    "completions": {"targets": ["target"]},
    "exceptionInfo": {"exceptionId": str, "description?": str, "breakMode": str, "details?": dict},
    "readMemory": {"address": str, "unreadableBytes?": int, "data?": str},
    "continue": {"allThreadsContinued?": bool},
    "stepInTargets": {"targets": ["step target"]},
    # types
    "step target": {"id": int, "label": str, "line?": int, "column?": int, "endLine?": int, "endColumn?": int},
    "filter": {"filter": str, "label": str, "description?": str, "default?": bool},
    "one breakpoint": {"id?": int, "verified": bool, "message?": str, "source?": "source", "line?": int},
    "thread": {"id": int, "name": str},
    "frame": {"id": int, "name": str, "source?": "source", "line": int, "column": int},
    "source": {"name?": str, "path?": str},
    "scope": {"name": str, "presentationHint?": str, "variablesReference": int, "expensive": bool},
    "variable": {"name": str, "value": str, "type?": str, "evaluateName?": str,
                 "variablesReference": int, "namedVariables?": int, "indexedVariables?": int,
                 "memoryReference?": str},
    "target": {"label": str, "start?": int, "length?": int},
}
WITHOUT_BODY = {"launch", "configurationDone", "setExceptionBreakpoints", "next", "stepIn", "stepOut",
                "stepBack", "reverseContinue", "pause", "terminate", "disconnect"}
EVENTS_WITHOUT_BODY = {"initialized", "terminated"}


def check(value, rule, where):
    """Raises AssertionError where a value is not what the protocol says."""
    if isinstance(rule, str):
        rule = RULES[rule]
    if isinstance(rule, list):
        assert isinstance(value, list), f"{where} is no array: {value!r}"
        for i, one in enumerate(value):
            check(one, rule[0], f"{where}[{i}]")
    elif isinstance(rule, dict):
        assert isinstance(value, dict), f"{where} is no object: {value!r}"
        for name, inner in rule.items():
            plain = name.rstrip("?")
            if plain in value:
                check(value[plain], inner, f"{where}.{plain}")
            else:
                assert name.endswith("?"), f"{where} has no {plain}: {value!r}"
        unknown = set(value) - {name.rstrip("?") for name in rule}
        if where != "initialize":
            assert not unknown, f"{where} has {unknown}"
    else:
        assert isinstance(value, rule), f"{where} is a {type(value).__name__}: {value!r}"
        assert not (rule is int and isinstance(value, bool)), f"{where} is a bool"


class Refused(Exception):
    """success: false."""


class Client:
    """Starts an adapter. Events are kept in `events` until they are waited for."""

    def __init__(self, tool, cwd, env):
        self.process = subprocess.Popen([tool, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd, env=env)
        self.sent = 0
        self.last_seq = 0
        self.messages = queue.Queue()
        self.responses = {}
        self.events = []
        self.log = []
        self.errors = b""
        self.readers = [threading.Thread(target=self.read_all, daemon=True),
                        threading.Thread(target=self.read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def read_errors(self):
        self.errors = self.process.stderr.read()

    def read_all(self):
        stream = self.process.stdout
        while True:
            header = b""
            while not header.endswith(b"\r\n\r\n"):
                byte = stream.read(1)
                if not byte:
                    self.messages.put(None)
                    return
                header += byte
            name, _, length = header.strip().partition(b": ")
            if name != b"Content-Length":
                self.messages.put(AssertionError(f"header {header!r}"))
                return
            self.messages.put(json.loads(stream.read(int(length))))

    def send(self, command, arguments=None):
        """Sends a request, and returns its number."""
        self.sent += 1
        message = {"seq": self.sent, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        self.send_bytes(json.dumps(message).encode())
        return self.sent

    def send_bytes(self, content, header=None):
        header = header or b"Content-Length: %d\r\n\r\n" % len(content)
        self.process.stdin.write(header + content)
        self.process.stdin.flush()

    def take(self, deadline):
        """Takes one message into its place. False at the end of the stream."""
        try:
            message = self.messages.get(timeout=max(deadline - time.monotonic(), 0.01))
        except queue.Empty:
            raise AssertionError("nothing came; so far:\n" + "\n".join(self.log[-20:])) from None
        if message is None:
            return False
        if isinstance(message, Exception):
            raise message
        self.log.append(json.dumps(message)[:400])
        assert isinstance(message["seq"], int) and message["seq"] > self.last_seq, message
        self.last_seq = message["seq"]
        if message["type"] == "event":
            self.check_event(message)
            self.events.append(message)
        else:
            self.check_response(message)
            self.responses[message["request_seq"]] = message
        return True

    def check_event(self, message):
        name = message["event"]
        if name in EVENTS_WITHOUT_BODY:
            assert not message.get("body"), message
        else:
            check(message["body"], RULES[name], name)

    def check_response(self, message):
        assert message["type"] == "response", message
        if message["request_seq"] == 0: # to what was no request
            assert not message["success"] and message["message"], message
            return
        assert 1 <= message["request_seq"] <= self.sent, message
        assert message["request_seq"] not in self.responses, "answered twice"
        assert isinstance(message["success"], bool), message
        command = message["command"]
        if not message["success"]:
            assert message["message"], message
            error = message["body"]["error"]
            assert isinstance(error["id"], int) and error["format"], message
        elif command in WITHOUT_BODY:
            assert not message.get("body"), message
        else:
            check(message["body"], RULES[command], command)

    def answer(self, seq, timeout=TIMEOUT):
        """The body of the response to a request. Raises Refused."""
        deadline = time.monotonic() + timeout
        while seq not in self.responses:
            assert self.take(deadline), f"the adapter has ended: {self.errors.decode()}"
        message = self.responses[seq]
        if not message["success"]:
            raise Refused(message["message"])
        return message.get("body")

    def ask(self, command, arguments=None, **named):
        return self.answer(self.send(command, {**(arguments or {}), **named}))

    def wait_for(self, event, timeout=TIMEOUT):
        """The body of the next event of that name; those before it are dropped, output apart."""
        deadline = time.monotonic() + timeout
        kept = []
        while True:
            while self.events:
                message = self.events.pop(0)
                if message["event"] == event:
                    self.events = kept + self.events
                    return message.get("body")
                if message["event"] == "output":
                    kept.append(message)
                else:
                    raise AssertionError(f"{message} before {event}")
            assert self.take(deadline), f"the adapter has ended: {self.errors.decode()}"

    def output(self, category):
        """What output events of a category have said so far."""
        return "".join(m["body"]["output"] for m in self.events
                       if m["event"] == "output" and m["body"].get("category") == category)

    def wait_for_output(self, category, text, timeout=TIMEOUT):
        deadline = time.monotonic() + timeout
        while text not in self.output(category):
            assert self.take(deadline), f"the adapter has ended: {self.errors.decode()}"

    def close(self):
        """Ends the adapter, and returns its exit status."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            return self.process.wait(timeout=30)
        finally:
            self.process.kill()
            for reader in self.readers:
                reader.join()
            self.process.stdout.close()
            self.process.stderr.close()
