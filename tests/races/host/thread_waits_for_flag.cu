// A thread of the host waits for a kernel's flag, and main for the thread: an order that the runtime does not make, and no
// race. Racy: main does not wait for the thread.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>
#include <thread>

__tile_global__ void publish(int* data, int* flag) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
  ct::atomic_store<ct::memory_order::release, ct::thread_scope::system>(flag, 1);
}

int main() {
  int* data = managed(8);
  int* flag = managed(1);
  publish<<<1, 1>>>(data, flag);
#ifdef RACY
  std::printf("%d\n", data[3]); // race: host-race with @store
#endif
  std::thread waiter([=] {
    const cuda::atomic_ref<int, cuda::thread_scope_system> done(*flag);
    while (done.load(cuda::memory_order_acquire) == 0) {
    }
  });
  waiter.join();
#ifndef RACY
  std::printf("%d\n", data[3]);
  data[3] = 0;
#endif
  cudaDeviceSynchronize();
  return finish();
}
