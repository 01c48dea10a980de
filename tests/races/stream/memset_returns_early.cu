// cudaMemset of device memory returns before it is done, and a non-blocking stream does not wait for the default
// stream.  [CUDA: API synchronization behavior] Repaired: cudaMemsetAsync in the kernel's stream.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
  ct::atomic_add<relaxed, in_device>(counter, 1); // @add
}

int main() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int* counter = nullptr;
  counter = unwritten(1);
#ifdef RACY
  cudaMemset(counter, 0, sizeof(int)); // race: data-race with @add
#else
  cudaMemsetAsync(counter, 0, sizeof(int), stream);
#endif
  count<<<4, 1, 0, stream>>>(counter);
  return finish();
}
