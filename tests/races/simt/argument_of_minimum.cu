// The least value and where it stands. Racy: who has lowered the minimum writes its place beside it, plainly, as others do.
// Repaired: value and place are one word of 64 bits.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void least(const int* in, int* minimum, int* place, unsigned long long* both) {
  const int t = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
#ifdef RACY
  if (in[t] < atomicMin(minimum, in[t])) {
    *place = t; // race: data-race
  }
#else
  atomicMin(both, static_cast<unsigned long long>(in[t]) << 32U | static_cast<unsigned>(t));
#endif
}

int main() {
  least<<<2, 4>>>(copied(std::vector<int>{9, 8, 7, 6, 5, 4, 3, 2}),
                  copied(std::vector<int>{100}),
                  zeros(1),
                  copied(std::vector<unsigned long long>{~0ULL}));
  return finish();
}
