// A block reads what its neighbour writes in the same launch. Repaired: two launches of one stream, of which the
// first is over before the second begins.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  ct::store(data + i, i); // @store
#ifdef RACY
  ct::store(data + 64 + i, ct::load(data + (i + 8) % 32)); // race: data-race with @store
#endif
}
__tile_global__ void use_neighbour(int* data) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  ct::store(data + 64 + i, ct::load(data + (i + 8) % 32));
}

int main() {
  int* data = zeros(96);
  produce<<<4, 1>>>(data);
#ifndef RACY
  use_neighbour<<<4, 1>>>(data);
#endif
  return finish();
}
