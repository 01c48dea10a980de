// A program with nothing wrong.
#include "cuda_tile.h"
#include <cstdio>
__tile_global__ void nothing() {}
int main() {
  nothing<<<2, 1>>>();
  cudaDeviceSynchronize();
  std::puts("fine");
}
