// cudaMemcpy from pageable memory may return when the bytes have been staged, before they have arrived.
// [CUDA: API synchronization behavior] Repaired: cudaMemcpyAsync in the kernel's stream.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void use(int* data) {
  ct::store(data, 1 + ct::load(data)); // @use
}

int main() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int *data = zeros(1), value = 42;
#ifdef RACY
  cudaMemcpy(data, &value, sizeof(int), cudaMemcpyHostToDevice); // race: data-race with @use
#else
  cudaMemcpyAsync(data, &value, sizeof(int), cudaMemcpyHostToDevice, stream);
#endif
  use<<<1, 1, 0, stream>>>(data);
  return finish();
}
