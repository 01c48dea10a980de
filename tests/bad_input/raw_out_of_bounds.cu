// A raw access past the end of an allocation, far enough for the guard page.
#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void put(int* p, int i) {
  p[i] = 1;
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  put<<<1, 1>>>(p, 64);
  cudaDeviceSynchronize();
}
