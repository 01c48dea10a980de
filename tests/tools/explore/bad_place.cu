// One block takes its place from a counter: who comes second stores behind the buffer.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void append(int* count, int* out) {
  out[shared(*count).fetch_add(1, relaxed)] = static_cast<int>(blockIdx.x);
}

int main() {
  int* const count = zeros(1);
  int* const out = zeros(1);
  append<<<2, 1>>>(count, out);
  cudaDeviceSynchronize();
  cudaFree(count);
  cudaFree(out);
}
