// The last block to count itself. Racy: the count is of block scope, which orders nothing across blocks. Repaired:
// of device scope.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void sum(int* partial, unsigned* done, int* out) {
  __shared__ bool last;
#ifdef RACY
  constexpr auto scope = cuda::thread_scope_block;
#else
  constexpr auto scope = cuda::thread_scope_device;
#endif
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 1; // @partial
    last = cuda::atomic_ref<unsigned, scope>(*done).fetch_add(1, cuda::memory_order_acq_rel) == // race: narrow-scope
           gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    atomicAdd(out, partial[threadIdx.x]); // race: data-race with @partial
  }
}

int main() {
  sum<<<4, 8>>>(zeros(4), zeros<unsigned>(1), zeros(1));
  return finish();
}
