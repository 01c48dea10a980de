// A scatter of 2^20 elements by one call of a tile of 2^20: one place among them is listed twice.
// Repaired: a permutation.
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
  places[700'000] = places[123'456];
#endif
  scatter<<<1, 1>>>(copied(places), zeros(n));
  return finish();
}
