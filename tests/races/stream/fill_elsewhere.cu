// An array is set to zero in one stream and counted into in another. Repaired: in one.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
  ct::atomic_add<relaxed, in_device>(counter, 1); // @add
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int* counter = zeros(1);
  cudaMemsetAsync(counter, 0, sizeof(int), first); // race: data-race with @add
#ifdef RACY
  count<<<4, 1, 0, second>>>(counter);
#else
  count<<<4, 1, 0, first>>>(counter);
#endif
  return finish();
}
