"""A block writes data and releases a flag; the other waits for the flag, acquires it, and reads the data.

    tilesim check examples/python/message_passing.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def pass_on(data, flag, result):
    if ct.bid(0) == 0:
        ct.store(data, index=(0,), tile=ct.full((8,), 7, ct.int32))
        ct.atomic_xchg(flag, 0, 1, memory_order=ct.MemoryOrder.RELEASE)
    else:
        while ct.atomic_or(flag, 0, 0, memory_order=ct.MemoryOrder.ACQUIRE) == 0:
            pass
        ct.store(result, index=(0,), tile=ct.load(data, index=(0,), shape=(8,)))


def main():
    data = np.zeros(8, np.int32)
    flag = np.zeros(1, np.int32)
    result = np.zeros(8, np.int32)
    ct.launch(0, (2,), pass_on, (data, flag, result))
    assert np.array_equal(result, np.full(8, 7))
    print("right:", result)


main()
