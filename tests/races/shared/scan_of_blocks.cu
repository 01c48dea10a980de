// A scan over all blocks: the last thread of a block leaves the sum so far, the first one says that it is there. Racy: the
// block does not meet in between. Repaired: it does.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void scan(int* sums, int* flags, int* out) {
  __shared__ int before;
  const unsigned t = threadIdx.x;
  const unsigned b = blockIdx.x;
  if (t == 0) {
    before = 0;
    if (b > 0) {
      while (cuda::atomic_ref<int, cuda::thread_scope_device>(flags[b - 1]).load(cuda::memory_order_acquire) == 0) {
      }
      before = sums[b - 1]; // race: data-race with @sum
    }
  }
  __syncthreads();
  out[b * 8 + t] = before + static_cast<int>(t) + 1;
  if (t == 7) {
    sums[b] = before + 8; // @sum
  }
#ifndef RACY
  __syncthreads();
#endif
  if (t == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(flags[b]).store(1, cuda::memory_order_release);
  }
}

int main() {
  scan<<<4, 8>>>(zeros(4), zeros(4), zeros(32));
  return finish();
}
