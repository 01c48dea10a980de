// BLOCKS blocks add to one place, and keep what they have found: BLOCKS! executions. UNUSED: which all end in one state.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__tile_global__ void add(int* sum, int* found) {
#ifdef UNUSED
  ct::atomic_add(sum, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
#else
  const auto me = ct::bid().x;
  ct::store(found + me, ct::atomic_add(sum, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}));
#endif
}

int main() {
  int* const sum = zeros(1);
  int* const found = zeros(BLOCKS);
  add<<<BLOCKS, 1>>>(sum, found);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(found);
}
