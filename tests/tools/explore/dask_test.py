#!/usr/bin/env python3
"""`tilesim explore --dask`: a local Dask cluster comes to what one process comes to, also if a worker dies; what is refused.

Skipped where the Python that runs this has no package 'distributed'.
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")
MANY = ["additions.cu", "-DBLOCKS=9", "-DUNUSED", "--no-reduction", "--no-symmetry"]


def command(*words):
    return [TOOL, "explore", "--json", *words]


def explore(*words, **environment):
    done = subprocess.run(command(*words), cwd=HERE, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    return json.loads(done.stdout) if done.stdout.startswith("{") else None, done.returncode, done.stderr.strip()


def same_problems(address):
    """The report of one process, to the byte."""
    for words in (["ring.cu"], ["lock.cu", "-DKIND=1", "-DRELAXED_LOCK"], ["two_launches.cu"], ["store_buffering.cu"], ["additions.cu", "-DBLOCKS=5"], ["stack.cu", "--bound", "2"]):
        alone, code, _ = explore("--jobs", "1", *words)
        together, got, said = explore("--dask", address, *words)
        if together != alone or code != got:
            yield f"{words}: exit code {got}, not {code}; {said} {together}, not {alone}"


def killed_problems(client, address):
    """One worker of three dies while it explores: nothing is lost, and nothing counts twice."""
    alone, _, _ = explore("--jobs", "1", *MANY)
    running = subprocess.Popen(command("--dask", address, *MANY), cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    processes = client.run(os.getpid)
    killed = False
    until = time.monotonic() + 120
    while running.poll() is None and time.monotonic() < until:
        busy = [worker for worker, tasks in client.processing().items() if any("explore_part" in str(t) for t in tasks)]
        if len(busy) == 3 and not killed:
            os.kill(processes[busy[0]], signal.SIGKILL)
            killed = True
        time.sleep(0.05)
    out, said = running.communicate(timeout=300)
    if not killed:
        yield "no worker was killed: three have never explored at a time"
    together = json.loads(out) if out.startswith("{") else None
    if together != alone:
        yield f"a worker was killed: {said} {together and together['executions']} executions, not {alone['executions']}"


def refusal_problems(client, address, folder):
    """Another version, no tilesim, no cluster, what does not go together: one line that says so."""
    older = pathlib.Path(folder, "older")  # as a worker of another version would see what it is given
    older.write_text(f"#!{sys.executable}\nimport os, pathlib, sys\nfile = pathlib.Path(sys.argv[3])\nfile.write_text(file.read_text().replace('\"version\": \"', '\"version\": \"9.'))\nos.execv({TOOL!r}, [{TOOL!r}, *sys.argv[1:]])\n")
    older.chmod(older.stat().st_mode | stat.S_IXUSR)
    for change, wanted in ((lambda: os.environ.update(TILESIM_TOOL=str(older)), "install the same everywhere"), (lambda: os.environ.update(TILESIM_TOOL="", PATH="/nowhere"), "finds no tilesim"), (lambda: __import__("platform").__dict__.update(machine=lambda: "riscv64"), "take workers of that architecture")):
        before = client.run(lambda: dict(os.environ))
        client.run(change)
        report, code, said = explore("--dask", address, *MANY)
        client.run(lambda all: os.environ.update(next(iter(all.values()))), before)
        if code != 3 or report["complete"] or wanted not in report["why"]:
            yield f"{wanted}: exit code {code}, {said} {report and report['why']}"
    done = subprocess.run([TOOL, "explore", "--task", "none.json"], cwd=HERE, capture_output=True, text=True)
    if done.returncode != 64 or "--task takes what" not in done.stderr:
        yield f"--task without a task: exit code {done.returncode}, {done.stderr}"
    bare = pathlib.Path(folder, "bare")  # a Python without any package
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
    for words, environment, status, wanted in (
        (["--dask", "tcp://127.0.0.1:1", "ring.cu"], {}, 69, "no Dask cluster at tcp://127.0.0.1:1"),
        (["--dask", "nonsense://x", "ring.cu"], {}, 69, "no Dask cluster at nonsense://x"),
        (["--dask", address, "ring.cu"], {"TILESIM_PYTHON": str(bare)}, 69, "-m pip install distributed"),
        (["--dask", address, "--shard", "1/2", "ring.cu"], {}, 64, "leave out --jobs and --shard"),
        (["--dask", address, "--jobs", "2", "ring.cu"], {}, 64, "leave out --jobs and --shard"),
        (["--dask", address, "program.py"], {}, 64, "--jobs or --shard"),
    ):
        _, code, said = explore(*words, **environment)
        if code != status or wanted not in said or "\n" in said:
            yield f"{words}: exit code {code}, {said}"


def main():
    try:
        import distributed
    except ImportError:
        print(f"skipped: {sys.executable} has no package 'distributed'")
        return 77
    os.environ["TILESIM_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as folder, distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        address = cluster.scheduler_address
        wrong = [*same_problems(address), *killed_problems(client, address), *refusal_problems(client, address, folder)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
