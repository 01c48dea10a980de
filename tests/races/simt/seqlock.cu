// A sequence lock: readers look at the number before and after. Racy: the data itself is read and written plainly, which
// the number forbids nobody. Repaired: by relaxed atomic accesses between fences.
// run: hooks
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

using ref = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void write_and_read(int* sequence, int* data, int* out) {
  const ref number(*sequence);
  if (blockIdx.x == 0) {
    for (int round = 1; round <= 3; ++round) {
      number.store(2 * round - 1, cuda::memory_order_relaxed);
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
#ifdef RACY
      *data = round; // @write
#else
      ref(*data).store(round, cuda::memory_order_relaxed);
#endif
      number.store(2 * round, cuda::memory_order_release);
    }
    return;
  }
  for (int attempt = 0; attempt < 4; ++attempt) {
    const int before = number.load(cuda::memory_order_acquire);
#ifdef RACY
    const int seen = *data; // race: data-race with @write
#else
    const int seen = ref(*data).load(cuda::memory_order_relaxed);
#endif
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    if (before % 2 == 0 && number.load(cuda::memory_order_relaxed) == before) {
      out[blockIdx.x] = seen;
      return;
    }
  }
}

int main() {
  write_and_read<<<4, 1>>>(zeros(1), zeros(1), zeros(4));
  return finish();
}
