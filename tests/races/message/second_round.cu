// The producer writes round 2 over the data of round 1 without knowing that it has been read.
// Repaired: the consumer says so first.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void rounds(int* data, int* written, int* read, int* out) {
  for (int round = 0; round < 2; ++round) {
    if (block() == 0) {
#ifndef RACY
      while (round == 1 && ct::atomic_load<acquire, in_device>(read) == 0) {
      }
#endif
      ct::store(data, 10 + round); // race: data-race with @read
      ct::atomic_store<release, in_device>(written + round, 1);
    } else {
      while (ct::atomic_load<acquire, in_device>(written + round) == 0) {
      }
      ct::store(out + round, ct::load(data)); // @read
      ct::atomic_store<release, in_device>(read, 1);
    }
  }
}

int main() {
  rounds<<<2, 1>>>(zeros(1), zeros(2), zeros(1), zeros(2));
  return finish();
}
