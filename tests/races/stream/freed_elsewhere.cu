// Memory is freed in another stream than the one that uses it, which may come later. Repaired: the freeing stream waits
// for an event.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t used;
  cudaEventCreate(&used);
  int* data = nullptr;
  cudaMallocAsync(&data, 8 * sizeof(int), first);
  produce<<<1, 1, 0, first>>>(data);
  cudaEventRecord(used, first);
#ifndef RACY
  cudaStreamWaitEvent(second, used);
#endif
  cudaFreeAsync(data, second); // race: data-race with @store
#ifdef RACY
  std::printf("expect: free of the memory by cudaFreeAsync\n");
#endif
  return finish();
}
