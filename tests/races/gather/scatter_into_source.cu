// A permutation applied in place: the scatter of one block lands in what another one gathers.
// Repaired: out of place.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void permute(const int* places, const int* from, int* to) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  const auto x = ct::load(from + i);        // @gather
  ct::store(to + ct::load(places + i), x); // race: data-race with @gather
}

int main() {
  std::vector<int> places(32);
  for (int i = 0; i < 32; ++i) {
    places[i] = (i * 13 + 5) % 32;
  }
  int* data = copied(counting(32));
#ifdef RACY
  permute<<<4, 1>>>(copied(places), data, data);
#else
  permute<<<4, 1>>>(copied(places), data, zeros(32));
#endif
  return finish();
}
