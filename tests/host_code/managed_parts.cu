// Managed variables of several types, of which the host reads parts too early.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

struct turn {
  char kind;
  int next[2];
};

namespace app {
__managed__ turn turns[3];
}
__managed__ int table[2][4];
__managed__ unsigned short narrow[8];

__tile_global__ void k() {
  app::turns[1].next[1] = 4;
  table[1][2] = 5;
  table[0][0] = 6;
  narrow[3] = 7;
}

int main() {
  k<<<1, 1>>>();
  const int a = app::turns[1].next[1];
  const int b = table[1][2];
  const int c = table[0][0];
  const int d = reinterpret_cast<unsigned char&>(narrow[3]);
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d\n", a, b, c, d);
}
