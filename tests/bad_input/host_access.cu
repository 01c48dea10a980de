// Host code writes through a device pointer.
#include "cuda_tile.h"
#include <cstdio>
#include <vector>

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  std::puts("before");
  p[3] = 7;
  std::puts("not reached");
}
