"""Rows of a table by their numbers, as an embedding does; a number outside of the table gives zeros.

    tilesim run examples/python/gather_rows.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def gather_rows(table, numbers, out, rows: ct.Constant[int], columns: ct.Constant[int]):
    first = ct.bid(0) * rows
    i = first + ct.arange(rows, dtype=ct.int32)
    row = ct.gather(numbers, i, padding_value=-1)
    column = ct.arange(columns, dtype=ct.int32)
    t = ct.gather(table, (row.reshape((rows, 1)), column.reshape((1, columns))))
    ct.scatter(out, (i.reshape((rows, 1)), column.reshape((1, columns))), t)


def main():
    table = np.random.default_rng(5).normal(size=(20, 16)).astype(np.float32)
    numbers = np.array([3, 19, 0, 20, 7, -5, 3], np.int32)
    out = np.ones((7, 16), np.float32)
    ct.launch(0, (2,), gather_rows, (table, numbers, out, 4, 16))
    for i, number in enumerate(numbers):
        assert np.array_equal(out[i], table[number] if 0 <= number < 20 else np.zeros(16))
    print("right:", out[0, :3])


main()
