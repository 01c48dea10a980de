"""Layer normalisation of rows that are shorter than their tile.

    tilesim run examples/python/layer_norm.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def layer_norm(x, y, weight, bias, eps, size: ct.Constant[int]):
    row = ct.bid(0)
    n = x.shape[1]
    t = ct.load(x, index=(row, 0), shape=(1, size), padding_mode=ct.PaddingMode.ZERO)
    mean = ct.sum(t, axis=1, keepdims=True) / n
    d = ct.where(ct.arange(size, dtype=ct.int32).reshape((1, size)) < n, t - mean, 0.0)
    scale = ct.rsqrt(ct.sum(d * d, axis=1, keepdims=True) / n + eps)
    w = ct.load(weight, index=(0,), shape=(size,))
    b = ct.load(bias, index=(0,), shape=(size,))
    ct.store(y, index=(row, 0), tile=d * scale * w + b)


def main():
    x = np.random.default_rng(3).normal(size=(4, 50)).astype(np.float32)
    y = np.zeros_like(x)
    weight = np.full(50, 2, np.float32)
    bias = np.ones(50, np.float32)
    ct.launch(0, (4,), layer_norm, (x, y, weight, bias, 1e-5, 64))
    d = x - x.mean(axis=1, keepdims=True, dtype=np.float64)
    assert np.allclose(y, d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5) * 2 + 1, rtol=1e-4, atol=1e-5)
    print("right:", y[0, :3])


main()
