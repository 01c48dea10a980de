// Bins in shared memory with a lock each. Racy: the lock is given back relaxed.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void count(const int* in, int* out) {
  __shared__ int bins[2];
  __shared__ int locks[2];
  if (threadIdx.x < 2) {
    bins[threadIdx.x] = 0;
    locks[threadIdx.x] = 0;
  }
  __syncthreads();
  const int bin = in[threadIdx.x] % 2;
  const cuda::atomic_ref<int, cuda::thread_scope_block> lock(locks[bin]);
  while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  bins[bin] = bins[bin] + 1; // race: data-race
#ifdef RACY
  lock.store(0, cuda::memory_order_relaxed);
#else
  lock.store(0, cuda::memory_order_release);
#endif
  __syncthreads();
  if (threadIdx.x < 2) {
    out[threadIdx.x] = bins[threadIdx.x];
  }
}

int main() {
  count<<<1, 8>>>(copied(counting(8)), zeros(2));
  return finish();
}
