#!/usr/bin/env python3
"""`tilesim step` from outside: golden transcripts of scripts, a terminal, errors, exactness.

  TILESIM_TOOL=build/dev/bin/tilesim step_test.py [Class]      golden: step_test.py --approve

One file in spite of its length: one command's tests over one case; ctest runs each class by itself.
"""
# SPDX-License-Identifier: Apache-2.0
import difflib
import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
approve = "--approve" in sys.argv


def settled(text):
    """A transcript without what differs between machines: addresses and sizes of the history."""
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    return re.sub(r"history: .*", "history: …", text)


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="tilesim step "))
        self.addCleanup(shutil.rmtree, self.kept, ignore_errors=True)
        self.env = dict(os.environ, XDG_STATE_HOME=str(self.kept))
        for name in ("TILESIM_OPTIONS", "NO_COLOR"):
            self.env.pop(name, None)

    def tool(self, *words, stdin=""):
        return subprocess.run([TOOL, "step", *map(str, words)], cwd=HERE, text=True, env=self.env,
                              input=stdin, capture_output=True, timeout=120)

    def step(self, commands, *program, code=0):
        """What these commands print."""
        words = ["--batch"]
        for command in commands:
            words += ["--ex", command]
        result = self.tool(*words, *program)
        told = f"\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, code, told)
        return result.stdout if code == 0 else result.stdout + result.stderr


class Scripts(Case):
    """Each script's transcript is kept beside it."""

    def test_transcripts(self):
        for script in sorted((HERE / "scripts").glob("*.txt")):
            with self.subTest(script.name):
                program = script.read_text().splitlines()[0].removeprefix("# ").split()
                result = self.tool("--batch", "-x", script, *program)
                told = settled(result.stdout + result.stderr)
                golden = script.with_suffix(".out")
                if approve:
                    golden.write_text(told)
                diff = difflib.unified_diff(golden.read_text().splitlines(), told.splitlines(),
                                            str(golden), "now", lineterm="")
                self.assertEqual(golden.read_text(), told, "\n" + "\n".join(diff))
                self.assertEqual(result.returncode, 0)

    def test_source_lines_do_not_move_the_cursor(self):
        source = self.kept / "escapes.cu"
        source.write_bytes(b'''#include "cuda_tile.h"\r
__tile_global__ void k(int* a) { a[0] = 1; } // \x1b]0;title\x07\x1b[31m \xfc\r
int main() { int* a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); cudaDeviceSynchronize(); cudaFree(a); }\r
''')
        told = self.step(["break k", "run", "list"], source)
        self.assertEqual(told.count("// \\x1b]0;title\\x07\\x1b[31m \\xfc\n"), 2, told)
        self.assertNotIn("\\x0d", told)


class Endings(Case):
    """However the program ends, the person stands at a prompt that explains it, and can go back."""

    def ends(self, how, *wanted):
        told = self.step(["run", "reverse-step"], "endings.cu", "--", how)
        for text in wanted:
            self.assertIn(text, told)
        self.assertRegex(told.splitlines()[-2], r"\[position \d+\], next: ", told)

    def test_returns(self):
        self.ends("nothing", "filled\n", "the program has ended with status 0")

    def test_exits(self):
        self.ends("exit", "filled\n", "the program has ended with status 5")

    def test_exits_at_once(self):
        self.ends("_exit", "filled\n", "the program has ended with status 6, without exit()")

    def test_aborts(self):
        self.ends("abort", "the program has ended by signal 6 (Aborted) after operation 4")

    def test_a_signal_is_told_with_its_place(self):
        for how, signal_name, code in [
                ("abort", "6 (Aborted)", "std::abort();"),
                ("null", "11 (Segmentation fault)", "*(volatile int*)nullptr = 1;"),
                ("sent", "11 (Segmentation fault)", "std::raise(SIGSEGV);")]:
            with self.subTest(how):
                told = self.step(["run", "where", "reverse-step"], "endings.cu", "--", how)
                match = re.search(rf"^the program has ended by signal {re.escape(signal_name)} after operation "
                                  rf"\d+; reverse-step goes back, run starts again\nhost code, at "
                                  rf"endings.cu:(\d+)\n\1\t +{re.escape(code)}\n#0 (\w+) at endings.cu:\1\n",
                                  told, re.M)
                self.assertIsNotNone(match, told)
                self.assertEqual(match.group(2), "main")
                self.assertRegex(told.splitlines()[-2], r"\[position \d+\], next: ")

    def test_a_signal_of_a_kernel_is_a_finding(self):
        told = self.step(["run", "where", "print by", "reverse-step"], "endings.cu", "--", "divide")
        self.assertRegex(told, r"(?m)^endings.cu:(\d+): error: integer division by zero, .* \[crash\]$")
        self.assertRegex(told, r"(?m)^the program ends here; reverse-step goes back, run starts again\n"
                               r"tile block \(0,0,0\) of divide \[position \d+\], at endings.cu:(\d+)\n"
                               r"\1\t +ct::store\(p, seen / by\);\n#0 divide at endings.cu:\1\n")
        self.assertIn("$1 = 0", told)
        self.assertRegex(told.splitlines()[-2], r"\[position \d+\], next: ")

    def test_before_the_first_operation_only_run_helps(self):
        for command in ("reverse-step", "reverse-continue", "goto 0"):
            with self.subTest(command):
                told = self.step(["run", "run", command], "endings.cu", "--", "early abort", code=64)
                self.assertEqual(told.count("the program has ended by signal 6 (Aborted) before the first "
                                            "operation; run starts again\nhost code, at endings.cu:"), 2, told)
                self.assertNotIn("reverse-step goes back", told)
                self.assertIn("error: no operation has begun before this: there is nothing to go back to; "
                              "run starts the program again", told)

    def test_where_at_a_deadlock(self):
        told = self.step(["run", "where"], "endings.cu", "--", "deadlock")
        self.assertIn("no block stands before an operation here; those that are alive:\n"
                      "  tile block (0,0,0) of wait_for_nobody: waits for p[0] to become other than 0, at "
                      "endings.cu:19", told)
        self.assertNotIn("no kernel runs", told)
        self.assertIn("no kernel runs here\n", self.step(["where"], "endings.cu"))

    def test_host_touches_device_memory(self):
        self.ends("host", "host code writes device memory [host-access]",
                  "tilesim ends the program here")

    def test_deadlock(self):
        self.ends("deadlock", "1 block waits for memory that nobody is left to change [deadlock]",
                  "waits at endings.cu:19")

    def test_out_of_bounds(self):
        self.ends("outside", "write of 4 bytes out of bounds [out-of-bounds]")

    def test_race(self):
        self.ends("race", "nothing orders them [data-race]", "the other is at endings.cu:29")

    def test_begins_again(self):
        told = self.step(["run", "run"], "endings.cu", "--", "abort")
        self.assertEqual(told.count("by signal 6"), 2, told)

    def test_going_on_is_refused(self):
        told = self.step(["run", "continue"], "endings.cu", "--", "abort", code=64)
        self.assertIn("error: the program has ended; go back first (reverse-step), or begin again "
                      "(run)", told)


class Errors(Case):
    """Every command says what it wanted."""

    def refuses(self, command, wanted, first=("tbreak count", "run")):
        told = self.step([*first, command], "counter.cu", code=64)
        self.assertIn(f"error: {wanted}", told)

    def test_commands(self):
        rows = [
            ("fly", "unknown command 'fly'; 'help' lists them"),
            ("re", "'re' may be reverse-step, reverse-next, reverse-finish, reverse-continue, replay"),
            ("run 3", "run takes nothing"),
            ("continue x", "continue takes a number of times, 1 or more, not 'x'"),
            ("step 0", "step takes a number of times, 1 or more, not '0'"),
            ("next -1", "next takes a number of times, 1 or more, not '-1'"),
            ("finish 1", "finish takes nothing"),
            ("until", "wanted: [FILE:]LINE, KERNEL, op=NAME, block=N, launch=N or choice, and if EXPRESSION"),
            ("until count", "until takes a line or op=NAME"),
            ("until 400", "counter.cu has "),
            ("until op=zzz", "no operation is called 'zzz', in C++ or in Tile IR"),
            ("break op=zzz", "no operation is called 'zzz', in C++ or in Tile IR"),
            ("reverse-step x", "reverse-step takes a number of times, 1 or more, not 'x'"),
            ("reverse-next x", "reverse-next takes a number of times, 1 or more, not 'x'"),
            ("reverse-continue 0", "reverse-continue takes a number of times, 1 or more, not '0'"),
            ("reverse-finish 2", "reverse-finish takes nothing"),
            ("goto there", "goto takes a position, a whole number, not 'there'"),
            ("break counter.cu:x", "FILE:LINE takes a line number, not 'x'"),
            ("break 400", "counter.cu has "),
            ("break nosuch.cu:3", "the program has no file nosuch.cu; it has counter.cu\n"),
            ("break endings.cu:3", "the program has no file endings.cu; it has counter.cu\n"), # which is there
            ("until nosuch.cu:3", "the program has no file nosuch.cu; it has counter.cu\n"),
            ("break op=", "op= takes an operation's name"),
            ("break nosuch", "no kernel is called nosuch; there is count"),
            ("break main", "main is a function and no kernel: FILE:LINE stops inside; the kernels "
                           "are count"),
            ("break block=x", "a block is a number or x,y,z, not 'x'"),
            ("break 18 if", "wanted: an expression behind if"),
            ("break 18 if 3 +", ""),
            ("watch", "watch takes an expression: watch bins[3]"),
            ("watch 3", "'3' is constant and never changes: watch takes a variable, elements of a buffer or other memory"),
            ("watch sum(1) * 2", "'sum(1) * 2' is constant and never changes: "),
            ("watch nosuch", "no variable or buffer is named 'nosuch'"),
            ("delete 9", "no breakpoint has the number 9"),
            ("disable", "wanted: numbers of breakpoints"),
            ("info", "info takes blocks, buffers, races, reads, schedule, breakpoints, locals or display"),
            ("info weather", "info takes blocks, "),
            ("block 4", "block 4 is outside the grid of 4 blocks"),
            ("block 1,2,3", "block (1,2,3) is outside the grid of 4x1x1 blocks"),
            ("block east", "a block is a number or x,y,z, not 'east'"),
            ("block 1 thread x", "thread takes a number or x,y,z, not 'x'"),
            ("print size(nosuch)", "no variable or buffer is named 'nosuch'"),
            ("print $1", "values that were printed are not kept"),
            ("print $", "values that were printed are not kept"),
            ("down", "this is the innermost frame"),
            ("up x", "up takes a number of times, 1 or more, not 'x'"),
            ("frame 7", "frame takes a number below "),
            ("print", "print takes an expression"),
            ("print nosuch", "no variable or buffer is named 'nosuch'"),
            ("print values[32]", "index 32 is outside values, which has 32 elements"),
            ("print 3 +", ""),
            ("x", "x takes an address, a pointer or a buffer"),
            *((f"x/{word} values", "x/ takes a count, a form (x d u o t c a f) and a size (b h w g), at most 1048576 "
               f"bytes, not '{word}': x/64 bins, x/8dw bins, x/4f bins") for word in ("0", "4s", "4dw4", "600000w")),
            ("x/8dw", "x takes an address, a pointer or a buffer: x/64 bins, x/8dw bins"),
            *((f"print/{word} values", f"behind the slash stands one of x d u o t c a f, not '{word}': print/x bins[3]")
              for word in ("z", "xx")),
            ("print/x", "print takes an expression: print bins[0:16]"),
            ("display/x", "display takes an expression: display bins[0:16]"),
            ("x 8", "the program has no memory at 0x8"),
            ("list nowhere.cu:3", "cannot read 'nowhere.cu'"),
            ("list 4000", "counter.cu has "),
            ("undisplay 3", "nothing displayed has the number 3"),
            ("set sail 3", "set takes fold N"),
            ("schedule forget", "schedule takes nothing, or save FILE"),
            ("save", "save takes a file"),
            ("save /nowhere/at/all", "cannot write '/nowhere/at/all'"),
            ("save counter.cu", "'counter.cu' is there and holds no schedule: save under another name"),
            ("replay", "replay takes a file that 'save' wrote, or a report's replay string"),
            ("replay nonsense", "'nonsense' is no replay string"),
            ("replay 2-rr-1.0@5", "'2-rr-1.0@5' is no replay string"),
            ("replay nowhere.txt", "cannot read 'nowhere.txt'"),
            ("replay counter.cu", "the first line of 'counter.cu' is no replay string"),
            ("replay 2-rr-0123456789abcdef", "the replay string belongs to another program"),
            ("source", "source takes a file of commands"),
            ("source nowhere", "cannot read 'nowhere'"),
            ("help fly", "unknown command 'fly'"),
        ]
        for command, wanted in rows:
            with self.subTest(command):
                self.refuses(command, wanted)

    def test_buffers_of_an_array(self):
        self.refuses("print nosuch", "no variable or buffer is named 'nosuch'\n")
        for name, wanted in [("parts", "; there are parts[0], parts[1], parts[2]\n"),
                             ("both", "; there are both.second, both.first\n")]:
            told = self.step(["tbreak fill", "run", f"print {name}"], "names.cu", code=64)
            self.assertIn(f"error: no variable or buffer is named '{name}'{wanted}", told)

    def test_the_size_of_a_freed_buffer(self):
        told = self.step(["tbreak fill", "run", "print size(h)"], "names.cu", code=64)
        self.assertIn("error: h is freed at names.cu:51\n", told)

    def test_a_constant_before_it_runs(self):
        self.refuses("watch 3", "'3' is constant and never changes", ())
        self.assertIn("watch 1: total[0]", self.step(["watch total[0]"], "counter.cu"))

    def test_a_block_that_has_ended(self):
        self.refuses("block 0", "block 0 of count has ended", ("tbreak count block=2", "run"))

    def test_a_line_without_operations(self):
        told = self.step(["break 3", "break 11", "break counter.cu:24", "break 13"], "counter.cu")
        for line in (3, 11):
            self.assertIn(f"line {line} performs no operation: it stops at line 12, the next that does\n", told)
        self.assertIn("line 24 performs no operation, nor does one behind it: nothing stops there\n", told)
        self.assertEqual(told.count("no operation"), 3, told)
        told = self.step(["break 3 if $block == 2", "run", "reverse-next", "continue"], "counter.cu")
        self.assertEqual(told.count("breakpoint 1, 3 if $block == 2\ntile block (2,0,0) of count "), 1, told)
        self.assertIn("next: get_tile_block_id at counter.cu:12\n", told)

    def test_lines_of_several_functions(self):
        # Host code that launches and allocates performs none; what a kernel calls does.
        (self.kept / "lines.cu").write_text("""#include "cuda_tile.h"
#include <utility>
__device__ void swap_both(int* p) {
  std::swap(p[0], p[1]);
}
__global__ void kernel(int* p)
{

  swap_both(p);
  int i = 3;
  i += 1;
  p[i] = i;
}
void host(int* p) {
  dim3 grid(1);
  kernel<<<grid, 1>>>(p);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 64);
  cudaMemset(p, 0, 64);
  host(p);
  return cudaDeviceSynchronize();
}
""")
        told = self.step(["break lines.cu:3", "break lines.cu:6", "break lines.cu:14", "run", "continue", "continue"],
                         self.kept / "lines.cu")
        for line, then in ((3, 4), (6, 12)):
            self.assertIn(f"line {line} performs no operation: it stops at line {then}, the next that does\n", told)
        self.assertIn("line 14 performs no operation, nor does one behind it: nothing stops there\n", told)
        self.assertRegex(told, r"(?s)breakpoint 1, .*lines.cu:4\n.*breakpoint 2, .*lines.cu:12\n.*ended with status 0")

    def test_blocks_of_several_threads(self):
        for command, wanted in [
                ("block 1", "block 1 of fill cannot start yet: of the block before, 1 of 2 threads "
                            "have not begun, and threads begin in order"),
                ("block 0 thread 1,0", "thread takes a number or x,y,z, not '1,0'")]:
            with self.subTest(command):
                told = self.step(["tbreak fill", "run", command], "names.cu", code=64)
                self.assertIn(f"error: {wanted}", told)

    def test_before_it_runs(self):
        self.refuses("block 1", "no kernel runs: there is no block to go to", ())

    def test_a_script_names_its_line(self):
        script = self.kept / "wrong.txt"
        script.write_text("run\n\n# fine so far\nfly\n")
        result = self.tool("--batch", "-x", script, "counter.cu")
        self.assertEqual(result.returncode, 64)
        self.assertIn(f"error: {script}:4: unknown command 'fly'", result.stderr)

    def test_scripts_end_at_what_is_wrong(self):
        """Whether or not --batch says that they are scripts: no terminal gives commands here."""
        script = self.kept / "wrong.txt"
        for line, wanted in [("replay nowhere/run.txt", "cannot read 'nowhere/run.txt'"),
                             ("replay counter.cu", "the first line of 'counter.cu' is no replay string"),
                             ("replay nonsense", "'nonsense' is no replay string"),
                             ("replay 2-rr-0123456789abcdef", "the replay string belongs to another"),
                             ("fly", "unknown command 'fly'")]:
            script.write_text(f"tbreak count\nrun\nstep\n{line}\n")
            for words, told in [(["-x", script], f"error: {script}:4: {wanted}"),
                                (["--ex", "run", "--ex", line], f"error: {wanted}"),
                                (["-x", self.kept / "none.txt"], f"error: cannot read '{self.kept / 'none.txt'}'")]:
                for batch in ([], ["--batch"]):
                    with self.subTest(line=line, words=words, batch=batch):
                        result = self.tool(*batch, *words, "counter.cu", stdin="print $position\n")
                        self.assertIn(told, result.stderr)
                        self.assertNotIn("$1 = ", result.stdout)
                        self.assertEqual(result.returncode, 64)

    def test_a_program_that_does_not_compile(self):
        source = self.kept / "wrong.cu"
        source.write_text("int main() { return }\n")
        result = self.tool("--batch", source)
        self.assertEqual(result.returncode, 65)
        self.assertIn("error: expected", result.stderr)

    def test_usage(self):
        for words, wanted in [(["-c", "counter.cu"], "takes neither -c nor -o"),
                              (["--history", "none", "counter.cu"], "--history"),
                              (["--replay", "nonsense", "counter.cu"], "is no replay string")]:
            with self.subTest(words):
                result = self.tool(*words)
                self.assertEqual(result.returncode, 64)
                self.assertIn(wanted, result.stderr)


class Page(Case):
    """The page and the table of commands know the same."""

    def test_every_command_is_on_the_page(self):
        helped = re.findall(r"(?m)^([a-z][a-z-]*) {2,}\S", self.step(["help"], "counter.cu"))
        self.assertGreater(len(helped), 30)
        page = (HERE.parents[2] / "docs" / "step.md").read_text()
        section, = re.findall(r"(?ms)^## Commands\n(.*?)^(?:## |\*\*Expressions)", page)
        table = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
        shown = [[re.split(r"[ \[/]", words)[0] for words in re.findall(r"`([^`]+)`", names)] for names in table]
        self.assertEqual(set(helped) - {name for names in shown for name in names}, set())
        self.assertEqual({names[0] for names in shown} - set(helped), set())  # further words: what it takes, as of `set`


class Threads(Case):
    """Blocks of threads that meet."""

    def test_barriers_and_warp_operations_are_operations(self):
        told = self.step(["break op=__syncthreads if $thread == 5", "break 18", "break op=__ballot_sync", "run", "print $thread",
                          "continue", "delete 1", "delete 2", "continue"], "block.cu")
        for stop, line in ((1, 13), (2, 18), (3, 21)):
            self.assertRegex(told, rf"breakpoint {stop}, .*\n(?:.*\n)?thread .* next: __\w+ at block.cu:{line}\n")
        self.assertIn("$1 = 5\n", told)
        self.assertNotIn("performs no operation", told)

    def test_a_fence_is_no_operation(self):
        self.assertIn("line 20 performs no operation: it stops at line 21, the next that does", self.step(["break 20"], "block.cu"))

    def test_of_many_blocks_those_that_do_the_same_are_one_line(self):
        told = self.step(["break 11", "run", "info blocks"], "many.cu")
        self.assertIn("  tile blocks 0..198 of many: wait for flag[0] to become other than 0, at many.cu:13 (4 operations)\n"
                      "* tile block (199,0,0) of many: store_ptr_tko, at many.cu:11 (1 operation)\n"
                      "those that do the same are folded: 'info blocks all' lists each\n", told)
        told = self.step(["break 11", "run", "info blocks all"], "many.cu")
        self.assertEqual(told.count("  tile block ("), 199)
        self.assertNotIn("folded", told)
        told = self.step(["break 20", "run", "info threads"], "many.cu", "--", "x")
        self.assertIn("  threads 0..7 of blocks 0..38 of threads: wait for flag[0] to become other than 0, at many.cu:22 "
                      "(3 operations)\n* thread (0,0,0) of block (39,0,0) of threads: ", told)
        # A name's beginning is the topic without "all"; a whole one has it.
        self.assertEqual(self.step(["break 11", "run", "info bl"], "many.cu").count("tile block"), 3)

    def test_threads_that_stand_at_the_same_are_told_together(self):
        told = self.step(["break 21", "run", "info blocks"], "block.cu")
        self.assertRegex(told, r"\* thread \((\d),0,0\) of block \(0,0,0\) of sum: __ballot_sync, at block.cu:21")
        self.assertRegex(told, r"  threads [0-9., and]+ of block \(0,0,0\) of sum: .*__\w+,? at block.cu:\d+ "
                               r"\(\d+( to \d+)? operations\)\n")
        self.assertLess(told.count("of block (0,0,0) of sum:"), 5)
        told = self.step(["break 13 if t == 5", "run", "thread"], "block.cu")
        self.assertIn("  threads 0..4 of block (0,0,0) of sum: wait for others of their block, in __syncthreads at "
                      "block.cu:13 (4 operations)\n", told)

    def test_thread_selects(self):
        for name in ("thread (3,0,0)", "thread 3,0,0", "thread 3", "block 0 thread 3"):
            with self.subTest(name):
                told = self.step(["tbreak 16", "run", name, "print t"], "block.cu")
                self.assertIn("[now thread (3,0,0) of block (0,0,0) of sum, launch 1]", told)
                self.assertIn("$1 = 3\n", told)
        for commands, wanted in [
                (["tbreak 13 if t == 3", "run", "thread 1"],
                 "thread (1,0,0) of block (0,0,0) waits for others of its block, in __syncthreads at block.cu:13; "
                 "let one of them run first"),
                (["tbreak 16", "run", "thread 8"], "thread 8 is outside a block of 8 threads"),
                (["tbreak 16", "run", "thread (0,1,0)"], "thread (0,1,0) is outside a block of 8x1x1 threads"),
                (["tbreak 16", "run", "thread x"], "thread takes a number or x,y,z, not 'x'"),
                (["thread 1"], "no block stands here: there is no thread to go to")]:
            with self.subTest(commands):
                self.assertIn(f"error: {wanted}", self.step(commands, "block.cu", code=64))

    def test_next_of_a_warp_or_a_block(self):
        # From the first operation of the first thread, when no other has begun.
        told = self.step(["tbreak 7", "run", "next warp", "info blocks"], "warps.cu")
        self.assertRegex(told, r"\* thread \(0,0,0\) of block \(0,0,0\) of steps: .*warps.cu:8")
        self.assertRegex(told, r"  threads 1\.\.31 of block \(0,0,0\) of steps: .*warps.cu:8 \(1 operation\)")
        self.assertNotIn("thread (32,0,0)", told)
        told = self.step(["tbreak 7", "run", "next block", "info blocks"], "warps.cu")
        self.assertRegex(told, r"  threads 1\.\.39 of block \(0,0,0\) of steps: .*warps.cu:8 \(1 operation\)")
        # Another warp than the first, several lines, and over a barrier, where all of the block have to come.
        told = self.step(["tbreak 8 if $thread == 35", "run", "next warp", "info blocks"], "warps.cu")
        self.assertRegex(told, r"\* thread \(35,0,0\) of block \(0,0,0\) of steps: __syncthreads, at warps.cu:9")
        self.assertIn("threads 36..39", told)
        for verb in ("next block 2", "next block\nnext block"):
            told = self.step(["tbreak 8", "run", *verb.split("\n"), "info blocks"], "warps.cu")
            self.assertRegex(told, r"\* thread \(0,0,0\) of block \(0,0,0\) of steps: .*warps.cu:10")
            self.assertNotIn("wait for others", told)

    def test_next_of_a_warp_stands_where_something_else_stops(self):
        told = self.step(["tbreak 7", "run", "break 8 if $thread == 3", "next block 5"], "warps.cu")
        self.assertIn("breakpoint 2, 8 if $thread == 3", told)
        self.assertIn("thread (3,0,0) of block (0,0,0) of steps [position", told.split("breakpoint 2, 8")[-1])

    def test_next_of_a_warp_goes_back_and_is_saved(self):
        commands = ["tbreak 7", "run", "next warp"]
        there = self.step(commands + ["info blocks", "print a"], "warps.cu")
        again = self.step(commands + ["goto 3", "next block", "goto 1", "info blocks"], "warps.cu")
        self.assertIn("position 1]", again)
        position = re.findall(r"\[position (\d+)\]", there)[-1]
        back = self.step(commands + ["continue", f"goto {position}", "info blocks", "print a"], "warps.cu")
        self.assertEqual(there.split(f"[position {position}]")[-1], back.split(f"[position {position}]")[-1])

    def test_threads_begin_in_order(self):
        self.assertIn("[now thread (1,0,0) of block (0,0,0) of steps", self.step(["tbreak 7", "run", "thread 1"], "warps.cu"))
        self.assertIn("error: thread 3 of block 0 has ended or not started; 'info blocks'",
                      self.step(["tbreak 7", "run", "thread 3"], "warps.cu", code=64))

    def test_next_of_a_warp_takes_threads(self):
        self.assertIn("error: no thread of a block of several stands here: next goes on by a line",
                      self.step(["tbreak count", "run", "next warp"], "counter.cu", code=64))
        self.assertIn("error: next takes a number of times, 1 or more, not 'many'", self.step(["tbreak 7", "run", "next warp many"], "warps.cu", code=64))

    def test_shared_memory_is_watched_whoever_writes(self):
        told = self.step(["tbreak 16", "run", "watch partial[3]", "watch order[2]", "continue", "reverse-continue"], "block.cu")
        self.assertRegex(told, r"watch 2: partial\[3\] \(partial\[3\]\)\n  was: 4\n  is:  12\n"
                               r"  by #\d+ write of thread \(3,0,0\) of block \(0,0,0\) of sum at block.cu:16\n")
        self.assertIn("the next operation is the last that wrote it", told)

    def test_dynamic_shared_memory_has_the_length_of_the_launch(self):
        told = self.step(["tbreak 16 if t == 0", "run", "print order", "print order[6]", "info locals", "step"], "block.cu")
        self.assertIn("$1 = i32[8] 8 7 6 5 4 3 2 1\n$2 = 2\n", told)
        self.assertIn("order = i32[8] 8 7 6 5 4 3 2 1\n", told)
        self.assertIn("  result:    1\n", told)  # of partial[0], as the float that it is


class Exactness(Case):
    """Going back shows what was there."""

    def test_every_position_looks_the_same_from_both_sides(self):
        shown = ["print total[0]", "print sums", "info locals"]
        forward = ["tbreak count", "run"]
        for _ in range(43):
            forward += shown + ["step"]
        forward += shown
        there = self.step(forward, "counter.cu")
        places = re.findall(r"\[position (\d+)\], next: (.*)", there)
        self.assertGreater(len(places), 35)
        # In an order that goes back and forward.
        numbers = list(range(len(places)))
        numbers = numbers[::-3] + numbers[1::2]
        back = []
        for n in numbers:
            back += [f"goto {places[n][0]}", "print total[0]"]
        again = re.findall(r"\[position (\d+)\], next: (.*)",
                           self.step(["tbreak count", "run", *back], "counter.cu"))[1:]
        self.assertEqual(again, [places[n] for n in numbers])

    def test_values_go_back(self):
        told = self.step(["tbreak op=atomic_add block=3", "run", "print sums", "print total[0]",
                          "goto 10", "print sums", "print total[0]", "goto 43", "print total[0]"],
                         "counter.cu")
        values = re.findall(r"^\$\d+ = (.*)$", told, re.M)
        self.assertEqual(len(values), 5)
        self.assertEqual(values[3], "0")
        self.assertNotEqual(values[0], values[2])
        self.assertEqual(values[1], values[4])

    def test_output_appears_once(self):
        told = self.step(["run", "reverse-step", "continue", "reverse-step", "continue"],
                         "counter.cu")
        self.assertEqual(told.count("total 42"), 1, told)

    def test_a_switch_is_kept_going_back_and_forward(self):
        told = self.step(["tbreak 18", "run", "block 2", "step 3", "reverse-step 3", "goto 12"],
                         "counter.cu")
        places = re.findall(r"^(.*) of count \[position (\d+)\]", told, re.M)
        self.assertEqual(places[-1], ("tile block (2,0,0)", "12"))

    def test_switches_at_one_position_are_kept_going_back_and_forward(self):
        # The first one starts a block, which is there when somebody switches to it later.
        told = self.step(["tbreak 18", "run", "block 2", "block 3", "step 3", "block 2", "step 2",
                          "info blocks", "goto 2", "goto 14", "info blocks"], "counter.cu")
        blocks = re.findall(r"^launch 1: .*\n((?:[* ] tile block .*\n)+)", told, re.M)
        self.assertEqual(len(blocks), 2)
        self.assertEqual(blocks[0], blocks[1])

    def here(self, told):
        """Where each block stands, and who goes on."""
        blocks = re.findall(r"^([* ] tile block .*|launch \d+: .*)$", told, re.M)
        self.assertTrue(blocks, told)
        return blocks, re.findall(r"\[position \d+\]", told)[-1]

    def test_a_saved_schedule_leads_to_where_it_was_saved(self):
        sessions = [
            # Blocks that only computed, one that only stands there, one that has ended.
            ["tbreak 18", "run", "block 2", "step 2", "block 1", "block 3", "step 3", "block 0",
             "step 3", "block 1", "step 4"],
            ["tbreak count", "run"],
            ["tbreak block=3", "run", "step 2"],
            ["tbreak 18", "run", "step", "reverse-step 3", "next"],
        ]
        file = self.kept / "schedule"
        # What the blocks do from there on, as they take turns by themselves.
        show = ["info blocks", "print total[0]"]
        for options in ([], ["--schedule", "random", "--seed", "7"], ["--schedule", "pct", "--seed", "3"]):
            for commands in sessions:
                with self.subTest(options=options, commands=commands):
                    told = self.step([*commands, *show, f"save {file}"], *options, "counter.cu")
                    string = file.read_text().strip()
                    self.assertRegex(string, r"^2-[0-9,.@:_a-f]+-[0-9a-f]{16}-\d+$")
                    self.assertIn("_7-" if "7" in options else "_3-" if "3" in options else "-", string)
                    for given in (file, string):
                        again = self.step(show, "--replay", given, "counter.cu")
                        self.assertNotIn("could not follow", again)
                        self.assertEqual(self.here(again), self.here(told))
                        self.assertEqual(re.findall(r"^\$1 = .*", again, re.M),
                                         re.findall(r"^\$1 = .*", told, re.M))
                    again = self.step([f"replay {file}", *show], "counter.cu")
                    self.assertEqual(self.here(again), self.here(told))
                    for command in ("check", "run"):
                        result = subprocess.run([TOOL, command, "--replay", string, "counter.cu"],
                                                cwd=HERE, text=True, env=self.env, capture_output=True,
                                                timeout=120)
                        self.assertEqual(result.returncode, 0, result.stderr)
                        self.assertEqual(result.stdout, "total 42\n")
                        self.assertNotIn("could not follow", result.stderr)

    def test_a_saved_schedule_counts_raw_accesses(self):
        """As the stepper compiles them; check and run take the string so, too."""
        source = [HERE.parent / "check" / "modes.cu", "--", "raw"]
        file = self.kept / "schedule"
        told = self.step(["tbreak count_raw", "run", "step", "block 2", "step", "block 1", "block 0",
                          "info blocks", f"save {file}"], *source)
        self.assertRegex(file.read_text(), r"^2-0@0\+\d+,2@0\+\d+,1@0\+\d+,0-")
        again = self.step(["info blocks"], "--replay", file, *source)
        self.assertEqual(self.here(again), self.here(told))
        self.assertNotIn("could not follow", again)
        for command, code in (("check", 1), ("run", 0)):
            result = subprocess.run([TOOL, command, "--replay", file, *source], cwd=HERE, text=True,
                                    env=self.env, capture_output=True, timeout=120)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertNotIn("could not follow", result.stderr)

    def test_a_replay_that_cannot_be_followed_says_so(self):
        file = self.kept / "schedule"
        self.step(["tbreak 18", "run", "block 2", "step 2", f"save {file}"], "counter.cu")
        text = file.read_text().strip()
        for turns, position, wanted in [
                ("0@1,9:2,0", 14, "the replay could not follow switch 2, 9:2: launch 1 has 4 blocks"),
                ("0,0@7,2", 14, "the replay could not follow switch 2, 0@7: block 0 has ended before"),
                ("0@1,2", 900, "the schedule was saved at position 900; the run came as far as 44")]:
            with self.subTest(turns):
                changed = re.sub("-.*?-(.*)-.*", rf"-{turns}-\1-{position}", text, count=1)
                told = self.step(["info schedule"], "--replay", changed, "counter.cu")
                self.assertIn(wanted, told)

    def test_a_saved_schedule_is_repeated(self):
        file = self.kept / "schedule"
        told = self.step(["tbreak 18", "run", "block 2", "finish", "block 1", "finish", "block 0",
                          "continue", f"save {file}"], "counter.cu")
        self.assertIn(f"the schedule up to here is in {file}", told)
        order = "print sums"
        want = self.step(["tbreak op=atomic_add block=1", "goto 0", "continue", order], "--replay", file,
                         "counter.cu")
        # Block 2 has stored its sum before block 1, block 0 has not.
        self.assertRegex(want, r"= i32\[4\] \? \d+ [1-9]\d* \?")
        checked = subprocess.run([TOOL, "check", "--replay", file, "counter.cu"], cwd=HERE,
                                 text=True, env=self.env, capture_output=True, timeout=120)
        self.assertNotIn("no replay string", checked.stderr)
        self.assertIn(checked.returncode, (0, 1), checked.stderr)


class Watches(Case):
    def test_memory_that_the_program_registers_is_a_buffer(self):
        source = self.kept / "registered.cu"
        source.write_text("""#include "cuda_tile.h"
#include <cstdlib>
namespace ct = cuda::tiles;
__tile_global__ void add(int* at) {
  ct::store(at, ct::load(at) + 1);
}
int main() {
  int* mine = static_cast<int*>(std::calloc(16, sizeof(int)));
  for (int i = 0; i < 2; ++i) {
    cudaHostRegister(mine, 16 * sizeof(int), 0);
    add<<<1, 1>>>(mine);
    cudaDeviceSynchronize();
    cudaHostUnregister(mine);
  }
}
""")
        told = self.step(["break op=store", "run", "info buffers", "continue", "print mine[0]"], source)
        self.assertIn("mine: 16 i32, 64 bytes of registered host memory", told)
        self.assertIn("$1 = 1", told)

    """Variables stop with their first value, memory where it is written."""

    def test_a_parameter_has_its_value_from_the_beginning(self):
        told = self.step(["watch rounds", "run", "continue", "continue", "reverse-continue",
                          "reverse-continue", "reverse-continue"], "long.cu", "--", "3")
        first = r"watch 1: rounds\n  was: no value yet\n  is:  3\n  before the block's first operation\n"
        stops = re.findall(first + r"(?:\[now .*\n)?tile block \((\d),0,0\) of count \[position (\d+)\]", told)
        self.assertEqual([block for block, _ in stops], ["0", "1", "1", "0"], told)
        self.assertEqual(stops[0], stops[3])
        self.assertEqual(stops[1], stops[2])
        self.assertIn("the program has ended with status 0", told)
        self.assertIn("no earlier stop", told)

    def test_every_write_of_a_place_is_seen(self):
        """A place is only looked at where it is written; an expression at every operation."""
        def stops(count, *watched):
            told = self.step(["tbreak masked", "run", *(f"watch {w}" for w in watched), *["continue"] * (count + 1)],
                             "marks.cu")
            # What nothing has written is a value to an expression.
            changes = re.findall(r"^watch (\d): out.*\n  was: (?!<never written>\n  is:  0)(?:.*)\n  is:  (.*)\n"
                                 r"(?:  by (.*)\n)?", told, re.M)
            self.assertIn("the program has ended with status 0", told)
            return changes
        places = stops(4, "out[6]", "out[7]")
        self.assertEqual(places, stops(3, "out[6] + 0", "out[7] + 0"))
        self.assertEqual([value for _, value, _ in places], ["24", "25", "1"])

    def test_the_last_write_of_freed_memory(self):
        for place in ("cells[0]", "cells[0:2]", "*cells"):
            with self.subTest(place):
                told = self.step(["tbreak op=store", "run", f"watch {place}", "disable 2", "continue", "enable 2",
                                  "reverse-continue", "print i", "reverse-continue", "print cells[0]"],
                                 "long.cu", "--", "70000")
                self.assertEqual(told.count("watch 2: the next operation is the last that wrote it\n"), 2, told)
                self.assertRegex(told, r"\$1 = 69999\n(?s:.*)\$2 = 69997\n")

    def test_casts_to_the_types_of_the_program(self):
        """Typedefs, classes, enumerations, arrays; of the file, of a namespace, of the kernel."""
        told = self.step(["break 27", "run", "print (myint)2.9", "print ((u64*)w)[0]", "print (small)70000",
                          "print ((app::point*)points)[1].x", "print ((point*)points)[1].x", "print (colour)1",
                          "print (*(app::row*)m)[0]", "print (unsigned char)(u64)(-1)"], "types.cu", "-O0")
        self.assertEqual(re.findall(r"^\$\d+ = (.*)$", told, re.M), ["2", "4294967301", "4464", "7", "7", "1", "4", "255"], told)
        for wrong, error in (("(nothing)m[0]", "the debug information has no type 'nothing' here: write what it stands for"),
                             ("(point)m", "'point' is no number, which casts make: cast to a pointer to it"),
                             ("(u64)-1", "'u64' is a type: in a cast, put what follows in parentheses")):
            self.assertIn(f"error: {error}", self.step(["break 27", "run", f"print {wrong}"], "types.cu", "-O0", code=64))
        told = self.step(["tbreak set", "run", "watch ((u64*)w)[0]", "watch ((point*)points)[1].x", "watch (myint)m[1] + 1",
                          "continue", "continue", "continue"], "types.cu", "-O0")
        self.assertEqual(re.findall(r"^watch \d: (.*)\n  was: (.*)\n  is:  (.*)$", told, re.M),
                         [("((u64*)w)[0] (p[64])", "0", "4294967301"), ("((point*)points)[1].x (p[136])", "0", "7"),
                          ("(myint)m[1] + 1 of tile block (0,0,0)", "1", "4")], told)

    def test_a_buffer_of_objects_has_their_members(self):
        """By the kernel's pointer of the buffer's name, whichever block writes."""
        told = self.step(["tbreak fill", "run", "watch all[1].at[1]", "watch all[0].id", "continue", "print all[0].id", "print all->id",
                          "print (*all).at[0:2]", "print all", "print &all[1]", "continue", "reverse-continue"], "objects.cu")
        self.assertEqual(re.findall(r"^watch \d: (.*)\n  was: (.*)\n  is:  (.*)\n  by (?:#\d+ )?(.*)", told, re.M),
                         [("all[0].id (all[0])", "0", "4", "write of tile block (0,0,0) of fill at objects.cu:16"),
                          ("all[1].at[1] (all[1] + 8 bytes)", "0", "1.5", "write of tile block (1,0,0) of fill at objects.cu:17")],
                         told)
        self.assertRegex(told, r"watch 2: the next operation is the last that wrote it\n"
                               r"tile block \(1,0,0\) of fill \[position 6\], next: write at objects.cu:17\n")
        self.assertEqual(re.findall(r"^\$\d+ = (.*)$", told, re.M), ["4", "4", "f32[2] 0 0", "&all[0]", "&all[1]"], told)
        # Elements that are numbers stay the buffer's.
        told = self.step(["tbreak fill", "run", "print weights", "print all[2].speed"], "objects.cu", code=64)
        self.assertIn("$1 = f32[4] 0 0 0 0\n", told)
        self.assertIn("error: all[2] has no member 'speed'; it has id, at", told)

    def test_the_last_operation_of_a_block(self):
        for command in ("finish", "next", "until op=addf", "step 100"):
            with self.subTest(command):
                told = self.step(["tbreak op=store block=0", "run", "watch out[0]", command, "continue"], "watched.cu")
                self.assertRegex(told, r"watch 2: out\[0\]\n  was: .*\n  is:  37\n  by #57 store_ptr_tko of "
                                       r"tile block \(0,0,0\) of add_up at watched\.cu:24\n"
                                       r"tile block \(0,0,0\) of add_up has ended\n(?s:.*)\[position 57\]")
                self.assertEqual(told.count("watch 2: out[0]\n  was"), 1, told)

    def test_behind_the_last_operation_of_a_block(self):
        """A finding of that operation stops there: nobody stands, others go on or are to begin."""
        place = "last_line.cu:9"
        run = ["break op=store", "run", "continue", "step"]
        told = self.step([*run, "where", "info blocks"], "last_line.cu")
        self.assertIn("that was the last operation of tile block (1,0,0) of last_line", told)
        self.assertRegex(told, "tile block .1,0,0. of last_line has ended; its last operation was at\n"
                               f"#0 last_line at {place}\n", told)
        listed = told[told.rindex("launch "):]
        self.assertIn(": 2 ended, 0 alive, 2 not started\n", listed)
        self.assertRegex(listed, r"(?m)^\* tile block .1,0,0. of last_line: has ended; its last operation was at "
                                 + place)
        # Any other goes on from here, and the schedule says so ever after.
        saved = self.kept / "run.txt"
        told = self.step([*run, "block 3", "step", f"save {saved}"], "last_line.cu")
        places = [re.findall(r"tile block .3,0,0. of last_line \[position \d+\], next: .*", text)[-1:]
                  for text in (told, self.step([], "--replay", saved, "last_line.cu"))]
        self.assertEqual(*places, told)
        self.assertNotEqual(places[0], [], told)
        self.assertIn("error: block 1 of last_line has ended", self.step([*run, "block 1"], "last_line.cu", code=64))

    def test_a_variable_of_a_block_is_no_buffer_of_its_name(self):
        told = self.step(["tbreak advance", "run", "tbreak advance", "continue", "watch then", "continue", "continue",
                          "reverse-continue"], "swapped.cu")
        ended = told.index("the program has ended with status 0")
        self.assertIn("watch 3: then of tile block (0,0,0)\n  tile block (0,0,0) of advance has ended", told[:ended])
        self.assertNotIn("that wrote it", told)
        self.assertIn("watch 3: then of tile block (0,0,0)\n  was: no value yet\n  is:  &now[0]\n", told[ended:])

    def test_one_that_is_given_again_does_not_stop_at_what_is_there(self):
        told = self.step(["tbreak 21", "run", "watch rounds", "disable 2", "step 2", "enable 2", "continue"],
                         "watched.cu")
        self.assertNotIn("no value yet", told)
        self.assertRegex(told, r"watch 2: rounds of .*\n  was: 0\n  is:  2\n")


class History(Case):
    """Its memory is bounded, and going back is exact with little of it."""

    ROUNDS = 3_000_000

    def test_a_small_bound_is_kept(self):
        # Watching nothing, the program goes on without stops: checkpoints come and go on the way.
        end = self.ROUNDS - 1
        told = self.step(
            [f"goto {end}", "print i", "info schedule",
             # further back than is remembered, by another block than the last one, and to a line before
             "reverse-step 5", "print i", "reverse-step 100000", "print i", "info schedule",
             "step 2", "print i", "reverse-next", "print i", "block", "reverse-finish", "print cells[1]",
             "reverse-step", "print cells[1]", f"goto {end}", "print i"],
            "--history", "8", "long.cu", "--", str(self.ROUNDS))
        values = [int(v) for v in re.findall(r"^\$\d+ = (-?\d+)$", told, re.M)]
        positions = [int(p) for p in re.findall(r"\[position (\d+)\], next", told)]
        first = values[0]
        self.assertGreater(first, self.ROUNDS - 10)
        self.assertEqual(values[1:3], [first - 5, first - 100_005])
        self.assertEqual(values[3], first - 100_003)
        self.assertEqual(values[-1], first)
        self.assertEqual(positions[0] - positions[1], 5)
        self.assertEqual(positions[1] - positions[2], 100_000)
        figures = [(float(used), float(most)) for used, most in
                   re.findall(r"^history: ([\d.]+) MB of at most (\d+): ", told, re.M)]
        self.assertEqual(len(figures), 2)
        for used, most in figures:
            self.assertEqual(most, 8)
            self.assertLessEqual(used, most)
            self.assertGreater(used, 0)

    def test_the_same_with_much_and_with_little(self):
        commands = ["goto 250000", "reverse-step 3", "reverse-step 60000", "reverse-finish", "goto 240000",
                    "reverse-next", "reverse-next"]
        told = {self.step(commands, "--history", megabytes, "long.cu", "--", "300000")
                for megabytes in ("1", "512")}
        self.assertEqual(len(told), 1, told)


class Reports(Case):
    """From a report to the racy operation: one command."""

    def test_stands_at_the_race(self):
        checked = subprocess.run([TOOL, "check", "--schedules", "8", "endings.cu", "--", "race"], cwd=HERE, text=True,
                                 env=self.env, capture_output=True, timeout=120)
        replay = re.search(r"--replay (\S+)", checked.stderr).group(1)
        result = self.tool("--batch", "--replay", replay, "endings.cu", "--", "race")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("nothing orders them [data-race]", result.stdout)
        self.assertNotIn("reverse-step", result.stdout)  # it stands there already
        self.assertIn("the other is at endings.cu:29", result.stdout)
        self.assertRegex(result.stdout.splitlines()[-2],
                         r"of race \[position \d+\], next: store_ptr_tko at endings.cu:29")

    def test_the_printed_command_leads_to_its_finding(self):
        """Also where the schedule shows others before."""
        checked = subprocess.run([TOOL, "check", "--schedules", "8", "--json", "two.cu"], cwd=HERE, text=True, env=self.env,
                                 capture_output=True, timeout=120)
        self.assertEqual(checked.returncode, 1, checked.stderr)
        commands = re.findall(r"^  to step: tilesim step (.*)$", checked.stderr, re.M)
        found = json.loads(checked.stdout)["findings"]
        self.assertEqual(len(commands), len(found))
        self.assertEqual({f["code"] for f in found}, {"data-race", "signed-overflow", "leak"})
        self.assertGreater(len(found), 3)
        for command, finding in zip(commands, found):
            with self.subTest(command):
                words = shlex.split(command)
                self.assertEqual(words[words.index("--finding") + 1], finding["name"])
                told = self.tool("--batch", *words)
                self.assertEqual(told.returncode, 0, told.stderr)
                last = told.stdout.splitlines()
                places = {f"two.cu:{side[0]['line']}" for side in (finding["where"], finding["other"])
                          if side}
                self.assertTrue(any(place in told.stdout for place in places), told.stdout)
                self.assertIn(f"[{finding['code']}]", told.stdout)
                if finding["code"] == "leak":
                    self.assertIn("the program has ended", told.stdout)
                else:
                    self.assertIn(re.search(r"two.cu:\d+$", last[-2]).group(0), places)

    def test_a_finding_that_does_not_come_up(self):
        for commands in ([], ["info races"]):
            told = self.step(commands, "--finding", "data-race@counter.cu:18", "counter.cu", code=3)
            self.assertIn("data-race@counter.cu:18 does not come up under this schedule", told)
        self.assertEqual(self.tool("--finding", "data-race@counter.cu:18", "counter.cu").returncode, 3)
        self.step(["fly"], "--finding", "data-race@counter.cu:18", "counter.cu", code=64)
        self.step([], "--finding", "data-race@last_line.cu:9", "last_line.cu")
        result = self.tool("--finding", "rice@counter.cu:18", "counter.cu")
        self.assertEqual(result.returncode, 64)
        self.assertIn("--finding takes the name of a finding", result.stderr)

    def test_another_programs_string_is_refused(self):
        result = self.tool("--batch", "--replay", "2-rr-0123456789abcdef", "counter.cu")
        self.assertEqual(result.returncode, 64)
        self.assertIn("belongs to another program", result.stderr)


class Findings(Case):
    """What `tilesim check` finds in a run, a stepped run stops at; what it does not, it does not."""

    def test_pairs(self):
        races = HERE.parents[1] / "races"
        for name in ("simt/no_fence", "simt/counter", "stream/allocated_elsewhere", "launch", "raw"):
            sources = [races / f"{name}.cu"] if "/" in name else sorted((races / name).glob("*.cu"))[:2]
            self.assertTrue(sources[0].exists(), sources[0])
            for source in sources:
                for racy in (True, False):
                    with self.subTest(program=source.name, racy=racy):
                        told = self.step(["run"], *(["-DRACY"] if racy else []), source)
                        if racy:
                            self.assertIn(": error: ", told)
                        else:
                            self.assertNotIn(": error: ", told)
                            self.assertIn("the program has ended with status 0", told)


    def test_the_operation_of_the_hundredth(self):
        """Findings beyond the 64th are told late to whoever waits for a report; the stepper knows each at once."""
        source = self.kept / "hundred.cu"
        sums = "\n".join(f"  n = n + 2147483647 - (n - {i});" for i in range(100))
        source.write_text("""#include "cuda_tile.h"
__tile_global__ void hundred() {
  auto n = cuda::tiles::full<cuda::tiles::tile<int, cuda::tiles::shape<2>>>(1);
""" + sums + """
}
int main() { hundred<<<1, 1>>>(); cudaDeviceSynchronize(); }
""")
        for line in (5, 70, 101):
            with self.subTest(line=line):
                told = self.step(["where"], "--finding", f"signed-overflow@hundred.cu:{line}", source)
                self.assertIn("signed overflow", told)
                self.assertEqual(told.splitlines()[-2], f"#0 hundred at {source}:{line}", told)


class Terminal(Case):
    """The prompt in a terminal of its own."""

    def setUp(self):
        super().setUp()
        self.env["TERM"] = "xterm"

    def start(self, *words):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(HERE)
            os.execve(TOOL, [TOOL, "step", *words], self.env)
        self.pid = pid
        self.addCleanup(self.leave)
        self.seen = ""

    def leave(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.terminal)

    def wait_for(self, text, seconds=60):
        """Reads until `text` has appeared, and forgets what came before."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            left = end - time.monotonic()
            self.assertGreater(left, 0, f"{text!r} did not appear in {self.seen!r}")
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536).decode(errors="replace")
                except OSError:
                    self.fail(f"{text!r} did not appear in {self.seen!r}")
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def type(self, text):
        os.write(self.terminal, text.encode())

    def ends_by(self, text):
        self.type(text)
        end = time.monotonic() + 60
        while select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
            try:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:  # no process has the terminal any more
                self.assertEqual(os.waitpid(self.pid, 0)[1], 0)
                return
        self.fail(f"the stepper did not end: {self.seen!r}")

    def test_prompt_repeats_and_remembers(self):
        self.start("counter.cu")
        self.wait_for("the program is loaded")
        self.wait_for("(tilesim) ")
        self.type("tbreak count\n")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.wait_for("[position 0]")
        self.wait_for("(tilesim) ")
        self.type("step\n")
        self.wait_for("[position 1]")
        self.wait_for("(tilesim) ")
        self.type("\n")
        self.wait_for("[position 2]")
        self.wait_for("(tilesim) ")
        self.type("\033[A\n")  # the line before
        self.wait_for("[position 3]")
        self.wait_for("(tilesim) ")
        self.ends_by("quit\n")
        self.assertIn("tbreak", (self.kept / "tilesim" / "step_history").read_text())

    def test_what_is_wrong_in_a_script_keeps_the_session(self):
        script = self.kept / "wrong.txt"
        script.write_text("tbreak count\nrun\nstep\nreplay nonsense\n")
        self.start("-x", str(script), "counter.cu")
        self.wait_for("wrong.txt:4: 'nonsense' is no replay string")
        self.wait_for("(tilesim) ")
        self.type("step\n")
        self.wait_for("[position 2]")
        self.ends_by("quit\n")

    def test_a_finding_that_does_not_come_up_keeps_the_session(self):
        self.start("--finding", "data-race@counter.cu:18", "counter.cu")
        self.wait_for("does not come up under this schedule")
        self.ends_by("quit\n")

    def test_completes(self):
        self.start("counter.cu")
        self.wait_for("(tilesim) ")
        self.type("reverse-c\t")
        self.wait_for("ontinue")
        self.type("\025\n")  # Ctrl-U
        self.wait_for("(tilesim) ")
        self.type("info buf\t")
        self.wait_for("fers")
        self.type("\n")
        self.wait_for("nothing has been allocated")

    def test_ctrl_c_stops_the_program(self):
        self.start("endings.cu", "--", "forever")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.wait_for("filled")
        time.sleep(0.3)
        self.type("\003")
        self.wait_for("interrupted")
        self.wait_for("of forever [position")
        self.wait_for("(tilesim) ")
        self.type("reverse-step\n")
        self.wait_for("of forever [position")
        self.wait_for("(tilesim) ")
        self.ends_by("quit\n")

    def test_one_ctrl_c_stops_host_code(self):
        self.start("endings.cu", "--", "late spin")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.wait_for("spins late")
        self.type("\003")
        self.wait_for("interrupted")
        self.wait_for("host code [position 4], at endings.cu:")
        self.wait_for("(tilesim) ")
        self.type("where\n")
        self.wait_for("#0 spin_on_the_host at endings.cu:")
        self.wait_for("#1 main at endings.cu:")
        self.wait_for("(tilesim) ")
        self.type("print zero\n")
        self.wait_for("= 0")
        self.wait_for("(tilesim) ")
        self.type("continue\n")
        self.wait_for("spins on")
        self.type("\003")
        self.wait_for("host code [position 4], at endings.cu:")
        self.wait_for("(tilesim) ")
        self.type(f"save {self.kept / 'saved'}\n")
        self.wait_for("no operation has begun since: where none comes, it takes Ctrl-C there, too")
        self.wait_for("(tilesim) ")
        # Nobody stands here: going back does not run into the loop.
        for command, wanted in [("goto 4", "host code [position 4]"), ("reverse-continue", "[position 0]")]:
            self.type(f"{command}\n")
            self.wait_for(wanted)
            self.wait_for("(tilesim) ")
        self.type("break op=store\n")
        self.wait_for("breakpoint 1")
        self.wait_for("(tilesim) ")
        self.type("continue\n")
        self.wait_for("[position 3], next: store_ptr_tko")
        self.wait_for("(tilesim) ")
        self.ends_by("quit\n")

    def test_ctrl_c_before_the_first_operation(self):
        self.start("endings.cu", "--", "early spin")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.wait_for("spins early")
        self.type("\003")
        self.wait_for("host code [position 0], at endings.cu:")
        self.wait_for("(tilesim) ")
        for command in ("reverse-step", "reverse-continue", "goto 0"):
            self.type(f"{command}\n")
            self.wait_for("no operation has begun before this")
            self.wait_for("(tilesim) ")
        self.ends_by("quit\n")

    def test_going_back_from_a_loop_without_operations(self):
        self.start("endings.cu", "--", "spin")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.wait_for("spins")
        self.type("\003")
        self.wait_for("interrupted in code without operations")
        self.wait_for("tile block (0,0,0) of spin [position 5], at endings.cu:")
        self.wait_for("(tilesim) ")
        for command, wanted in [("where", "#0 spin at endings.cu:"),
                                ("print seen", "= 7"),
                                (f"save {self.kept / 'saved'}", "where none comes, it takes Ctrl-C there, too"),
                                ("goto 5", "of spin [position 5], at endings.cu:"),
                                ("goto 6", "the program does not come to position 6"),
                                ("break op=load", "breakpoint 1"),
                                ("reverse-continue", "of spin [position 4], next: load"),
                                ("reverse-continue", "of fill [position 0]")]:
            self.type(f"{command}\n")
            self.wait_for(wanted)
            self.wait_for("(tilesim) ")
        self.ends_by("quit\n")

    def test_what_was_done_before_a_loop_without_operations(self):
        self.start("endings.cu", "--", "write and spin")
        self.wait_for("(tilesim) ")
        for command in ("tbreak write_and_spin", "run", "watch p[0]"):
            self.type(f"{command}\n")
            self.wait_for("(tilesim) ")
        self.type("continue\n")
        self.wait_for("written")
        self.type("\003")
        self.assertRegex(self.wait_for("write_and_spin [position 5], at endings.cu:"),
                         r"(?s)watch 2: p\[0\]\s+was: 7\s+is:  9\s+by #5 store_ptr_tko of tile block .*"
                         r"interrupted in code without operations")
        self.wait_for("(tilesim) ")
        self.type("info blocks\n")
        self.assertRegex(self.wait_for("(1 operation)"),
                         r"\* tile block \(0,0,0\) of write_and_spin: at endings\.cu:\d+ ")
        self.wait_for("(tilesim) ")
        self.ends_by("quit\n")

    def interrupt(self):
        """Ctrl-C, at once: the editor may not wait for a key yet."""
        self.type("\003")

    def test_ctrl_c_at_the_prompt_drops_the_line(self):
        self.start("counter.cu")
        self.wait_for("(tilesim) ")
        self.interrupt()
        self.wait_for("(tilesim) ")
        self.type("quit")
        self.wait_for("quit")
        self.interrupt()
        self.wait_for("(tilesim) ")
        self.type("tbreak count\n")
        self.wait_for("breakpoint 1")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.wait_for("[position 0]")
        self.wait_for("(tilesim) ")
        for _ in range(2):
            self.type("fly")
            self.wait_for("fly")
            self.interrupt()
            self.wait_for("(tilesim) ")
        self.type("step\n")  # the program has not been interrupted
        self.assertNotIn("interrupted", self.wait_for("[position 1]"))
        self.wait_for("(tilesim) ")
        self.interrupt()
        self.wait_for("(tilesim) ")
        self.type("\n")  # repeats the last command, as before Ctrl-C
        self.wait_for("[position 2]")
        self.wait_for("(tilesim) ")
        self.interrupt()
        self.wait_for("(tilesim) ")
        self.ends_by("\004")

    def test_end_of_input_leaves(self):
        self.start("counter.cu")
        self.wait_for("(tilesim) ")
        self.ends_by("\004")

    def test_colour_only_here(self):
        self.start("endings.cu", "--", "race")
        self.wait_for("(tilesim) ")
        self.type("run\n")
        self.assertIn("\033[31merror\033[0m", self.wait_for("[data-race]"))
        self.assertNotIn("\033", self.step(["run"], "endings.cu", "--", "race"))


class Traces(Case):
    """Stepped through, judged for races, and written down, all at once."""

    def trace(self, commands, *program):
        file = self.kept / "t.json"
        self.step(commands, "--trace", file, *program)
        trace = json.loads(file.read_text())
        slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
        return slices, [e for e in trace["traceEvents"] if e["ph"] == "i"], trace["otherData"]

    def test_the_whole_run_with_its_race(self):
        slices, instants, run = self.trace(["run", "continue"], "endings.cu", "--", "race")
        self.assertEqual(len(slices), run["operations"])
        self.assertEqual(run["end"], "ended")
        self.assertTrue(any("data-race" in e["name"] for e in instants), instants)

    def test_up_to_where_the_session_leaves_it(self):
        for back in ([], ["reverse-step", "reverse-step"], ["goto 3"], ["run"]):
            with self.subTest(back):
                commands = ["break counter.cu:9", "run", "continue", *back, "info schedule"]
                slices, _, run = self.trace(commands, "counter.cu")
                told = self.step(commands, "counter.cu")
                position = int(re.findall(r"; position (\d+) of", told)[-1])
                self.assertEqual(len(slices), position)
                self.assertEqual(run["end"], "left")

    def test_a_switch_after_going_back_is_what_stands_in_it(self):
        slices, _, _ = self.trace(["stepi 4", "goto 2", "block 1", "stepi 3"], "two.cu")
        self.assertEqual(len(slices), 5)
        self.assertEqual(len({e["tid"] for e in slices}), 2)

    def test_as_a_page(self):
        file = self.kept / "t.html"
        self.step(["run"], "--trace", file, "endings.cu", "--", "race")
        self.assertIn("data-race", file.read_text())

    def test_a_session_that_never_begins_writes_nothing(self):
        file = self.kept / "kept.json"
        file.write_text("before")
        self.assertEqual(self.tool("--batch", "--trace", file, "--replay", "no replay", "endings.cu").returncode, 64)
        self.assertEqual(file.read_text(), "before")

    def test_a_full_disk(self):
        self.assertEqual(self.tool("--batch", "--ex", "run", "--trace", "/dev/full", "counter.cu").returncode, 69)

    def test_what_cannot_be_written(self):
        told = self.tool("--batch", "--trace", "/nonexistent/t.json", "endings.cu")
        self.assertEqual(told.returncode, 69, told)
        self.assertIn("/nonexistent/t.json", told.stderr)


class Input(Case):
    def test_commands_from_a_pipe(self):
        result = self.tool("counter.cu", stdin="tbreak count\nrun\nstep\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("[position 1]", result.stdout)

    def test_names_of_gdb(self):
        for name, same in [("backtrace", "where"), ("stepi", "step"), ("si 2", "step 2"),
                           ("info threads", "info blocks"), ("i b", "info breakpoints"),
                           ("info watchpoints", "info breakpoints")]:
            with self.subTest(name):
                self.assertEqual(*(self.step(["break add_up", "run", command], "watched.cu")
                                   for command in (name, same)))

    def test_arguments_are_the_parameters_alone(self):
        told = self.step(["tbreak 16 if t == 0", "run", "info args", "info locals"], "block.cu")
        names = re.findall(r"(?m)^(\w+) = ", told)
        self.assertEqual(names[:2], ["in", "out"])
        self.assertIn("order", names[2:])
        self.assertEqual(names.count("order"), 1)

    def test_frames_up_and_down(self):
        told = self.step(["tbreak 11", "run", "up", "print rounds", "down", "print found", "up 99", "down 99"],
                         "watched.cu")
        self.assertRegex(told, r"\n#1 add_up at watched\.cu:22\n22\t.*\n\$1 = 0\n#0 twice at watched\.cu:11\n11\t.*"
                               r"\n\$2 = -?\d+\n#\d (?s:.*)\n#0 twice at watched\.cu:11\n")
        self.assertIn("error: this is the outermost frame\n",
                      self.step(["tbreak 11", "run", "up 99", "up"], "watched.cu", code=64))

    def test_every_frame_has_a_number_of_its_own(self):
        """Also the functions that are inlined, and who has called the launch."""
        told = self.step(["break fill", "run", "where", "frame 3", "frame", "up", "down 99", "up 99"], "frames.cu")
        numbers = [int(n) for n in re.findall(r"(?m)^#(\d+) ", told)]
        end = numbers.index(3) + 1
        count = numbers.index(3, end)
        self.assertEqual(numbers, [*range(count), 3, 3, 4, 0, count - 1], told)
        self.assertEqual(told.count("launched at frames.cu:"), 1 + (count == 3), told)
        for line in re.findall(r"(?m)^#3 .*$", told):
            self.assertEqual(line, re.search(r"(?m)^#3 .*$", told)[0])

    def test_back_so_many_times(self):
        """What has a count forward has one back."""
        run = ["break 20", "run", "continue 4"]
        position = lambda told: re.findall(r"\[position (\d+)\]", told)[-1]  # noqa: E731
        for once, thrice in (("reverse-next", "reverse-next 3"), ("reverse-continue", "reverse-continue 3")):
            self.assertEqual(position(self.step([*run, once, once, once], "watched.cu")),
                             position(self.step([*run, thrice], "watched.cu")))
        self.assertEqual(position(self.step([*run, "reverse-continue 99"], "watched.cu")), "0")
        self.assertEqual(position(self.step([*run, "next 3", "reverse-next 3"], "watched.cu")),
                         position(self.step(run, "watched.cu")))
        # Also where the block ends within them, or a breakpoint stops.
        saxpy = HERE.parents[2] / "examples" / "saxpy.cu"
        for stop, program in (("break op=store", saxpy), ("break op=load", saxpy), ("break 20", "watched.cu")):
            here = position(self.step([stop, "run"], program))
            for lines in range(1, 8):
                with self.subTest(stop, lines=lines):
                    self.assertEqual(position(self.step([stop, "run", f"next {lines}", f"reverse-next {lines}"],
                                                        program)), here)

    def test_help(self):
        told = self.step(["help", "help break", "help rc"], "counter.cu")
        for text in ("reverse-continue rc ", "op=NAME", "short: rc"):
            self.assertIn(text, told)


if __name__ == "__main__":
    if not TOOL:
        sys.exit("TILESIM_TOOL is not set: the path of the tilesim program")
    if approve:
        sys.argv.remove("--approve")
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
