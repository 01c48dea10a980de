// A lock for each bin, and threads that move a unit from one bin to another. Racy: they take the lock of the first one
// alone. Repaired: both, the lower one first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

using lock = cuda::atomic_ref<int, cuda::thread_scope_block>;

__device__ void take(int& l) {
  while (lock(l).exchange(1, cuda::memory_order_acquire) != 0) {
  }
}
__device__ void give_back(int& l) {
  lock(l).store(0, cuda::memory_order_release);
}

__global__ void move(int* out) {
  __shared__ int bins[4];
  __shared__ int locks[4];
  const unsigned t = threadIdx.x;
  if (t < 4) {
    bins[t] = 10;
    locks[t] = 0;
  }
  __syncthreads();
  const unsigned from = t % 4;
  const unsigned to = (t + 1) % 4;
#ifdef RACY
  take(locks[from]);
#else
  take(locks[min(from, to)]);
  take(locks[max(from, to)]);
#endif
  bins[from] -= 1; // @from
  bins[to] += 1;   // race: data-race with @from
#ifdef RACY
  give_back(locks[from]);
#else
  give_back(locks[max(from, to)]);
  give_back(locks[min(from, to)]);
#endif
  __syncthreads();
  if (t < 4) {
    out[t] = bins[t];
  }
}

int main() {
  move<<<1, 8>>>(zeros(4));
  return finish();
}
