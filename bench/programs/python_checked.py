"""Kernels in cuTile beside those of checked_tiles.cu, for the race detector.

SPDX-License-Identifier: Apache-2.0
"""
import time

import cuda.tile as ct
import numpy as np

COUNT = 1 << 20
FEW = 1 << 15


@ct.kernel
def saxpy(a: float, x, y):
    i = ct.bid(0)
    ct.store(y, (i,), a * ct.load(x, (i,), (1024,)) + ct.load(y, (i,), (1024,)))


@ct.kernel
def histogram(values, bins):
    ct.atomic_add(bins, ct.load(values, (ct.bid(0),), (256,)), 1)


@ct.kernel
def relaxed(values, bins):
    ct.atomic_add(bins, ct.load(values, (ct.bid(0),), (256,)), 1, memory_order=ct.MemoryOrder.RELAXED)


@ct.kernel
def softmax(x, y):
    t = ct.load(x, (ct.bid(0), 0), (1, 1024))
    e = ct.exp(t - ct.max(t))
    ct.store(y, (ct.bid(0), 0), e / ct.sum(e))


def best(repeats, body):
    """Nanoseconds."""
    shortest = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        body()
        shortest = min(shortest, time.process_time() - start)
    return 1e9 * shortest


def main():
    x = np.arange(COUNT, dtype=np.float32)
    y = np.zeros(COUNT, np.float32)
    print("saxpy ns_per_element", best(9, lambda: ct.launch(0, (COUNT // 1024,), saxpy, (2.0, x, y))) / COUNT)
    values = (np.arange(COUNT, dtype=np.int64) * 40503 % 65536 % 64).astype(np.int32)
    bins = np.zeros(64, np.int32)
    took = best(5, lambda: ct.launch(0, (COUNT // 256,), relaxed, (values, bins)))
    print("relaxed_histogram ns_per_element", took / COUNT)
    took = best(3, lambda: ct.launch(0, (FEW // 256,), histogram, (values[:FEW], bins)))
    print("acq_rel_histogram ns_per_element", took / FEW)
    rows, out = x[: COUNT // 4].reshape(256, 1024) / COUNT, np.zeros((256, 1024), np.float32)
    print("softmax ns_per_element", best(5, lambda: ct.launch(0, (256,), softmax, (rows, out))) / rows.size)


main()
