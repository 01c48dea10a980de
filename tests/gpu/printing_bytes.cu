// What printf prints for conversions of length hh in a tile kernel: this hardware prints bytes of the
// format instead of the argument, the simulator what C says. Every line differs.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_tile.h>

namespace ct = ::cuda::tiles;

template <class T>
using tile4 = ct::tile<T, ct::shape<4>>;

__tile_global__ void bytes(int n) {
  printf("[%hhd]\n", n);
  printf("[%hhu] [%d]\n", n + 256, 7);
  printf("[%hhd] [%hhx] [%hhX] [%hho] [%hhi]\n", static_cast<signed char>(-n), n, n, n, n);
  printf("[%hhd]\n", ct::iota<tile4<int>>() + 254);
  printf("[%hhd]\n", ct::iota<tile4<signed char>>() - static_cast<signed char>(2));
}

int main() {
  bytes<<<1, 1>>>(65);
  return cudaDeviceSynchronize() != cudaSuccess;
}
