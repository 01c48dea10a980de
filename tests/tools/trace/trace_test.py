#!/usr/bin/env python3
"""`tilesim trace` from outside: the trace's format, what it says of known programs, limits, the page.

  TILESIM_TOOL=build/dev/bin/tilesim trace_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import collections
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
TOOL = os.environ.get("TILESIM_TOOL", "")


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim trace "))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)
        self.env = dict(os.environ)
        for name in ("TILESIM_OPTIONS", "NO_COLOR"):
            self.env.pop(name, None)

    def tool(self, code, *words):
        result = subprocess.run([TOOL, "trace", *map(str, words)], cwd=EXAMPLES, text=True, env=self.env,
                                stdin=subprocess.DEVNULL, capture_output=True, timeout=240)
        self.assertEqual(result.returncode, code, f"{result.stdout}\n{result.stderr}")
        return result

    def trace(self, code, *words):
        """The trace of a run, checked for its format."""
        self.told = self.tool(code, "-o", self.kept / "t.json", *words).stderr
        loaded = json.loads((self.kept / "t.json").read_text())
        self.check_format(loaded)
        linear = {(e["pid"], e["tid"]): e["args"]["sort_index"]
                  for e in loaded["traceEvents"] if e["name"] == "thread_sort_index"}
        for e in loaded["traceEvents"]:
            e["block"] = linear.get((e["pid"], e["tid"]))
        return loaded

    def check_format(self, loaded):
        """The Trace Event Format's rules for each phase that is used."""
        tracks, flows = collections.defaultdict(list), collections.defaultdict(list)
        for e in loaded["traceEvents"]:
            self.assertIn(e["ph"], "MXsfi", e)
            self.assertIsInstance(e["name"], str)
            for number in ("pid", "tid"):
                self.assertIsInstance(e[number], int, e)
                self.assertGreater(e[number], 0, e)  # Perfetto takes tid 0 for the main thread
            if e["ph"] in "Xsf":
                self.assertNotEqual(e["tid"], e["pid"])  # …, and a tid that is the pid
            if e["ph"] == "M":
                continue
            self.assertIsInstance(e["ts"], (int, float), e)
            self.assertIsInstance(e["cat"], str)
            if e["ph"] == "X":
                self.assertEqual(e["dur"], 1)
                tracks[e["pid"], e["tid"]].append(e)
            elif e["ph"] == "i":
                self.assertIn(e["s"], "tpg")
            else:
                flows[e["id"]].append(e)
        numbers = [e["ts"] for e in self.slices(loaded)]
        self.assertEqual(numbers, sorted(set(numbers)))  # one operation at a time
        named = {(e["pid"], e["tid"]) for e in loaded["traceEvents"] if e["name"] == "thread_name"}
        self.assertLessEqual(set(tracks), named)
        for pair in flows.values():
            self.assertEqual([e["ph"] for e in pair], ["s", "f"])
            start, finish = pair
            self.assertEqual(finish["bp"], "e")
            self.assertNotIn("args", finish)  # chrome://tracing warns of what both ends have
            self.assertEqual((start["cat"], start["name"]), (finish["cat"], finish["name"]))
            self.assertLess(start["ts"], finish["ts"])
            for e in pair:  # each end lies within a slice, which is what it binds to
                self.assertTrue(any(x["ts"] < e["ts"] < x["ts"] + x["dur"] for x in tracks[e["pid"], e["tid"]]), e)

    def slices(self, loaded, **wanted):
        return [e for e in loaded["traceEvents"] if e["ph"] == "X" and all(e[k] == v for k, v in wanted.items())]

    def arrows(self, loaded, category):
        """Pairs of slices."""
        at = {e["ts"]: e for e in self.slices(loaded)}
        ends = {}
        for e in loaded["traceEvents"]:
            if e["ph"] in "sf" and e["cat"] == category:
                ends.setdefault(e["id"], []).append(at[int(e["ts"])])
        return [tuple(pair) for pair in ends.values()]

    def findings(self, loaded):
        return [e for e in loaded["traceEvents"] if e["ph"] == "i"]


class Events(Case):
    """What the trace says of known programs."""

    def test_saxpy(self):
        t = self.trace(0, "saxpy.cu", "--", "3000")
        per_block = collections.Counter((e["pid"], e["block"]) for e in self.slices(t))
        self.assertEqual(set(per_block), {(1, 0), (1, 1), (1, 2)})
        self.assertEqual(len(set(per_block.values())), 1)  # every block does the same
        names = collections.Counter(e["name"] for e in self.slices(t))
        self.assertEqual((names["load_ptr_tko"], names["store_ptr_tko"], names["mulf"]), (6, 3, 3))
        self.assertEqual(t["otherData"]["operations"], len(self.slices(t)))
        self.assertEqual(t["otherData"]["operations_left_out"], 0)
        self.assertEqual(self.findings(t), [])
        self.assertEqual([e for e in t["traceEvents"] if e["ph"] in "sf"], [])  # blocks share nothing
        meta = {(e["name"], e["pid"], e["block"]): e["args"] for e in t["traceEvents"] if e["ph"] == "M"}
        self.assertEqual(meta["process_name", 1, 0], {"name": "launch 1: saxpy<<<3, 1>>>"})
        self.assertEqual(meta["thread_name", 1, 2], {"name": "tile block (2,0,0)"})

    def test_operations_in_detail(self):
        t = self.trace(0, "saxpy.cu", "--", "3000")
        load, _ = self.slices(t, name="load_ptr_tko", block=2)
        self.assertEqual(load["cat"], "memory")
        self.assertRegex(load["args"]["place"], r"^saxpy\.cu:19:\d+$")
        self.assertEqual(load["args"]["function"], "saxpy")
        self.assertEqual(load["args"]["operands"], ["ptr<f32>[1024]", "i1[1024]", "f32"])
        self.assertEqual(load["args"]["memory"], [  # the mask ends it: 3000 elements, 952 in block 2
            {"access": "read", "order": "weak", "bytes": 4, "places": ["dx[2048:3000]"]}])
        self.assertTrue(load["args"]["result"].startswith("f32[1024]: 48, 49, 50, 51, "), load)
        store, = self.slices(t, name="store_ptr_tko", block=0)
        self.assertEqual(store["args"]["memory"][0]["places"], ["dy[0:1024]"])
        self.assertTrue(store["args"]["stores"].startswith("f32[1024]: 1, 3, 5, 7, "), store)

    def test_message_passing(self):
        t = self.trace(0, "message_passing.cu")
        (release, acquire), = self.arrows(t, "synchronises")
        self.assertEqual((release["block"], acquire["block"]), (1, 0))
        self.assertEqual(release["args"]["memory"], [
            {"access": "write", "order": "release", "scope": "device", "bytes": 4, "places": ["flag[0]"]}])
        self.assertEqual(acquire["args"]["memory"][0]["order"], "acquire")
        self.assertEqual(acquire["args"]["result"], "i32: 1")
        (data, received), = self.arrows(t, "reads-from")
        self.assertEqual((data["args"]["memory"][0]["places"], received["args"]["memory"][0]["places"]),
                         (["data[0:64]"], ["data[0:64]"]))
        self.assertEqual(self.findings(t), [])

    def test_locks_synchronise_in_a_chain(self):
        t = self.trace(0, "spin_lock.cu")
        sync = self.arrows(t, "synchronises")
        taken = {e["ts"] for e in self.slices(t, name="atomic_cas_tko") if e["args"]["result"] == "i32: 0"}
        self.assertEqual(len(taken), 64)
        # The first finds the lock as cudaMemset left it, every other one as its predecessor did.
        self.assertEqual(len({b["ts"] for _, b in sync if b["ts"] in taken}), 63)

    def test_racy_histogram(self):
        t = self.trace(102, "histogram_racy.cu")
        # Two for each place: a store against itself, and another block's load against that store.
        finding, other = self.findings(t)
        self.assertEqual((other["name"], other["block"], other["args"]["count"]), ("data-race", 1, 16))
        self.assertRegex(other["args"]["place"], r"^histogram_racy\.cu:22:\d+$")
        self.assertEqual((finding["name"], finding["cat"], finding["block"]), ("duplicate-store", "finding", 0))
        self.assertRegex(finding["args"]["place"], r"^histogram_racy\.cu:23:\d+$")
        self.assertEqual(finding["args"]["count"], 16)  # one for each bin
        store, = [e for e in self.slices(t) if e["ts"] == int(finding["ts"])]
        self.assertEqual(store["name"], "store_ptr_tko")
        self.assertEqual(len(self.arrows(t, "reads-from")), 390)  # each block reads what the one before it stored

    def test_race(self):
        t = self.trace(102, HERE / "race.cu")
        finding, = self.findings(t)
        self.assertEqual((finding["name"], finding["block"]), ("data-race", 1))
        self.assertIn("nothing orders them", finding["args"]["message"])
        self.assertRegex(finding["args"]["place"], r"race\.cu:12:\d+$")
        self.assertRegex(finding["args"]["other_place"], r"race\.cu:10:\d+$")
        (store, load), = self.arrows(t, "race")
        self.assertEqual((store["name"], store["block"]), ("store_ptr_tko", 0))
        self.assertEqual((load["name"], load["block"], load["ts"]), ("load_ptr_tko", 1, int(finding["ts"])))

    def test_threads_atomics_fences(self):
        """A launch of threads; orders of <cuda/atomic>; fences reach the race detector."""
        t = self.trace(0, HERE / "threads.cu")
        (release, acquire), = self.arrows(t, "synchronises")
        self.assertEqual(release["args"]["memory"][0]["order"], "release")
        self.assertEqual((release["block"], acquire["block"]), (0, 1))
        self.assertEqual((release["args"]["thread"], acquire["args"]["thread"]), ("thread (0,0,0)", "thread (1,0,0)"))
        self.assertEqual(self.findings(t), [])

    def test_threads_of_a_block_share_a_track(self):
        t = self.trace(0, HERE.parent / "step" / "block.cu")
        names = [e["args"]["name"] for e in t["traceEvents"] if e["name"] == "thread_name"]
        self.assertEqual(names, ["block (0,0,0)", "block (1,0,0)"])
        barriers = self.slices(t, name="__syncthreads", block=1)
        self.assertEqual(len(barriers), 4 * 8)
        self.assertEqual({e["args"]["thread"] for e in barriers}, {f"thread ({i},0,0)" for i in range(8)})
        # Shared memory goes by its variables.
        places = {p for e in self.slices(t) for m in e["args"].get("memory", []) for p in m["places"]}
        self.assertEqual(places, {f"{name}[{i}]" for name in ("partial", "order", "in") for i in range(8)} |
                         {"out[0]", "out[1]"})
        self.assertIn(("write", "read"), {(a["name"], b["name"]) for a, b in self.arrows(t, "reads-from")})

    def test_stopped(self):
        t = self.trace(101, HERE / "outside.cu")
        finding, = self.findings(t)
        self.assertEqual(finding["name"], "out-of-bounds")
        last = self.slices(t)[-1]
        self.assertTrue(last["args"]["unfinished"])
        self.assertEqual((last["ts"], last["block"]), (int(finding["ts"]), finding["block"]))
        self.assertEqual(t["otherData"]["end"], "stopped")

    def test_the_access_that_stops_is_shown_with_its_place(self):
        for arguments, name, access in (([], "write", "write"), (["--", "read"], "read", "read")):
            with self.subTest(name):
                t = self.trace(101, HERE / "outside_raw.cu", *arguments)
                first, last = self.slices(t)[:1] + self.slices(t)[-1:]
                self.assertEqual(first["args"]["memory"][0]["places"], ["out[2]"])
                self.assertEqual((last["name"], last["cat"]), (name, "memory"))
                memory, = last["args"]["memory"]
                self.assertEqual((memory["access"], memory["bytes"]), (access, 4))
                finding, = self.findings(t)
                self.assertIn(f"at address {memory['places'][0]}", finding["args"]["details"][0])
        last = self.slices(self.trace(101, HERE / "outside.cu"))[-1]
        self.assertEqual(last["cat"], "memory")

    def test_finding_of_the_host(self):
        (self.kept / "leak.cu").write_text('#include "cuda_tile.h"\nint main() { void* p; cudaMalloc(&p, 64); }\n')
        t = self.trace(102, "--leaks", self.kept / "leak.cu")
        finding, = self.findings(t)
        self.assertEqual((finding["s"], finding["block"]), ("g", None))
        self.assertRegex(finding["args"]["place"], r"leak\.cu:2:")

    def test_two_runs_are_equal(self):
        first = self.trace(0, "message_passing.cu", "--schedule", "random", "--seed", "5")
        bytes_of_first = (self.kept / "t.json").read_bytes()
        self.assertIn("random, seed 5", first["otherData"]["schedule"])
        self.trace(0, "message_passing.cu", "--schedule", "random", "--seed", "5")
        self.assertEqual((self.kept / "t.json").read_bytes(), bytes_of_first)


class Stale(Case):
    """Reads of a weak schedule that took older writes."""

    MESSAGE = pathlib.Path(__file__).resolve().parents[2] / "weak" / "message.cu"

    def replay(self):
        """The replay string of the one stale read of tests/weak/message.cu."""
        done = subprocess.run([TOOL, "check", "--json", "--schedules", "60", "-DWEAKENED", self.MESSAGE], text=True,
                              env=self.env, capture_output=True, timeout=240)
        return next(f["replay"] for f in json.loads(done.stdout)["findings"] if f["code"] == "weak-dependent")

    def line(self, text):
        return next(n for n, line in enumerate(self.MESSAGE.read_text().splitlines(), 1) if text in line)

    def test_they_are_marked_with_what_they_passed_over(self):
        words = ["--replay", self.replay(), "-DWEAKENED", self.MESSAGE]
        t = self.trace(1, *words)
        [(passed, read)] = self.arrows(t, "passed-over")
        stored, loaded = self.line("(message, 42)"), self.line("// stale")
        self.assertRegex(passed["args"]["place"], rf"message.cu:{stored}:")
        self.assertRegex(read["args"]["place"], rf"message.cu:{loaded}:")
        [access] = read["args"]["memory"]
        self.assertEqual(len(access["stale"]), 1)
        self.assertRegex(access["stale"][0], rf"^message\[0\] reads 0, although 42 was written there before, by operation "
                         rf"{passed['ts']} \(.*message.cu:{stored}:\d+\)$")
        # What it took was there before: not from the write that it passed over.
        self.assertNotIn(read["ts"], [to["ts"] for _, to in self.arrows(t, "reads-from")])
        self.assertEqual([e["ts"] for e in self.slices(t) if any("stale" in m for m in e["args"].get("memory", []))],
                         [read["ts"]])
        page = self.kept / "t.html"
        self.tool(1, "--html", page, *words)
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.S)[1])
        stale = {o[0]: o[8] for o in data["ops"] if len(o) > 8}
        self.assertEqual(stale, {read["ts"]: [["message[0]", "0", "42", passed["ts"]]]})

    def test_a_read_is_from_the_older_write_that_it_took(self):
        program = pathlib.Path(__file__).resolve().parents[1] / "step" / "choices.cu"
        saved = self.kept / "saved"
        commands = ["break choice", "run", "continue", "choose 1", f"save {saved}"]
        subprocess.run([TOOL, "step", "--batch", "--model", "ptx", *(w for c in commands for w in ("--ex", c)), program, "--",
                        "message"], env=self.env, check=True, capture_output=True, timeout=240)
        t = self.trace(1, "--replay", saved, program, "--", "message")
        [(passed, read)] = self.arrows(t, "passed-over")
        took = [a for a, b in self.arrows(t, "reads-from") if b["ts"] == read["ts"]]
        self.assertEqual(len(took), 1)
        self.assertLess(took[0]["ts"], passed["ts"])
        [access] = read["args"]["memory"]
        self.assertRegex(access["stale"][0], r"reads 41, although 42 was written there before, by operation ")

    def test_none_where_every_read_takes_the_newest(self):
        t = self.trace(0, "-DWEAKENED", self.MESSAGE)
        self.assertEqual(self.arrows(t, "passed-over"), [])
        self.assertNotIn("stale\":", (self.kept / "t.json").read_text())


class Limits(Case):
    def test_max_events(self):
        t = self.trace(0, "--max-events", "10", "saxpy.cu", "--", "3000")
        self.assertEqual([e["ts"] for e in self.slices(t)], list(range(1, 11)))
        every = t["otherData"]["operations"]
        self.assertEqual(t["otherData"]["operations_left_out"], every - 10)
        self.assertIn(f"--max-events 10 reached: the last {every - 10} of {every} operations are left out\n", self.told)

    def test_the_first_finding_is_kept_with_what_lies_around_it(self):
        every = self.trace(101, HERE / "late.cu")
        everything, total = self.slices(every), every["otherData"]["operations"]
        self.assertEqual(len(everything), total)
        [race, outside] = self.findings(every)
        found = int(race["ts"])
        t = self.trace(101, "--max-events", "64", HERE / "late.cu")
        kept = [*range(1, 49), *range(found - 8, found + 5)]
        self.assertEqual([e["ts"] for e in self.slices(t)], kept)
        self.assertEqual([e["args"] for e in self.slices(t)], [everything[n - 1]["args"] for n in kept])
        self.assertEqual(self.findings(t), [race, outside])
        self.assertEqual([(a["ts"], b["ts"]) for a, b in self.arrows(t, "race")],
                         [(a["ts"], b["ts"]) for a, b in self.arrows(every, "race")])
        self.assertEqual(t["otherData"]["operations_left_out"], total - len(kept))
        # The program's output and the report are there once.
        self.assertEqual(self.told.count("[data-race]"), 1)
        self.assertIn(f"--max-events 64 reached: operations 49 to {found - 9} and the last {total - found - 4} of {total} are left out, "
                      "with one that has a finding: a larger N keeps it, and tilesim step stands at it\n", self.told)

    def test_the_operation_that_ends_the_run_is_kept(self):
        t = self.trace(101, "--max-events", "1", HERE / "outside.cu")
        [outside] = self.findings(t)
        self.assertEqual([e["ts"] for e in self.slices(t)], [1, int(outside["ts"])])
        self.assertTrue(self.slices(t)[-1]["args"]["unfinished"])

    def test_a_deadlock_is_where_the_run_ends(self):
        t = self.trace(101, "--max-events", "1", HERE.parents[1] / "waiting" / "polls.cu", "--", "load", "13")
        [deadlock] = self.findings(t)
        self.assertEqual(deadlock["name"], "deadlock")
        self.assertEqual([e["ts"] for e in self.slices(t)], [1, int(deadlock["ts"])])

    def test_elements(self):
        self.trace(0, "--elements", "2", "message_passing.cu")
        self.assertIn('"i32[64]: 0, 100, …"', (self.kept / "t.json").read_text())

    def test_no_kernel(self):
        t = self.trace(0, HERE / "host.cu")
        self.assertEqual(t["traceEvents"], [])
        self.assertIn("no kernel ran: the trace is empty", self.told)

    def test_wrong_command_lines(self):
        self.assertIn("needs -o FILE.json, --html FILE.html, or both", self.tool(64, "saxpy.cu").stderr)
        self.assertIn("does not take -c", self.tool(64, "-c", "-o", "t", "saxpy.cu").stderr)
        self.assertIn("--max-events", self.tool(64, "-o", "t", "--max-events", "0", "saxpy.cu").stderr)
        missing = self.kept / "none" / "t.json"
        self.assertIn(f"cannot write '{missing}': No such file or directory",
                      self.tool(69, "-o", missing, "saxpy.cu").stderr)
        self.assertIn("Is a directory", self.tool(69, "--html", self.kept, "saxpy.cu").stderr)
        (self.kept / "broken.cu").write_text("int main() { oops; }\n")
        self.tool(65, "-o", self.kept / "t.json", self.kept / "broken.cu")

    def test_exit_status_is_the_programs(self):
        self.trace(7, HERE / "host.cu", "--", "7")

    def test_programs_that_it_starts_are_not_traced(self):
        (self.kept / "t.json").unlink(missing_ok=True)
        t = self.trace(0, HERE / "again.cu")
        self.assertEqual({e["pid"] for e in self.slices(t)}, {1})
        self.assertEqual(len(self.slices(t, name="store_ptr_tko")), 1)


class Text(html.parser.HTMLParser):
    """The text of the elements that have an id, and their attributes."""

    def __init__(self, page):
        super().__init__()
        self.open, self.by_id, self.attributes = [], collections.defaultdict(str), {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        name = attributes.get("id", tag if tag == "body" else None)
        if name:
            self.attributes[name] = attributes
        if tag not in ("meta", "input", "br"):
            self.open.append((tag, name))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, name in self.open:
            if name:
                self.by_id[name] += data


class Page(Case):
    """The page: by itself, and in a browser."""

    def page(self, code, *words):
        self.tool(code, "--html", self.kept / "t.html", *words)
        return (self.kept / "t.html").read_text()

    def data(self, page):
        """What the page is made of, with its operations as the script sees them."""
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
        for i, (number, thread, kind, *rest) in enumerate(data["ops"]):
            elements, places, sources, unfinished = rest + ["", [], [], False][len(rest):]
            data["ops"][i] = {"n": number, "t": thread, **data["kinds"][kind], "elements": elements.split(), "at": places,
                              "from": sources, "unfinished": unfinished}
        return data

    def test_a_thousand_blocks_fit_five_megabytes(self):
        page = self.page(0, "saxpy.cu")
        self.assertLess(len(page), 5_000_000)
        data = self.data(page)
        self.assertEqual((len(data["threads"]), len(data["ops"])), (977, 977 * 12))
        shown = {len(o["elements"]) for o in data["ops"] if "result" in o}
        self.assertEqual(len(shown), 1)
        self.assertGreaterEqual(shown.pop(), 16)
        # Whoever asks for elements gets them.
        data = self.data(self.page(0, "--elements", "64", "--max-events", "120", "saxpy.cu"))
        self.assertEqual({len(o["elements"]) for o in data["ops"] if "result" in o}, {64})

    def test_threads_of_a_block_are_known_by_it(self):
        threads = self.data(self.page(0, HERE.parent / "step" / "block.cu"))["threads"]
        self.assertEqual([(t["label"], t["block"], t["block_label"]) for t in threads],
                         [(f"thread ({i},0,0)", b, f"block ({b},0,0)") for b in range(2) for i in range(8)])

    def test_needs_nothing_else(self):
        page = self.page(102, "histogram_racy.cu")
        self.assertIn("default-src 'none'", page)
        self.assertNotRegex(page.split('id="data"')[0], r"(?i)https?:|src=|@import|url\(")
        script = page.rsplit("<script>", 1)[1]
        self.assertNotRegex(script, r"(?i)https?:|fetch\(|XMLHttpRequest|import\b|new Image")
        data = self.data(page)
        self.assertEqual(len(data["ops"]), data["operations"])
        self.assertEqual([f["code"] for f in data["findings"]], ["duplicate-store", "data-race"])

    def browse(self, at=""):
        chromium = shutil.which("chromium")
        if chromium is None:
            self.skipTest("chromium is missing: apt-get install chromium")
        result = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900",
                                 f"--user-data-dir={self.kept / 'profile'}", "--virtual-time-budget=5000", "--dump-dom",
                                 (self.kept / "t.html").as_uri() + at],
                                text=True, capture_output=True, timeout=120)
        shown = Text(result.stdout)
        self.assertIn("body", shown.attributes, result.stderr)
        self.assertNotIn("data-error", shown.attributes["body"], result.stdout[:2000])
        return shown

    def test_message_passing_in_a_browser(self):
        page = self.page(0, "message_passing.cu")
        data = self.data(page)
        to, = [o for o in data["ops"] if any(sync for _, _, sync in o.get("from", []))]
        shown = self.browse(f"#{to['n']}")
        self.assertEqual(shown.by_id["position"], f"operation {to['n']} of {data['operations']}")
        self.assertIn("acquire, device scope: flag[0]", shown.by_id["operation"])
        self.assertIn(f"operation {to['from'][0][0]} of tile block (1,0,0) (1 element; synchronises)",
                      shown.by_id["operation"])
        self.assertIn("atomic_load(flag", shown.by_id["source"])
        self.assertEqual(shown.by_id["tile"], "1")
        self.assertIn("data: 64 i32 elements, 0 read, 64 written up to here", shown.by_id["memory"])
        self.assertEqual(shown.attributes["timeline"]["data-rows"], "2")
        self.assertEqual(int(shown.attributes["timeline"]["data-drawn"]), len(data["ops"]))
        self.assertEqual(shown.by_id["findings"], "none")
        self.assertGreater(int(shown.attributes["overview"]["data-columns"]), 500)
        last = self.browse(f"#{data['operations']}")
        self.assertIn("data: 64 i32 elements, 64 read, 64 written up to here", last.by_id["memory"])
        self.assertIn("101", last.by_id["tile"])  # out[1]

    def test_race_in_a_browser(self):
        self.page(102, HERE / "race.cu")
        shown = self.browse()  # it opens at the first finding
        self.assertIn("finding-0", shown.attributes)
        self.assertIn("data-race", shown.by_id["findings"])
        self.assertRegex(shown.by_id["findings"], r"operation \d+, \S*race\.cu:12:\d+ against operation \d+, \S*race\.cu:10:")
        self.assertIn("by" "tile block (1,0,0) of race", shown.by_id["operation"])

    def test_what_is_left_out_takes_little_room(self):
        data = self.data(self.page(101, "--max-events", "64", HERE / "late.cu"))
        (first, last, count), (_, end, _) = data["left_out"]
        self.assertEqual((first, end, count), (49, data["operations"], last - first + 1))
        shown = self.browse()  # at the race, behind the gap
        self.assertIn("of race", shown.by_id["operation"])
        self.assertIn(f"; {data['operations'] - len(data['ops'])} of {data['operations']} operations are left out", shown.by_id["summary"])
        self.assertEqual(int(shown.attributes["timeline"]["data-drawn"]), len(data["ops"]))

    def test_all_blocks_fit_the_window(self):
        self.page(0, "saxpy.cu")
        some, every = self.browse(), self.browse("#fit")
        self.assertLess(int(some.attributes["timeline"]["data-rows"]), 100)
        self.assertEqual(int(every.attributes["timeline"]["data-rows"]), 977)
        self.assertEqual(every.by_id["fit"], "zoom in")

    def test_a_source_that_closes_the_script(self):
        self.page(0, HERE / "tags.cu")
        self.assertIn("</script><b>bold", self.browse().by_id["source"])


if __name__ == "__main__":
    sys.argv[0] = "trace_test.py"
    unittest.main()
