// The block that arrives last adds up what all have written. A relaxed count of arrivals tells who is last,
// but hands on nothing of what was written before. Repaired: the arrival releases one's own sum and acquires
// the others'.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void reduce(const int* x, int* sums, int* arrived, int* total) {
  const auto i = ct::iota<ints<4>>();
  ct::store(sums + block(), sum_of(ct::load(x + block() * 4 + i))); // @sum
#ifdef RACY
  const int others = ct::atomic_add<relaxed, in_device>(arrived, 1);
#else
  const int others = ct::atomic_add<acq_rel, in_device>(arrived, 1);
#endif
  if (others == 3) {
    const auto all = ct::load(sums + i); // race: data-race with @sum
    ct::store(total, sum_of(all));
  }
}

int main() {
  reduce<<<4, 1>>>(copied(counting(16)), zeros(4), zeros(1), zeros(1));
  return finish();
}
