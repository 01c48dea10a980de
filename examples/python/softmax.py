"""The softmax of each row, one block a row.

    tilesim run examples/python/softmax.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def softmax(x, y, size: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, index=(row, 0), shape=(1, size), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, index=(row, 0), tile=e / ct.sum(e, axis=1, keepdims=True))


def main():
    x = np.random.default_rng(2).normal(size=(5, 100)).astype(np.float32)
    y = np.zeros_like(x)
    ct.launch(0, (5,), softmax, (x, y, 128))
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    assert np.allclose(y, e / e.sum(axis=1, keepdims=True), rtol=1e-6)
    print("right: rows add up to", y.sum(axis=1).round(5)[:2])


main()
