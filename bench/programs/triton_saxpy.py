"""saxpy of a million floats by Triton's own interpreter, on the CPU: the only other one of tile programs.

SPDX-License-Identifier: Apache-2.0
"""
import os
import time

os.environ["TRITON_INTERPRET"] = "1"

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402

COUNT = 1 << 20


@triton.jit
def saxpy(a, x, y, count, tile: tl.constexpr):
    i = tl.program_id(0) * tile + tl.arange(0, tile)
    inside = i < count
    tl.store(y + i, a * tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


def main():
    torch.set_num_threads(1)
    x, y = torch.arange(COUNT, dtype=torch.float32), torch.zeros(COUNT)
    for tile in (1024, 256):
        took = []
        for _ in range(3):
            start = time.perf_counter()
            saxpy[(COUNT // tile,)](2.0, x, y, COUNT, tile=tile)
            took.append(time.perf_counter() - start)
        print(f"triton tile<{tile}> ns_per_element", 1e9 / COUNT * min(took))


main()
