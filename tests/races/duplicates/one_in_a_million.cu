// A scatter of 2^20 elements by one call of a tile of 2^20: one place among them is listed twice, by two elements
// that every run draws anew.
// Repaired: a permutation.
// run: placements
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int n = 1 << 20;

__tile_global__ void scatter(const int* places, int* out) {
  const auto i = ct::iota<ints<n>>();
  ct::store(out + ct::load(places + i), i); // race: duplicate-store
}

int main() {
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i) {
    places[i] = static_cast<int>((i * 1103515245u + 12345u) % n); // an odd factor: a permutation
  }
#ifdef RACY
  const auto [a, b] = two_places(n);
  places[b] = places[a];
  std::printf("expect: elements %d and %d of one store\n", a, b);
#endif
  scatter<<<1, 1>>>(copied(places), zeros(n));
  return finish();
}
