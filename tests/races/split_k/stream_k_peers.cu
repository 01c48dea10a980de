// Stream-K fix-up: a block that has computed the end of another one's tile leaves it in a workspace and raises a
// flag; the tile's owner adds it. Racy: the owner does not wait for the flag.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void multiply(int* workspace, int* flags, int* result) {
  const auto i = ct::iota<ints<8>>();
  const int tile = block() / 2;
  if (block() % 2 == 1) {
    ct::store(workspace + tile * 8 + i, i); // @part
    ct::atomic_store<release, in_device>(flags + tile, 1);
  } else {
#ifndef RACY
    while (ct::atomic_load<acquire, in_device>(flags + tile) == 0) {
    }
#endif
    ct::store(result + tile * 8 + i, i + ct::load(workspace + tile * 8 + i)); // race: data-race with @part
  }
}

int main() {
  multiply<<<8, 1>>>(zeros(32), zeros(4), zeros(32));
  return finish();
}
