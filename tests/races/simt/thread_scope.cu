// An atomic of thread scope is atomic for its own thread alone. Repaired: block scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void count(int* counter) {
#ifdef RACY
  cuda::atomic_ref<int, cuda::thread_scope_thread>(*counter).fetch_add(1, cuda::memory_order_relaxed); // race: data-race
#else
  cuda::atomic_ref<int, cuda::thread_scope_block>(*counter).fetch_add(1, cuda::memory_order_relaxed);
#endif
}

int main() {
  count<<<1, 8>>>(zeros(1));
  return finish();
}
