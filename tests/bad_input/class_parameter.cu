// Parameters that NVIDIA's compiler refuses: `tilesim lint` says the same.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

struct pair {
  int a;
  int b;
};

#if ROW == 0
__tile_global__ void k(float* p, pair c) {}
#elif ROW == 1
__tile_global__ void k(float* p, ct::integral_constant<4>) {}
#elif ROW == 2
template <class T>
__tile_global__ void k(float* p, T c) {}
void launch() {
  k<<<1, 1>>>(nullptr, dim3(1));
}
#elif ROW == 3
__tile_global__ void k(int pair::*m) {}
#elif ROW == 4
__tile_global__ void k(ct::tile<int, ct::shape<4>> t) {}
#elif ROW == 5
template <class... Ts>
__tile_global__ void k(Ts... ts) {}
void launch() {
  k<<<1, 1>>>(1, pair{});
}
#endif

int main() {}
