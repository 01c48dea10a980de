// A tile kernel launched with 32 threads per block.
#include "cuda_tile.h"
#include <cstdio>
__tile_global__ void nothing(int* p) {
  cuda::tiles::store(p, 1);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  nothing<<<4, 32>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
