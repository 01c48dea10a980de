// A copy of rows of 12 ints into a matrix whose rows are 16 apart leaves the rest of each row alone: a kernel may
// write there meanwhile. Racy: it writes from column 10 on.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pad(int* matrix, int column) {
  const auto row = ct::iota<ints<4>>();
  ct::store(matrix + row * 16 + column, ct::zeros<ints<4>>()); // @pad
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int *matrix = zeros(64), *rows = nullptr;
  rows = pinned(48);
  cudaMemcpy2DAsync(matrix, 16 * sizeof(int), rows, 12 * sizeof(int), 12 * sizeof(int), 4, cudaMemcpyHostToDevice, first); // race: data-race with @pad
#ifdef RACY
  pad<<<1, 1, 0, second>>>(matrix, 10);
#else
  pad<<<1, 1, 0, second>>>(matrix, 12);
#endif
  return finish();
}
