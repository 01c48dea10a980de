"""c = a b in half precision, summed in float.

    tilesim run examples/python/matmul.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np

Size = ct.Constant[int]


@ct.kernel
def matmul(a, b, c, tm: Size, tn: Size, tk: Size):
    m = ct.bid(0)
    n = ct.bid(1)
    sums = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        x = ct.load(a, index=(m, k), shape=(tm, tk), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, index=(k, n), shape=(tk, tn), padding_mode=ct.PaddingMode.ZERO)
        sums = ct.mma(x, y, sums)
    ct.store(c, index=(m, n), tile=sums.astype(ct.float16))


def main():
    random = np.random.default_rng(1)
    a = random.integers(-3, 4, (40, 56)).astype(np.float16)
    b = random.integers(-3, 4, (56, 24)).astype(np.float16)
    c = np.zeros((40, 24), np.float16)
    ct.launch(0, (ct.cdiv(40, 16), ct.cdiv(24, 16)), matmul, (a, b, c, 16, 16, 16))
    assert np.array_equal(c, (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16))
    print("right:", c[0, :4])


main()
