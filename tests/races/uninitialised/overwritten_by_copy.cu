// A copy of what nothing has written takes the place of what had been. Repaired: only the written half is copied.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void total(const int* data, int* out) {
  ct::store(out, sum_of(ct::load(data + ct::iota<ints<16>>()))); // race: uninitialised-read
}

int main() {
  int *from = unwritten(16), *data = zeros(16);
  cudaMemset(from, 1, 8 * sizeof(int));
#ifdef RACY
  cudaMemcpy(data, from, 16 * sizeof(int), cudaMemcpyDeviceToDevice);
#else
  cudaMemcpy(data, from, 8 * sizeof(int), cudaMemcpyDeviceToDevice);
#endif
  total<<<1, 1>>>(data, unwritten(1));
  return finish();
}
