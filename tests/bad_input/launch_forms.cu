// Launches and kernels that cannot be: each ROW is one.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#if ROW == 2
__tile_global__ int k(int* a, int n) { return a[0] = n; }
#elif ROW == 3
__tile_global__ void k(int* a, ...) { a[0] = 1; }
#else
__tile_global__ void k(int* a, int n) { a[0] = n; }
#endif

int main() {
#if ROW == 0
  k<<<1, 1, 0, 0, 0>>>(nullptr, 1);
#elif ROW == 1
  k<<<1, 1, 0, 3.5>>>(nullptr, 1);
#else
  k<<<1, 1>>>(nullptr, 1);
#endif
}
