// cudaFree waits for kernels, but not where the memory came from cudaMallocAsync.  [CUDA: stream ordered memory
// allocator] Repaired: the host waits itself.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* data = nullptr;
  cudaMallocAsync(&data, 8 * sizeof(int), stream);
  produce<<<1, 1, 0, stream>>>(data);
#ifndef RACY
  cudaStreamSynchronize(stream);
#endif
  cudaFree(data); // race: host-race with @store
  return finish();
}
