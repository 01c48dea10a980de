// cudaMemcpy within device memory returns before it is done.  [CUDA: API synchronization behavior]
// Repaired: the host waits.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void use(int* data) {
  ct::store(data, 1 + ct::load(data)); // @use
}

int main() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int *from = zeros(1), *to = zeros(1);
  cudaMemcpy(to, from, sizeof(int), cudaMemcpyDeviceToDevice); // race: data-race with @use
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  use<<<1, 1, 0, stream>>>(to);
  return finish();
}
