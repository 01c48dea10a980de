// Pinned memory that nobody gives back. Repaired: cudaFreeHost.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>());
}

int main() {
  int* data = nullptr;
  cudaMallocHost(&data, 8 * sizeof(int)); // race: leak
  fill<<<1, 1>>>(data);
#ifndef RACY
  cudaFreeHost(data);
#else
  std::printf("expect: to fix: cudaFreeHost before the program ends\n");
#endif
  return finish();
}
