// The places come from memory, and one is listed twice: nothing in the kernel shows it.
// Repaired: a list without duplicates.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scatter(const int* places, int* out) {
  const auto i = ct::iota<ints<16>>();
  ct::store(out + ct::load(places + i), i); // race: duplicate-store
}

int main() {
  std::vector<int> places = counting(16);
#ifdef RACY
  places[11] = 5;
#else
  places[11] = places[5];
  places[5] = 11;
#endif
  scatter<<<1, 1>>>(copied(places), zeros(16));
  return finish();
}
