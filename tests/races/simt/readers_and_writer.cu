// A lock that several readers hold at once, or one writer. Racy: a reader leaves by a relaxed decrement, so that the writer
// need not come after what it has read. Repaired: by a release.
// run: hooks
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void share(int* state, int* data, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> lock(*state); // readers; -1: the writer
  if (blockIdx.x < 2) {
    int readers = 0;
    do {
      readers = lock.load(cuda::memory_order_relaxed);
    } while (readers < 0 || !lock.compare_exchange_weak(readers, readers + 1, cuda::memory_order_acquire));
    out[blockIdx.x] = *data; // @read
#ifdef RACY
    lock.fetch_sub(1, cuda::memory_order_relaxed);
#else
    lock.fetch_sub(1, cuda::memory_order_release);
#endif
    return;
  }
  int none = 0;
  while (!lock.compare_exchange_weak(none, -1, cuda::memory_order_acquire)) {
    none = 0;
  }
  *data = 1; // race: data-race with @read
  lock.store(0, cuda::memory_order_release);
}

int main() {
  share<<<3, 1>>>(zeros(1), zeros(1), zeros(2));
  return finish();
}
