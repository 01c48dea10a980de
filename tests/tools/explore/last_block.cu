// The last of two blocks adds up what all threads have written; each fences, the block meets, and one counts for all. NO_FENCE:
// none does; BLOCK: in its block alone; NO_READER: the last block does not fence behind the count.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void sum(int* partial, unsigned* done, int* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  partial[blockIdx.x * 2 + t] = 1;
#if defined(BLOCK)
  __threadfence_block();
#elif !defined(NO_FENCE)
  __threadfence();
#endif
  __syncthreads();
  if (t == 0) {
    last = atomicAdd(done, 1) == 1;
#ifndef NO_READER
    __threadfence();
#endif
  }
  __syncthreads();
  if (last && t == 1) {
    *out = partial[0] + partial[1] + partial[2] + partial[3];
  }
}

int main() {
  int* const out = zeros(1);
  sum<<<2, 2>>>(zeros(4), reinterpret_cast<unsigned*>(zeros(1)), out);
  return taken(out, 1)[0] == 4 ? 0 : 1;
}
