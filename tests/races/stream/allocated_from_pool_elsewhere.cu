// Memory of the device's pool is allocated in one stream and used in another one, which may come first.  [CUDA: stream
// ordered memory allocator] Repaired: the other stream waits for an event.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t allocated;
  cudaEventCreate(&allocated);
  cudaMemPool_t pool = nullptr;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  void* data = nullptr;
  cudaMallocFromPoolAsync(&data, 8 * sizeof(int), pool, first); // race: data-race with @store
  cudaEventRecord(allocated, first);
#ifndef RACY
  cudaStreamWaitEvent(second, allocated);
#endif
  produce<<<1, 1, 0, second>>>(static_cast<int*>(data));
  cudaStreamSynchronize(second);
  cudaFreeAsync(data, first);
#ifdef RACY
  std::printf("expect: allocation of the memory by cudaMallocFromPoolAsync\n");
#endif
  return finish();
}
