// A thread launches a kernel; main, which made the first calls, reads the result after it. Repaired: the thread waits for
// the kernel, so main need not.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <thread>

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  int* data = managed(8);
  data[7] = 1;
  std::thread launcher([=] {
    data[6] = 2;
    fill<<<1, 1>>>(data);
#ifndef RACY
    cudaDeviceSynchronize();
#endif
  });
  launcher.join();
  const int last = data[7]; // race: host-race with @store
  std::printf("%d\n", last);
  return finish();
}
