"""saxpy of a million floats in cuTile, and what a launch costs that has been made before.

SPDX-License-Identifier: Apache-2.0
"""
import time

import cuda.tile as ct
import numpy as np

COUNT = 1 << 20


@ct.kernel
def saxpy(a: float, x, y, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), a * ct.load(x, (i,), (tile,)) + ct.load(y, (i,), (tile,)))


def best(repeats, body):
    """Seconds."""
    shortest = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        body()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def main():
    x = np.arange(COUNT, dtype=np.float32)
    y = np.zeros(COUNT, np.float32)
    print("saxpy numpy ns_per_element", 1e9 / COUNT * best(9, lambda: np.add(2.0 * x, y)))
    for tile in (1024, 256):
        took = best(9, lambda: ct.launch(0, (COUNT // tile,), saxpy, (2.0, x, y, tile)))
        print(f"saxpy tile<{tile}> ns_per_element", 1e9 / COUNT * took)
    few, other = x[:16].copy(), y[:16].copy()

    def hundred():
        for _ in range(100):
            ct.launch(0, (1,), saxpy, (2.0, few, other, 16))

    hundred()
    print("launch cached us", 1e6 / 100 * best(20, hundred))


main()
