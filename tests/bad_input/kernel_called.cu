// A kernel that is called as if it were a function of the host's.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

__tile_global__ void k(int* p) {
  *p = 1;
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  k(p);
}
