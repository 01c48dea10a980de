#!/usr/bin/env python3
"""`tilesim gpu compact`, and `tilesim diff` of what it makes: hashes in the place of contents.

  TILESIM_TOOL=$PWD/build/dev/bin/tilesim TILESIM_MAKE_RECORDING=$PWD/build/dev/bin/make_recording compact_test.py [Class]
"""
# SPDX-License-Identifier: Apache-2.0
import json
import math
import unittest

from diff_test import HERE, NUMBERS, Bounds as BoundsOfDiff, Case, float32, three, twice, up


class Compacted(Case):
    def compact(self, lines, *options):
        return self.tool("gpu", "compact", self.record(lines, "full.rec"), "-o", "x.rec", *options).stdout

    def against(self, *options, program="three.cu", code=0):
        return self.tool("diff", HERE / "programs" / program, "--against", "x.rec", *options, code=code).stdout

    def launches(self, **more):
        return json.loads(self.against("--json", "-", **more))["launches"]

    def keep(self, lines, program="three.cu", code=0):
        """The full recording's comparison, whose other launches than the same ones keep their content."""
        self.record(lines, "full.rec")
        self.tool("diff", HERE / "programs" / program, "--against", "full.rec", "--json", "d.json", code=code)
        return self.compact(lines, "--keep", "d.json")


class Compact(Compacted):
    def otherwise(self):
        first = twice(NUMBERS)
        first[100] = 201.0
        return first

    def test_what_is_the_same_agrees(self):
        # 'table' holds addresses, which are others on each machine: it is there as it was.
        self.assertEqual(self.compact(three()), "x.rec: 2048 bytes of memory as hashes, 32 as they are\n")
        self.assertIn("3 of 3 launches compared with x.rec (NVIDIA H200), 6240 bytes: 3 the same", self.against())
        shown = self.tool("gpu", "show", "x.rec").stdout
        self.assertIn("    changed: memory 2, bytes 0 to 1024, as hashes\n", shown)
        self.assertIn("    changed: memory 3, bytes 0 to 32\n", shown)

    def test_a_page_that_differs_is_told_with_who_wrote_it(self):
        self.compact(three(first=self.otherwise(), last=twice(twice(NUMBERS))))
        text = self.against(code=1)
        self.assertRegex(text, r"three\.cu:\d+:\d+: error: launch 1 \(twice\): the results differ, and every operation has one right")
        self.assertIn("bytes 0 to 1024 of out differ: which of them is not known, for the recording has the hash of these alone", text)
        self.assertRegex(text, r"the first written by tile block \(0,0,0\) at .*three\.cu:9:\d+")
        self.assertIn("note: x.rec was made by 'tilesim gpu compact'", text)
        self.assertRegex(text, r"tilesim step --ex 'break [^']*three\.cu:9 launch=1 block=\(0,0,0\)'")
        self.assertIn("2 the same, 1 differ, 0 undecided", text)
        buffer = self.launches(code=1)[0]["buffers"][0]
        self.assertEqual((buffer["name"], buffer["differing"], buffer["runs"]), ("out", 0, []))
        self.assertEqual([(p["begin"], p["end"], p["open"]) for p in buffer["pages"]], [(0, 1024, False)])
        self.assertIn("bytes 0 to 1024 differ: the recording has the hash of these alone", self.against("--html", "-", code=1))

    def test_a_launch_that_begins_from_what_differed_is_not_blamed(self):
        # Launch 3 doubles what launch 1 left, which cannot be made what the GPU had.
        self.compact(three(first=self.otherwise()))
        self.assertEqual([l["verdict"] for l in self.launches(code=1)], ["differs", "same", "other input"])
        self.assertEqual(self.launches(code=1)[2]["inputs"], [{"name": "out", "offset": 0, "bytes": 1024, "left": True}])

    def test_launches_that_differed_in_a_report_keep_their_content(self):
        self.assertEqual(self.keep(three(first=self.otherwise()), code=1), "x.rec: 1024 bytes of memory as hashes, 1056 as they are\n")
        text = self.against(code=1)
        self.assertIn("out[100]: 43480000 (200) here, 43490000 (201) there", text)
        self.assertNotIn("compact", text)
        self.assertEqual([l["verdict"] for l in self.launches(code=1)], ["differs", "same", "same"])

    def test_several_runs(self):
        same = three().replace("\nafter ", "\nsame ")
        runs = "run 0\n" + three() + "run 1\n" + same + "run 2\n" + three(first=self.otherwise())
        self.compact(runs)
        text = self.against(code=1)
        self.assertIn("run 1 of 3: agrees", text)
        self.assertIn("run 2 of 3: agrees", text)
        self.assertIn("run 3 of 3: differs", text)
        self.keep(runs, code=1)  # the launch that differs in one run
        self.assertIn("out[100]: 43480000 (200) here, 43490000 (201) there", self.against("--run", "3", code=1))
        self.assertIn("run 2 of 3: agrees", self.against("--run", "2"))

    def test_two_recordings_are_compared_with_their_contents(self):
        self.compact(three())
        said = self.tool("diff", "full.rec", "x.rec", code=64).stderr
        self.assertIn("x.rec was made by 'tilesim gpu compact', and has hashes in the place of what launches gave; give the recording "
                      "that it is of", said)


class Bounds(Compacted):
    """What agrees within bounds needs its content."""

    def lines(self, results, symbol="_Z5growsPfPKf"):
        return BoundsOfDiff.lines(self, symbol, results)

    def test_without_content_it_is_undecided(self):
        results = [up(float32(math.exp(i / 8)), i % 3) for i in range(64)]
        self.compact(self.lines(results))
        text = self.against(program="grows.cu", code=3)
        self.assertIn("not known: whether they lie within the bounds", text)
        self.assertTrue(self.launches(program="grows.cu", code=3)[0]["buffers"][0]["pages"][0]["open"])

    def test_with_it_it_agrees(self):
        self.keep(self.lines([up(float32(math.exp(i / 8)), i % 3) for i in range(64)]), program="grows.cu")
        self.assertIn("0 the same, 1 within the bounds", self.against(program="grows.cu"))


class Refused(Compacted):
    def refused(self, said, *words, code):
        told = self.tool("gpu", "compact", *words, code=code).stderr
        self.assertIn(said, told)
        self.assertTrue(told.endswith("\n"))

    def test_the_command_line(self):
        self.record(three())
        self.refused("'gpu compact' takes one recording, not 0", "-o", "y.rec", code=64)
        self.refused("'gpu compact' needs -o SMALL.rec, the recording to write", "x.rec", code=64)
        self.refused("-o ./x.rec is the recording itself; give another file", "x.rec", "-o", "./x.rec", code=64)
        self.refused("no.rec: No such file", "no.rec", "-o", "y.rec", code=64)
        self.refused("d.json: no such file", "x.rec", "-o", "y.rec", "--keep", "d.json", code=64)
        self.refused("/nonexistent/y.rec: No such file", "x.rec", "-o", "/nonexistent/y.rec", code=69)
        self.assertIn("examples:", self.tool("gpu", "compact", "--help").stdout)

    def test_what_is_no_report(self):
        self.record(three())
        for text in ("no", "{}", "[" * 100000, '{"launches": [{"launch": 0}]}', '{"schema": 2, "launches": 3}', '{"schema": 2, "runs": [1]}'):
            (self.kept / "d.json").write_text(text)
            self.refused("d.json: error: this is no comparison, and --keep takes those alone; give what 'tilesim diff",
                         "x.rec", "-o", "y.rec", "--keep", "d.json", code=65)

        (self.kept / "d.json").write_text('{"schema": 1, "launches": []}')  # whose launches had numbers from 0
        self.refused("d.json: error: this comparison is of schema 1, and --keep takes schema 2; compare anew",
                     "x.rec", "-o", "y.rec", "--keep", "d.json", code=65)

    def test_what_is_no_recording(self):
        (self.kept / "x.rec").write_text("no")
        self.refused("x.rec: error: this is no recording", "x.rec", "-o", "y.rec", code=65)
        path = self.record(three())
        path.write_bytes(path.read_bytes()[:-3])
        self.refused("x.rec: error: the recording is cut short", "x.rec", "-o", "y.rec", code=65)


if __name__ == "__main__":
    unittest.main()
