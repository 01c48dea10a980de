// Counters that one thread watches by volatile reads and another raises plainly. Repaired: volatile writes.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void watch(int* progress, int* out) {
  if (blockIdx.x == 0) {
#ifdef RACY
    *progress = 1; // @plain
#else
    *static_cast<volatile int*>(progress) = 1;
#endif
  } else {
    *out = *static_cast<const volatile int*>(progress); // race: data-race with @plain
  }
}

int main() {
  watch<<<2, 1>>>(zeros(1), zeros(1));
  return finish();
}
