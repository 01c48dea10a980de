// Each block scatters its part of a list of places; one place is in the parts of two blocks.
// Repaired: a permutation.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scatter(const int* places, int* out) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  ct::store(out + ct::load(places + i), i); // race: data-race
}

int main() {
  std::vector<int> places = counting(32);
#ifdef RACY
  places[30] = 2;
#else
  places[30] = 2;
  places[2] = 30;
#endif
  scatter<<<4, 1>>>(copied(places), zeros(32));
  return finish();
}
