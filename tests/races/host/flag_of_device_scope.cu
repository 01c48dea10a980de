// A kernel tells the host by a flag in managed memory that its result is there. The host is no part of the device:
// device scope does not hold it. Repaired: system scope.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__tile_global__ void compute(int* result, int* flag) {
  ct::store(result, 42); // @result
#ifdef RACY
  ct::atomic_store<release, in_device>(flag, 1); // @flag
#else
  ct::atomic_store<release, in_system>(flag, 1);
#endif
}

int main() {
  int *result = nullptr, *flag = nullptr;
  result = managed(1);
  flag = managed(1);
  compute<<<1, 1>>>(result, flag);
  const cuda::atomic_ref<int, cuda::thread_scope_system> raised(*flag);
  while (raised.load(cuda::memory_order_acquire) == 0) { // race: host-race with @flag
  }
  std::printf("%d\n", *result); // race: host-race with @result
#ifdef RACY
  std::printf("expect: to fix: give both thread_scope::system\n");
#endif
  return finish();
}
