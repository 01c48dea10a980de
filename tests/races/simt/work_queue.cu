// Persistent threads with a queue in device memory: items are written, then the end moves on. Racy: by a relaxed store. Repaired: by
// a release, which whoever finds the item acquires.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void produce_and_consume(int* items, int* end, int* begin, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> last(*end);
  const cuda::atomic_ref<int, cuda::thread_scope_device> first(*begin);
  if (blockIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      items[i] = i + 1; // @item
#ifdef RACY
      last.store(i + 1, cuda::memory_order_relaxed);
#else
      last.store(i + 1, cuda::memory_order_release);
#endif
    }
    return;
  }
  for (;;) {
    const int mine = first.fetch_add(1, cuda::memory_order_relaxed);
    if (mine >= 4) {
      return;
    }
    while (last.load(cuda::memory_order_acquire) <= mine) {
    }
    out[mine] = items[mine]; // race: data-race with @item
  }
}

int main() {
  produce_and_consume<<<3, 1>>>(zeros(4), zeros(1), zeros(1), zeros(4));
  return finish();
}
