// atomicAdd_block is atomic for the threads of one block. Racy: two blocks share the counter.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(int* counters) {
#ifdef RACY
  atomicAdd_block(counters, 1); // race: narrow-scope
#else
  atomicAdd_block(counters + blockIdx.x, 1);
#endif
}

int main() {
  count<<<2, 32>>>(zeros(2));
  return finish();
}
