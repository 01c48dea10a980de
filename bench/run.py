#!/usr/bin/env python3
"""Measures what docs/performance.md claims, each beside its yardstick, in one run on one core.

usage: bench/run.py [--tilesim BUILD/bin/tilesim] [--nvcc NVCC] [--litmus FOLDER]
                    [--only-litmus | --only-step | --only-check | --only-threads]

--litmus names a folder of litmus tests to time instead of tests/litmus.

Prints a table and exits with 1 if a figure misses its target.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "bench" / "programs"


def run(command, env=None):
    return subprocess.run(
        [str(c) for c in command], env=env, check=True, capture_output=True, text=True
    ).stdout


def figures(text):
    """'saxpy by_hand ns_per_element 0.5' -> {'saxpy by_hand': 0.5}"""
    result = {}
    for line in text.splitlines():
        *name, _unit, value = line.split()
        result[" ".join(name)] = float(value)
    return result


def best_ms(command, env=None, repeats=10):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([str(c) for c in command], env=env, check=True, capture_output=True)
        best = min(best, 1000 * (time.perf_counter() - start))
    return best


def litmus_rows(row, pin, tilesim, folder):
    """The memory model: a whole suite, each of its tests, and what a user waits for."""
    tests = sorted(folder.rglob("*.litmus"))
    suite = best_ms(pin + [tilesim, "litmus", "--jobs", "1", folder], repeats=5)
    row(f"tilesim litmus, a folder of {len(tests)} tests", suite / 1000, "s", 1.0, "one process, one core; no yardstick")
    # A process each: what reading and printing cost is in it.
    slowest, name = max((best_ms(pin + [tilesim, "litmus", t], repeats=3), t.stem) for t in tests)
    row("tilesim litmus, the slowest of them", slowest, "ms", 100.0, f"{name}; no yardstick")
    small = ROOT / "tests" / "litmus" / "ptx" / "MP+rel+acq.litmus"
    nothing = best_ms(pin + [tilesim, "--version"])
    row("tilesim litmus, one small test", best_ms(pin + [tilesim, "litmus", small]), "ms", 20.0,
        f"tilesim --version {nothing:.1f} ms")


def kernel_rows(row, pin, tilesim, env):
    """Tile operations in kernels, beside loops by hand, at both levels."""
    for level in ("-O0", "-O2"):
        f = figures(run(pin + [tilesim, "run", PROGRAMS / "saxpy.cu", level], env))
        by_hand = f["saxpy by_hand"]
        for tile, target in (("1024", 5.0), ("256", 10.0)):
            value = f[f"saxpy tile<{tile}>"]
            row(
                f"saxpy, 1M floats, tiles of {tile}, {level}",
                value,
                "ns/element",
                target,
                f"by hand {by_hand:.2f}: {value / by_hand:.1f}x",
            )
    for level in ("-O0", "-O2"):
        f = figures(run(pin + [tilesim, "run", PROGRAMS / "elementwise.cu", level], env))
        for what, yardstick, target in (("float", "float", 2.0), ("int", "int", 3.0), ("half", "float", 8.0)):
            by_hand = f[f"elementwise {yardstick} by_hand"]
            value = f[f"elementwise {what} add"]
            row(
                f"{what} add in a kernel, tile of 4096, {level}",
                value / by_hand,
                "x",
                target,
                f"{value:.0f} ns; {yardstick} by hand at -O3 {by_hand:.0f} ns",
            )
    for level in ("-O0", "-O2"):
        f = figures(run(pin + [tilesim, "run", PROGRAMS / "softmax.cu", level], env))
        ratio = f["softmax tiles"] / f["softmax by_hand"]
        row(f"softmax of 4096 x 1024 floats, {level}", ratio, "x", 4.0, f"by hand {f['softmax by_hand']:.2f} ns/element")
    for level in ("-O0", "-O2"):
        f = figures(run(pin + [tilesim, "run", PROGRAMS / "copy.cu", level], env))
        by_hand = f["copy memcpy"]
        for side, target in (("128x128", 3.0), ("64x64", 3.0), ("32x32", 6.0)):
            row(
                f"copy through partition views, tiles of {side}, {level}",
                f[f"copy {side}"] / by_hand,
                "x",
                target,
                f"4096 x 4096 floats; memcpy {by_hand:.2f} ns/element",
            )
    for level in ("-O0", "-O2"):
        f = figures(run(pin + [tilesim, "run", PROGRAMS / "scans.cu", level], env))
        for what, name, target in (
            ("sum of rows", "sum", 4.0),
            ("partial_sum of rows", "rows", 4.0),
            ("partial_sum of rows, backward", "backward", 4.0),
            ("partial_sum of columns", "columns", 8.0),
        ):
            by_hand = f[f"{name} by_hand"]
            row(
                f"{what}, 1024 x 1024 floats, {level}",
                f[f"{name} tiles"] / by_hand,
                "x",
                target,
                f"by hand {by_hand:.2f} ns/element; a mere copy by tiles {f['copy tiles']:.2f}",
            )


def python_rows(row, pin, tilesim):
    """cuTile programs, where there is a Python that has cuda-tile and NumPy ($TILESIM_PYTHON)."""
    python = os.environ.get("TILESIM_PYTHON", "python3")
    if subprocess.run([python, "-c", "import cuda.tile, numpy"], capture_output=True).returncode != 0:
        print(f"{python} has no cuda-tile or no NumPy: no rows of Python programs")
        return
    triton = {}
    if subprocess.run([python, "-c", "import torch, triton"], capture_output=True).returncode == 0:
        triton = figures(run(pin + [python, PROGRAMS / "triton_saxpy.py"]))
    for command, more in (("run", 1), ("run --races", 4)):
        f = figures(run(pin + [tilesim, *command.split(), PROGRAMS / "python_saxpy.py"]))
        suffix = "" if command == "run" else ", checked"
        for tile, target in (("1024", 5.0), ("256", 10.0)):
            row(f"cuTile Python: saxpy, 1M floats, tiles of {tile}{suffix}", f[f"saxpy tile<{tile}>"], "ns/element",
                target * more, f"NumPy {f['saxpy numpy']:.2f}; Triton's interpreter "
                + (f"{triton[f'triton tile<{tile}>']:.0f}" if triton else "is not there"))
        row(f"cuTile Python: a launch made before{suffix}", f["launch cached"], "us", 20.0 * more,
            "one block, 16 elements, two arrays; no yardstick")
    program = PROGRAMS / "python_launch.py"
    first, export = (min(figures(run(pin + [tilesim, "run", program, "--", what]))[f"first {what}"] for _ in range(5))
                     for what in ("launch", "export"))
    row("cuTile Python: the first launch in a process", first - export, "ms", 50.0,
        f"beyond cuTile's own export, {export:.0f} ms; processor time")
    ours = figures(run(pin + [tilesim, "run", "--races", PROGRAMS / "python_checked.py"]))
    theirs = figures(run(pin + [tilesim, "run", "--races", PROGRAMS / "checked_tiles.cu", "-O2"]))
    for what in ours:
        row(f"cuTile Python: {what.replace('_', ' ')}, checked", ours[what] / theirs[what], "x", 2.0,
            f"{ours[what]:.1f} ns/element; C++ {theirs[what]:.1f}; processor time")


def sample_rows(row, pin, tilesim, samples):
    """The kernels of cuTile's own samples, where they and torch are at hand."""
    python = os.environ.get("TILESIM_PYTHON", "python3")
    if samples is None or subprocess.run([python, "-c", "import cuda.tile, torch"], capture_output=True).returncode != 0:
        print(f"--samples names no folder, or {python} has no torch: no rows of cuTile's samples")
        return
    env = os.environ | {"OMP_NUM_THREADS": "1", "CUDA_TILE_CACHE_DIR": "0"}
    program = PROGRAMS / "python_samples.py"
    for name in ("FFT", "LayerNorm", "BatchMatMul"):
        # The last lines: the sample prints, too.
        ours = run(pin + [tilesim, "run", "--no-ub=view-index", program, "--", samples, name], env).splitlines()[-2:]
        f = figures("\n".join(ours) + "\n" + run(pin + [python, program, samples, name], env))
        for what, one, other in (("its kernels", "kernels", "reference"), ("its kernels, launched again", "again", "repeated")):
            ours, theirs = f[f"{name} {one}"], f[f"{name} {other}"]
            row(f"cuTile's sample {name}, {what}", ours / theirs, "x", 20.0,
                f"{ours / 1000:.2f} ms; torch's reference, called as often, {theirs / 1000:.3f} ms")


def program_rows(row, pin, tilesim, env, folder):
    """Blocks, memory, host code and products of matrices, each a program."""
    f = figures(run(pin + [tilesim, "run", PROGRAMS / "blocks.cu"], env))
    row("100 000 blocks that do nothing", f["blocks trivial"], "ns/block", 1000.0)

    f = figures(run(pin + [tilesim, "run", PROGRAMS / "launches.cu"], env))
    row("a launch of one block beside 1000 allocations", f["launches beside 1000"], "us", 50.0,
        f"beside one {f['launches beside 1']:.1f} us")

    f = figures(run(pin + [tilesim, "run", PROGRAMS / "memory.cu"], env))
    ratio = f["memory peak"] / f["memory arrays"]
    row("peak memory over the arrays' size", ratio, "x", 2.0, f"{f['memory arrays']:.0f} MiB of arrays")

    plain = folder / "plain"
    run(["g++", "-x", "c++", "-std=c++20", "-O2", PROGRAMS / "host_code.cu", "-o", plain])
    ours = figures(run(pin + [tilesim, "run", PROGRAMS / "host_code.cu", "-O2"], env))
    theirs = figures(run(pin + [plain]))
    ratio = ours["host matrix_product"] / theirs["host matrix_product"]
    row("host code, a matrix product", ratio, "x", 2.0, "over g++ -O2")

    by_hand = folder / "matrix_by_hand"
    run(["g++", "-std=c++20", "-O3", "-march=native", PROGRAMS / "matrix_by_hand.cpp", "-o", by_hand])
    ours = figures(run(pin + [tilesim, "run", PROGRAMS / "mma.cu"], env))
    theirs = figures(run(pin + [by_hand]))["mma by_hand"]
    for element, target in (("float", 4.0), ("half", 8.0)):
        row(
            f"mma, 64x64x64, {element}",
            ours[f"mma {element}"] / theirs,
            "x",
            target,
            f"over {theirs / 1000:.1f} us by hand for float, -O3 -march=native",
        )


def compile_rows(row, tilesim, env, folder, options):
    """What a user waits for before the program runs."""
    example = ROOT / "examples" / "gather2d.cu"
    run([tilesim, "run", example], env)
    row("tilesim run, cached, gather2d", best_ms([tilesim, "run", example], env), "ms", 50.0)

    hundred = PROGRAMS / "hundred.cu"
    cold = best_ms([tilesim, "build", hundred, "-O0", "-o", folder / "h"], dict(env, TILESIM_CACHE=str(folder / "h100")), 1)
    yardstick = "NVIDIA's compiler not given"
    if options.nvcc:
        command = [options.nvcc, "--enable-tile", "-std=c++20", "-arch=sm_90", hundred, "-o", folder / "n100"]
        yardstick = f"NVIDIA's compiler {best_ms(command, repeats=1):.0f} ms"
    row("cold compile of 100 tile operations, -O0", cold, "ms", 3000.0, yardstick)

    saxpy = ROOT / "examples" / "saxpy.cu"
    cold = float("inf")
    for i in range(3):
        cold_env = dict(env, TILESIM_CACHE=str(folder / f"cold{i}"))
        cold = min(cold, best_ms([tilesim, "build", saxpy, "-o", folder / "saxpy"], cold_env, 1))
    if options.nvcc:
        command = [options.nvcc, "--enable-tile", "-std=c++20", "-arch=sm_90", saxpy, "-o", folder / "n"]
        native = best_ms(command, repeats=3)
        row("cold compile of saxpy", cold, "ms", native, f"NVIDIA's compiler {native:.0f} ms")
    else:
        row("cold compile of saxpy", cold, "ms", 1500.0, "NVIDIA's compiler not given")


def other_rows(row, pin, tilesim, options):
    """Programs: compiled, run."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        env = dict(os.environ, TILESIM_CACHE=str(folder / "cache"))
        kernel_rows(row, pin, tilesim, env)
        program_rows(row, pin, tilesim, env, folder)
        compile_rows(row, tilesim, env, folder, options)


def step_rows(row, pin, tilesim):
    """The stepper: speed without printing, the first prompt, and ways back in a run of a million operations."""
    program = PROGRAMS / "steps.cu"

    def step(*commands, repeats=3, blocks=1):
        words = [word for command in commands for word in ("--ex", command)]
        return best_ms(pin + [tilesim, "step", "--batch", *words, program, "--", blocks], repeats=repeats)

    step("quit", repeats=1)  # compiled from here on
    prompt = step("help quit", repeats=10)
    row("tilesim step, compiled before: the first prompt", prompt, "ms", 100.0)
    start = step("tbreak add_up", "run")
    million = 1_000_000
    stepped = step("tbreak add_up", "run", f"step {million}") - start
    row("tilesim step: 'step 1000000'", stepped / million * 1e6, "ns/step", 5000.0, f"{million / stepped / 1000:.2f} million steps/s")
    here = step("tbreak add_up", "run", f"step {million}", blocks=1)
    row("... and reverse-step 1000 from there", step("tbreak add_up", "run", f"step {million}", "reverse-step 1000") - here, "ms", 1000.0)
    ended = step("run", blocks=100)
    back = step("run", "reverse-step", "watch counters[3]", "reverse-continue", blocks=100)
    row("... from the end of 100 blocks to the last write of block 0", back - ended, "ms", 1000.0)
    # Behind the free: nothing is left of the memory but who wrote it.
    begun = ["tbreak add_up", "run", "watch counters[0]", "disable 2"]
    freed = step(*begun, "continue", "enable 2", blocks=100)
    row("... of memory that has been freed since", step(*begun, "continue", "enable 2", "reverse-continue", blocks=100) - freed, "ms", 1000.0)
    # Up to where the value changes for the first time; the variable never does.
    for what, watched, blocks in (("an element", "counters[799]", 100), ("a variable", "rounds", 1)):
        forward = step("set stop-at-findings off", "tbreak add_up", "run", f"watch {watched}", "tbreak block=99", "continue",
                       blocks=blocks) - start
        row(f"tilesim step: a million operations under a watch of {what}", forward / million * 1e6, "ns/step", 6667.0,
            f"{million / forward / 1000:.2f} million steps/s")


def sample_rate_row(row, pin, tilesim):
    """Drawn executions of one launch, in one process, from the memory at the launch."""
    count = 1_000_000
    command = pin + [tilesim, "explore", "--json", PROGRAMS / "sampled.cu", "--sample"]

    def user_seconds(n):
        before = os.times().children_user
        subprocess.run([*map(str, command), str(n)], capture_output=True)
        return os.times().children_user - before

    user_seconds(1)  # compiled from here on
    each = (user_seconds(count) - user_seconds(1)) / count
    row("explore --sample: executions of two blocks of five operations", each * 1e6, "us", 5.0, f"{1 / each:.0f} a second")


def oclgrind_ns(pin, kernel, folder):
    """Nanoseconds an element that Oclgrind takes with its race detector, its start not counted; None without it."""
    if not shutil.which("oclgrind-kernel"):
        return None

    def best(elements):
        values = "range=0:1:%d int" % (elements - 1) if kernel == "histogram" else "fill=1 float"
        sim = pathlib.Path(folder) / "checked.sim"
        sim.write_text(f"{PROGRAMS / 'checked.cl'}\n{kernel}\n{elements} 1 1\n256 1 1\n"
                       f"<size={4 * elements} {values}>\n<size={4 * elements} fill=0 int>\n")
        return best_ms(pin + ["oclgrind-kernel", "--data-races", sim], repeats=2)

    few, many = 16384, 81920
    return (best(many) - best(few)) / (many - few) * 1e6


def check_rows(row, pin, tilesim):
    """Complete checking: every access of a run, raw ones too, with what is kept of each; beside ThreadSanitizer."""
    with tempfile.TemporaryDirectory() as folder:
        program, threads = pathlib.Path(folder) / "checked", pathlib.Path(folder) / "threads"
        run([tilesim, "build", "--hooks", PROGRAMS / "checked.cu", "-O2", "-o", program])
        plain = figures(run(pin + [program]))
        done = subprocess.run(
            pin + [str(program)], capture_output=True, text=True, check=True,
            env={**os.environ, "TILESIM_OPTIONS": '{"races":true,"stats":true,"quiet":true}'})
        f = figures(done.stdout)
        compiler = ["g++", "-O2", "-pthread", PROGRAMS / "checked_threads.cpp", "-o", threads]
        run(compiler)
        t = figures(run(pin + [threads]))
        run([*compiler, "-fsanitize=thread"])
        tsan = figures(run(pin + [threads]))
        oclgrind = {name: oclgrind_ns(pin, name, folder) for name in ("saxpy", "histogram", "scatter")}
    for what, name, target in (("saxpy", "saxpy", 25.0), ("an atomic histogram", "histogram", 60.0),
                               ("a scatter through a permutation", "scatter", 100.0)):
        row(f"checked: {what}, 1M elements", f[f"checked {name}"], "ns/element", target,
            f"unchecked {plain[f'checked {name}']:.1f}; ThreadSanitizer {tsan[f'threads {name}']:.0f}, "
            f"without {t[f'threads {name}']:.1f}; Oclgrind "
            + (f"{oclgrind[name]:.0f}" if oclgrind[name] is not None else "is not installed"))
    ratio = f["checked racing_histogram"] / f["checked histogram"]
    row("checked: a histogram with races over one without", ratio, "x", 2.0,
        f"{f['checked racing_histogram']:.1f} ns/element")
    shadow, covered = re.search(r"(\d+) bytes of shadow memory for (\d+) bytes", done.stderr).groups()
    row("checked: shadow memory for 4 bytes", 4 * int(shadow) / int(covered), "bytes", 16.0, "of all these loops together")


def plain_and_checked(pin, tilesim, source):
    """The figures of a program, and of the same one with hooks under the race detector."""
    with tempfile.TemporaryDirectory() as folder:
        program, hooked = pathlib.Path(folder) / "plain", pathlib.Path(folder) / "hooked"
        run([tilesim, "build", PROGRAMS / source, "-O2", "-o", program])
        run([tilesim, "build", "--hooks", PROGRAMS / source, "-O2", "-o", hooked])
        plain = figures(run(pin + [program]))
        return plain, figures(run(pin + [hooked], env={**os.environ, "TILESIM_OPTIONS": '{"races":true,"quiet":true}'}))


def reads_rows(row, pin, tilesim):
    """Complete checking of programs whose blocks read the same memory, over the same programs unchecked."""
    plain, f = plain_and_checked(pin, tilesim, "checked_reads.cu")
    for what, name, target in (("a matrix product of 1024^3 through views", "views", 3.0),
                               ("... through pointers", "pointers", 3.0),
                               ("a sparse matrix times a vector, 1M nonzeros", "sparse", 5.0)):
        row(f"checked: {what}", f[f"reads {name}"] / plain[f"reads {name}"], "x its run", target,
            f"checked {f[f'reads {name}']:.0f} ms, run {plain[f'reads {name}']:.0f} ms")
    row("checked: an atomic histogram, over ten launches", f["reads histogram"] * 1e6 / (1 << 20), "ns/element", 60.0,
        "the median launch")


def thread_rows(row, pin, tilesim):
    """Threads of `__global__` kernels, unchecked and checked."""
    plain, f = plain_and_checked(pin, tilesim, "threads.cu")
    for what, name, unit, target, checked in (("a thread of a saxpy", "saxpy", "ns", 20.0, None),
                                              ("a barrier of 256", "barrier", "us", 5.0, None),
                                              ("an element of a reduction, 16 a thread", "reduction", "ns", 40.0, 150.0),
                                              ("a block of 1024 that meets once", "large", "us", 100.0, None)):
        row(f"threads: {what}", plain[f"threads {name}"], unit, target, f"checked {f[f'threads {name}']:.1f}")
        if checked:
            row(f"threads: {what}, checked", f[f"threads {name}"], unit, checked)
    _, fences = plain_and_checked(pin, tilesim, "fences.cu")
    row("threads: every access seq_cst, checked, 64 x 64 threads", fences["fences seq_cst"] / fences["fences fenced"], "x", 1.5,
        f"over fences that acquire and release; {fences['fences seq_cst']:.0f} ns/access, "
        f"without fences {fences['fences acq_rel']:.0f}")
    row("threads: peak memory of all these, 1000 blocks of 1024 that meet among them", plain["threads peak"], "MiB", 1024.0,
        f"checked {f['threads peak']:.0f}")


def host_rows(row, pin, tilesim):
    """Host code of a program with hooks while there is nothing to judge, over the same without."""
    plain, f = plain_and_checked(pin, tilesim, "host_references.cu")
    for name in (name for name in plain if name.startswith("host ") and plain[name] > 0):
        row(f"{name} with hooks", f[name] / plain[name], "x without", 2.0, f"{1000 * f[name]:.2f} ms of {1000 * plain[name]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tilesim", default=ROOT / "build" / "release" / "bin" / "tilesim")
    parser.add_argument("--nvcc", default=os.environ.get("TILESIM_NVCC", ""))
    parser.add_argument("--litmus", type=pathlib.Path, default=ROOT / "tests" / "litmus")
    parser.add_argument("--only-litmus", action="store_true")
    parser.add_argument("--only-step", action="store_true")
    parser.add_argument("--only-check", action="store_true")
    parser.add_argument("--only-threads", action="store_true")
    parser.add_argument("--only-python", action="store_true")
    parser.add_argument("--samples", type=pathlib.Path, help="the folder of the samples of NVIDIA/cutile-python")
    options = parser.parse_args()
    tilesim = pathlib.Path(options.tilesim).resolve()
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    rows = []

    def row(what, value, unit, target, yardstick=""):
        rows.append((what, value, unit, target, yardstick))

    every = not (options.only_litmus or options.only_step or options.only_check or options.only_python or options.only_threads)
    if every or options.only_litmus:
        litmus_rows(row, pin, tilesim, options.litmus)
    if every or options.only_step:
        step_rows(row, pin, tilesim)
    if every or options.only_python:
        python_rows(row, pin, tilesim)
        sample_rows(row, pin, tilesim, options.samples)
    if every or options.only_check:
        check_rows(row, pin, tilesim)
        reads_rows(row, pin, tilesim)
        host_rows(row, pin, tilesim)
        sample_rate_row(row, pin, tilesim)
    if every or options.only_check or options.only_threads:
        thread_rows(row, pin, tilesim)
    if every:
        other_rows(row, pin, tilesim, options)

    missed = 0
    print(f"{'what':56} {'measured':>10} {'target':>9}")
    for what, value, unit, target, yardstick in rows:
        ok = value <= target
        missed += not ok
        print(f"{what:56} {value:10.2f} {target:9.2f} {unit:10} {'' if ok else 'MISSED '}{yardstick}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
