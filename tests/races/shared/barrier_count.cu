// A cuda::barrier that is made for half of the threads that arrive: the others' phase is another one, if they do not come
// while the first one ends. Who comes just then is lost, and three of the others wait for ever; where all have come before
// anybody reads, the readers are behind the writers all the same. Repaired: for all.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/barrier>

__global__ void shift(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
  if (t == 0) {
#ifdef RACY
    init(&bar, 4);
#else
    init(&bar, 8);
#endif
  }
  __syncthreads();
  row[t] = in[t];                        // @write
  bar.arrive_and_wait();                 // race: barrier-arrivals; may: deadlock
  out[t] = row[(t + 1) % 8]; // may: data-race with @write; may: uninitialised-read
}

int main() {
  shift<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
