"""Blocks take turns by a lock: compare-and-swap takes it, a release gives it back.

    tilesim check examples/python/spin_lock.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def count(lock, counter):
    while ct.atomic_cas(lock, 0, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) == 1:
        pass
    ct.scatter(counter, 0, ct.gather(counter, 0) + 1)
    ct.atomic_xchg(lock, 0, 0, memory_order=ct.MemoryOrder.RELEASE)


def main():
    lock = np.zeros(1, np.int32)
    counter = np.zeros(1, np.int32)
    ct.launch(0, (8,), count, (lock, counter))
    assert counter[0] == 8
    print("right:", counter[0])


main()
