// cuda::atomic_ref is seq_cst unless told otherwise, which releases and acquires. Racy: relaxed.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void pass(int* data, int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  if (blockIdx.x == 0) {
    *data = 42; // @data
#ifdef RACY
    raised.store(1, cuda::memory_order_relaxed);
#else
    raised.store(1);
#endif
  } else {
    while (raised.load() == 0) {
    }
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
