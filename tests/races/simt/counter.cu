// Threads of a __global__ kernel count with ++. Repaired: atomicAdd.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(int* counter) {
#ifdef RACY
  ++*counter; // race: data-race
#else
  atomicAdd(counter, 1);
#endif
}

int main() {
  count<<<2, 32>>>(zeros(1));
  return finish();
}
