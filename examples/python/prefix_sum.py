"""Inclusive sums along rows, and the place of each row's largest element.

    tilesim run examples/python/prefix_sum.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def sums(x, y, largest, rows: ct.Constant[int], columns: ct.Constant[int]):
    t = ct.load(x, index=(0, 0), shape=(rows, columns))
    ct.store(y, index=(0, 0), tile=ct.cumsum(t, axis=1))
    ct.store(largest, index=(0,), tile=ct.argmax(t, axis=1))


def main():
    x = np.random.default_rng(4).permutation(8 * 32).astype(np.int32).reshape(8, 32)
    y = np.zeros_like(x)
    largest = np.zeros(8, np.int32)
    ct.launch(0, (1,), sums, (x, y, largest, 8, 32))
    assert np.array_equal(y, x.cumsum(axis=1))
    assert np.array_equal(largest, x.argmax(axis=1))
    print("right:", y[0, -1], largest[0])


main()
