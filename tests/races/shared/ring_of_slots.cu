// One warp fills two slots in turns, another one empties them, by a count each in shared memory. Racy: the consumer
// gives a slot back relaxed. Repaired: with a release.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

using count = cuda::atomic_ref<int, cuda::thread_scope_block>;

__global__ void pass(int* out) {
  __shared__ int slots[2];
  __shared__ int filled;
  __shared__ int emptied;
  if (threadIdx.x == 0) {
    filled = 0;
    emptied = 0;
  }
  __syncthreads();
#ifdef RACY
  constexpr auto order = cuda::memory_order_relaxed;
#else
  constexpr auto order = cuda::memory_order_release;
#endif
  if (threadIdx.x == 0) {
    for (int i = 0; i < 6; ++i) {
      while (count(emptied).load(cuda::memory_order_acquire) + 2 <= i) {
      }
      slots[i % 2] = i; // @fill
      count(filled).store(i + 1, cuda::memory_order_release);
    }
  }
  if (threadIdx.x == 32) {
    int all = 0;
    for (int i = 0; i < 6; ++i) {
      while (count(filled).load(cuda::memory_order_acquire) <= i) {
      }
      all += slots[i % 2]; // race: data-race with @fill
      count(emptied).store(i + 1, order);
    }
    *out = all;
  }
}

int main() {
  pass<<<1, 64>>>(zeros(1));
  return finish();
}
