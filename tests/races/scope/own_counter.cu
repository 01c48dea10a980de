// Block scope is enough for a counter of the block's own; one counter too few, and two blocks share one.
// Repaired: as many counters as blocks.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(const int* values, int* counters, int n) {
  const auto i = ct::iota<ints<16>>();
  const auto own = ct::full<ct::tile<int*, ct::shape<16>>>(counters + block() % n);
  ct::atomic_add<relaxed, in_block>(own, ct::load(values + block() * 16 + i)); // race: narrow-scope
}

int main() {
#ifdef RACY
  count<<<4, 1>>>(copied(counting(64)), zeros(4), 3);
#else
  count<<<4, 1>>>(copied(counting(64)), zeros(4), 4);
#endif
  return finish();
}
