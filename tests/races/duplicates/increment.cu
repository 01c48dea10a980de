// Counting with a load, an addition and a store: elements with the same value store to one counter, and
// one count is lost besides. Repaired: atomic_add takes duplicates.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(const int* values, int* counts) {
  const auto counter = counts + ct::load(values + ct::iota<ints<16>>());
#ifdef RACY
  ct::store(counter, ct::load(counter) + 1); // race: duplicate-store
#else
  ct::atomic_add<relaxed, in_device>(counter, ct::ones<ints<16>>());
#endif
}

int main() {
  count<<<1, 1>>>(copied(std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 1, 1}), zeros(4));
  return finish();
}
