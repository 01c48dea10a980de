#!/usr/bin/env python3
"""`tilesim litmus` from outside: what it prints, against recorded output; errors; exit codes; folders.

  TILESIM_TOOL=build/dev/bin/tilesim litmus_test.py [Class]
  TILESIM_TOOL=build/dev/bin/tilesim litmus_test.py --approve    # records golden/ anew

One file in spite of its length: one command's tests over one case; ctest runs each class by itself.
"""
# SPDX-License-Identifier: Apache-2.0
import csv
import json
import os
import pathlib
import pty
import random
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
from tool_case import FolderCase, read_terminal  # noqa: E402

ROOT = HERE.parents[2]
CASES = HERE / "cases"
GOLDEN = HERE / "golden"
TOOL = os.environ.get("TILESIM_TOOL", "")
# A folder with expected.csv and, below ptx/, the tests that it speaks of.
PUBLISHED = os.environ.get("TILESIM_PUBLISHED_LITMUS", "")
MUTATIONS = int(os.environ.get("TILESIM_MUTATIONS", "200"))

# Recorded output: file name, words of the command line.
RECORDED = [
    ("MP+rel.cta+acq.txt", ["cases/MP+rel.cta+acq.litmus"]),
    ("MP+rel.cta+acq.explain.txt", ["--explain", "--model=ptx,sc", "cases/MP+rel.cta+acq.litmus"]),
    ("MP+rel+acq.explain.txt", ["--explain", "cases/MP+rel+acq.litmus"]),
    ("MP+tile.explain.txt", ["--explain", "cases/MP+tile.litmus"]),
    ("MP+tile.outcomes.txt", ["--outcomes", "--model=sc", "cases/MP+tile.litmus"]),
    ("SB.compared.txt", ["--model", "ptx", "--model", "sc", "cases/SB.litmus"]),
    ("SB+fence.sc.explain.txt", ["--explain", "cases/SB+fence.sc.litmus"]),
    ("RMW+forall.explain.txt", ["--explain", "cases/RMW+forall.litmus"]),
    ("RMW.cta+forall.explain.txt", ["--explain", "cases/RMW.cta+forall.litmus"]),
    ("CoWW.explain.txt", ["--explain", "--model=ptx,sc", "cases/CoWW.litmus"]),
    ("Init.explain.txt", ["--explain", "cases/Init.litmus"]),
    ("LB+data.explain.txt", ["--explain", "cases/LB+data.litmus"]),
    ("Bar+quorum.explain.txt", ["--explain", "cases/Bar+quorum.litmus"]),
    ("Spin.txt", ["cases/Spin.litmus"]),
    ("Spin.bound3.txt", ["--bound=3", "cases/Spin.litmus"]),
    ("Mixed.explain.txt", ["--explain", "cases/Mixed.litmus"]),
    ("Mixed.dot", ["--dot=-", "cases/Mixed.litmus"]),
    ("NoCondition.txt", ["cases/NoCondition.litmus"]),
    ("cases.txt", ["cases"]),
    ("cases.sc.txt", ["--model=sc", "cases"]),
    ("several.txt", ["cases/SB.litmus", "cases/CoWW.litmus"]),
    ("MP+rel.cta+acq.json", ["--json", "--outcomes", "--explain", "cases/MP+rel.cta+acq.litmus"]),
    ("RMW+forall.json", ["--json", "--explain", "cases/RMW+forall.litmus"]),
    ("Bar+quorum.json", ["--json", "cases/Bar+quorum.litmus"]),
    ("MP+rel+acq.dot", ["--dot", "-", "cases/MP+rel+acq.litmus"]),
    ("MP+tile.race.dot", ["--dot", "-", "--show=race", "cases/MP+tile.litmus"]),
    ("Bar+quorum.hang.dot", ["--dot", "-", "--show=hang", "cases/Bar+quorum.litmus"]),
]


def tool(*words, env=None, cwd=HERE):
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    return subprocess.run([TOOL, "litmus", *map(str, words)], cwd=cwd, text=True, timeout=120,
                          env=clean | {"LC_ALL": "C"} | (env or {}), capture_output=True)


class Case(FolderCase):
    def check(self, result, code=0, out=None, err=""):
        return super().check(result, code, out, err)


class Recorded(Case):
    def test_output(self):
        for name, words in RECORDED:
            with self.subTest(name=name):
                self.check(tool(*words), out=(GOLDEN / name).read_text())

    def test_nothing_is_recorded_in_vain(self):
        self.assertEqual({p.name for p in GOLDEN.iterdir()}, {name for name, _ in RECORDED})

    def test_every_case_is_recorded(self):
        named = " ".join(" ".join(words) for _, words in RECORDED)
        for path in CASES.iterdir():
            self.assertIn(path.name, named)


MP = """\
PTX MP
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0        ;
 st.weak x, 1        | ld.acquire.gpu r0, y  ;
 st.release.gpu y, 1 | ld.weak r1, x         ;
"""
EXISTS = MP + "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n"


class Text(Case):
    """What holds of every report in herd's manner."""

    def test_counts(self):
        for path in sorted(CASES.glob("*.litmus")):
            for model in ("ptx", "sc"):
                with self.subTest(file=path.name, model=model):
                    out = self.check(tool("--model", model, path), code=None_or_any(), err=None).stdout
                    rows = re.findall(r"^(\d+)([:*])>(.*)$", out, re.M)
                    self.assertEqual(int(re.search(r"^States (\d+)$", out, re.M)[1]), len(rows))
                    seen = re.search(r"^Observation \S+ (Always|Sometimes|Never) (\d+) (\d+)$", out, re.M)
                    if not seen:
                        self.assertIn("NoCondition", path.name)
                        continue
                    self.assertEqual(sum(int(n) for n, mark, _ in rows if mark == "*"), int(seen[2]))
                    self.assertEqual(sum(int(n) for n, mark, _ in rows if mark == ":"), int(seen[3]))

    def test_quantifiers(self):
        # Of MP 'r0 == 1' is sometimes so, '~(r0 == 1 /\ r1 == 0)' always, 'r0 == 2' never.
        rows = [
            ("exists (P1:r0 == 1)", "Allowed", "Ok", "Sometimes", "allowed"),
            ("exists (P1:r0 == 2)", "Allowed", "No", "Never", "forbidden"),
            ("~exists (P1:r0 == 1)", "Forbidden", "No", "Sometimes", "allowed"),
            ("~exists (P1:r0 == 2)", "Forbidden", "Ok", "Never", "forbidden"),
            ("forall (P1:r0 == 1)", "Required", "No", "Sometimes", "not-always"),
            ("forall (P1:r0 <= 1)", "Required", "Ok", "Always", "always"),
        ]
        for condition, kind, answer, seen, verdict in rows:
            with self.subTest(condition=condition):
                path = self.write("q.litmus", MP + condition + "\n")
                out = self.check(tool(path)).stdout
                self.assertIn(f"Test MP {kind}\n", out)
                self.assertIn(f"\n{answer}\nWitnesses\n", out)
                self.assertIn(f"\nCondition {condition}\n", out)
                self.assertRegex(out, rf"\nObservation MP {seen} ")
                found = json.loads(self.check(tool("--json", path)).stdout)["tests"][0]["models"][0]
                self.assertEqual(found["verdict"], verdict)
                self.assertEqual(found["ok"], answer == "Ok")
                # Of '~exists' herd counts what does not satisfy as positive.
                positive, negative = found["positive"], found["negative"]
                if kind == "Forbidden":
                    positive, negative = negative, positive
                self.assertIn(f"\nPositive: {positive} Negative: {negative}\n", out)

    def test_colours(self):
        path = self.write("c.litmus", EXISTS)
        self.assertNotIn("\033", tool(path).stdout)
        for env, coloured in (({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False),
                              ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
            with self.subTest(env=env):
                self.assertEqual("\033[" in on_terminal([path], env), coloured)

    def test_progress_on_a_terminal_only(self):
        # Long enough for the line to show: it appears after a second.
        slow = self.write("slow/a.litmus", SLOW)
        self.write("slow/b.litmus", EXISTS)
        shown = on_terminal(["--limit=4000000", slow.parent], {"TERM": "xterm"})
        self.assertRegex(shown, r"\r\x1b\[Ktilesim: [01] of 2 tests done, [1-9]\d*\.\d s\r\x1b\[K")
        self.assertNotIn("done", tool("--limit=4000000", slow.parent).stderr)


def None_or_any():
    """An exit code that equals 0 and 1: the file may expect something else of this model."""

    class Any:
        def __eq__(self, other):
            return other in (0, 1)

    return Any()


def on_terminal(words, env):
    """What the tool prints when its standard streams are a terminal."""
    ours, theirs = pty.openpty()
    clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen([TOOL, "litmus", *map(str, words)], stdin=theirs, stdout=theirs,
                               stderr=theirs, env=clean | env)
    os.close(theirs)
    text = read_terminal(ours)
    process.wait(60)
    return text


# Some millions of candidates: eight threads that add to one place.
SLOW = ("PTX slow\n{ x=0; }\n" + " | ".join(f"P{i}@cta {i},gpu 0" for i in range(8)) + ";\n" +
        " | ".join(f"atom.relaxed.gpu.add r0, x, {1 << i}" for i in range(8)) + ";\n" +
        "exists (x == 255)\n")


class Errors(Case):
    def test_syntax(self):
        header = "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n"
        # Text, line and column, message.
        rows = [
            ("", "1:1", "a litmus test begins with 'PTX' or 'TILE' and its name"),
            ("C t\n{}\n", "1:1", "a litmus test begins with 'PTX' or 'TILE' and its name"),
            ("PTX t\n x=0;\n", "3:1", "expected '{' and the initial values, found the end of the file"),
            ("PTX t\n{ x=0; y }\n P1@cta 0,gpu 0;\n", "3:2", "expected thread 'P0', found 'P1'"),
            ("PTX t\n{ x=1.5; }\n", "2:6", "expected ';' behind an initial value, found '.'"),
            (header + " st.weka x, 1 ;\n", "4:5", "'.weka' is no modifier of 'st'"),
            (header + " st.weak x 1 ;\n", "4:12", "expected ',' behind the address, found '1'"),
            (header + " st.weak x, 1 \n", "5:1", "expected '|' or ';' behind an instruction, found the end of the file"),
            (header + " st.weak x, 1 | st.weak x, 2 ;\n", "4:2", "a row of more than 1 cells, one for each thread"),
            (header + " jmp L ;\n", "4:2", None),
            (header + " bne r0, 1, L ;\nexists (x == 0)\n", "4:13", "P0 has no label 'L'"),
            (header + " fence.proxy.alias ;\n", "4:8", None),
            ("PTX t\n{ y @ surface aliases x; }\n", "2:3", None),
            (header + " st.weak x, 1 ;\nexists (P1:r0 == 0)\n", "5:9", "there is no thread 'P1'; the test has P0 to P0"),
            (header + " st.weak x, 1 ;\nexists (z == 0)\n", "5:9", "expected a variable or a register as 'P0:r0', found 'z'"),
            (header + " st.weak x, 1 ;\nexists (x = )\n", "5:13", None),
            (header + " st.weak x, 1 ;\nexists (x == 0) exists (x == 1)\n", "5:17", "a test has one condition, and this is the second"),
            (header + " st.weak x, 1 ;\nexists (x == 0)\nexpect tso: allowed\n", "6:8", "expected a model, 'ptx', 'ptx-values' or 'sc', found 'tso'"),
            (header + " st.weak x, 1 ;\nexpect ptx: allowed\n", "5:13", "'allowed' is about a condition, and there is none before it"),
            (header + " st.weak [r1], 1 ;\n", "4:2", None),
            ("TILE t\n{ int x = 0; }\nP0 @ block 0:\n  store y, 1\n", "4:9", "'y' is no variable"),
            ("TILE t\n{ float x = 0; }\n", "2:3", "'float' is no type; there are int, unsigned, char, short, long, and u8 to s64"),
            ("TILE t\n{ int x = 0; }\nP0 @ block 0:\n  atomic_store.acquire x, 1\n", "4:16", "'acquire' is no order of 'atomic_store', which takes relaxed, release"),
            ("TILE t\n{ int x[4] = 0; }\nP0 @ block 0:\n  store x[4], 1\n", "4:11", "'x' has no element 4; it has 4"),
        ]
        for text, place, message in rows:
            with self.subTest(text=text):
                path = self.write("wrong.litmus", text)
                result = self.check(tool("wrong.litmus", cwd=self.folder), code=65, out="", err=None)
                first, *rest = result.stderr.splitlines()
                self.assertTrue(first.startswith(f"wrong.litmus:{place}: error: "), first)
                if message:
                    self.assertEqual(first, f"wrong.litmus:{place}: error: {message}")
                self.check_caret(text, place, rest)
                if "proxy" in text or "surface" in text:
                    self.assertIn("proxies are not modelled", first)
                found = json.loads(tool("--json", path).stdout)
                error = found["tests"][0]["error"]
                self.assertEqual(f"{error['line']}:{error['column']}", place)
                self.assertEqual(found["summary"]["failed"], 1)

    def check_caret(self, text, place, rest):
        """The line stands below the message, a caret below its column."""
        line, column = map(int, place.split(":"))
        lines = text.splitlines()
        if line > len(lines) or not lines[line - 1]:
            self.assertEqual(rest, [])
            return
        self.assertEqual(rest[0], "  " + lines[line - 1])
        self.assertEqual(rest[1].index("^"), column + 1)

    def test_mutations(self):
        """Whatever a file says, the answer is a report, a limit or an error with its place."""
        chance = random.Random(1)
        texts = [p.read_text() for p in sorted(CASES.glob("*.litmus"))]
        pieces = re.findall(r"\w+|[^\w\s]|\s+", " ".join(texts)) + ["18446744073709551616", "-", "x[", "{", "\0", "é", "9" * 40]
        for i in range(MUTATIONS):
            parts = re.findall(r"\w+|[^\w\s]|\s+", chance.choice(texts))
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(len(parts))
                parts[at:at + chance.randint(0, 2)] = chance.choices(pieces, k=chance.randint(0, 2))
            text = "".join(parts)
            with self.subTest(i=i, text=text):
                options = ["--explain", "--model=ptx,sc", "--dot=/dev/null"][:chance.randint(0, 3)]
                result = tool("--limit=500", *options, self.write("m.litmus", text))
                self.assertIn(result.returncode, (0, 1, 3, 65), result.stderr)
                if result.returncode == 65:
                    self.assertRegex(result.stderr, r"m\.litmus:\d+:\d+: error: .")

    def test_usage(self):
        path = self.write("a.litmus", EXISTS)
        (self.folder / "empty").mkdir()
        # Words, message.
        rows = [
            ([], "no litmus test; write 'tilesim litmus FILE.litmus', see 'tilesim litmus --help'"),
            (["none.litmus"], "none.litmus: no such file or folder"),
            (["empty"], "empty: there is no *.litmus in this folder"),
            (["--model", "tso", "a.litmus"], "unknown model 'tso'; there are ptx, ptx-values and sc"),
            (["--bonud=3", "a.litmus"], "unknown option '--bonud=3'; did you mean '--bound'? see 'tilesim litmus --help'"),
            (["--expect", "none.csv", "."], "none.csv: cannot be read"),
            (["--expect", "none.csv", "a.litmus"], "--expect goes with one folder: its first column has paths below that folder"),
            (["--expect", "none.csv", "--model=sc", "."], "--expect has verdicts of ptx; add it to --model"),
            (["--dot", "x.dot", "a.litmus", "a.litmus"], "--dot and --svg draw one test, not 2"),
        ]
        for words, message in rows:
            with self.subTest(words=words):
                self.check(tool(*words, cwd=self.folder), code=64, out="", err=f"tilesim: error: {message}\n")
        for words in (["--bound=0", path], ["--bound=x", path], ["--limit=-1", path], ["--jobs=0", path],
                      ["--show=all", path], ["--model"]):
            with self.subTest(words=words):
                result = self.check(tool(*words), code=64, out="", err=None)
                self.assertIn("see 'tilesim litmus --help'", result.stderr)

    def test_help(self):
        out = self.check(tool("--help")).stdout
        self.assertIn("usage: tilesim litmus", out)
        self.assertIn("examples:", out)
        for option in ("--model", "--bound", "--limit", "--outcomes", "--json", "--explain", "--dot", "--svg",
                       "--show", "--expect", "--jobs", "--verbose"):
            self.assertIn(option, out)

    def test_unreadable(self):
        # There for all, and readable for nobody: at its beginning is no memory.
        self.check(tool("/proc/self/mem"), code=65, out="", err="/proc/self/mem: error: cannot be read\n")

    def test_limits(self):
        self.write("a.litmus", EXISTS)
        result = self.check(tool("--limit=2", "a.litmus", cwd=self.folder), code=3, err=None)
        self.assertIn("No result: ", result.stdout)
        self.assertRegex(result.stderr, r"^a\.litmus: limit reached: ptx: .*; --limit N takes more\n$")
        found = json.loads(tool("--limit=2", "--json", "a.litmus", cwd=self.folder).stdout)
        self.assertIn("limit", found["tests"][0]["models"][0])
        self.assertEqual(found["summary"]["limits"], 1)

    def test_a_program_that_leaves_memory(self):
        self.write("a.litmus", "TILE t\n{ int x[2] = 0; int i = 7; }\nP0 @ block 0, device 0:\n"
                               "  j = load i\n  t = load x[j]\nexists (P0:t == 0)\n")
        result = self.check(tool("a.litmus", cwd=self.folder), code=65, out="", err=None)
        self.assertRegex(result.stderr, r"^a\.litmus:5:3: error: 't = load x\[j\]' accesses element 7 of 'x', which has 2\n")


class Expectations(Case):
    def test_in_the_file(self):
        # What the file expects, what differs.
        rows = [
            ("ptx: forbidden, race, terminates", []),
            ("ptx: allowed", ["expected allowed under ptx, found forbidden"]),
            ("ptx: race-free", ["expected race-free under ptx, found race"]),
            ("ptx: may-hang", ["expected may-hang under ptx, found terminates"]),
            ("sc: allowed, race-free", ["expected allowed under sc, found forbidden",
                                        "expected race-free under sc, found race"]),
        ]
        for expected, wrong in rows:
            with self.subTest(expected=expected):
                self.write("a.litmus", EXISTS + f"expect {expected}\n")
                result = self.check(tool("a.litmus", cwd=self.folder), code=1 if wrong else 0, err=None)
                self.assertEqual(result.stderr, "".join(f"a.litmus:7: error: {w}\n" for w in wrong))
                self.assertEqual("As expected\n" in result.stdout, not wrong)
                found = json.loads(tool("--json", "a.litmus", cwd=self.folder).stdout)["tests"][0]
                self.assertEqual(sum(not e["met"] for e in found["expectations"]), len(wrong))

    def test_a_model_that_is_not_asked_is_not_compared(self):
        path = self.write("a.litmus", EXISTS + "expect sc: allowed\n")
        self.check(tool("--model=ptx", path))

    def suite(self):
        self.write("s/a.litmus", EXISTS)
        self.write("s/below/b.litmus", MP + "forall (P1:r0 <= 1)\n")
        self.write("s/c.litmus", MP + "~exists (P1:r0 == 2)\n")
        self.write("s/read.me", "no test")
        return ["test,quantifier,condition,race,terminates",
                "a.litmus,exists,forbidden,race,1",
                "below/b.litmus,forall,always,race,"]

    def run_table(self, rows, *words):
        self.write("t.csv", "\n".join(rows) + "\n")
        return tool("--expect=t.csv", "s", *words, cwd=self.folder)

    def test_table(self):
        rows = self.suite()
        result = self.check(self.run_table(rows))
        self.assertEqual(result.stdout.splitlines()[-1], "3 tests: 2 as expected, 1 without an expectation")
        self.assertEqual([line.split()[1] for line in result.stdout.splitlines()[:-1]],
                         ["s/a.litmus", "s/below/b.litmus", "s/c.litmus"])

    def test_table_differs(self):
        rows = self.suite()
        rows[1] = "a.litmus,exists,allowed,free,0"
        result = self.check(self.run_table(rows), code=1, err=None)
        self.assertEqual(result.stderr, "t.csv:2: error: s/a.litmus: expected allowed under ptx, found forbidden\n"
                                        "t.csv:2: error: s/a.litmus: expected race-free under ptx, found race\n"
                                        "t.csv:2: error: s/a.litmus: expected may-hang under ptx, found terminates\n")
        self.assertEqual(result.stdout.splitlines()[-1],
                         "3 tests: 1 as expected, 1 differs, 1 without an expectation")
        rows[1] = "a.litmus,forall,always,race,1"
        self.check(self.run_table(rows), code=1,
                   err="t.csv:2: error: s/a.litmus: expected forall under ptx, found exists\n")

    def test_table_wrong(self):
        rows = self.suite()
        # Line that is put in place of which, message.
        wrong = [
            (0, "test,condition", "t.csv:1: error: expected the header 'test,quantifier,condition,race,terminates', found 'test,condition'"),
            (1, "a.litmus,exists,allowed,race", "t.csv:2: error: expected 5 fields (test,quantifier,condition,race,terminates), found 4"),
            (1, "a.litmus,all,allowed,race,1", "t.csv:2: error: quantifier: expected 'exists', '~exists' or 'forall', found 'all'"),
            (1, "a.litmus,exists,always,race,1", "t.csv:2: error: condition: expected 'allowed' or 'forbidden', found 'always'"),
            (2, "below/b.litmus,forall,allowed,race,1", "t.csv:3: error: condition of a forall test: expected 'always' or 'not-always', found 'allowed'"),
            (1, "a.litmus,exists,allowed,races,1", "t.csv:2: error: race: expected 'race' or 'free', found 'races'"),
            (1, "a.litmus,exists,allowed,race,2", "t.csv:2: error: terminates: expected '1', '0' or nothing, found '2'"),
            (2, "a.litmus,exists,forbidden,race,1", "t.csv:3: error: 'a.litmus' has a row already, in line 2"),
            (2, "b.litmus,forall,always,race,1", "t.csv:3: error: there is no b.litmus in s"),
        ]
        for line, text, message in wrong:
            with self.subTest(text=text):
                changed = list(rows)
                changed[line] = text
                self.check(self.run_table(changed), code=65, out="", err=message + "\n")

    def test_one_wrong_file_hides_no_other(self):
        self.suite()
        self.write("s/b.litmus", "PTX b\n")
        result = self.check(tool("s", cwd=self.folder), code=65, err=None)
        self.assertEqual(result.stdout.splitlines()[-1], "4 tests: 3 without an expectation, 1 does not parse")
        self.assertTrue(result.stderr.startswith("s/b.litmus:2:1: error: "), result.stderr)

    def test_order_does_not_depend_on_jobs(self):
        one = tool("--jobs=1", CASES)
        for jobs in (2, 3, 16):
            many = tool(f"--jobs={jobs}", CASES)
            self.assertEqual((one.stdout, one.stderr, one.returncode),
                             (many.stdout, many.stderr, many.returncode))


class Json(Case):
    def test_whole(self):
        """The numbers of a document agree with each other, and its states with its outcomes."""
        document = json.loads(tool("--json", "--outcomes", "--explain", "--model=ptx,sc", CASES).stdout)
        self.assertEqual(document["version"], 1)
        self.assertEqual(document["summary"]["tests"], len(document["tests"]))
        self.assertEqual(len(document["tests"]), len(list(CASES.glob("*.litmus"))))
        for test in document["tests"]:
            for model in test["models"]:
                with self.subTest(test=test["name"], model=model["model"]):
                    self.check_model(model)

    def check_model(self, model):
        pairs = sum(s["count"] for s in model["states"])
        self.assertEqual(pairs, sum(o["count"] for o in model["outcomes"]))
        self.assertGreaterEqual(pairs, model["executions"])
        if "positive" in model:
            self.assertEqual(pairs, model["positive"] + model["negative"])
            self.assertEqual(sum(s["count"] for s in model["states"] if s["satisfies"]), model["positive"])
        projected = {tuple(sorted(s["values"].items())) for s in model["states"]}
        for outcome in model["outcomes"]:
            self.assertTrue(any(set(p) <= set(outcome["values"].items()) for p in projected))
        self.assertEqual(model["race"] is not None, model["racy_executions"] > 0)
        explained = model.get("explanation", {})
        for execution in [explained[k] for k in ("execution",) if k in explained] + explained.get("candidates", []):
            self.check_execution(execution)

    def check_execution(self, execution):
        events = execution["events"]
        self.assertEqual([e["id"] for e in events], list(range(len(events))))
        for edge in execution["edges"]:
            source, target = events[edge["from"]], events[edge["to"]]
            if edge["kind"] == "rf":
                self.assertEqual((source["kind"], target["kind"]), ("write", "read"))
                if source["place"] == target["place"]:
                    self.assertEqual(source["value"], target["value"])
        cycle = execution.get("cycle")
        if cycle is not None:
            self.assertTrue(cycle)
            for step, following in zip(cycle, cycle[1:] + cycle[:1]):
                self.assertEqual(step["to"], following["from"])


class Drawing(Case):
    def dot_program(self):
        program = shutil.which("dot")
        if not program:
            self.skipTest("Graphviz's program 'dot' is not installed")
        return program

    def test_graphviz_takes_all(self):
        dot = self.dot_program()
        for path in sorted(CASES.glob("*.litmus")):
            for show in ("condition", "race", "hang"):
                with self.subTest(file=path.name, show=show):
                    result = tool("--dot=-", f"--show={show}", path)
                    if result.returncode == 1 and "nothing to draw" in result.stderr:
                        continue
                    drawn = subprocess.run([dot, "-Tsvg"], input=result.stdout, capture_output=True, text=True)
                    self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))

    def test_svg(self):
        self.dot_program()
        path = self.write("a.litmus", EXISTS)
        result = self.check(tool("--svg", "a.svg", path, cwd=self.folder))
        self.assertIn("Test MP Allowed", result.stdout)
        svg = (self.folder / "a.svg").read_text()
        # It fits its window, and is no larger than drawn.
        self.assertRegex(svg, r'<svg style="width: 100%; max-width: \d+pt; height: auto"\s+viewBox="0')
        for text in ("W.release.gpu y=1", "R.acquire.gpu y=1", "st.weak x, 1", "refused by Causality"):
            self.assertIn(text, svg.replace("&#45;", "-").replace("\xa0", " "))
        self.check(tool("--svg", "-", path), out=svg)

    def test_places_to_draw_to(self):
        path = self.write("a.litmus", EXISTS)
        drawn = self.check(tool("--dot=-", path)).stdout
        out = self.check(tool("--dot=/dev/stdout", path)).stdout
        self.assertTrue(out.endswith(drawn), out)  # the device is still there, behind the report
        self.check(tool(f"--dot={self.folder}/none/a.dot", path), code=69, out=None,
                   err=f"tilesim: error: cannot write '{self.folder}/none/a.dot': No such file or directory\n")

    def test_what_is_drawn(self):
        path = self.write("a.litmus", EXISTS)
        refused = self.check(tool("--dot", "-", path)).stdout
        self.assertEqual(refused.count("penwidth=2.4"), 4)  # fr, po, rf with sync, po
        self.assertIn(">rf, sync<", refused)
        self.assertNotIn(">race", refused)
        racy = self.check(tool("--dot", "-", "--show", "race", path)).stdout
        self.assertIn("race", racy)
        self.check(tool("--dot", "-", "--show", "hang", path), code=1, out="",
                   err=f"{path}: error: nothing to draw: every fair execution ends\n")

    def test_without_graphviz(self):
        path = self.write("a.litmus", EXISTS)
        result = self.check(tool("--svg=a.svg", path, env={"PATH": str(self.folder)}), code=69, err=None)
        self.assertIn("install the package graphviz, or use --dot", result.stderr)


# One function in spite of its length: a table.
def forms():
    """Forms as docs/litmus.md has them, each in a test of its own."""

    def ptx(form, cell="", init="x=0; y=0;", threads="P0@cta 0,gpu 0", final=""):
        empty = " | " * threads.count("|") + ";"
        rows = [empty if row == "" else row + empty for row in (cell, "LC00:", "label:")]
        return form, "PTX t\n{ %s }\n%s;\n%s\n%s\n" % (init, threads, "\n".join(rows), final)

    def tile(form, statement="", declared="", place="block 0, device 0", final=""):
        return form, (f"TILE t\n{{ {declared} int x[4] = 0; int y = 0; }}\nP0 @ {place}:\n  a = load y\n  b = load y\n"
                      f"  m = load x\n  p = load x\n  v = load x\n  {statement}\n{final}\n")

    yield from (ptx(f, init=f) for f in ("x=0;", "P0:r1=1;", "u32 x=1;", "x[4]=0;", "x[2]={1, 2};", "P0:r1=&x;", "x=&y;"))
    yield from (ptx(f, threads=t) for f, t in (
        ("P0@cta 0,gpu 0", "P0@cta 0,gpu 0"),
        ("P1@cta 0,cluster 1,gpu 0", "P0@cta 0,gpu 0 | P1@cta 0,cluster 1,gpu 0"),
        ("P2@host", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@host")))
    yield from (ptx(f, f"ld{f} r0, x") for f in (".weak", ".volatile", ".mmio"))
    yield from (ptx(f, f"ld{f}.gpu r0, x") for f in (".relaxed", ".acquire"))
    yield from (ptx(f, f"st{f}.gpu x, 1") for f in (".relaxed", ".release"))
    yield from (ptx(f".v{n}", f"ld.weak.v{n} {{{regs}}}, x", init="x[8]=0;")
                for n, regs in ((2, "r0, r1"), (4, "r0, r1, r2, r3"), (8, "r0, r1, r2, r3, r4, r5, r6, r7")))
    yield ptx("ld.weak.v2 {r0, r1}, x", "ld.weak.v2 {r0, r1}, x", init="x[2]=0;")
    yield from (ptx(f, f) for f in ("ld r0, 1", "atom.acquire.gpu.cas r0, x, 0, 1", "membar.cta", "add r0, r1, 1",
                                    "bne r0, 1, LC00", "goto LC00", "bra LC00"))
    yield from (ptx(f, f"atom{f}.gpu.add r0, x, 1") for f in (".relaxed", ".acquire", ".release", ".acq_rel"))
    yield from (ptx(f, f"red{f} x, 1") for f in (".add", ".sub", ".and", ".or", ".xor", ".min", ".max", ".inc", ".dec"))
    yield ptx(".exch", "atom.exch r0, x, 1")
    yield from (ptx(f, f"fence{f}.gpu") for f in (".sc", ".acq_rel", ".acquire", ".release"))
    yield from (ptx(f, f"membar{f}") for f in (".gl", ".sys"))
    yield ptx("bar.sync id", "bar.sync 1")
    yield ptx("bar.arrive id, resource, threads", "barrier.cta.arrive 1, 2, 3")
    yield ptx("mov", "mov r0, 1")
    yield from (ptx(f, f"{f} r0, r1, 2") for f in ("add", "sub", "mul", "div", "rem", "and", "or", "xor", "min", "max"))
    yield from (ptx(f, f"{f} r0, 1, label") for f in ("beq", "bne", "blt", "ble", "bgt", "bge"))
    yield from (ptx(f, f"ld.relaxed{f} r0, x") for f in (".cta", ".cluster", ".gpu", ".sys"))
    yield from (ptx(f, f"ld{f} r0, x") for f in (".u8", ".u64", ".s8", ".s64", ".b8", ".b64"))
    yield from (ptx(f, f"ld.weak.u32 r0, {f}", init="u32 x[4]=0; P0:r1=&x;")
                for f in ("x", "x[2]", "x+4", "[x]", "[x+4]", "[r1]", "[r1+8]"))
    yield from (tile(f, declared=f.replace(" x", " z")) for f in ("int x = 0;", "u8 x[4] = {1, 2, 3, 4};"))
    yield from (tile(f, declared=f"{f} z;") for f in ("int", "unsigned", "char", "uchar", "short", "long", "u8", "u64", "s8", "s64"))
    yield tile("P0 @ host:", place="host")
    yield from (tile(f, f"t = load {f}") for f in ("x", "x[2]", "x[0:4]", "x[0, 1, 1, 3]"))
    yield tile("x[t]", "t = {0, 1}\n  u = load x[t]")
    yield from (tile(f, f) for f in (
        "t = load x[0:4] mask m pad p", "t = atomic_load.acquire.device x", "store x[0:4], v mask m",
        "atomic_store.release.device x, v", "t = atomic_add.acq_rel.device x, 1",
        "t = atomic_compare_exchange.relaxed.device x, 0, 1", "t = a + 1"))
    yield from (tile(f, f"t = atomic{f}.relaxed y, 1") for f in ("_sub", "_and", "_or", "_xor", "_max", "_min", "_xchg"))
    yield from (tile(f, f"atomic_add{f} y, 1") for f in (".relaxed", ".acquire", ".release", ".acq_rel"))
    yield from (tile(f, f"atomic_add.relaxed{f} y, 1") for f in (".block", ".device", ".system"))
    yield from (tile(f, f"t = a {f} 1") for f in "+ - * / % & ^ == != < <= > >=".split())
    yield tile("\\|", "t = a | 1")
    yield from (tile(f, f.replace("…", "a = load y")) for f in (
        "if a == 1 { … } else { … }", "do { … } while a != 1", "while a != 1 { … }"))
    yield tile("{1, 2, 3, 4}", "store x, {1, 2, 3, 4}")
    yield from (ptx(f, "ld r0, x", final=f) for f in (
        "filter (x == 1)", "locations [x; P0:r0]", "exists (P0:r0 == 1 /\\ (x == 2 \\/ ~(y < 3)))"))
    for f in ("/\\", "&&", "\\/", "||"):
        yield ptx(f, "ld r0, x", final=f"exists (x = 1 {f} not P0:r0 >= 1)")
    yield ptx("not exists", final="not exists (!(x <= 1))")
    yield ptx("0:r0", "ld r0, x", final="~exists (0:r0 > 1)")
    yield tile("P0:t[1]", "t = load x", final="exists (P0:t[1] == x[1])")


class Documentation(Case):
    """docs/litmus.md says what is so."""

    TEXT = (ROOT / "docs/litmus.md").read_text()

    def blocks(self):
        return re.findall(r"^```\n(.*?)^```$", self.TEXT, re.M | re.S)

    def test_output(self):
        shown = [b for b in self.blocks() if b.startswith("$ tilesim litmus ")]
        self.assertTrue(shown)
        for block in shown:
            command, _, out = block.partition("\n")
            self.check(tool(*command.split()[3:], cwd=ROOT), out=out)

    def test_examples_of_the_formats(self):
        tests = [b for b in self.blocks() if b.startswith(("PTX ", "TILE "))]
        self.assertEqual(len(tests), 2)
        for text in tests:
            self.assertIn("As expected\n", self.check(tool(self.write("d.litmus", text))).stdout)

    def test_forms(self):
        """Every form that the tables name stands there and is read."""
        for form, text in forms():
            with self.subTest(form=form):
                self.assertIn(form, self.TEXT)
                result = tool(self.write("f.litmus", text))
                self.assertEqual(result.returncode, 0, result.stderr + text)

    def test_every_key_of_the_json_is_explained(self):
        keys = set()

        def collect(node):
            if isinstance(node, dict):
                # Names of variables are the user's.
                for key, value in node.items():
                    keys.add(key)
                    if key not in ("values", "final"):
                        collect(value)
            elif isinstance(node, list):
                for value in node:
                    collect(value)

        collect(json.loads(tool("--json", "--explain", "--outcomes", CASES).stdout))
        collect(json.loads(tool("--json", self.write("wrong.litmus", "PTX")).stdout))
        collect(json.loads(tool("--json", "--limit=1", self.write("a.litmus", EXISTS)).stdout))
        for key in keys:
            with self.subTest(key=key):
                self.assertRegex(self.TEXT.partition("## JSON")[2], f"[`\"]{key}[`\"]")

    def test_every_option_is_explained(self):
        for option in re.findall(r"^  (?:-\w,)?(--[a-z]+)", tool("--help").stdout, re.M):
            with self.subTest(option=option):
                if option not in ("--help", "--verbose"):
                    self.assertIn(f"`{option}", self.TEXT)


class Published(Case):
    """The published PTX tests, where they are at hand."""

    def setUp(self):
        super().setUp()
        if not PUBLISHED or not (pathlib.Path(PUBLISHED) / "expected.csv").is_file():
            self.skipTest("the published litmus tests are not at hand: set TILESIM_PUBLISHED_LITMUS to a folder "
                          "with expected.csv and ptx/")

    def test_all_agree(self):
        folder = pathlib.Path(PUBLISHED)
        with open(folder / "expected.csv", newline="") as file:
            rows = len(list(csv.DictReader(file)))
        result = self.check(tool("--expect", folder / "expected.csv", folder / "ptx"))
        summary = result.stdout.splitlines()[-1]
        self.assertRegex(summary, rf"^\d+ tests: {rows} as expected(, \d+ without an expectation)?$")


def approve():
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.iterdir():
        old.unlink()
    for name, words in RECORDED:
        result = tool(*words)
        if result.returncode != 0 or result.stderr:
            sys.exit(f"{name}: status {result.returncode}\n{result.stderr}")
        (GOLDEN / name).write_text(result.stdout)


if __name__ == "__main__":
    if not TOOL:
        sys.exit("set TILESIM_TOOL to the tilesim program")
    TOOL = str(pathlib.Path(TOOL).resolve())
    if "--approve" in sys.argv:
        approve()
    else:
        unittest.main()
