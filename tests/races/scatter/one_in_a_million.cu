// 2^20 elements scattered by 1024 blocks: two blocks share one place, of one int, by two
// elements that every run draws anew.
// Repaired: a permutation.
// run: placements
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int n = 1 << 20;

__tile_global__ void scatter(const int* places, int* out) {
  const auto i = block() * 1024 + ct::iota<ints<1024>>();
  ct::store(out + ct::load(places + i), i); // race: data-race
}

int main() {
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i) {
    places[i] = static_cast<int>((i * 1103515245u + 12345u) % n); // an odd factor: a permutation
  }
#ifdef RACY
  auto [a, b] = two_places(n);
  b = a / 1024 == b / 1024 ? (b + 1024) % n : b; // in another block
  places[b] = places[a];
  std::printf("expect: element %d, by tile block (%d,0,0)\n", a % 1024, a / 1024);
  std::printf("expect: element %d, by tile block (%d,0,0)\n", b % 1024, b / 1024);
#endif
  scatter<<<n / 1024, 1>>>(copied(places), zeros(n));
  return finish();
}
