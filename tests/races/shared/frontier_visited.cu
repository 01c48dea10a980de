// A level of a breadth-first search: who finds a vertex that nobody has found puts it into the next list. Racy: a plain
// mark is looked at and set, by every edge that leads there. Repaired: an exchange does both at once.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void level(const int* heads, int* found, int* next, int* length) {
  const int head = heads[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef RACY
  if (found[head] != 0) { // @look
    return;
  }
  found[head] = 1; // race: data-race with @look; may: data-race
#else
  if (atomicExch(&found[head], 1) != 0) {
    return;
  }
#endif
  next[atomicAdd(length, 1)] = head;
}

int main() {
  std::vector<int> heads(16);
  for (int i = 0; i < 16; ++i) {
    heads[i] = i % 4; // four edges lead to each, from as many blocks
  }
  level<<<4, 4>>>(copied(heads), zeros(4), zeros(16), zeros(1));
  return finish();
}
