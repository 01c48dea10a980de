// A load whose surplus elements are thrown away afterwards has read them. Repaired: a masked load with padding.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void sums(int* data, int part) {
  const auto i = ct::iota<ints<16>>();
  const auto mine = data + block() * part + i;
#ifdef RACY
  const auto x = ct::select(i < part, ct::load(mine), ct::zeros<ints<16>>()); // @load
#else
  const auto x = ct::load_masked(mine, i < part, 0);
#endif
  ct::store_masked(mine, x + sum_of(x), i < part); // race: data-race with @load
}

int main() {
  sums<<<4, 1>>>(zeros(46), 10);
  return finish();
}
