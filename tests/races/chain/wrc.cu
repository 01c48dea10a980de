// WRC, write to read causality: block 1 sees block 0's atomic value and raises a flag; block 2 sees the flag and
// loads the value plainly. What block 1 has observed is ordered before what it releases, so the twin has no race
// although block 0 releases nothing. Racy: the flag's release is relaxed.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* value, int* flag, int* out) {
  if (block() == 0) {
    ct::atomic_store<relaxed, in_device>(value, 42); // @value
  } else if (block() == 1) {
    while (ct::atomic_load<relaxed, in_device>(value) == 0) {
    }
#ifdef RACY
    ct::atomic_store<relaxed, in_device>(flag, 1);
#else
    ct::atomic_store<release, in_device>(flag, 1);
#endif
  } else {
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
    ct::store(out, ct::load(value)); // race: data-race with @value
  }
}

int main() {
  pass<<<3, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
