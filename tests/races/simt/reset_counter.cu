// Blocks count themselves, and the last one sets the counter back for the next launch by a plain store: its update has read what all
// others have made, so all of them come before. Racy: the first one does, which has seen nobody.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void arrive(unsigned* counter, int* launches) {
#ifdef RACY
  const bool sets_back = atomicInc(counter, gridDim.x) == 0; // @update
#else
  const bool sets_back = atomicInc(counter, gridDim.x) == gridDim.x - 1;
#endif
  if (sets_back) {
    *counter = 0; // race: data-race with @update
    atomicAdd(launches, 1);
  }
}

int main() {
  unsigned* const counter = reinterpret_cast<unsigned*>(zeros(1));
  int* const launches = zeros(1);
  arrive<<<4, 1>>>(counter, launches);
  arrive<<<4, 1>>>(counter, launches);
  return finish();
}
