#!/usr/bin/env python3
"""cuTile programs as a person starts them: tilesim run and check, and what they say of wrong ones.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import os
import signal
import subprocess
import textwrap
import time
import unittest


def tool(*words, timeout=100, **environment):
    return subprocess.run([TOOL, *map(str, words)], text=True, capture_output=True, timeout=timeout,
                          env=os.environ | environment, cwd=ROOT)


class Case(cases.Case):
    def run_text(self, text, command="run", **more):
        return tool(*command.split(), self.program(text), **more)


class Examples(unittest.TestCase):
    # Recorded by record_examples.py. Sums and functions whose last bits are open lie within the bounds that diff derives.
    def test_an_h200_computes_the_same(self):
        bounded = {"layer_norm", "softmax"}
        racy = {"histogram_racy", "scatter_duplicates", "spin_lock_racy"}
        for file in sorted((ROOT / "examples/python").glob("*.py")):
            with self.subTest(example=file.name):
                done = tool("diff", file, "--against", ROOT / f"tests/cutile/recordings/{file.stem}.rec")
                if file.stem in racy:  # what a race decides is not judged: the race is told
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    self.assertRegex(done.stdout + done.stderr, r"\[(data-race|duplicate-store)\]")
                    self.assertRegex(done.stdout, " 0 differ, [01] undecided, 0 with other input")
                    continue
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("agrees: 1 of 1 launch compared with", done.stdout)
                self.assertIn("(NVIDIA H200)", done.stdout)
                verdict = "0 the same, 1 within the bounds" if file.stem in bounded else "1 the same"
                self.assertIn(f": {verdict}, 0 differ, 0 undecided", done.stdout)

    def test_each_runs(self):
        for file in sorted((ROOT / "examples" / "python").glob("*.py")):
            with self.subTest(example=file.name):
                done = tool("run", file)
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_clean_ones_are_clean_under_check(self):
        for name in ("vector_add", "histogram", "message_passing", "spin_lock"):
            with self.subTest(example=name):
                done = tool("check", "--schedules", "3", f"examples/python/{name}.py")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("checked: 3 schedules", done.stderr + done.stdout)

    def test_the_others_are_found_out_at_their_python_lines(self):
        for name, kind in (("histogram_racy", "data-race"), ("spin_lock_racy", "data-race"),
                           ("scatter_duplicates", "duplicate-store")):
            with self.subTest(example=name):
                path = f"examples/python/{name}.py"
                done = tool("check", "--schedules", "2", path)
                self.assertEqual(done.returncode, 1, done.stderr)
                text = (ROOT / path).read_text().splitlines()
                line = 1 + next(i for i, t in enumerate(text) if "ct.scatter(" in t)
                self.assertIn(f"{path}:{line}:", done.stderr)
                self.assertIn(f"[{kind}]", done.stderr)


class Tuning(Case):
    def test_a_search_runs_its_candidates_and_gives_one(self):
        done = self.run_text("""\
            from cuda.tile.tune import exhaustive_search

            @ct.kernel
            def twice(x, y, size: ct.Constant[int]):
                i = ct.bid(0)
                ct.store(y, (i,), ct.load(x, (i,), (size,)) * 2)

            x = np.arange(64, dtype=np.float32)
            y = np.zeros_like(x)
            found = exhaustive_search([16, 32], 0, lambda size: (64 // size,), twice, lambda size: (x, y, size), quiet=True)
            print(found.best.config in (16, 32), (y == 2 * x).all())
        """)
        self.assertEqual((done.returncode, done.stdout), (0, "True True\n"), done.stderr)


    def test_what_it_does_between_launches_takes_no_time_here(self):
        done = self.run_text("""\
            import time
            from cuda.tile.tune import exhaustive_search

            @ct.kernel
            def twice(x, y, size: ct.Constant[int]):
                i = ct.bid(0)
                ct.store(y, (i,), ct.load(x, (i,), (size,)) * 2)

            x = np.arange(64, dtype=np.float32)
            y = np.zeros_like(x)
            begin = time.process_time()
            exhaustive_search([16, 32], 0, lambda size: (64 // size,), twice, lambda size: (x, y, size), quiet=True)
            print(time.process_time() - begin < 10)
        """, "check --schedules 1", timeout=300)
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)


class Capability(Case):
    PROGRAM = """
        @ct.kernel
        def scaled(packed, scales, c):
            x = ct.reshape(ct.unpack_from_bytes(ct.load(packed, (0,), (64,)), ct.float4_e2m1fn), (4, 32))
            s = ct.reshape(ct.bitcast(ct.load(scales, (0,), (4,)), ct.float8_e8m0fnu), (4, 1))
            ct.store(c, (0, 0), ct.mma_scaled(x, s, ct.transpose(x), ct.transpose(s), ct.zeros((4, 4), ct.float32)))

        packed = np.full(64, 0x22, np.uint8)  # ones
        scales = np.arange(127, 131, dtype=np.uint8)  # 1, 2, 4, 8
        c = np.zeros((4, 4), np.float32)
        ct.launch(0, (1,), scaled, (packed, scales, c))
        print((c == 32 * np.outer(2.0 ** np.arange(4), 2.0 ** np.arange(4))).all())
        """

    def test_what_a_newer_device_has_runs_where_it_is_wanted(self):
        done = self.run_text(self.PROGRAM, TILESIM_COMPUTE_CAPABILITY="10.0")
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)

    def test_without_it_cutile_refuses_that(self):
        done = self.run_text(self.PROGRAM)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("sm_90", done.stderr)

    def test_what_is_no_capability(self):
        for text in ("ten", "10", "10.0.1", ""):
            with self.subTest(text=text):
                done = self.run_text(self.PROGRAM, TILESIM_COMPUTE_CAPABILITY=text)
                self.assertEqual(done.returncode, 69)
                self.assertIn(f"TILESIM_COMPUTE_CAPABILITY is a number such as 10.0, not '{text}'", done.stderr)


class Interrupts(Case):
    SPIN = """\
        import sys, tilesim

        @ct.kernel
        def spin(x):
            while ct.load(x, (0,), (1,)).item() < 1:
                ct.store(x, (1,), ct.load(x, (1,), (1,)) ^ 1)

        @ct.kernel
        def one(x):
            ct.store(x, (0,), ct.full((1,), 7, np.int32))

        def launch(kernel):
            x = np.zeros(2, np.int32)
            ct.launch(0, (1,), kernel, (x,))
            return x[0]

        print("begun", flush=True)
    """

    def interrupted(self, text):
        # As a terminal's shell starts it: a test's runner may have it ignored.
        child = subprocess.Popen([TOOL, "run", self.program(textwrap.dedent(self.SPIN) + textwrap.dedent(text))], text=True, cwd=ROOT,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(child.kill)
        self.assertEqual(child.stdout.readline(), "begun\n")
        time.sleep(3)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        return child.returncode, out, err

    def test_the_kernel_ends_python_is_told_and_goes_on(self):
        status, out, err = self.interrupted("""
            try:
                launch(spin)
            except KeyboardInterrupt:
                print("told")
            print(launch(one))
            with tilesim.check():
                print(launch(one))
        """)
        self.assertEqual((status, out), (0, "told\n7\n7\n"), err)
        self.assertRegex(err, r"program.py:\d+:\d+: note: interrupted; the blocks stand so")
        self.assertIn("tile block (0,0,0) of spin runs at", err)
        self.assertIn("summary: interrupted: ", err)

    def test_what_is_found_on_either_side_of_it_counts(self):
        status, out, err = self.interrupted("""
            @ct.kernel
            def divides(x):
                ct.store(x, (0,), ct.load(x, (0,), (1,)) // ct.load(x, (1,), (1,)))

            launch(divides)
            try:
                launch(spin)
            except KeyboardInterrupt:
                print("told")
            launch(divides)
        """)
        self.assertEqual((status, out), (102, "told\n"), err)
        self.assertEqual(err.count("summary: division-by-zero"), 2, err)

    def test_a_kernel_that_accesses_no_memory(self):
        status, out, err = self.interrupted("""
            @ct.kernel
            def computes(x):
                i = ct.load(x, (0,), (1,)).item()
                while i < 5:
                    i = i ^ 2
                ct.store(x, (0,), i)

            try:
                launch(computes)
            except KeyboardInterrupt:
                print("told")
        """)
        self.assertEqual((status, out), (0, "told\n"), err)

    def test_in_another_thread_the_launch_fails(self):
        status, out, err = self.interrupted("""
            import threading

            def work():
                try:
                    print(launch(spin))
                except Exception as error:
                    print(error)

            thread = threading.Thread(target=work)
            try:
                thread.start()  # it may be waited for here
                thread.join()
            except KeyboardInterrupt:
                thread.join()
                print("told")
            print(launch(one))
        """)
        self.assertEqual(status, 0, err)
        self.assertRegex(out, "^.*the kernel has been interrupted: its results are not there\ntold\n7\n$")

    def test_in_a_check_too(self):
        status, out, err = self.interrupted("""
            try:
                with tilesim.check():
                    launch(spin)
                    print("not here")
            except KeyboardInterrupt:
                print("told")
            with tilesim.check():
                print(launch(one))
        """)
        self.assertEqual((status, out), (0, "told\n7\n"), err)

    def test_a_program_that_does_not_mind_ends_as_python_does(self):
        status, out, err = self.interrupted("launch(spin)")
        self.assertEqual(out, "")
        self.assertIn("KeyboardInterrupt", err)
        self.assertNotEqual(status, 0)


class Findings(Case):
    def test_atomics_with_indices_outside_are_right_wherever_the_arrays_lie(self):
        """Runs are compared that have arrays at other addresses: the options that they get, as variables of the environment, move the heap."""
        path = self.program("""
            @ct.kernel
            def kernel(values, count, last):
                i = ct.arange(16, dtype=ct.int32)
                v = ct.gather(values, i, padding_value=-1)
                ct.atomic_add(count, v, 1)
                ct.atomic_max(last, v, i)

            values = np.array([3, 1, 0, 2, 1, 3, 3, 0, 2, 1], np.int32)
            count, last = np.zeros(4, np.int32), np.zeros(4, np.int32)
            ct.launch(0, (1,), kernel, (values, count, last))
            assert (count.tolist(), last.tolist()) == ([2, 3, 2, 3], [7, 9, 8, 6])
        """)
        for n in range(0, 2000, 400):
            with self.subTest(n=n):
                done = subprocess.run([TOOL, "check", "--schedules", "2", path], text=True, capture_output=True, timeout=100, cwd=ROOT,
                                      env={**os.environ, "SOMETHING": "x" * n})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("not compared", done.stderr)

    def test_an_access_outside_ends_the_run_at_its_line(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(x):
                ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)
            print("before")
            ct.launch(0, (1,), kernel, (np.zeros(4, np.int32),))
            print("never")
            """)
        self.assertEqual(done.returncode, 101, done.stderr)
        self.assertEqual(done.stdout, "before\n")
        self.assertIn("program.py:6:", done.stderr)
        self.assertIn("[out-of-bounds]", done.stderr)
        self.assertIn("it is x[4] of int32[4]", done.stderr)

    def test_arrays_that_overlap_are_told_where_one_is_written(self):
        kernel = """
            @ct.kernel
            def kernel(source, target, parts):
                ct.store(target, (0,), ct.load(source, (0,), (16,)) + ct.load(parts[0], (0,), (16,)))
            x = np.zeros((64, 2), np.float32)
            y = np.zeros(64, np.float32)
            z = np.zeros(64, np.float32)
            ct.launch(0, (1,), kernel, {})
            """
        for arguments, names, written in (("(y, y, (z,))", "source and target", "one of them"),
                                          ("(z, y[8:40], (y[:32],))", "target and parts[0]", "target"),
                                          ("(x[:32, 0], x[16:48, 0], (y,))", "source and target", "target")):
            with self.subTest(arguments=arguments):
                done = self.run_text(kernel.format(arguments))
                self.assertEqual(done.returncode, 102, done.stderr)
                self.assertIn(f"program.py:10: error: arrays {names} of kernel overlap: the kernel writes to {written} "
                              "[broken-assumption]", done.stderr)
        # Read alone, beside each other, one between the other's elements.
        for arguments in ("(y, z, (y,))", "(y[:32], y[32:], (z,))", "(x[:, 0], x[:, 1], (z,))"):
            with self.subTest(arguments=arguments):
                done = self.run_text(kernel.format(arguments))
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_where_blocks_stand_is_told_of_blocks_and_without_options_of_cpp(self):
        done = self.run_text("""
            @ct.kernel
            def counts(x):
                i = 0
                while ct.load(x, (0,), (1,)).item() == 0:
                    i += 1
                ct.store(x, (0,), ct.full((1,), i, ct.int32))
            ct.launch(0, (2,), counts, (np.zeros(1, np.int32),))
            """, "run --idle-ops 100000")
        self.assertIn("[limit]", done.stderr)
        self.assertIn("  1 of counts's 2 blocks has not started\n", done.stderr)
        self.assertIn(": tilesim check and tilesim step see every access; ", done.stderr)
        self.assertNotIn("--hooks", done.stderr)

    def test_a_kernel_is_compiled_behind_a_change_of_the_folder(self):
        path = self.program("""
            import os
            os.chdir("/")
            @ct.kernel
            def outside(x):
                ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)
            ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))
            """)
        done = subprocess.run([TOOL, "run", path.name], cwd=path.parent, text=True, capture_output=True, timeout=100)
        self.assertRegex(done.stderr, r"(?m)^program.py:8:\d+: error: .* \[out-of-bounds\]$")
        self.assertIn(f"given to the kernel at {path}:9\n", done.stderr)

    def test_overlaps_that_one_line_launches_are_told_apart_by_kernel_and_names(self):
        text = """
            @ct.kernel
            def copy(a, b):
                ct.store(b, (0,), ct.load(a, (0,), (16,)))
            @ct.kernel
            def add(a, b):
                ct.store(b, (0,), ct.load(a, (0,), (16,)) + 1)
            @ct.kernel
            def parts(a, b):
                ct.store(b, (0,), ct.load(a[0], (0,), (16,)) + ct.load(a[1], (0,), (16,)))
            def go(kernel, *arrays):
                ct.launch(0, (1,), kernel, arrays)
            x = np.zeros(64, np.float32)
            for i in range(2):
                go(copy, x[:16], x[8:24])
                go(add, x[:16], x[8:24])
                go(parts, (x[:16], x[16:32]), x[8:24])
            """
        names = ["a and b of copy", "a and b of add", "a[0] and b of parts", "a[1] and b of parts"]
        done = self.run_text(text)
        self.assertEqual([line.partition(": error: ")[2] for line in done.stderr.splitlines() if ": error: " in line],
                         [f"arrays {pair} overlap: the kernel writes to b [broken-assumption]" for pair in names])
        self.assertEqual(done.stderr.count("program.py:14, 2 times"), 4)
        done = self.run_text(text, "check")
        told = done.stdout + done.stderr
        for pair in names:
            self.assertIn(f"program.py:14: error: arrays {pair} overlap: ", told)

    def test_a_failed_assertion_is_a_finding_at_its_line(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(n):
                ct.assert_(n > 0, "n must be positive")
            ct.launch(0, (1,), kernel, (0,))
            """)
        self.assertIn("program.py:6:", done.stderr)
        self.assertIn("n must be positive", done.stderr)
        self.assertIn("[assertion-failed]", done.stderr)

    def test_blocks_that_wait_for_ever_are_told(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(flag):
                while ct.atomic_or(flag, 0, 0) == 0:
                    pass
            ct.launch(0, (1,), kernel, (np.zeros(1, np.int32),))
            """, "run")
        self.assertEqual(done.returncode, 101, done.stderr)
        self.assertIn("program.py:6", done.stderr)
        self.assertIn("[deadlock]", done.stderr)


class Programs(Case):
    def test_reductions_of_doubles(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(x, y):
                t = ct.load(x, (0,), (8,), padding_mode=ct.PaddingMode.NEG_INF)
                e = ct.exp(t - ct.max(t, axis=0))
                ct.store(y, (0,), e / ct.sum(e, axis=0))
                ct.store(y, (8,), ct.astype(ct.argmax(t, axis=0), ct.float64))
            x, y = np.array([-3, -1, -4, -1.5, -9]), np.zeros(9)
            ct.launch(0, (1,), kernel, (x, y))
            print(np.allclose(y[:5], np.exp(x) / np.exp(x).sum(), rtol=1e-14), y[5:].tolist())
            """, "run")
        self.assertEqual((done.returncode, done.stdout), (0, "True [0.0, 0.0, 0.0, 1.0]\n"), done.stderr)

    def test_launches_that_depend_on_each_other(self):
        done = self.run_text("""
            @ct.kernel
            def first(x, y):
                ct.grid_dependency_control_launch_dependents()
                ct.store(y, (0,), ct.load(x, (0,), (8,)) + 1)
            @ct.kernel
            def second(y, z):
                ct.grid_dependency_control_wait()
                ct.store(z, (0,), ct.load(y, (0,), (8,)) * 2)
            x, y, z = (np.full(8, i, np.float32) for i in range(3))
            ct.launch(0, (1,), first, (x, y))
            ct.launch(0, (1,), second, (y, z))
            print(z.tolist())
            """, "check --schedules 1")
        self.assertEqual((done.returncode, done.stdout), (0, f"{[2.0] * 8}\n"), done.stderr)

    def test_printing_keeps_its_order(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(n):
                ct.printf("kernel %d\\n", n)
            print("first")
            ct.launch(0, (1,), kernel, (5,))
            print("last")
            """)
        self.assertEqual((done.returncode, done.stdout), (0, "first\nkernel 5\nlast\n"), done.stderr)

    def test_arguments_and_name_are_the_programs_own(self):
        path = self.program("import sys\nprint(sys.argv[1:], __name__)\n")
        done = tool("run", path, "--", "--verbose", "3")
        self.assertEqual(done.stdout, "['--verbose', '3'] __main__\n", done.stderr)

    def test_its_exit_status_is_its_own(self):
        self.assertEqual(self.run_text("raise SystemExit(7)\n").returncode, 7)

    def test_an_exception_is_shown_as_python_shows_it(self):
        path = self.program("def f():\n    raise ValueError('mine')\nf()\n")
        done = tool("run", path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf'^Traceback \(most recent call last\):\n  File "{path}", line 5, in <module>\n    f\(\)\n'
                         r'(?s:.*)ValueError: mine\n$')
        self.assertNotIn("runpy", done.stderr)
        path.write_text("def f(:\n")
        done = tool("run", path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertTrue(done.stderr.startswith(f'  File "{path}", line 1\n'), done.stderr)
        self.assertTrue(done.stderr.endswith("SyntaxError: invalid syntax\n"), done.stderr)
        path.write_text("import sys\nsys.excepthook = lambda kind, error, trace: print('own', error)\nraise KeyError(3)\n")
        done = tool("run", path)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "own 3\n", ""))

    def test_views_strides_tuples_and_lists_of_arrays(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(pair, arrays, y):
                s = ct.gather(pair[0], ct.arange(4, dtype=ct.int32)) + ct.gather(pair[1], ct.arange(4, dtype=ct.int32))
                for j in range(len(arrays)):
                    s = s + ct.gather(arrays[j], ct.arange(4, dtype=ct.int32))
                ct.scatter(y, ct.arange(4, dtype=ct.int32), s)
            base = np.arange(16, dtype=np.int32)
            y = np.zeros(8, np.int32)
            ct.launch(0, (1,), kernel, ((base[::2], base[8:]), [base[:4], base[4:8]], y[::2]))
            print(y.tolist())
            """)
        self.assertEqual(done.stdout, "[12, 0, 17, 0, 22, 0, 27, 0]\n", done.stderr)

    def test_arrays_begin_where_a_devices_do(self):
        done = self.run_text("""
            sizes = (256, 1000, 4096, 1 << 20)
            of = lambda a: a.__array_interface__["data"][0]
            print([of(make(size, np.uint8)) % (256 if size < 4096 else 4096) for size in sizes for make in (np.zeros, np.empty, np.ones)])
            x = np.arange(100)
            x.resize(100_000, refcheck=False)  # keeps what it has, and nothing else
            print((x[:100] == np.arange(100)).all(), x[100:].any(), of(x) % 4096)
            kept = [np.full(i % 3000, i % 251, np.uint8) for i in range(5000)]
            print(all((a == i % 251).all() for i, a in enumerate(kept)), np.zeros(1 << 33, np.uint8)[-1])
            """)
        self.assertEqual((done.returncode, done.stdout), (0, f"{[0] * 12}\nTrue False 0\nTrue 0\n"), done.stderr)

    def test_the_stand_in_for_cupy(self):
        done = self.run_text("""
            import cupy
            if "stand-in" not in cupy.__version__:
                print("[1.0, 3.0]")  # the genuine one
                raise SystemExit
            @ct.kernel
            def kernel(x):
                ct.store(x, index=(0,), tile=ct.load(x, index=(0,), shape=(2,)) * 2.0 + 1.0)
            x = cupy.arange(2, dtype=cupy.float32)
            ct.launch(cupy.cuda.get_current_stream(), (1,), kernel, (x,))
            print(cupy.asnumpy(x).tolist())
            """)
        self.assertEqual(done.stdout, "[1.0, 3.0]\n", done.stderr)

    def test_launches_without_a_stream_are_cutiles_own_error(self):
        done = self.run_text("""
            @ct.kernel
            def kernel(x):
                ct.scatter(x, 0, 1)
            ct.launch(None, (1,), kernel, (np.zeros(1, np.int32),))
            """)
        self.assertEqual(done.returncode, 1)
        self.assertIn("TypeError: Stream is required", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
