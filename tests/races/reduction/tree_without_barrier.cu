// A tree of sums in one launch: block 0 adds what block 1 has written, without waiting for it.
// Repaired: a launch for each level.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void level(int* sums, int distance) {
  const int at = block() * 2 * distance;
  ct::store(sums + at, ct::load(sums + at) + ct::load(sums + at + distance));
}
__tile_global__ void all_levels(int* sums) {
  for (int distance = 1; distance < 8; distance = distance * 2) {
    if (block() % (2 * distance) == 0) {
      const int other = ct::load(sums + block() + distance); // @load
      ct::store(sums + block(), ct::load(sums + block()) + other); // race: data-race with @load
    }
  }
}

int main() {
  int* sums = copied(counting(8));
#ifdef RACY
  all_levels<<<8, 1>>>(sums);
#else
  for (int distance = 1; distance < 8; distance *= 2) {
    level<<<4 / distance, 1>>>(sums, distance);
  }
#endif
  return finish();
}
