// A lock that nobody has set to 0 works in a simulator whose memory begins with zeros. Repaired: cudaMemset.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) { // race: uninitialised-read
  }
  ct::store(counter, ct::load(counter) + 1);
  ct::atomic_store<release, in_device>(lock, 0);
}

int main() {
#ifdef RACY
  count<<<4, 1>>>(unwritten(1), zeros(1));
#else
  count<<<4, 1>>>(zeros(1), zeros(1));
#endif
  return finish();
}
