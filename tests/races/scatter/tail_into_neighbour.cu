// Chunks of 12 in tiles of 16: without a mask the tail of a tile lies in the next block's chunk.
// Repaired: a mask at the end of the chunk.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int chunk = 12;

__tile_global__ void scale(int* data) {
  const auto i = ct::iota<ints<16>>();
  const auto p = data + block() * chunk + i;
#ifdef RACY
  const auto x = ct::load(p); // @load
  ct::store(p, x * 2);        // race: data-race with @load
#else
  const auto x = ct::load_masked(p, i < chunk, 0);
  ct::store_masked(p, x * 2, i < chunk);
#endif
}

int main() {
  scale<<<4, 1>>>(zeros(4 * chunk + 4));
  return finish();
}
