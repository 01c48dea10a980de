// A three-point stencil that writes where it reads: the neighbour's edge is old or new.
// Repaired: two buffers.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void smooth(const int* from, int* to) {
  const auto i = 1 + block() * 16 + ct::iota<ints<16>>();
  const auto left = ct::load(from + i - 1);  // @left
  const auto right = ct::load(from + i + 1); // @right
  ct::store(to + i, (left + right) / 2);     // race: data-race with @left; race: data-race with @right
}

int main() {
  int* data = zeros(66);
#ifdef RACY
  smooth<<<4, 1>>>(data, data);
#else
  smooth<<<4, 1>>>(data, zeros(66));
#endif
  return finish();
}
