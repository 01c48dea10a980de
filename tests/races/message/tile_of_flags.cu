// Each block raises its element of a tile of flags; the consumer polls the whole tile, with a sum.
// Racy: the polls are relaxed. Repaired: each element of the load acquires from the block that it reads.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void gather(int* data, int* flags, int* out) {
  const auto i = ct::iota<ints<4>>();
  if (block() < 4) {
    ct::store(data + block(), block()); // @data
    ct::atomic_store<release, in_device>(flags + block(), 1);
  } else {
#ifdef RACY
    while (sum_of(ct::atomic_load<relaxed, in_device>(flags + i)) != 4) {
    }
#else
    while (sum_of(ct::atomic_load<acquire, in_device>(flags + i)) != 4) {
    }
#endif
    ct::store(out + i, ct::load(data + i)); // race: data-race with @data
  }
}

int main() {
  gather<<<5, 1>>>(zeros(4), zeros(4), zeros(4));
  return finish();
}
