// Block 0 sets the bins to zero in the launch that counts: its weak stores race with the atomics of the others.
// Repaired: a launch of its own resets them.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void reset(int* bins) {
  ct::store(bins + ct::iota<ints<8>>(), ct::zeros<ints<8>>());
}
__tile_global__ void count(const int* values, int* bins) {
#ifdef RACY
  if (block() == 0) {
    ct::store(bins + ct::iota<ints<8>>(), ct::zeros<ints<8>>()); // race: data-race with @add
  }
#endif
  const auto i = block() * 8 + ct::iota<ints<8>>();
  ct::atomic_add<relaxed, in_device>(bins + ct::load(values + i), ct::ones<ints<8>>()); // @add
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < 32; ++i) {
    values.push_back(i % 8);
  }
  int* bins = zeros(8);
#ifndef RACY
  reset<<<1, 1>>>(bins);
#endif
  count<<<4, 1>>>(copied(values), bins);
  return finish();
}
