// The array is copied back in another stream than the kernel's. Repaired: in the kernel's.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int *data = zeros(8), *result = nullptr;
  result = pinned(8);
  produce<<<1, 1, 0, first>>>(data);
#ifdef RACY
  cudaStream_t stream = second;
#else
  cudaStream_t stream = first;
#endif
  cudaMemcpyAsync(result, data, 8 * sizeof(int), cudaMemcpyDeviceToHost, stream); // race: data-race with @store
  return finish();
}
