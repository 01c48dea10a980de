"""y = transposed x, tile by tile; no tile divides the matrix.

    tilesim run examples/python/transpose.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def transpose(x, y, rows: ct.Constant[int], columns: ct.Constant[int]):
    i = ct.bid(0)
    j = ct.bid(1)
    ct.store(y, index=(j, i), tile=ct.transpose(ct.load(x, index=(i, j), shape=(rows, columns))))


def main():
    x = np.arange(50 * 70, dtype=np.float32).reshape(50, 70)
    y = np.zeros((70, 50), np.float32)
    ct.launch(0, (ct.cdiv(50, 16), ct.cdiv(70, 32)), transpose, (x, y, 16, 32))
    assert np.array_equal(y, x.T)
    print("right:", y[1, :3])


main()
