// N blocks add to one place, and keep what they have found: N! executions.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__tile_global__ void add(int* sum, int* found) {
  const auto me = ct::bid().x;
  ct::store(found + me, ct::atomic_add(sum, 1, ct::memory_order::relaxed, ct::thread_scope::device));
}

int main() {
  int* const sum = zeros(1);
  int* const found = zeros(N);
  add<<<N, 1>>>(sum, found);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(found);
}
