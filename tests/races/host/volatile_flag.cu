// The host polls pinned memory by volatile reads until a kernel says that its result is there. Racy: the kernel has no
// fence of system scope before it says so.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <atomic>

__global__ void produce(int* result, volatile int* ready) {
  *result = 42; // @result
#ifdef RACY
  __threadfence();
#else
  __threadfence_system();
#endif
  *ready = 1;
}

int main() {
  int *result = pinned(1), *ready = pinned(1);
  *result = *ready = 0;
  produce<<<1, 1>>>(result, ready);
  while (*static_cast<volatile int*>(ready) == 0) {
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  const int seen = *result; // race: host-race with @result
  return finish() + (seen == 42 ? 0 : 1);
}
