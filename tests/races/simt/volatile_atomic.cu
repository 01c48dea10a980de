// A lock taken by atomicCAS and given back by a volatile store, with fences. Racy: the store is a plain one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void add(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) { // race: data-race with @unlock
  }
  __threadfence();
  *sum += 1; // race: data-race
  __threadfence();
#ifdef RACY
  *lock = 0; // @unlock
#else
  *static_cast<volatile int*>(lock) = 0;
#endif
}

int main() {
  add<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
