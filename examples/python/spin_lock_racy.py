"""The twin of spin_lock.py whose lock orders nothing: relaxed operations take it and give it back.

    tilesim check examples/python/spin_lock_racy.py

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
import numpy as np


@ct.kernel
def count(lock, counter):
    while ct.atomic_cas(lock, 0, 0, 1, memory_order=ct.MemoryOrder.RELAXED) == 1:
        pass
    ct.scatter(counter, 0, ct.gather(counter, 0) + 1)
    ct.atomic_xchg(lock, 0, 0, memory_order=ct.MemoryOrder.RELAXED)


def main():
    lock = np.zeros(1, np.int32)
    counter = np.zeros(1, np.int32)
    ct.launch(0, (8,), count, (lock, counter))
    print("counted", counter[0], "of 8")


main()
