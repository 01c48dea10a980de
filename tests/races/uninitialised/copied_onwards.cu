// A copy of what nothing has written has not been written either; to copy it is no defect yet.
// Repaired: the kernel reads the half that has been written.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void total(const int* data, int* out) {
#ifdef RACY
  const auto i = ct::iota<ints<16>>();
#else
  const auto i = ct::iota<ints<8>>();
#endif
  ct::store(out, sum_of(ct::load(data + i))); // race: uninitialised-read
}

int main() {
  int *first = unwritten(16), *second = unwritten(16);
  cudaMemset(first, 0, 8 * sizeof(int));
  cudaMemcpy(second, first, 16 * sizeof(int), cudaMemcpyDeviceToDevice);
  total<<<1, 1>>>(second, unwritten(1));
  return finish();
}
