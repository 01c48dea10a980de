#!/usr/bin/env python3
"""Programs whose executions are known, by `tilesim explore`: states, counts, findings, exit codes; and each replay string.

  TILESIM_TOOL=build/dev/bin/tilesim check.py [--only NAME] [--parts] [--bound] [--symmetry KERNELS] [--litmus FOLDER [--most N]]

With --litmus: litmus tests of that folder, written as kernels (litmus_kernels.py), have the states that `tilesim litmus`
tells of the file, and those that tell of races there have races here.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from rows import ROWS

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("TILESIM_TOOL", "")


def explore(program, *arguments, folder=HERE, silent=False):
    """Words behind "--" are the program's own."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    done = subprocess.run([TOOL, "explore", *([] if silent else ["--json"]), "--time", "120", *arguments[:end], program, *arguments[end:]], cwd=folder, capture_output=True, text=True, timeout=300)
    if silent:
        return None, done.returncode
    try:
        return json.loads(done.stdout), done.returncode
    except json.JSONDecodeError:
        sys.exit(f"{program} {arguments}: no report, exit status {done.returncode}\n{done.stdout}{done.stderr}")


def states(report, name):
    return sorted(tuple(s["values"][name]) for s in report["states"])


def row_problems(program, arguments, executions, wanted, codes, code):
    report, got = explore(f"{program}.cu", *arguments)
    if got != code:
        yield f"exit code {got}, not {code}: {report['why']}"
    if executions is not None and report["executions"] != executions:
        yield f"{report['executions']} executions, not {executions}"
    if report["complete"] != (code != 3):
        yield "complete: " + str(report["complete"])
    found = sorted({f["code"] for f in report["findings"]})
    if found != sorted(codes):
        yield f"findings {found}, not {codes}"
    if wanted:
        seen = sorted(set(states(report, wanted[0])))
        if seen != wanted[1]:
            yield f"states {seen}, not {wanted[1]}"
    own = [a for a in arguments if a.startswith("-D")]
    for s in report["states"]:
        if s["replay"] and "_r" in s["replay"] and (report["model"] == "sc" or (program, s["values"]) == ("store_buffering", {"seen": [1, 0]})):
            yield f"replay {s['replay']} of {s['values']}: needs no stale read"
        if s["replay"] is None:
            if not s["load_buffering"] and not report["findings"] and program not in ("copies",):
                yield f"no replay of {s['values']}"
            continue
        done = subprocess.run([TOOL, "run", "--hooks", "--replay", s["replay"], *own, f"{program}.cu"], cwd=HERE, capture_output=True, text=True)
        if done.returncode != s["status"] or done.stdout != s["printed"] or "could not follow" in done.stderr:
            yield f"replay {s['replay']} of {s['values']}: status {done.returncode}, {done.stdout!r} {done.stderr}"
    for f in report["findings"]:
        if f["replay"] is None and f["code"] not in ("deadlock",) and program not in ("copies",):
            yield f"no replay of {f['code']}"
        if f["replay"] and not f["where"]:
            yield f"{f['code']} without a place"


def expectation_problems():
    """--expect: the same states are 0, fewer or more are 1. One without some buffer stands for all that agree in the rest."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "states.json")
        report, _ = explore("four_threads.cu", "-DORDER=relaxed")
        changes = ((lambda s: s, 0), (lambda s: s[1:], 1), (lambda s: s + [{"values": {"seen": [7, 7, 7, 7]}}], 1),
                   (lambda s: [{"values": {}}], 0), (lambda s: [{"values": {}, "printed": ""}], 0), (lambda s: [{"values": {}, "printed": "7"}], 1),
                   (lambda s: [{"values": {"none": 1}}], 1), (lambda s: [{**s[0], "printed": "7"}, *s[1:]], 1))
        for change, code in changes:
            file.write_text(json.dumps({"states": change(report["states"])}))
            _, got = explore("four_threads.cu", "-DORDER=relaxed", "--expect", str(file))
            if got != code:
                yield f"--expect: exit code {got}, not {code}"


def remedy_problems():
    """Of a race the remedy is one that can be taken: blocks of one launch share no stream of their own."""
    for program, wanted in (("two_streams", "use one stream for both"), ("lock.cu -DKIND=0 -DRELAXED_LOCK", "make both accesses atomic"),
                            ("block.cu -DNO_BARRIER", "let the threads of the block meet in between: __syncthreads()")):
        name, *arguments = program.split()
        report, _ = explore(f"{name.removesuffix('.cu')}.cu", *arguments)
        for f in report["findings"]:
            if f["code"] == "uninitialised-read":  # of one run
                continue
            if not f["remedy"].startswith(wanted):
                yield f"{program}: to fix: {f['remedy']}"
            if any("launched at" in d for d in f["details"]) != (program == "two_streams"):
                yield f"{program}: {f['details']}"


def without_replays(report):
    """What shards have to agree in with the whole: an execution that shows a state may be another one."""
    # Of a race either access may be named first.
    found = sorted(([f["code"], *sorted([f["where"], f["other"]], key=json.dumps), f["executions"]] for f in report["findings"]), key=json.dumps)
    return ([{k: v for k, v in s.items() if k != "replay"} for s in report["states"]], found, report["executions"], report["stopped"], report["complete"])


# What else there is to a sum that BLOCKS blocks add to: executions with and without the reduction.
SUMS = [(0, 6, 1, 720), (0, 20, 1, None), (1, 3, 6, 6), (2, 3, 6, 6), (3, 3, 6, 6), (4, 2, 3, 3), (5, 3, 6, 6), (6, 3, 6, 6), (7, 2, 2, 4), (8, 2, None, None), (9, 2, None, None), (10, 2, None, None), (11, 3, 6, 36), (12, 2, 1, 4), (13, 2, 4, 4), (14, 2, 2, 2)]


def sum_problems():
    """Nothing is lost: the same states and findings, in fewer executions where nobody can tell."""
    for kind, blocks, executions, all_executions in SUMS:
        arguments = ["sums.cu", "--no-symmetry", f"-DKIND={kind}", f"-DBLOCKS={blocks}", "--observe", "x,y,f,out"]
        report, code = explore(*arguments)
        if report["executions"] != (executions or report["executions"]) or not report["complete"]:
            yield f"{arguments}: {report['executions']} executions, not {executions}: {report['why']}"
        if blocks > 6:
            continue
        full, full_code = explore(*arguments, "--no-reduction")
        if full["executions"] != (all_executions or full["executions"]) or full["reduced"]:
            yield f"{arguments}, all: {full['executions']} executions, not {all_executions}"
        if report["reduced"] != (kind in (0, 7, 9, 11, 12)) or (report["executions"] == full["executions"]) == report["reduced"]:
            yield f"{arguments}: reduced is {report['reduced']}, {report['executions']} of {full['executions']} executions"
        seen = [[{k: s[k] for k in ("values", "printed", "status")} for s in r["states"]] for r in (report, full)]
        found = [sorted((f["code"], str(f["where"])) for f in r["findings"]) for r in (report, full)]
        if seen[0] != seen[1] or found[0] != found[1] or code != full_code:
            yield f"{arguments}: {seen[0]} {found[0]}, and all: {seen[1]} {found[1]}"


def told(report):
    """The states and findings of a report, without counts, replays, and the names of blocks."""
    return ([{k: s[k] for k in ("values", "printed", "status")} for s in report["states"]], sorted((f["code"], *sorted((str(f["where"]), str(f["other"])))) for f in report["findings"]), report["complete"])


def symmetry_problem(name, program, *arguments, folder=HERE):
    """The states and findings are the same with all executions that differ in which of identical blocks does what; the number of executions, both."""
    fewer, code = explore(program, *arguments, folder=folder)
    full, full_code = explore(program, "--no-symmetry", *arguments, folder=folder)
    problem = None
    if told(fewer) != told(full) or code != full_code or fewer["executions"] > full["executions"]:
        problem = f"{name}: {told(fewer)} in {fewer['executions']} executions, and all: {told(full)} in {full['executions']}"
    if full["symmetric"] or (not fewer["symmetric"] and fewer["executions"] != full["executions"]):
        problem = f"{name}: symmetric is {fewer['symmetric']}, and {full['symmetric']} of all; {fewer['executions']} and {full['executions']} executions"
    return problem, fewer["executions"], full["executions"]


def symmetry_problems(count):
    """Identical blocks: of the programs of ROWS, and of random kernels, with and without load buffering."""
    import random_kernels
    seen = set()
    for program, arguments, *_ in ROWS:
        words = tuple(a for a in arguments if a not in ("--no-symmetry", "--no-reduction"))
        if (program, words) in seen or program in ("clock", "halves"):
            continue
        seen.add((program, words))
        problem, _, _ = symmetry_problem(f"{program} {words}", f"{program}.cu", *words)
        if problem:
            yield problem
    with tempfile.TemporaryDirectory() as out:
        pathlib.Path(out, "kernels.cu").write_text(random_kernels.text_of(count))
        fewer = full = 0
        for n in range(count):
            for words in (["--load-buffering", "off"], ["--load-buffering", "on"], ["--model", "sc"], ["--bound", "1"], ["--load-buffering", "off", "--no-reduction"]):
                problem, some, all_of_them = symmetry_problem(f"kernel {n} {words}", "kernels.cu", *words, "--", str(n), folder=out)
                fewer, full = fewer + some, full + all_of_them
                if problem:
                    yield problem
        print(f"{len(seen)} programs and {count} random kernels: {fewer} executions, {full} with all")
        if count > 10 and fewer * 3 > full * 2:
            yield "identical blocks are explored as if they were told apart"


def bound_problems():
    """--bound: fewer stale reads have fewer executions, up to all; shards and processes come to the same; what is refused."""
    for program, *arguments in (("four_threads.cu", "-DORDER=relaxed"), ("stack.cu",), ("message.cu", "-DRELAXED_LOAD"), ("two_launches.cu",), ("lock.cu", "-DKIND=1", "-DRELAXED_LOCK")):
        whole, _ = explore(program, "--load-buffering", "off", *arguments)
        before = None
        for bound in range(4):
            report, code = explore(program, "--bound", str(bound), *arguments)
            states_here = {json.dumps(s["values"]) for s in report["states"]}
            if before is not None and not (before[0] <= states_here and before[1] <= report["executions"]):
                yield f"{program} {arguments}: --bound {bound} has {states_here}, and one less {before}"
            before = (states_here, report["executions"])
            if report["executions"] > whole["executions"] or report["bound"] != bound or report["load_buffering"]:
                yield f"{program} {arguments} --bound {bound}: {report['executions']} of {whole['executions']}, bound {report['bound']}"
            if report["complete"] == report["within_bound"]:
                yield f"{program} {arguments} --bound {bound}: complete is {report['complete']}, within the bound {report['within_bound']}"
            if report["within_bound"] and (code not in (1, 3) or f"at most {bound} stale read" not in report["why"]):
                yield f"{program} {arguments} --bound {bound}: exit code {code}: {report['why']}"
            if report["complete"] and told(report) != told(whole):
                yield f"{program} {arguments} --bound {bound}: {told(report)}, and of all {told(whole)}"
            several, _ = explore(program, "--bound", str(bound), "--jobs", "3", *arguments)
            if several != report:
                yield f"{program} {arguments} --bound {bound} --jobs 3: {several}, not {report}"
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f"{i}.json") for i in (1, 2, 3)]
        for i, file in enumerate(files[:2]):
            explore("four_threads.cu", "-DORDER=relaxed", "--bound", "0", "--shard", f"{i + 1}/2", f"--json={file}", silent=True)
        explore("four_threads.cu", "-DORDER=relaxed", "--bound", "1", "--shard", "2/2", f"--json={files[2]}", silent=True)
        merged = subprocess.run([TOOL, "merge", "--json", *files[:2]], capture_output=True, text=True)
        whole, code = explore("four_threads.cu", "-DORDER=relaxed", "--bound", "0")
        together = json.loads(merged.stdout)
        if merged.returncode != code or any(together[k] != whole[k] for k in ("executions", "complete", "bound", "within_bound", "why")) or told(together) != told(whole):
            yield f"--bound in shards: {together}, not {whole}"
        mixed = subprocess.run([TOOL, "merge", files[0], files[2]], capture_output=True, text=True)
        if mixed.returncode != 65 or "--bound 1" not in mixed.stderr:
            yield f"shards of two bounds: exit code {mixed.returncode}, {mixed.stderr}"
    for words, wanted in ((["--bound", "1", "--load-buffering", "on"], "without load buffering"), (["--bound", "1", "--model", "sc"], "there are none"), (["--bound", "65"], "from 0 to 64"), (["--bound", "x"], "from 0 to 64")):
        done = subprocess.run([TOOL, "explore", *words, "message.cu"], cwd=HERE, capture_output=True, text=True)
        if done.returncode != 64 or wanted not in done.stderr:
            yield f"explore {words}: exit code {done.returncode}, {done.stderr}"
    done = subprocess.run([TOOL, "explore", "--bound", "0", "store_buffering.cu"], cwd=HERE, capture_output=True, text=True)
    if "complete within the bound: every execution with at most 0 stale reads" not in done.stdout or done.returncode != 3:
        yield f"--bound 0: exit code {done.returncode}, {done.stdout}"


def drawing_problems():
    """--dot and --svg: accesses by block, and what relates them."""
    def run(*words):
        done = subprocess.run([TOOL, "explore", *words], cwd=HERE, capture_output=True, text=True)
        return done.stdout, done.returncode
    text, code = run("--dot", "-", "store_buffering.cu")
    again, _ = run("--dot", "-", "--jobs", "1", "store_buffering.cu")
    edges = sorted(line.split(" [")[0].strip() for line in text.splitlines() if "label=\"fr\"" in line)
    if code != 1 or text != again or not text.startswith("digraph") or edges != ["e1 -> e2", "e3 -> e0"] or text.count("places[0] is 0") != 1:
        yield f"--dot of store buffering: {code}, {text}"
    text, _ = run("--dot", "-", "--draw", "4", "store_buffering.cu")
    if "state 4, seen[0]=1; seen[1]=1;" not in text or text.count('label="rf"') != 2 or "is 1" not in text:
        yield f"--draw 4 of store buffering: {text}"
    text, _ = run("--dot", "-", "lock.cu", "-DKIND=1", "-DRELAXED_LOCK")
    if "[data-race]" not in text or "lock[0]: 0 -> 1" not in text or 'label="co"' not in text:
        yield f"--dot of a race: {text}"
    text, _ = run("--dot", "-", "additions.cu", "-DBLOCKS=2", "-DUNUSED")
    if text.count("no access of shared places") != 2:
        yield f"--dot of blocks that share nothing: {text}"
    with tempfile.TemporaryDirectory() as folder:
        svg, report = (pathlib.Path(folder, name) for name in ("x.svg", "x.json"))
        if shutil.which("dot"):
            _, code = run("--svg", svg, f"--json={report}", "--dot", "-", "store_buffering.cu")
            if code != 1 or "<svg" not in svg.read_text() or len(json.loads(report.read_text())["states"]) != 4:
                yield f"--svg of store buffering: {code}"
        for words in (["--draw", "1"], ["--dot", "-", "--draw", "9"], ["--dot", "-", "--draw", "0"], ["--dot", "-", "--json"], ["--dot", "store_buffering.cu"]):
            text, code = run(*words, "store_buffering.cu")
            if code != 64 or text:
                yield f"explore {words}: exit code {code}, {text}"


def jobs_problems():
    """The same report whatever --jobs, to the byte. Updates of one number are no circle, however many places there are beside it: of seven no read is promised anything."""
    for executions, program, *arguments in ((40320, "additions.cu", "-DBLOCKS=8", "-DUNUSED", "--no-reduction", "--no-symmetry"), (120, "additions.cu", "-DBLOCKS=5"), (5040, "additions.cu", "-DBLOCKS=7", "--no-reduction"), (702, "ring.cu"), (6, "lock.cu", "-DKIND=1", "-DRELAXED_LOCK", "--no-symmetry"), (4, "lock.cu", "-DKIND=1", "-DRELAXED_LOCK"), (4, "block.cu", "-DSEEN"), (8, "last_block.cu", "-DNO_READER")):
        reports = [explore(program, "--jobs", n, *arguments)[0] for n in ("1", "2", "5")]
        if not reports[0]["complete"] or reports[0]["executions"] != executions:
            yield f"{program} {arguments}: {reports[0]['executions']} executions, not {executions}"
        if any(json.dumps(r) != json.dumps(reports[0]) for r in reports):
            yield f"{program} {arguments}: another report with other --jobs"


def shards(folder, name, n, program, *arguments, at=HERE):
    """The reports of a program's shards, as files."""
    files = [os.path.join(folder, f"{name}{i}.json") for i in range(1, n + 1)]
    for i, file in enumerate(files, 1):
        report, _ = explore(program, "--shard", f"{i}/{n}", *arguments, folder=at)
        pathlib.Path(file).write_text(json.dumps(report))
    return files


def merge(*words):
    done = subprocess.run([TOOL, "merge", "--json", *words], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.startswith("{") else None, done.returncode, done.stderr


def in_turns(folder, n, program, *arguments, at=HERE):
    """What n shards come to together, each explored again with what all know, until none knows more; their files, and how many turns."""
    known = os.path.join(folder, "known.json")
    files = shards(folder, "turn", n, program, *arguments, at=at)
    together, code, said = merge("--known", known, *files)
    turns = 1
    while together and not together["complete"] and "explore each once more" in together["why"] and turns < 6:
        files = shards(folder, "turn", n, program, "--known", known, *arguments, at=at)
        together, code, said = merge("--known", known, *files)
        turns += 1
    return together, code, said, files, turns


def litmus_turn_problems():
    """Litmus tests of load buffering, written as kernels: what shards come to in turns."""
    import litmus_kernels
    with tempfile.TemporaryDirectory() as out:
        compared = buffered = 0
        for file in sorted((HERE.parents[1] / "litmus" / "ptx").glob("*LB*.litmus")):
            kernel = litmus_kernels.kernel_of(TOOL, file)
            if kernel is None:
                continue
            name = file.stem.replace("+", "_") + ".cu"
            pathlib.Path(out, name).write_text(kernel.text)
            arguments = ["-O0", "--observe", "results,mem"]
            whole, code = explore(name, "--no-symmetry", *arguments, folder=out)
            together, got, said, _, turns = in_turns(out, 3, name, *arguments, at=out)
            compared += 1
            buffered += any(s["load_buffering"] for s in whole["states"])
            if together is None or got != code or without_replays(together) != without_replays(whole):
                yield f"{file.stem} in 3 shards, {turns} turns: exit code {got}, not {code}; {said}{together and without_replays(together)}, not {without_replays(whole)}"
        print(f"{compared} litmus tests in shards, {buffered} of them with states that take load buffering")
        if buffered < 3:
            yield "hardly any litmus test has load buffering"


def elsewhere_problems(folder, known, files):
    """Where a program's memory lies elsewhere than where other parts were explored, what those know is of no use."""
    moved = os.path.join(folder, "elsewhere.json")
    knowledge = json.loads(pathlib.Path(known).read_text())
    pathlib.Path(moved).write_text(json.dumps({**knowledge, "memory": knowledge["memory"] ^ 1}))
    report, code = explore("ring.cu", "--shard", "1/2", "--known", moved)
    if code != 3 or report["complete"] or "the program's memory lies elsewhere than where other parts were explored" not in report["why"]:
        yield f"known of another memory: exit code {code}, {report['why']}"
    report = json.loads(pathlib.Path(files[1]).read_text())
    report["shard"]["known"]["memory"] ^= 1
    pathlib.Path(moved).write_text(json.dumps(report))
    _, code, told = merge(files[0], moved)
    if code != 65 or "memory lies elsewhere in each" not in told or moved not in told:
        yield f"merge with a shard of another memory: exit code {code}, {told}"


def round_problems(folder):
    """What a thread has done elsewhere behind a round that is seen here to be one is not asked for."""
    known = os.path.join(folder, "rounds.json")
    lock = ["lock.cu", "-DKIND=1"]
    merge("--known", known, *shards(folder, "round", 2, *lock))
    knowledge = json.loads(pathlib.Path(known).read_text())
    stuck = [run for run in knowledge["runs"] if run[1] == 2]
    if not stuck:
        yield f"no thread of {lock} goes round: {knowledge['runs']}"
    as_it_is = [explore(*lock, "--shard", f"{i}/2", "--known", known) for i in (1, 2)]
    for thread, last, values in stuck:
        knowledge["runs"].append([thread, last + 3, values + values[-1:] * 3])
    pathlib.Path(known).write_text(json.dumps(knowledge))
    for i, (wanted, code) in enumerate(as_it_is, 1):
        report, got = explore(*lock, "--shard", f"{i}/2", "--known", known)
        if got != code or any(report[k] != wanted[k] for k in ("executions", "complete", "states", "findings")):
            yield f"{lock} in shard {i}/2 with rounds that go on: exit code {got}, {report}, not {wanted}"


def turn_problems():
    """With load buffering shards come to know in turns what may be promised; an execution that several find counts once."""
    with tempfile.TemporaryDirectory() as folder:
        def parts(*words):
            return shards(folder, *words)

        known = os.path.join(folder, "known.json")
        most_turns = 0
        for n, program, *arguments in ((3, "load_buffering.cu"), (2, "load_buffering.cu", "-DDEPENDENT"), (4, "load_buffering.cu", "-DALWAYS"), (3, "ring.cu"), (7, "ring.cu"), (2, "two_launches.cu"), (3, "lock.cu", "-DKIND=1", "-DRELAXED_LOCK"), (2, "look_back.cu", "-DRELAXED_FLAG"), (2, "additions.cu", "-DBLOCKS=3")):
            whole, code = explore(program, "--no-symmetry", *arguments)
            together, got, told, files, turns = in_turns(folder, n, program, *arguments)
            most_turns = max(most_turns, turns)
            if together is None or got != code or without_replays(together) != without_replays(whole):
                yield f"{program} in {n} shards, {turns} turns: exit code {got}, not {code}; {told}{together and without_replays(together)}, not {without_replays(whole)}"
            if program == "ring.cu":
                found = [sum(json.loads(pathlib.Path(f).read_text())["executions"] for f in files), whole["executions"]]
                if found[0] < found[1] or together["executions"] != found[1]:
                    yield f"{program} in {n} shards: {found[0]} executions in all, {together['executions']} together, not {found[1]}"
        if most_turns < 3:
            yield f"shards with load buffering: {most_turns} turns"
        first = parts("first", 2, "ring.cu")
        merge("--known", known, *first)
        yield from elsewhere_problems(folder, known, first)
        yield from round_problems(folder)
        second = parts("second", 2, "ring.cu", "--known", known)
        words = [first[0], second[1]]
        _, code, told = merge(*words)
        if code != 65 or "were given different things by --known" not in told or any(w not in told for w in words):
            yield f"merge {words}: exit code {code}, {told}"
        for words, wanted, status in ((["--known", known, "message.cu"], "give --shard I/N, too", 64), (["--shard", "1/2", "--known", "none.json", "message.cu"], "none.json: cannot be read", 64), (["--shard", "1/2", "--known", known, "message.cu"], "known.json is of ring.cu", 65), (["--shard", "1/2", "--known", first[0], "ring.cu"], "what 'tilesim merge --known FILE' has written", 65)):
            done = subprocess.run([TOOL, "explore", *words], cwd=HERE, capture_output=True, text=True)
            if done.returncode != status or wanted not in done.stderr:
                yield f"explore {words}: exit code {done.returncode}, {done.stderr}"


def shard_problems():
    """Shards together are the whole; what does not belong together is refused with both sides."""
    with tempfile.TemporaryDirectory() as folder:
        def parts(*words):
            return shards(folder, *words)

        for n, program, *arguments in ((3, "additions.cu", "-DBLOCKS=5"), (5, "store_buffering.cu"), (2, "lock.cu", "-DKIND=1", "-DRELAXED_LOCK"), (3, "two_launches.cu"), (4, "bad_place.cu"), (2, "look_back.cu"), (3, "message.cu", "-DRELAXED_LOAD")):
            arguments += ["--load-buffering", "off"]
            whole, code = explore(program, "--no-symmetry", *arguments)
            files = parts(program, n, program, *arguments)
            together, got, told = merge(*reversed(files))
            if together is None or got != code or without_replays(together) != without_replays(whole):
                yield f"{program} in {n} shards: exit code {got}, not {code}; {told}{together and without_replays(together)}, not {without_replays(whole)}"
        one = parts("one", 2, "message.cu")
        other = parts("other", 2, "message.cu", "-DWAIT")
        three = parts("three", 3, "message.cu")
        half, code, _ = merge(one[1])
        if code != 3 or half["complete"] or half["why"] != "shard 1 of 2 is not given" or half["share"] is not None or half["remedy"]:
            yield f"a shard that is missing: {code}, {half}"
        observed = parts("observed", 2, "message.cu", "--observe", "seen")
        for words, wanted in (([one[0], other[1]], "merge takes the shards of one exploration"), ([one[0], three[1]], "shard 1/2, and"), ([one[0], one[0]], "are both shard 1/2"), ([one[0], observed[1]], "--observe seen")):
            _, code, told = merge(*words)
            if code != 65 or wanted not in told or any(w not in told for w in words):
                yield f"merge {words}: exit code {code}, {told}"
        whole = os.path.join(folder, "whole.json")
        pathlib.Path(whole).write_text(json.dumps(explore("message.cu")[0]))
        newer = os.path.join(folder, "newer.json")
        pathlib.Path(newer).write_text(pathlib.Path(one[0]).read_text().replace('"tilesim": "', '"tilesim": "9'))
        for file, wanted in ((whole, "no report of a shard"), (newer, "merge with the version that has explored"), (os.path.join(folder, "none.json"), "cannot be read")):
            _, code, told = merge(file)
            if code != 65 or wanted not in told:
                yield f"merge {file}: exit code {code}, {told}"
        for words in (["--model", "sc", "--shard", "3/2"], ["--model", "sc", "--shard", "0/2"], ["--model", "sc", "--shard", "1"], ["--model", "sc", "--shard", "1/2", "--expect", whole], ["--jobs", "0"]):
            done = subprocess.run([TOOL, "explore", *words, "message.cu"], cwd=HERE, capture_output=True, text=True)
            if done.returncode != 64:
                yield f"explore {words}: exit code {done.returncode}"


def litmus_problems(folder, most):
    import litmus_kernels
    with tempfile.TemporaryDirectory() as out:
        compared = 0
        for file in sorted(pathlib.Path(folder).rglob("*.litmus")):
            if compared == most:
                break
            kernel = litmus_kernels.kernel_of(TOOL, file)
            if kernel is None:
                continue
            compared += 1
            pathlib.Path(out, file.stem.replace("+", "_") + ".cu").write_text(kernel.text)
            report, _ = explore(file.stem.replace("+", "_") + ".cu", "-O0", "--observe", "results,mem", folder=out)
            got = {(*s["values"]["results"][:kernel.registers], *s["values"]["mem"]) for s in report["states"]}
            if not report["complete"]:
                yield f"{file}: {report['why']}"
            if got != kernel.states:
                yield f"{file}: more {sorted(got - kernel.states)}, missing {sorted(kernel.states - got)}"
            # Of several orders of additions one is counted; of identical blocks there are none.
            if report["executions"] != kernel.executions and not report["reduced"]:
                yield f"{file}: {report['executions']} executions, not {kernel.executions}"
            if bool(report["findings"]) != kernel.racy:
                yield f"{file}: races: {[f['message'] for f in report['findings']]}"
        print(f"{compared} litmus tests as kernels")
        if compared == 0:
            yield "no litmus test could be written as a kernel"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--litmus")
    parser.add_argument("--parts", action="store_true", help="sums, drawings, --jobs and --shard alone")
    parser.add_argument("--bound", action="store_true", help="--bound alone")
    parser.add_argument("--symmetry", type=int, metavar="KERNELS", help="identical blocks alone: all programs, and so many random kernels")
    parser.add_argument("--most", type=int, default=-1)
    options = parser.parse_args()
    wrong = []
    if options.parts:
        wrong = [*sum_problems(), *drawing_problems(), *jobs_problems(), *shard_problems(), *turn_problems(), *litmus_turn_problems()]
    elif options.bound:
        wrong = list(bound_problems())
    elif options.symmetry:
        wrong = list(symmetry_problems(options.symmetry))
    elif options.litmus:
        wrong = list(litmus_problems(options.litmus, options.most))
    else:
        chosen = [r for r in ROWS if options.only in r[0]]
        wrong = [f"{r[0]} {' '.join(r[1])}: {p}" for r in chosen for p in row_problems(*r)]
        if not options.only:
            wrong += expectation_problems()
            wrong += remedy_problems()
        print(f"{len(chosen)} programs")
        wrong += [] if chosen else ["no such program"]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("TILESIM_CACHE", cache)
        os.environ.pop("TILESIM_OPTIONS", None)
        sys.exit(main())
