// Threads of a block use memory that one of them has allocated from the device's heap, and that it frees when all have
// counted themselves. Racy: the count orders nothing. Repaired: by acquire and release.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

#include <cstdlib>

#ifdef RACY
constexpr auto order = cuda::memory_order_relaxed;
#else
constexpr auto order = cuda::memory_order_acq_rel;
#endif

__global__ void use(int* out) {
  __shared__ int* cells;
  __shared__ unsigned done;
  const unsigned t = threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> count(done);
  if (t == 0) {
    cells = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
    done = 0;
  }
  __syncthreads();
  cells[t] = static_cast<int>(t); // @write
  out[blockIdx.x * blockDim.x + t] = cells[t];
  count.fetch_add(1, order);
  if (t == 0) {
    while (count.fetch_add(0, order) != blockDim.x) {
    }
    free(cells); // race: data-race with @write
  }
}

int main() {
  use<<<2, 8>>>(zeros(16));
  return finish();
}
