// cudaMemset takes bytes, and is given elements: three quarters of the array stay as they were.
// Repaired: n * sizeof(int).
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int n = 64;

__tile_global__ void total(const int* data, int* out) {
  ct::store(out, sum_of(ct::load(data + ct::iota<ints<n>>()))); // race: uninitialised-read
}

int main() {
  int* data = unwritten(n);
#ifdef RACY
  cudaMemset(data, 0, n);
  std::printf("expect: element 16, by tile block (0,0,0) of\n");
  std::printf("expect: it is data[16] of int[64], byte 64 of allocation #1\n");
#else
  cudaMemset(data, 0, n * sizeof(int));
#endif
  total<<<1, 1>>>(data, unwritten(1));
  return finish();
}
