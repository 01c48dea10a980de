// A kernel writes into pinned memory of the host, which looks at it when an event says that the kernel is over. Racy:
// the event was recorded before the launch.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  int* data = nullptr;
  data = pinned(8);
#ifdef RACY
  cudaEventRecord(filled);
  fill<<<1, 1>>>(data);
#else
  fill<<<1, 1>>>(data);
  cudaEventRecord(filled);
#endif
  while (cudaEventQuery(filled) == cudaErrorNotReady) {
  }
  std::printf("%d\n", data[7]); // race: host-race with @store
  return finish();
}
