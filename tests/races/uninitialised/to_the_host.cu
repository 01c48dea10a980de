// The host copies an array of which the kernel has written a part. Repaired: that part.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data, int n) {
  const auto i = ct::iota<ints<16>>();
  ct::store_masked(data + i, i, i < n);
}

int main() {
  int* data = unwritten(16);
  fill<<<1, 1>>>(data, 11);
  std::vector<int> out(16);
#ifdef RACY
  cudaMemcpy(out.data(), data, 16 * sizeof(int), cudaMemcpyDeviceToHost); // race: uninitialised-read
#else
  cudaMemcpy(out.data(), data, 11 * sizeof(int), cudaMemcpyDeviceToHost);
#endif
  return finish();
}
