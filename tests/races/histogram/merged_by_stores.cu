// Each block makes a histogram of its own without races; adding it to the result with loads and stores races.
// Repaired: atomic_add.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void histogram(const int* values, int* own, int* result) {
  const auto i = ct::iota<ints<16>>();
  const auto mine = own + block() * 16;
  ct::atomic_add<relaxed, in_block>(mine + ct::load(values + block() * 16 + i), ct::ones<ints<16>>());
#ifdef RACY
  const auto all = ct::load(result + i);         // @load
  ct::store(result + i, all + ct::load(mine + i)); // race: data-race with @load
#else
  ct::atomic_add<relaxed, in_device>(result + i, ct::load(mine + i));
#endif
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < 64; ++i) {
    values.push_back(i * i % 16);
  }
  histogram<<<4, 1>>>(copied(values), zeros(64), zeros(16));
  return finish();
}
