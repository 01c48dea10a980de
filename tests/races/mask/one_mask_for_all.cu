// A scalar mask switches a whole store: block 0 alone writes the header. Racy: every block does.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void header(int* data) {
  const auto i = ct::iota<ints<4>>();
#ifdef RACY
  ct::store_masked(data + i, i, true); // race: data-race
#else
  ct::store_masked(data + i, i, block() == 0);
#endif
}

int main() {
  header<<<4, 1>>>(zeros(4));
  return finish();
}
