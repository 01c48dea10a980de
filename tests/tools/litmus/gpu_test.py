#!/usr/bin/env python3
"""`tilesim litmus --gpu-build` and `--observed` from outside: the kernels, what is skipped and why, logs.

  TILESIM_TOOL=build/dev/bin/tilesim gpu_test.py [Class]
  TILESIM_TOOL=build/dev/bin/tilesim gpu_test.py --approve    # records gpu/ anew
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
sys.path.insert(0, str(HERE.parents[1] / "support"))
from tool_case import FolderCase  # noqa: E402

ROOT = HERE.parents[2]
GOLDEN = HERE / "gpu"
OWN = ROOT / "tests" / "litmus"
TOOL = os.environ.get("TILESIM_TOOL", "")
PUBLISHED = os.environ.get("TILESIM_PUBLISHED_LITMUS", "")

# A loop, clusters, atomics, a fence's mutants, sizes and vectors.
RECORDED = ["MP+spin", "MP+cluster", "CAS+CAS", "SB+fence.sc", "Vector+MP", "MP+bar"]
# Elements with masks and too many lanes, branches, a loop.
RECORDED_TILES = ["MP+rel+acq", "CAS+masked", "Histogram+one-block", "Lock"]

MP = """\
PTX MP
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0        ;
 st.weak x, 1        | ld.acquire.gpu r0, y  ;
 st.release.gpu y, 1 | ld.weak r1, x         ;
exists (P1:r0 == 1 /\\ P1:r1 == 0)
"""


def tool(*words, env=None):
    return subprocess.run([TOOL, "litmus", *map(str, words)], cwd=ROOT, text=True, timeout=300,
                          env=os.environ | {"LC_ALL": "C"} | (env or {}), capture_output=True)


def kernels(source):
    begin = source.rindex("\n// ", 0, source.index(" test_0("))
    return source[begin:source.index("\nconst test_info tests[]")]


def generated(name, form="ptx"):
    with tempfile.TemporaryDirectory(prefix="tilesim litmus ") as folder:
        kept = pathlib.Path(folder) / "kept.cu"
        done = tool("--gpu-build", "--mutants", f"tests/litmus/{form}/{name}.litmus", "--keep", kept)
        assert done.returncode == 0, done.stderr
        return kernels(kept.read_text())


class Case(FolderCase):
    def source(self, *words, code=0):
        kept = self.folder / "kept.cu"
        return self.check(tool("--gpu-build", *words, "--keep", kept), code), kept

    def every_file(self, folder):
        done, kept = self.source(folder)
        files = sorted(str(p) for p in pathlib.Path(folder).rglob("*.litmus"))
        rows = set(re.findall(r'^    \{"[^"]*", "([^"]*)", nullptr', kept.read_text(), re.M))
        skipped = dict(re.findall(r"^(.*): skipped: (.+)$", done.stdout, re.M))
        self.assertGreater(len(files), 50)
        self.assertEqual(sorted(rows | skipped.keys()), files)
        self.assertFalse(rows & skipped.keys())
        for reason in skipped.values():
            self.assertRegex(reason, "barrier|two GPUs|PTX has|sm_90 has|one block|division|places|variables")


class Built(Case):
    def test_recorded(self):
        for name in RECORDED:
            with self.subTest(name=name):
                self.assertEqual(generated(name), (GOLDEN / f"{name}.txt").read_text())
        for name in RECORDED_TILES:
            with self.subTest(name=name):
                self.assertEqual(generated(name, "tile"), (GOLDEN / f"tile.{name}.txt").read_text())

    def test_nothing_is_recorded_in_vain(self):
        self.assertEqual({p.stem for p in GOLDEN.iterdir()}, set(RECORDED) | {f"tile.{n}" for n in RECORDED_TILES})

    def test_every_tile_operation_stands_in_the_kernel(self):
        _, kept = self.source(OWN / "tile")
        text = kernels(kept.read_text())
        for words in ("ct::load(", "ct::store(", "ct::store_masked(", "ct::load_masked(",
                      "ct::atomic_load<ct::memory_order::acquire, ct::thread_scope::device>",
                      "ct::atomic_store<ct::memory_order::release, ct::thread_scope::system>",
                      "ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::block>",
                      "ct::atomic_compare_exchange_masked<", "ct::atomic_xchg<", "do {", "} while (", "if (!("):
            self.assertIn(words, text)
        # Both kinds in one program.
        _, kept = self.source(OWN)
        self.assertIn("__tile_global__", kept.read_text())
        self.assertIn("asm volatile(", kept.read_text())

    def test_two_threads_are_no_tile_block(self):
        tile = self.write("one.litmus", "TILE one\n{ int x = 0; }\nP0 @ block 0, device 0:\n  store x, 1\n"
                          "P1 @ block 0, device 0:\n  t = load x\nexists (P1:t == 1)\n")
        done, _ = self.source(tile, code=65)
        self.assertIn("two of its threads are in one block, and a tile block is one thread", done.stdout)

    def test_barriers_that_may_never_complete_are_not_run(self):
        bar = ("PTX bar\n{{ x=0; }}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | {0} ;\n {0} | ld.weak r0, x ;\n"
               "exists (P1:r0 == 1)\n")
        done, kept = self.source(self.write("bar.litmus", bar.format("bar.cta.sync 1")))
        self.assertIn("barrier.cta.sync 1, 64;", kept.read_text())
        done, _ = self.source(self.write("three.litmus", bar.format("bar.cta.sync 1, 1, 3")), code=65)
        self.assertIn("2 come to a barrier of 3: the GPU waits for the rest, and hangs", done.stdout)
        # Two complete it, and the model lets the third go on; a GPU does not.
        done, _ = self.source(self.write("late.litmus", "PTX late\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
                                         " bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 ;\n"
                                         " st.weak x, 1 | ld.weak r0, x | ;\nexists (P1:r0 == 1)\n"), code=65)
        self.assertIn("3 come to a barrier of 2: the GPU waits for the rest, and hangs", done.stdout)

    def test_every_strong_instruction_stands_in_the_kernel(self):
        _, kept = self.source(self.write("MP.litmus", MP))
        text = kept.read_text()
        for line in ("st.weak.global.s64", "st.release.gpu.global.s64", "ld.acquire.gpu.global.s64"):
            self.assertIn(line, kernels(text))

    def test_every_own_file_is_built_or_skipped_with_a_reason(self):
        self.every_file(OWN)

    def test_words_and_files(self):
        self.check(tool("--gpu-build", OWN), 64)
        self.check(tool("--gpu-build", "-o", self.folder / "prog"), 64)
        wrong = self.write("wrong.litmus", MP.replace("ld.weak", "ld.strong"))
        done, kept = self.source(wrong, code=65)
        self.assertIn("wrong.litmus:5:", done.stderr)
        self.assertFalse(kept.exists())
        done, _ = self.source(OWN / "tile" / "MP+default+two-devices.litmus", code=65)
        self.assertIn("none of the tests can be run on a GPU", done.stderr)

    def test_no_compiler(self):
        done = tool("--gpu-build", self.write("MP.litmus", MP), "-o", self.folder / "prog",
                    env={"TILESIM_NVCC": "/nowhere/nvcc"})
        self.check(done, 69)


class Published(Case):
    @unittest.skipUnless(os.path.isdir(PUBLISHED), "TILESIM_PUBLISHED_LITMUS names no folder")
    def test_every_file_is_built_or_skipped_with_a_reason(self):
        self.every_file(pathlib.Path(PUBLISHED) / "ptx")


class Native(Case):
    """NVIDIA's compiler takes what was written."""

    def test_own_tests_compile(self):
        if subprocess.run([TOOL, "toolchain", "path"], capture_output=True).returncode != 0:
            self.skipTest("NVIDIA's compiler is not installed")
        program = self.folder / "prog"
        self.check(tool("--gpu-build", "tests/litmus/ptx", "-o", program))
        listed = subprocess.run([program, "--list"], capture_output=True, text=True)
        self.assertIn("MP+cluster\n", listed.stdout)
        self.assertEqual(subprocess.run([program, "--nothing"], capture_output=True).returncode, 64)

    def test_own_tile_tests_compile(self):
        if subprocess.run([TOOL, "toolchain", "path"], capture_output=True).returncode != 0:
            self.skipTest("NVIDIA's compiler is not installed")
        program = self.folder / "tiles"
        self.check(tool("--gpu-build", "tests/litmus/tile", "-o", program))
        listed = subprocess.run([program, "--list"], capture_output=True, text=True)
        self.assertIn("CAS+masked\n", listed.stdout)


class Judged(Case):
    """Logs as a program writes them."""

    def setUp(self):
        super().setUp()
        self.file = self.write("MP.litmus", MP)
        _, kept = self.source(self.file)
        self.hash = format(int(re.search(r'nullptr, (\d+)ull', kept.read_text())[1]), "016x")

    def line(self, outcomes, name="MP", mutant=None, **more):
        states = [{"state": f"P1:r0={a}; P1:r1={b}; x=1; y=1;", "count": n} for a, b, n in outcomes]
        return {"test": name, "mutant": mutant, "xxh64": self.hash, "outcomes": states,
                "total": sum(n for _, _, n in outcomes)} | more

    def log(self, *lines, version=1, tests=None, end=True):
        header = {"tilesim_litmus_log": version, "device": "GPU", "seed": 1, "knobs": [],
                  "tests": len(lines) if tests is None else tests}
        last = [{"end": len(lines)}] if end else []
        return self.write("log", "".join(json.dumps(x) + "\n" for x in [header, *lines, *last]))

    def judge(self, log, code, *words):
        return self.check(tool("--observed", log, *words, self.file), code)

    def test_allowed(self):
        done = self.judge(self.log(self.line([(0, 0, 5), (1, 1, 7)])), 0)
        self.assertRegex(done.stdout, r"(?m)^MP +12 +2/3 +-$")
        self.assertEqual(done.stderr, "")

    def test_forbidden_is_an_error_with_the_reason(self):
        log = self.log(self.line([(0, 0, 5), (1, 0, 3)]))
        done = self.judge(log, 1)
        self.assertIn(f"{log}:2: error: MP ended in 'P1:r0=1; P1:r1=0; x=1; y=1;' 3 times of 8",
                      done.stderr)
        self.assertIn("breaks Causality", done.stderr)
        report = json.loads(self.judge(log, 1, "--json").stdout)
        self.assertEqual(report["tests"][0]["forbidden"],
                         [{"state": "P1:r0=1; P1:r1=0; x=1; y=1;", "count": 3}])

    def test_what_dependencies_by_value_allow_is_a_class_of_its_own(self):
        self.file = OWN / "ptx" / "LB+false-ctrl+data.litmus"
        _, kept = self.source(self.file)
        self.hash = format(int(re.search(r"nullptr, (\d+)ull", kept.read_text())[1]), "016x")
        line = self.line([], name="LB+false-ctrl+data")
        line["outcomes"] = [{"state": "P0:r0=0; P1:r0=0; x=0; y=1;", "count": 4},
                            {"state": "P0:r0=1; P1:r0=1; x=1; y=1;", "count": 3}]
        log = self.log(line | {"total": 7})
        done = self.judge(log, 0)
        self.assertIn(f"{log}:2: note: LB+false-ctrl+data ended in 'P0:r0=1; P1:r0=1; x=1; y=1;' 3 times of 7: "
                      "dependencies as they are written forbid it, and by value allow it", done.stderr)
        self.assertIn("1 by value alone", done.stdout)
        report = json.loads(self.judge(log, 0, "--json").stdout)
        self.assertEqual([len(report["tests"][0][k]) for k in ("by_value", "forbidden")], [1, 0])
        # With true dependencies on both sides it is an error in every reading.
        self.file = OWN / "ptx" / "LB+data+data.litmus"
        _, kept = self.source(self.file)
        self.hash = format(int(re.search(r"nullptr, (\d+)ull", kept.read_text())[1]), "016x")
        line = self.line([], name="LB+data+data")
        line["outcomes"] = [{"state": "P0:r0=1; P1:r0=1; x=1; y=1;", "count": 3}]
        log = self.log(line | {"total": 3})
        self.assertIn("no reading of the model allows such an outcome", self.judge(log, 1).stderr)

    def test_mutants_are_killed_by_what_their_original_forbids(self):
        weak = "P0.1 release to relaxed"
        done = self.judge(self.log(self.line([(0, 0, 5)]), self.line([(1, 0, 1)], mutant=weak)), 0)
        self.assertIn("mutation score: 1 of 1 killable", done.stdout)
        done = self.judge(self.log(self.line([(0, 0, 5)]), self.line([(1, 1, 1)], mutant=weak)), 0)
        self.assertIn("mutation score: 0 of 1 killable", done.stdout)

    def test_logs_that_do_not_belong_here(self):
        good = self.line([(0, 0, 5)])
        for log, told in [
                (lambda: self.log(good | {"test": "SB"}), ":2: error: test 'SB' is in none"),
                (lambda: self.log(good | {"xxh64": "1"}), ":2: error: test 'MP' was a file of hash"),
                (lambda: self.log(good, version=2), ":1: error: a log of version 2"),
                (lambda: self.log(good, end=False), ":3: error: the log is cut short"),
                (lambda: self.log(good, tests=2), ":3: error: it has 1 tests"),
                (lambda: self.log(good | {"total": 6}), ":2: error: 'total' is 6"),
                (lambda: self.log(good | {"mutant": "none"}), ":2: error: MP has no mutant"),
                (lambda: self.log(self.line([(0, 0, 1)]) | {
                    "outcomes": [{"state": "x=1;", "count": 1}]}), ":2: error: 'x=1;' is no final"),
                (lambda: self.write("log", "nonsense\n"), ":1: error: no JSON object"),
                (lambda: self.write("log", '{"a":' * 300_000 + "1" + "}" * 300_000 + "\n"), ":1: error: no JSON object")]:
            path = log()
            self.assertIn(f"{path}{told}", self.judge(path, 65).stderr)
        path = self.log(good)
        path.write_text(path.read_text()[:-5])
        self.assertIn(f"{path}:3: error: the log is cut short", self.judge(path, 65).stderr)

    def test_lost_outcomes_leave_it_open(self):
        self.judge(self.log(self.line([(0, 0, 5)], lost=1)), 3)


if __name__ == "__main__":
    if "--approve" in sys.argv:
        GOLDEN.mkdir(exist_ok=True)
        for recorded in RECORDED:
            (GOLDEN / f"{recorded}.txt").write_text(generated(recorded))
        for recorded in RECORDED_TILES:
            (GOLDEN / f"tile.{recorded}.txt").write_text(generated(recorded, "tile"))
    else:
        unittest.main()
