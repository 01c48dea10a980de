// What was written to memory that has been freed is not in memory that is allocated later.
// Repaired: it is written again.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void total(const int* data, int* out) {
  ct::store(out, sum_of(ct::load(data + ct::iota<ints<16>>()))); // race: uninitialised-read
}

int main() {
  int* first = nullptr;
  cudaMalloc(&first, 16 * sizeof(int));
  cudaMemset(first, 0, 16 * sizeof(int));
  cudaFree(first);
  int* second = unwritten(16);
#ifndef RACY
  cudaMemsetAsync(second, 0, 16 * sizeof(int));
#endif
  total<<<1, 1>>>(second, unwritten(1));
  return finish();
}
