"""c = a + b, a tile of 256 elements at a time.

    tilesim run examples/python/vector_add.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def vector_add(a, b, c, size: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(size,)) + ct.load(b, index=(i,), shape=(size,)))


def main():
    n = 1000
    a = np.arange(n, dtype=np.float32)
    b = np.full(n, 0.5, dtype=np.float32)
    c = np.empty_like(a)
    ct.launch(0, (ct.cdiv(n, 256),), vector_add, (a, b, c, 256))
    assert np.array_equal(c, a + b)
    print("right:", c[:4])


main()
