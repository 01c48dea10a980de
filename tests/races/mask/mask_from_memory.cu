// Which block writes an element is listed in memory. Racy: one element is given to two blocks.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(const int* owners, int* data) {
  const auto i = ct::iota<ints<16>>();
  const auto mine = (ct::load(owners + i) & (1 << block())) != 0;
  ct::store_masked(data + i, i, mine); // race: data-race
}

int main() {
  std::vector<int> owners(16);
  for (int i = 0; i < 16; ++i) {
    owners[i] = 1 << i * 7 % 4;
  }
#ifdef RACY
  owners[9] = 6; // blocks 1 and 2
#endif
  fill<<<4, 1>>>(copied(owners), zeros(16));
  return finish();
}
