// A message passed by a volatile flag with fences: a volatile access is a relaxed one of system scope, no weak one, so
// fences on both sides make it synchronise.  [PTX: volatile operations] Racy: the writer has no fence.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42; // @data
#ifndef RACY
    __threadfence();
#endif
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
#ifdef RACY
  std::printf("expect: but the store releases nothing\n");
#endif
  return finish();
}
