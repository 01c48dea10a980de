// The producer has its fence, the consumer has none. Repaired: both.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42; // @data
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
#ifndef RACY
    __threadfence();
#endif
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
