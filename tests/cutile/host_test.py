#!/usr/bin/env python3
"""Host programs that fork, that make processes and that use threads: their launches run in the simulator, too.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing
import cases
from cases import ROOT, TOOL

import os
import shutil
import subprocess
import textwrap
import unittest

KERNELS = """\
    import os, sys

    @ct.kernel
    def count(x):
        i = ct.bid(0)
        ct.store(x, (i,), ct.load(x, (i,), (16,)) + 1)

    @ct.kernel
    def racy(bins):
        zero = ct.arange(1, dtype=ct.int32) * 0
        ct.scatter(bins, zero, ct.gather(bins, zero) + 1)

    @ct.kernel
    def outside(x):
        ct.scatter(x, ct.arange(8, dtype=ct.int32), 1, check_bounds=False)

    @ct.kernel
    def divides(x):
        ct.store(x, (0,), ct.load(x, (0,), (1,)) // ct.load(x, (1,), (1,)))

    def work(launches):
        x = np.zeros(64, np.int32)
        for _ in range(launches):
            ct.launch(0, (4,), count, (x,))
        return int(x.sum())

    def race(_=None):
        ct.launch(0, (2,), racy, (np.zeros(8, np.int32),))

    def stop(_=None):
        ct.launch(0, (1,), outside, (np.zeros(4, np.int32),))

    def divide(_=None):
        ct.launch(0, (1,), divides, (np.zeros(2, np.int32),))
"""


class Case(cases.Case):
    def run_text(self, text, *command):
        path = self.program(textwrap.dedent(KERNELS) + textwrap.dedent(text))
        return subprocess.run([TOOL, *(command or ("run",)), path], text=True, capture_output=True, timeout=200, cwd=ROOT,
                              env=os.environ)


class Forks(Case):
    def test_both_launch_before_and_behind_it(self):
        done = self.run_text("""
            for first in (0, 1):  # the child's first launch of all, and one more
                if first: work(1)
                child = os.fork()
                if child == 0:
                    print("child", work(2), flush=True)
                    os._exit(0)
                print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), work(3), flush=True)
        """)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "child 128\n0 192\n" * 2, ""))

    def test_a_child_tells_its_own_findings_and_has_a_status_of_its_own(self):
        done = self.run_text("""
            divide()
            for does in (lambda: work(1), race, stop):
                child = os.fork()
                if child == 0:
                    does()
                    sys.exit(0)
                print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        """, "run", "--races")
        self.assertEqual((done.returncode, done.stdout), (102, "0\n102\n101\n"), done.stderr)
        self.assertEqual([done.stderr.count(f"summary: {kind}") for kind in ("division-by-zero", "data-race", "out-of-bounds")],
                         [1, 1, 1], done.stderr)

    def test_a_childs_findings_are_told_within_a_check_of_its_parent(self):
        done = self.run_text("""
            import tilesim
            with tilesim.check() as report:
                child = os.fork()
                if child == 0:
                    race()
                    os._exit(0)
                os.waitpid(child, 0)
                work(1)
            print(report.clean)
        """)
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)
        self.assertIn("[data-race]", done.stderr)


class Processes(Case):
    def test_each_way_to_make_them(self):
        done = self.run_text("""
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor
            if __name__ == "__main__":
                for how in ("fork", "spawn", "forkserver"):
                    with multiprocessing.get_context(how).Pool(2) as pool:
                        print(how, pool.map(work, [1, 2, 3]))
                    with ProcessPoolExecutor(2, multiprocessing.get_context(how)) as pool:
                        print(how, list(pool.map(work, [3, 4])))
        """)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "".join(f"{how} [64, 128, 192]\n{how} [192, 256]\n" for how in ("fork", "spawn", "forkserver")))

    def test_a_python_that_the_program_starts(self):
        done = self.run_text("""
            import subprocess
            if len(sys.argv) == 1:
                for what in ("work", "race"):
                    print(subprocess.run([sys.executable, __file__, what]).returncode, flush=True)
            else:
                print(work(2) if sys.argv[1] == "work" else race(), flush=True)
        """, "run", "--races")
        self.assertEqual(done.stdout, "128\n0\nNone\n102\n", done.stderr)
        self.assertIn("[data-race]", done.stderr)

    def test_a_sitecustomize_of_ones_own_is_not_lost(self):
        (self.folder / "sitecustomize.py").write_text("import builtins\nbuiltins.customized = 1\n")
        os.environ["PYTHONPATH"] += os.pathsep + str(self.folder)
        self.addCleanup(os.environ.__setitem__, "PYTHONPATH", os.environ["PYTHONPATH"].removesuffix(os.pathsep + str(self.folder)))
        done = self.run_text("""
            import builtins, subprocess
            print(builtins.customized, flush=True)
            subprocess.run([sys.executable, "-c", "import builtins, sys; print(builtins.customized, 'tilesim' in sys.modules)"])
        """)
        self.assertEqual((done.returncode, done.stdout), (0, "1\n1 False\n"), done.stderr)

    def test_two_tilesims_in_one_path_do_not_look_for_each_other_without_end(self):
        other = self.folder / "other"
        shutil.copytree(ROOT / "api" / "python", other)
        before = os.environ["PYTHONPATH"]
        self.addCleanup(os.environ.__setitem__, "PYTHONPATH", before)
        (self.folder / "sitecustomize.py").write_text("import builtins\nbuiltins.customized = 1\n")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(other), before, str(self.folder)])
        done = self.run_text("""
            import builtins
            print(builtins.customized, work(1))
        """)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1 64\n", ""))

    def test_one_that_begins_anew_tells_what_it_finds(self):
        done = self.run_text("""
            import multiprocessing
            if __name__ == "__main__":
                for does in (race, stop):
                    child = multiprocessing.get_context("spawn").Process(target=does)
                    child.start()
                    child.join()
                    print(child.exitcode)
        """, "run", "--races")
        self.assertEqual(done.stdout, "102\n101\n", done.stderr)
        self.assertIn("[data-race]", done.stderr)
        self.assertIn("[out-of-bounds]", done.stderr)


class Checked(Case):
    """`tilesim check`: one report of all processes."""

    def check(self, text, *options, status=1):
        done = self.run_text(text, "check", "--schedules", "3", *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    RACE = "and weak store by tile block (0,0,0) of racy: nothing orders them [data-race]\n"
    INSIDE = "  in a process that the program has made\n"

    def assertRace(self, done):
        self.assertIn(self.RACE, done.stderr)
        self.assertIn(self.INSIDE, done.stderr)
        self.assertEqual(done.stderr.count("summary:"), 1, done.stderr)
        self.assertIn("in 3 of 3 schedules\n", done.stderr)

    def test_of_multiprocessing_each_way(self):
        for how in ("fork", "spawn", "forkserver"):
            with self.subTest(how):
                self.assertRace(self.check(f"""
                    import multiprocessing
                    if __name__ == "__main__":
                        with multiprocessing.get_context("{how}").Pool(2) as pool:
                            pool.map(race, range(2))
                            print(pool.map(work, [1, 2]))
                """))

    def test_of_executors(self):
        self.assertRace(self.check("""
            from concurrent.futures import ProcessPoolExecutor
            if __name__ == "__main__":
                with ProcessPoolExecutor(2) as pool:
                    print(list(pool.map(race, range(3))))
        """))

    def test_of_fork_and_its_own_forks(self):
        self.assertRace(self.check("""
            def forked(does):
                child = os.fork()
                if child == 0:
                    does()
                    os._exit(0)
                os.waitpid(child, 0)
            work(1)
            forked(lambda: forked(race))
        """))

    def test_of_subprocess(self):
        self.assertRace(self.check("""
            import subprocess
            if len(sys.argv) == 1:
                print(subprocess.run([sys.executable, __file__, "worker"]).returncode)
            else:
                race()
        """))

    def test_what_both_find_is_told_once_and_steps_to_the_first(self):
        done = self.check("""
            import multiprocessing
            race()
            child = multiprocessing.get_context("fork").Process(target=race)
            child.start()
            child.join()
        """)
        self.assertIn(self.RACE, done.stderr)
        self.assertNotIn(self.INSIDE, done.stderr)
        self.assertIn("3 times, in 3 of 3 schedules\n  to replay", done.stderr)  # what it has told before it forks it tells once
        self.assertIn("to step: ", done.stderr)

    def test_the_replay_string_of_one_shows_it(self):
        text = """
            import multiprocessing
            work(1)
            child = multiprocessing.get_context("fork").Process(target=race)
            child.start()
            child.join()
        """
        done = self.check(text)
        self.assertNotIn("to step: ", done.stderr)
        string = done.stderr.split("--replay ", 1)[1].split()[0]
        again = self.run_text(text, "check", "--replay", string)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn(self.RACE, again.stderr)

    def test_one_alone_is_something_that_was_checked(self):
        done = self.check("""
            import multiprocessing
            if __name__ == "__main__":
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    print(pool.map(work, [2]))
        """, status=0)
        self.assertIn("384 elements judged: no findings", done.stderr.replace("768", "384"))

    def test_one_that_crashes_is_told(self):
        done = self.check("""
            import ctypes, multiprocessing
            def crashes():
                work(1)
                {how}
            child = multiprocessing.get_context("fork").Process(target=crashes)
            child.start()
            child.join()
        """.replace("{how}", "ctypes.string_at(0)"), status=66)
        self.assertIn("error: a process that the program has made ended by SIGSEGV under round-robin, and failed in 3 of 3",
                      done.stderr)
        done = self.check("""
            child = os.fork()
            if child == 0:
                work(1)
                os.abort()
            os.waitpid(child, 0)
        """, status=66)
        self.assertIn("error: a process that the program has made ended by SIGABRT", done.stderr)

    def test_a_program_that_waits_for_a_worker_that_was_stopped_is_ended(self):
        done = self.run_text("""
            import multiprocessing
            if __name__ == "__main__":
                with multiprocessing.get_context("fork").Pool(1) as pool:
                    pool.map(stop, range(1))
        """, "check", "--schedules", "1")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("[out-of-bounds]", done.stderr)
        self.assertIn("limit: the program was ended under round-robin: a process that it has made had been stopped", done.stderr)

    def test_one_that_is_left_behind_is_told(self):
        done = self.check("""
            import time
            done, begun = os.pipe()
            child = os.fork()
            if child == 0:
                work(1)
                os.write(begun, b"x")
                for stream in (0, 1, 2):
                    os.close(stream)
                time.sleep(20)
                os._exit(0)
            os.read(done, 1)
        """, status=3)
        self.assertIn("limit: a process that the program has made still ran when the program had ended", done.stderr)

    def test_one_that_becomes_another_program_tells_nothing(self):
        done = self.check("""
            import subprocess
            work(1)
            print(subprocess.run(["true"]).returncode)
        """, status=0)
        self.assertIn("no findings", done.stderr)


class Threads(Case):
    def test_they_launch_at_once(self):
        for command in (("run",), ("check", "--schedules", "2")):
            with self.subTest(command=command):
                done = self.run_text("""
                    import threading
                    from concurrent.futures import ThreadPoolExecutor
                    with ThreadPoolExecutor(4) as pool:
                        print(set(pool.map(work, [10] * 12)))
                    results = []
                    threads = [threading.Thread(target=lambda: results.append(work(10))) for _ in range(4)]
                    for t in threads: t.start()
                    print(work(10))
                    for t in threads: t.join()
                    print(results)
                """, *command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("{640}\n640\n[640, 640, 640, 640]\n", done.stdout)

    def test_what_one_of_them_finds_is_told(self):
        done = self.run_text("""
            import threading
            for does in (race, stop):
                thread = threading.Thread(target=does)
                thread.start()
                thread.join()
            print("not here")
        """, "run", "--races")
        self.assertEqual((done.returncode, done.stdout), (101, ""), done.stderr)
        self.assertIn("[data-race]", done.stderr)

    def test_a_check_in_a_thread(self):
        done = self.run_text("""
            import threading, tilesim
            def checks():
                try:
                    with tilesim.check():
                        stop()
                except tilesim.FindingsError as error:
                    print(error.report.count("out-of-bounds"))
            thread = threading.Thread(target=checks)
            thread.start()
            thread.join()
            print(work(1))
        """)
        self.assertEqual((done.returncode, done.stdout), (0, "1\n64\n"), done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
