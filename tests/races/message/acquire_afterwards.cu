// Polling relaxed and acquiring once at the end is as good as acquiring at every turn, and cheaper. Without the
// last acquire it is no_acquire.cu.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
    ct::atomic_store<release, in_device>(flag, 1);
  } else {
    while (ct::atomic_load<relaxed, in_device>(flag) == 0) {
    }
#ifndef RACY
    ct::atomic_load<acquire, in_device>(flag);
#endif
    ct::store(out, ct::load(data)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
