// Lanes that want a place each in a list: one of them asks for all at once. Racy: where they begin is handed on through
// shared memory, and nothing orders the lanes. Repaired: by a shuffle.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void evens(const int* in, int* list, int* length) {
  __shared__ int begin;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    begin = 0;
  }
  __syncwarp();
  const int mine = in[t];
  const bool wanted = mine % 2 == 0;
  const unsigned lanes = __ballot_sync(0xffffffff, wanted);
#ifdef RACY
  if (t == 0) {
    begin = atomicAdd(length, __popc(lanes)); // @begin
  }
  const int at = begin; // race: data-race with @begin
#else
  int at = begin;
  if (t == 0) {
    at = atomicAdd(length, __popc(lanes));
  }
  at = __shfl_sync(0xffffffff, at, 0);
#endif
  if (wanted) {
    list[at + __popc(lanes & ((1U << t) - 1))] = mine;
  }
}

int main() {
  evens<<<1, 32>>>(copied(counting(32)), zeros(32), zeros(1));
  return finish();
}
