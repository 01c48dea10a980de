// Writes far outside of what the kernel was given, where another allocation is nearer; and a little
// outside of one that it was given, in a structure.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdlib>
#include <cuda_runtime.h>

struct given {
  int count;
  float* to;
};

__tile_global__ void write(float* x, int n) {
  x[n] = 1;
}

__global__ void write_by(given g) {
  g.to[g.count] = 1;
}

__tile_global__ void write_one(const float* x, float* y, int n) {
  y[n] = x[0];
}

int main(int, char** arguments) {
  float* x = nullptr;
  float* weights = nullptr;
  cudaMalloc(&x, 16);
  cudaMalloc(&weights, 64);
  cudaMemset(x, 0, 16);
  const int n = std::atoi(arguments[2]);
  switch (arguments[1][0]) {
  case 'x': // of weights nothing is said
    write<<<1, 1>>>(x, static_cast<int>(weights - x) + n);
    break;
  case 'w':
    write<<<1, 1>>>(weights, n);
    break;
  case 'b':
    write_one<<<1, 1>>>(x, weights, n);
    break;
  default:
    write_by<<<1, 1>>>({n, weights});
  }
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(weights);
}
