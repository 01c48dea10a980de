"""The programs whose executions are known, as check.py and samples.py take them."""
# SPDX-License-Identifier: Apache-2.0
import itertools
import math


def pairs(*without):
    return sorted(set(itertools.product((0, 1), repeat=2)) - set(without))


# program, arguments, executions (None: not held), what the states of which buffer are, codes of findings, exit code.
ROWS = [
    # Store buffering: 4, and 3 where one comes after the other, or fences order the stores before the loads.
    ("store_buffering", [], 4, ("seen", pairs()), [], 1),
    ("store_buffering", ["--model", "sc"], 3, ("seen", pairs((0, 0))), [], 0),
    ("store_buffering", ["-DFENCE=seq_cst"], 3, ("seen", pairs((0, 0))), [], 0),
    ("store_buffering", ["-DORDER=seq_cst"], 3, ("seen", pairs((0, 0))), [], 0),
    ("store_buffering", ["-DFENCE=acq_rel"], 4, ("seen", pairs()), [], 1),
    # One of the four has a stale read; without it, that is no proof.
    ("store_buffering", ["--bound", "0"], 3, ("seen", pairs((0, 0))), [], 3),
    ("store_buffering", ["--bound", "1"], 4, ("seen", pairs()), [], 1),
    ("store_buffering", ["-DFENCE=seq_cst", "--bound", "1"], 3, ("seen", pairs((0, 0))), [], 0),
    # IRIW: all 16 relaxed and with acquires; seq_cst loads alone do not bring the readers together, as the stores are relaxed.
    ("four_threads", ["-DORDER=relaxed"], 16, ("seen", sorted(itertools.product((0, 1), repeat=4))), [], 0),
    ("four_threads", ["-DORDER=relaxed", "--model", "sc"], 15, None, [], 0),
    # Additions whose results are kept: n!
    ("additions", ["-DBLOCKS=6", "-DUNUSED", "--no-reduction", "--no-symmetry"], 720, None, [], 0),
    # Blocks that nothing tells apart, with their results to themselves.
    ("additions", ["-DBLOCKS=6", "-DUNUSED", "--no-reduction"], 1, None, [], 0),
    ("additions", ["-DBLOCKS=20", "-DUNUSED", "--no-reduction"], 1, None, [], 0),
    ("additions", ["-DBLOCKS=6", "-DUNUSED"], 1, None, [], 0),
    *[("additions", [f"-DBLOCKS={n}"], math.factorial(n), ("found", sorted(itertools.permutations(range(n)))), [], 0) for n in (1, 2, 3, 4)],
    # Load buffering; a true dependency forbids it, one that only looks so does not.
    ("load_buffering", [], 4, ("seen", pairs()), [], 1),
    ("load_buffering", ["--load-buffering", "off"], 3, ("seen", pairs((1, 1))), [], 0),
    ("load_buffering", ["--model", "sc"], 3, ("seen", pairs((1, 1))), [], 0),
    ("load_buffering", ["-DDEPENDENT"], None, ("seen", [(0, 0)]), [], 0),
    ("load_buffering", ["-DALWAYS"], 4, ("seen", pairs()), [], 1),
    # Message passing: right, and each single weakening found.
    ("message", [], 2, ("seen", [(-1,), (42,)]), [], 0),
    ("message", ["-DRELAXED_STORE"], 3, ("seen", [(-1,), (0,), (42,)]), [], 1),
    ("message", ["-DRELAXED_LOAD"], 3, ("seen", [(-1,), (0,), (42,)]), [], 1),
    ("message", ["-DWEAK"], 2, ("seen", [(-1,), (42,)]), [], 0),
    ("message", ["-DWEAK", "-DRELAXED_LOAD"], None, None, ["data-race"], 1),
    ("message", ["-DWEAK", "-DRELAXED_STORE"], None, None, ["data-race"], 1),
    # What a thread's last instruction writes is a step when the thread has ended.
    ("sums", ["-DKIND=14", "-DBLOCKS=2"], None, ("out", [(0, 0), (1, 0)]), ["data-race"], 1),
    # Locks: compare-exchange, ticket, exchange. Right, each order weakened, never given back.
    *[("lock", [f"-DKIND={k}"], None, ("counter", [(2,)]), [], 0) for k in (0, 1, 2)],
    *[("lock", [f"-DKIND={k}", w], None, None, ["data-race"], 1) for k in (0, 1, 2) for w in ("-DRELAXED_LOCK", "-DRELAXED_UNLOCK")],
    *[("lock", [f"-DKIND={k}", "-DNEVER"], 0, None, ["deadlock"], 1) for k in (0, 1, 2)],
    # A wait goes once round, however often its block has been run: the counts have no other rounds.
    ("lock", ["-DKIND=1", "--no-symmetry"], 2, None, [], 0),
    ("lock", ["-DKIND=1", "-DRELAXED_LOCK", "--no-symmetry"], 6, None, ["data-race"], 1),
    # Who comes first makes no difference.
    ("lock", ["-DKIND=1"], 1, None, [], 0),
    ("lock", ["-DKIND=1", "-DRELAXED_LOCK"], 4, None, ["data-race"], 1),
    # Waiting by updates that change nothing.
    *[("updates_that_wait", [f"-DHOW={h}"], None, ("seen", [(1,)]), [], 0) for h in (0, 1, 2)],
    *[("updates_that_wait", [f"-DHOW={h}", "-DNEVER"], 0, None, ["deadlock"], 1) for h in (0, 1, 2)],
    # Waiting for the flag: one state, or what the weakened order lets through.
    ("message", ["-DWAIT"], None, ("seen", [(42,)]), [], 0),
    ("message", ["-DWAIT", "-DRELAXED_LOAD"], None, ("seen", [(0,), (42,)]), [], 1),
    ("message", ["-DWAIT", "-DWEAK"], None, ("seen", [(42,)]), [], 0),
    # A seqlock: right, and each of its four orders weakened.
    ("seqlock", [], None, ("seen", [(-1,), (0,), (11,)]), [], 0),
    *[("seqlock", [f"-D{w}"], None, None, [], 1) for w in ("NO_WRITER_FENCE", "NO_READER_FENCE", "RELAXED_END", "RELAXED_BEGIN")],
    # A stack by compare-exchange, a scan that looks back: plain values race where an order is missing.
    ("stack", ["--load-buffering", "off"], 20, None, [], 0),
    ("stack", [], 20, None, [], 0),
    *[("stack", [f"-D{w}"], None, None, ["data-race"], 1) for w in ("RELAXED_PUSH", "RELAXED_POP")],
    *[("queue_lock", ["--observe", "counter", *door], None, ("counter", [(2,)]), [], 0) for door in ([], ["-DTILE"])],
    *[("stack", ["--load-buffering", "off", f"-D{w}"], None, None, ["data-race"], 1) for w in ("RELAXED_PUSH", "RELAXED_POP")],
    # With load buffering, the default: promised values end, as those who write them do. Pushes and pops of two blocks.
    ("stack", ["-DEACH"], None, ("popped", [(10, 20), (20, 10)]), [], 0),
    *[("stack", ["-DEACH", f"-D{w}"], None, None, ["data-race"], 1) for w in ("RELAXED_PUSH", "RELAXED_POP")],
    # A queue lock: blocks poll flags at which nobody else has been seen yet, by loads and by updates that change nothing.
    *[("queue_lock", ["--load-buffering", "off", "--observe", "counter", f"-DPOLL={poll}", *door], None, ("counter", [(2,)]), [], 0) for poll in (0, 1, 2) for door in ([], ["-DTILE"])],
    *[("queue_lock", ["--load-buffering", "off", "-DTILE", f"-DRELAXED_{w}"], None, None, ["data-race"], 1) for w in ("SWAP", "WAIT", "FREE", "HAND")],
    ("queue_lock", ["--load-buffering", "off", "-DRELAXED_LINK"], None, None, ["deadlock"], 1),
    ("look_back", [], None, ("wholes", [(1, 3, 6)]), [], 0),
    *[("look_back", [f"-D{w}"], None, None, ["data-race"], 1) for w in ("RELAXED_FLAG", "RELAXED_LOOK")],
    # Private places are no choice, and shared ones race.
    ("scatter", ["-DBLOCKS=4"], 1, None, [], 0),
    ("scatter", ["-DBLOCKS=2", "-DTILE=2", "--no-reduction"], 1, None, [], 0),
    ("scatter", ["-DBLOCKS=2", "-DTILE=2", "-DSHARED"], None, None, ["data-race"], 1),
    # Launch after launch: each of the first's outcomes goes on.
    ("two_launches", ["--observe", "seen"], 12, ("seen", [(v,) for v in (10, 11, 20, 21, 30, 31)]), [], 0),
    # Launches in two streams: one of the additions may be lost, unless an event orders them.
    ("two_streams", [], 3, ("sum", [(1,), (2,), (3,)]), ["data-race"], 1),
    ("two_streams", ["-DORDERED"], None, None, [], 0),
    # Launches that do not wait at the same time: where nothing orders them, all there is as long as they meet nowhere.
    *[("overlap", [f"-D{how}"], 8, None, [], 0) for how in ("APART", "EVENT", "SYNC")],
    *[("overlap", [f"-D{how}", "-DREUSED"], 16, None, [], 0) for how in ("APART", "SYNC")],
    *[("overlap", [f"-D{how}"], None, None, [], 3) for how in ("MEETS", "COPY", "COPIED", "WAITS")],
    # Threads of a block that meet: sums in shared memory have one execution, tickets n!.
    ("block", [], 1, ("out", [(10, 0, 0, 0)]), [], 0),
    ("block", ["-DNO_BARRIER"], 4, None, ["data-race", "uninitialised-read"], 1),
    ("block", ["-DTICKETS"], 6, ("out", [(*p, 0) for p in sorted(itertools.permutations(range(3)))]), [], 0),
    ("block", ["-DWARP"], 1, ("out", [(6, 5, 0, 0)]), [], 0),
    ("block", ["-DWARP", "-DHALF"], 4, None, ["data-race", "uninitialised-read"], 1),
    ("block", ["-DSTORES"], 4, ("out", [(*p, 1, 1) for p in pairs()]), [], 0),
    ("block", ["-DSTORES", "--model", "sc"], 3, ("out", [(*p, 1, 1) for p in pairs((0, 0))]), [], 0),
    # What lanes and blocks tell each other, in one execution. Of a warp's functions __syncwarp alone orders memory. [PTX: bar.warp.sync, shfl.sync]
    ("block", ["-DVOTE"], 1, ("out", [(1, 1, 0, 0)]), [], 0),
    ("block", ["-DLANES"], 1, ("out", [(621, 521, 117, 217)]), [], 0),
    ("block", ["-DPASSED"], None, None, ["data-race"], 1),
    ("block", ["-DSEEN"], 4, ("out", [(10 * a + 1, 10 * b + 1, 0, 0) for a, b in pairs()]), [], 0),
    ("block", ["-DSEEN", "--model", "sc"], 3, ("out", [(10 * a + 1, 10 * b + 1, 0, 0) for a, b in pairs((0, 0))]), [], 0),
    ("block", ["-DGRID"], 1, ("out", [(2, 1, 0, 0)]), [], 0),
    # Grids of blocks of several threads, which meet in three steps.
    *[("block", [f"-DGRIDS={n}"], 8, ("out", sorted((10 * a[0] + c[0], 10 * a[1] + c[1], *b) for a in ((0, 1), (1, 0)) for b in ((2, 3), (3, 2)) for c in ((4, 5), (5, 4)))), [], 0) for n in (2, 3)],
    # What is not explored says so.
    ("block", ["-DLEFT"], None, None, [], 3),
    ("block", ["-DACTIVE"], None, None, [], 3),
    # A place that a thread polls before any other has been seen there.
    ("copies", ["-DNONE"], 2, ("out", [(1, 0)]), [], 0),
    # Asynchronous copies: read, or written over, before who has waited for their phase.  [libcu++: memcpy_async, barrier, pipeline]
    ("copies", [], 2, ("out", [(1, 0)]), [], 0),
    *[("copies", [f"-D{how}"], None, None, ["data-race"], 1) for how in ("EARLY", "MEET", "SOURCE", "ANOTHER")],
    ("copies", ["-DOWN"], 1, ("out", [(0, 1)]), [], 0),
    ("copies", ["-DOWN", "-DPRIOR=2"], 1, None, ["data-race"], 1),
    ("copies", ["-DSTAGES=1"], 1, ("out", [(6, 0)]), [], 0),
    ("copies", ["-DSTAGES=1", "-DBUFFERS=1"], 1, None, ["data-race"], 1),
    ("copies", ["-DHANDED"], 2, ("out", [(1, 0)]), [], 0),
    # Accesses that overlap in part, though they begin elsewhere.
    *[("halves", how, None, None, [], 3) for how in ([], ["-DWIDE"], ["-DWIDE", "-DPLAIN"])],
    ("clock", [], None, None, [], 3),
    # The last block: each thread's fence counts, though one of them counts itself for all. [PTX: Fence-SC order]
    ("last_block", [], None, ("out", [(4,)]), [], 0),
    *[("last_block", [f"-D{w}"], None, None, ["data-race"], 1) for w in ("NO_FENCE", "BLOCK", "NO_READER")],
    # Racing writes may each be the last, and their order does not count: an execution is one, however many states it has. What lies between
    # two plain accesses of one expression is where a turn may end.
    ("racing_counter", ["--observe", "counter"], None, None, ["data-race"], 1),
    ("racing_counter", ["-DSAME=18"], 1, None, ["data-race"], 1),
    ("racing_counter", ["-DOTHER"], 1, ("counter", [(1, *[0] * 31), (2, *[0] * 31)]), ["data-race"], 1),
    # A read passes over a write in a run only where the run's order of both is coherence order.
    ("narrow", [], None, None, ["narrow-scope"], 1),
    # In a circle, too, a read that has observed a write puts it before what its thread writes. [PTX: causality order, coherence]
    ("narrow", ["-DCIRCLE"], 4, ("x", [(1, 0, 0), (1, 0, 2), (2, 0, 0), (2, 0, 2), (2, 1, 0), (2, 1, 2)]), ["data-race"], 1),
    # A race beside many threads that come to a barrier.
    *[("crowd", how, None, ("out", [(0,), (42,)]), ["data-race"], 1) for how in ([], ["-DARRIVE"])],
    # A finding that ends the program is found in its execution alone.
    ("bad_place", [], None, None, ["out-of-bounds"], 1),
]
