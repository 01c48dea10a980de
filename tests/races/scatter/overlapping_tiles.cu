// Tiles of 16 that begin 12 apart: each block's last four elements are the next one's first.
// Repaired: tiles that begin 16 apart.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void write(int* out, int distance) {
  const auto i = ct::iota<ints<16>>();
  ct::store(out + block() * distance + i, i); // race: data-race
}

int main() {
#ifdef RACY
  write<<<4, 1>>>(zeros(64), 12);
#else
  write<<<4, 1>>>(zeros(64), 16);
#endif
  return finish();
}
