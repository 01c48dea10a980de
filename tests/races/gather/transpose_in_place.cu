// Block (i, j) writes tile (j, i) of the matrix that block (j, i) still reads.
// Repaired: into a matrix of its own.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int side = 8;

__tile_global__ void transpose(const int* from, int* to) {
  const auto i = ct::reshape<ct::shape<4, 1>>(ct::iota<ints<4>>());
  const auto j = ct::reshape<ct::shape<1, 4>>(ct::iota<ints<4>>());
  const int row = 4 * static_cast<int>(ct::bid().x);
  const int column = 4 * static_cast<int>(ct::bid().y);
  const auto x = ct::load(from + ((row + i) * side + column + j)); // @load
  ct::store(to + ((column + j) * side + row + i), x);              // race: data-race with @load
}

int main() {
  int* matrix = zeros(side * side);
#ifdef RACY
  transpose<<<dim3(2, 2), 1>>>(matrix, matrix);
#else
  transpose<<<dim3(2, 2), 1>>>(matrix, zeros(side * side));
#endif
  return finish();
}
