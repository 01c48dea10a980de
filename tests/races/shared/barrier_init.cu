// A cuda::barrier that one thread initialises. Racy: others arrive before the block has met. Repaired: behind that.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/barrier>

__global__ void meet(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) {
    init(&bar, 1); // @init
  }
#ifndef RACY
  __syncthreads();
#endif
  if (threadIdx.x == 7) {
    static_cast<void>(bar.arrive()); // race: data-race with @init; may: uninitialised-read
  }
  out[threadIdx.x] = 1;
}

int main() {
  meet<<<1, 8>>>(zeros(8));
  return finish();
}
