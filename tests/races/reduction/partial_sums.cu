// Every block adds its sum to one place with a load and a store. Repaired: atomic_add.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void reduce(const int* x, int* total) {
  const int sum = sum_of(ct::load(x + block() * 16 + ct::iota<ints<16>>()));
#ifdef RACY
  const int before = ct::load(total); // @load
  ct::store(total, before + sum);     // race: data-race with @load
#else
  ct::atomic_add<relaxed, in_device>(total, sum);
#endif
}

int main() {
  reduce<<<4, 1>>>(copied(counting(64)), zeros(1));
  return finish();
}
