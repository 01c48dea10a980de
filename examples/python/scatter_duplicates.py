"""One scatter whose elements go to one place: which of them stays is open, and it is a finding.

    tilesim check examples/python/scatter_duplicates.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def scatter(x, size: ct.Constant[int]):
    i = ct.arange(size, dtype=ct.int32)
    ct.scatter(x, i // 2, i)


def main():
    x = np.zeros(8, np.int32)
    ct.launch(0, (1,), scatter, (x, 16))
    print("one of each pair:", all(v // 2 == k for k, v in enumerate(x)))


main()
