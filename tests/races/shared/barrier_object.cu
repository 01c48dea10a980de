// A cuda::barrier between writes and reads. Racy: threads arrive and do not wait. Repaired: they wait.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/barrier>

__global__ void shift(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[8];
  if (threadIdx.x == 0) {
    init(&bar, 8);
  }
  __syncthreads();
  row[threadIdx.x] = in[threadIdx.x]; // @write
#ifdef RACY
  static_cast<void>(bar.arrive());
#else
  bar.arrive_and_wait();
#endif
  out[threadIdx.x] = row[(threadIdx.x + 1) % 8]; // race: data-race with @write; may: uninitialised-read
}

int main() {
  shift<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
