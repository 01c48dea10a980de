// A ring: the consumer's count is stored relaxed, so the producer may fill a slot that is still being read.
// Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int slots = 2, items = 8;

__tile_global__ void stream(int* ring, int* head, int* tail, int* out) {
  for (int k = 0; k < items; ++k) {
    if (block() == 0) {
      while (ct::atomic_load<acquire, in_device>(tail) + slots <= k) {
      }
      ct::store(ring + k % slots, k); // race: data-race with @take
      ct::atomic_store<release, in_device>(head, k + 1);
    } else {
      while (ct::atomic_load<acquire, in_device>(head) <= k) {
      }
      ct::store(out + k, ct::load(ring + k % slots)); // @take
#ifdef RACY
      ct::atomic_store<relaxed, in_device>(tail, k + 1);
#else
      ct::atomic_store<release, in_device>(tail, k + 1);
#endif
    }
  }
}

int main() {
  stream<<<2, 1>>>(zeros(slots), zeros(1), zeros(1), zeros(items));
  return finish();
}
