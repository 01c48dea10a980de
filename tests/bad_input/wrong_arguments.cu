// A kernel called with too few arguments.
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void put(int* p, int value) {
  ct::store(p, value);
}

int main() {
  int* p = nullptr;
  put<<<1, 1>>>(p);
}
