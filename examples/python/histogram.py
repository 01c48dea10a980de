"""Counts values with atomic additions: the twin of histogram_racy.py that is right.

    tilesim check examples/python/histogram.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def histogram(values, bins, size: ct.Constant[int]):
    v = ct.gather(values, ct.bid(0) * size + ct.arange(size, dtype=ct.int32))
    ct.atomic_add(bins, v, 1)


def main():
    values = np.arange(256, dtype=np.int32) % 10
    bins = np.zeros(10, np.int32)
    ct.launch(0, (4,), histogram, (values, bins, 64))
    assert np.array_equal(bins, np.bincount(values, minlength=10))
    print("counted", bins.sum(), "of", len(values))


main()
