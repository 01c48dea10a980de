// A raw loop goes one element too far, still inside the allocation. Repaired: it does not.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void sum(const int* data, int* out, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) {
    total += data[i]; // race: uninitialised-read
  }
  *out = total;
}

int main() {
  int* data = unwritten(16);
  cudaMemset(data, 0, 15 * sizeof(int));
#ifdef RACY
  sum<<<1, 1>>>(data, unwritten(1), 16);
#else
  sum<<<1, 1>>>(data, unwritten(1), 15);
#endif
  return finish();
}
