// Blocks count into the same bins with loads and stores. Repaired: atomic_add, relaxed, of device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void histogram(const int* values, int* bins) {
  const auto bin = bins + ct::load(values + block() * 4 + ct::iota<ints<4>>()); // four different ones
#ifdef RACY
  const auto count = ct::load(bin); // @load
  ct::store(bin, count + 1);        // race: data-race with @load
#else
  ct::atomic_add<relaxed, in_device>(bin, ct::ones<ints<4>>());
#endif
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < 32; ++i) {
    values.push_back(i % 8);
  }
  histogram<<<8, 1>>>(copied(values), zeros(8));
  return finish();
}
