// A copy within one buffer, a byte further.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"
static void shift(char* values, std::size_t n) {
  cudaMemcpy(values + 1, values, n - 1, cudaMemcpyDeviceToDevice);
}
int main() {
  char* values = nullptr;
  cudaMalloc(&values, 64);
  cudaMemset(values, 0, 64);
  shift(values, 64);
  cudaFree(values);
}
