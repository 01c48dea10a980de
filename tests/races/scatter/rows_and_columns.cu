// Block 0 writes row 1 of a matrix, block 1 its column 2: they meet in one element.
// Repaired: the column leaves out row 1.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void cross(int* matrix) {
  const auto i = ct::iota<ints<8>>();
  if (block() == 0) {
    ct::store(matrix + 1 * 8 + i, i); // @row
  } else {
#ifdef RACY
    ct::store(matrix + i * 8 + 2, i); // race: data-race with @row
#else
    ct::store_masked(matrix + i * 8 + 2, i, i != 1);
#endif
  }
}

int main() {
  cross<<<2, 1>>>(zeros(64));
  return finish();
}
