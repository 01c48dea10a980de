// A cuda::binary_semaphore around a counter. Racy: two are let in. Repaired: one.
// run: hooks
// run: needs random
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/semaphore>
#include <new>

using semaphore = cuda::counting_semaphore<cuda::thread_scope_block>;

__global__ void count(int* out) {
  __shared__ semaphore door;
  if (threadIdx.x == 0) {
#ifdef RACY
    new (&door) semaphore(2);
#else
    new (&door) semaphore(1);
#endif
  }
  __syncthreads();
  door.acquire();
  *out = *out + 1; // race: data-race
  door.release();
}

int main() {
  count<<<1, 8>>>(zeros(1));
  return finish();
}
