// The consumer changes what it received, and the producer reads it again without waiting for an answer.
// Repaired: the consumer answers with a flag of its own.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void ask(int* data, int* flag, int* answer, int* out) {
  if (block() == 0) {
    ct::store(data, 21);
    ct::atomic_store<release, in_device>(flag, 1);
#ifndef RACY
    while (ct::atomic_load<acquire, in_device>(answer) == 0) {
    }
#endif
    ct::store(out, ct::load(data)); // @again
  } else {
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
    ct::store(data, ct::load(data) * 2); // race: data-race with @again
    ct::atomic_store<release, in_device>(answer, 1);
  }
}

int main() {
  ask<<<2, 1>>>(zeros(1), zeros(1), zeros(1), zeros(1));
  return finish();
}
