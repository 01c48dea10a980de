// A stream's host function launches and waits: CUDA does not permit it.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"
#include <cstdio>
namespace ct = cuda::tiles;

__tile_global__ void put(int* p) {
  ct::store(p, 7);
}
void waits(void*) {
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
void launches(void* p) {
  put<<<1, 1>>>(static_cast<int*>(p));
}
int main() {
  int* p = nullptr;
  cudaMallocManaged(&p, 4);
  *p = 1;
  cudaLaunchHostFunc(nullptr, waits, nullptr);
  cudaLaunchHostFunc(nullptr, launches, p);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%d\n", *p);
}
