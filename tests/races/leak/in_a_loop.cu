// Scratch memory for each turn, of which only the last is freed. Repaired: each.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<16>>(), ct::iota<ints<16>>());
}

int main() {
  int* scratch = nullptr;
  for (int turn = 0; turn < 4; ++turn) {
    cudaMalloc(&scratch, 16 * sizeof(int)); // race: leak
    fill<<<1, 1>>>(scratch);
#ifndef RACY
    cudaFree(scratch);
#endif
  }
#ifdef RACY
  cudaFree(scratch);
  std::printf("expect: device memory: 3 allocations, 192 bytes in all, are never freed\n");
#endif
  return finish();
}
