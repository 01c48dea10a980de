// A kernel of one statement, which the compiler inlines into the launch: the line is still its own.
#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void put(int* p) {
  ct::store(p - 1, 5);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 64);
  put<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
