// Several findings of one schedule: two races on one line, an overflow in front of them, and what nobody has freed.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <climits>

__tile_global__ void race(int* p) {
  const int block = (int)ct::bid().x;
  const auto most = ct::full<ct::tile<int, ct::shape<2>>>(INT_MAX);
  static_cast<void>(most + block);
  ct::store(p, block); ct::store(p + 1, block);
}

int main() {
  int* p = zeros(2);
  race<<<2, 1>>>(p);
  cudaDeviceSynchronize();
}
