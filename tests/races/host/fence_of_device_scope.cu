// A kernel hands its result to the host: __threadfence() orders it for the device only.
// Repaired: __threadfence_system().
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void hand_over(int* result, int* flag) {
  *result = 42; // @result
#ifdef RACY
  __threadfence();
#else
  __threadfence_system();
#endif
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_relaxed);
}

int main() {
  int* result = managed(1);
  int* flag = managed(1);
  hand_over<<<1, 1>>>(result, flag);
  const cuda::atomic_ref<int, cuda::thread_scope_system> raised(*flag);
  while (raised.load(cuda::memory_order_relaxed) == 0) {
  }
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
  const int seen = *result; // race: host-race with @result
#ifdef RACY
  std::printf("expect: but the fence before the store (fence_of_device_scope.cu:12) is of device scope, which does not "
              "hold the host\n");
  std::printf("expect: let the fence at fence_of_device_scope.cu:12 be of system scope: __threadfence_system()\n");
#endif
  std::printf("%d\n", seen);
  return finish();
}
