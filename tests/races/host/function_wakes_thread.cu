// A stream's host function wakes a thread of the host up, which then reads what the stream has written: a correct order.
// Racy: main reads it early.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <future>
#include <thread>

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

void wake(void* filled) {
  static_cast<std::promise<void>*>(filled)->set_value();
}

int main() {
  int* data = managed(8);
  std::promise<void> filled;
  std::thread reader([&, future = filled.get_future()] {
    future.wait();
    std::printf("%d\n", data[7]);
  });
  fill<<<1, 1>>>(data);
  cudaLaunchHostFunc(nullptr, wake, &filled);
#ifdef RACY
  std::printf("%d\n", data[3]); // race: host-race with @store
#endif
  reader.join();
  return finish();
}
