// The last block resets the count for the next launch with a plain store: its addition has read what all others have made,
// relaxed as they are, so all of them come before. Racy: the first one does, which has seen nobody.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void arrive(int* arrived) {
  const int others = ct::atomic_add<relaxed, in_device>(arrived, 1); // @add
#ifdef RACY
  if (others == 0) {
#else
  if (others == 3) {
#endif
    ct::store(arrived, 0); // race: data-race with @add
  }
}

int main() {
  int* arrived = zeros(1);
  arrive<<<4, 1>>>(arrived);
  arrive<<<4, 1>>>(arrived);
  return finish();
}
