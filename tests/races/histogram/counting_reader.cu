// As read_meanwhile.cu, but the block that reads has counted before. Its own addition observes those that came
// first at the same bin, and what it observes is ordered before what it does next: no race with these. Only
// with those that come after its load is there one, so the schedule decides.
// Repaired: the sum is a launch of its own.
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void sum(const int* bins, int* total) {
  ct::store(total, sum_of(ct::load(bins + ct::iota<ints<8>>())));
}
__tile_global__ void count(const int* values, int* bins, int* total) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  ct::atomic_add<relaxed, in_device>(bins + ct::load(values + i), ct::ones<ints<8>>()); // @add
#ifdef RACY
  if (block() == 3) {
    const auto all = ct::load(bins + ct::iota<ints<8>>()); // race: data-race with @add
    ct::store(total, sum_of(all));
  }
#endif
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < 32; ++i) {
    values.push_back(i % 8);
  }
  int *bins = zeros(8), *total = zeros(1);
  count<<<4, 1>>>(copied(values), bins, total);
#ifndef RACY
  sum<<<1, 1>>>(bins, total);
#endif
  return finish();
}
