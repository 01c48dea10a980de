"""Counts values, but reads, adds and writes a bin in three steps: two blocks lose each other's counts.

    tilesim check examples/python/histogram_racy.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def histogram(values, bins, size: ct.Constant[int]):
    v = ct.gather(values, ct.bid(0) * size + ct.arange(size, dtype=ct.int32))
    ct.scatter(bins, v, ct.gather(bins, v) + 1)


def main():
    values = np.arange(64, dtype=np.int32) % 32
    bins = np.zeros(32, np.int32)
    ct.launch(0, (2,), histogram, (values, bins, 32))
    print("counted", bins.sum(), "of", len(values))


main()
