// A thread of the host that makes no CUDA calls reads a kernel's result. Repaired: main waits for the kernel before it
// starts the thread.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <thread>

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  int* data = managed(8);
  int sum = 0;
  fill<<<1, 1>>>(data);
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  std::thread reader([&] {
    for (int i = 0; i < 8; ++i) {
      sum += data[i]; // race: host-race with @store
    }
  });
  reader.join();
  std::printf("%d\n", sum);
  return finish();
}
