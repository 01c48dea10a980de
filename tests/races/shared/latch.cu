// Blocks count themselves down on a cuda::latch; the first one adds up what they have left. Racy: the latch is of block
// scope. Repaired: of device scope.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/latch>
#include <new>

#ifdef RACY
using latch = cuda::latch<cuda::thread_scope_block>;
#else
using latch = cuda::latch<cuda::thread_scope_device>;
#endif

__global__ void sum(latch* all, int* parts, int* out) {
  parts[blockIdx.x] = 1; // @part
  if (blockIdx.x == 0) {
    all->arrive_and_wait(); // either: narrow-scope; either: narrow-scope with @down
    for (unsigned i = 0; i < gridDim.x; ++i) {
      out[0] += parts[i]; // race: data-race with @part
    }
  } else {
    all->count_down(); // @down; either: narrow-scope
  }
}

int main() {
  latch* all = nullptr;
  cudaMallocManaged(&all, sizeof(latch));
  new (all) latch(4);
  sum<<<4, 1>>>(all, zeros(4), zeros(1));
  const int status = finish();
  cudaFree(all);
  return status;
}
