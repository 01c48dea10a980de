// Between threads of one block, block scope is enough. Racy: it releases nothing.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void pass(int* data, int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_block> raised(*flag);
  if (threadIdx.x == 0) {
    *data = 42; // @data
#ifdef RACY
    raised.store(1, cuda::memory_order_relaxed);
#else
    raised.store(1, cuda::memory_order_release);
#endif
  } else {
    while (raised.load(cuda::memory_order_acquire) == 0) {
    }
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<1, 2>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
