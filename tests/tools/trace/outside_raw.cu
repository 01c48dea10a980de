// A raw store behind the end of its buffer, and with an argument a raw load there.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

__tile_global__ void fill(int* out, int reads) {
  out[2] = 1;
  if (reads != 0) {
    out[3] = out[40];
  }
  out[40] = 3;
}

int main(int count, char** /*words*/) {
  int* out = nullptr;
  cudaMalloc(&out, 4 * sizeof(int));
  fill<<<1, 1>>>(out, count - 1);
  cudaDeviceSynchronize();
}
