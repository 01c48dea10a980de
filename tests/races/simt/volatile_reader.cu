// The reader of a volatile flag has no fence: volatile orders nothing by itself.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42; // @data
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
#ifndef RACY
    __threadfence();
#endif
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
#ifdef RACY
  std::printf("expect: but the load acquires nothing\n");
#endif
  return finish();
}
