"""The first launch of a small kernel in a process, or cuTile's own export of it: a process for each.

    python_launch.py launch | export

SPDX-License-Identifier: Apache-2.0
"""
import io
import sys
import time

import cuda.tile as ct
import numpy as np
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def add(x, y, z, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (tile,)) + ct.load(y, (i,), (tile,)))


def main():
    x = np.arange(256, dtype=np.float32)
    array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                            may_alias_internally=False, stride_constant=(1,), base_addr_divisible_by=16)
    start = time.process_time()
    if sys.argv[1] == "launch":
        ct.launch(0, (4,), add, (x, x.copy(), np.zeros_like(x), 64))
    else:
        export_kernel(add, [KernelSignature((array, array, array, 64), CallingConvention.cutile_python_v1())], io.BytesIO(),
                      output_format="tileir_bytecode", bytecode_version="13.4")
    print(f"first {sys.argv[1]} ms {1000 * (time.process_time() - start):.2f}")


main()
