// Each block moves its elements one place to the left, in place: its last load is the next block's first
// store. Repaired: from one array to another.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void shift(const int* from, int* to) {
  const auto i = block() * 16 + ct::iota<ints<16>>();
  const auto x = ct::load(from + i + 1); // @load
  ct::store(to + i, x);                  // race: data-race with @load
}

int main() {
  int* data = zeros(65);
#ifdef RACY
  shift<<<4, 1>>>(data, data);
#else
  shift<<<4, 1>>>(data, zeros(64));
#endif
  return finish();
}
