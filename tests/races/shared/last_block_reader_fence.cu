// The last block to count itself, by a reference. Racy: it counts with a release, and reads what others left without an
// acquire. Repaired: it counts with both.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void sum(int* partial, unsigned* done, int* out) {
  __shared__ bool last;
#ifdef RACY
  constexpr auto order = cuda::memory_order_release;
#else
  constexpr auto order = cuda::memory_order_acq_rel;
#endif
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 1; // @partial
    last = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*done).fetch_add(1, order) == gridDim.x - 1;
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
