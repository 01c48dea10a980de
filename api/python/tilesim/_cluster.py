"""Hands parts of an exploration to a Dask cluster: `tilesim explore --dask` starts it.

A part is bytes to it, and so is what comes of one. It takes parts from a socket, each with a number, and gives back what has
come of them, by number. A worker gets the program by its hash, once, and runs `tilesim explore --task` with it.
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

FRAME = struct.Struct("<QQ")  # bytes, number
KNOWN = 2**64 - 1  # the number of what all parts of a pass are to know


def same(data):
    """As a task it lies on a worker, and is made again where one has died."""
    return data


def explore_part(head, content, known, part):
    """On a worker: what comes of a part, as bytes; a text says why nothing does."""
    import fcntl
    import hashlib
    import platform
    import shutil

    where = platform.node()
    if platform.machine() != head["machine"]:
        return f"the worker on {where} is of {platform.machine()}, and the program of {head['machine']}: take workers of that architecture"
    tool = os.environ.get("TILESIM_TOOL") or shutil.which("tilesim")
    if not tool:
        return f"the worker on {where} finds no tilesim; install tilesim {head['version']} there, or set TILESIM_TOOL"
    folder = os.path.join(tempfile.gettempdir(), f"tilesim-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        return f"the worker on {where}: {folder} belongs to somebody else"
    program = os.path.join(folder, head["hash"])
    with open(os.path.join(folder, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(program):
            if hashlib.sha256(content).hexdigest() != head["hash"]:
                return f"the worker on {where} was given another program than {head['hash']}"
            with open(program + ".new", "wb") as file:
                file.write(content)
            os.chmod(program + ".new", 0o700)
            os.rename(program + ".new", program)
    with tempfile.TemporaryDirectory(dir=folder) as own:
        task, answer = (os.path.join(own, name) for name in ("task", "answer"))
        for name, content in ((task, part), (task + ".known", known), (task + ".json", json.dumps({**head, "program": program, "task": task, "answer": answer}).encode())):
            with open(name, "wb") as file:
                file.write(content)
        done = subprocess.run([tool, "explore", "--task", task + ".json"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0 or not os.path.exists(answer):
            said = done.stderr.strip().splitlines()
            return f"the worker on {where}: {said[-1] if said else f'tilesim ended with status {done.returncode}'}"
        with open(answer, "rb") as file:
            return file.read()


def receive(connection, size):
    data = bytearray()
    while len(data) < size:
        more = connection.recv(min(size - len(data), 1 << 20))
        if not more:
            return None
        data += more
    return bytes(data)


def cbor_text(text):
    """{"failed": text} as CBOR."""
    data = text.encode()
    return b"\xa1\x66failed" + b"\x7a" + struct.pack(">I", len(data)) + data


class Pass:
    """A connection: the parts of one pass, until it is closed."""

    def __init__(self, connection, client, head, program):
        self.connection, self.client, self.head, self.program = connection, client, head, program
        self.lock = threading.Lock()
        self.futures = {}
        self.known = None

    def send(self, number, data):
        with self.lock:
            try:
                self.connection.sendall(FRAME.pack(len(data), number) + data)
            except OSError:
                pass  # nobody waits for it any more

    def room(self):
        """As many parts as the cluster has threads, and as many again, so that none is idle."""
        threads = sum(w["nthreads"] for w in self.client.scheduler_info(n_workers=-1)["workers"].values())
        return max(2 * threads, 2)

    def done(self, number, future):
        if self.futures.pop(number, None) is None or future.cancelled():
            return  # it counts once
        try:
            answer = future.result()
        except Exception as error:  # of the cluster: a worker that has died too often, say
            answer = f"the cluster has not explored a part: {type(error).__name__}: {error}"
        self.send(number, cbor_text(answer) if isinstance(answer, str) else answer)

    def run(self):
        while (frame := receive(self.connection, FRAME.size)) is not None:
            size, number = FRAME.unpack(frame)
            data = receive(self.connection, size)
            if data is None:
                break
            if number == KNOWN:
                self.known = self.client.submit(same, data, pure=False)
                self.send(number, b"\xa1\x64room\x1a" + struct.pack(">I", self.room()))
                continue
            future = self.client.submit(explore_part, self.head, self.program, self.known, data, pure=False, retries=3)
            self.futures[number] = future
            future.add_done_callback(lambda f, n=number: self.done(n, f))
        left = list(self.futures.values())
        self.futures.clear()
        self.client.cancel(left)


def refuse(text):
    """One line, and none of what the package says when it ends."""
    print(text, file=sys.stderr, flush=True)
    os._exit(1)


def main():
    address, path, head = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    try:
        import distributed
    except ImportError:
        refuse(f"--dask takes the package 'distributed', which {sys.executable} does not have: {sys.executable} -m pip install distributed")
    import hashlib
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout="10s", set_as_default=False)
    except Exception as error:
        refuse(f"no Dask cluster at {address}: {str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}")
    try:
        client.wait_for_workers(1, timeout=10)
    except Exception:
        refuse(f"the Dask cluster at {address} has no workers")
    with open(head.pop("program"), "rb") as file:
        program = file.read()
    head["hash"] = hashlib.sha256(program).hexdigest()
    content = client.submit(same, program, pure=False)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()

    def serve():
        while True:
            connection, _ = listener.accept()
            Pass(connection, client, head, content).run()
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()  # until the command ends
    os._exit(0)


if __name__ == "__main__":
    main()
