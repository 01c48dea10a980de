// A counter that nobody has set to 0: an update reads. Repaired: cudaMemset.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
  ct::atomic_add<relaxed, in_device>(counter, 1); // race: uninitialised-read
}

int main() {
#ifdef RACY
  count<<<4, 1>>>(unwritten(1));
#else
  count<<<4, 1>>>(zeros(1));
#endif
  return finish();
}
