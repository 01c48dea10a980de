// A row that its threads copy asynchronously and then read across. Racy: they meet in __syncthreads, which waits for
// threads and not for their copies. Repaired: at the barrier that awaits these.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/barrier>

__global__ void reverse(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&bar, 8);
  }
  __syncthreads();
  cuda::memcpy_async(&row[t], &in[t], sizeof(int), bar); // @copy
#ifdef RACY
  __syncthreads();
#else
  bar.arrive_and_wait();
#endif
  out[t] = row[7 - t]; // race: data-race with @copy
}

int main() {
  reverse<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
