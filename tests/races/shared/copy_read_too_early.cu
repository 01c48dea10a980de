// An asynchronous copy that a barrier awaits. Racy: the thread that asked for it reads it before it has waited. Repaired:
// behind that.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/barrier>

__global__ void twice(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&bar, 8);
  }
  __syncthreads();
  cuda::memcpy_async(&row[t], &in[t], sizeof(int), bar); // @copy
#ifndef RACY
  bar.arrive_and_wait();
#endif
  out[t] = 2 * row[t]; // race: data-race with @copy
#ifdef RACY
  bar.arrive_and_wait();
#endif
}

int main() {
  twice<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
