// A ring of two slots: the producer fills a slot again before the consumer has emptied it.
// Repaired: the producer waits for the consumer's count.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int slots = 2, items = 6;

__tile_global__ void stream(int* ring, int* written, int* read, int* out) {
  for (int k = 0; k < items; ++k) {
    if (block() == 0) {
#ifndef RACY
      while (ct::atomic_load<acquire, in_device>(read) + slots <= k) {
      }
#endif
      ct::store(ring + k % slots, k); // race: data-race with @take
      ct::atomic_store<release, in_device>(written + k, 1);
    } else {
      while (ct::atomic_load<acquire, in_device>(written + k) == 0) {
      }
      ct::store(out + k, ct::load(ring + k % slots)); // @take
      ct::atomic_store<release, in_device>(read, k + 1);
    }
  }
}

int main() {
  stream<<<2, 1>>>(zeros(slots), zeros(items), zeros(1), zeros(items));
  return finish();
}
