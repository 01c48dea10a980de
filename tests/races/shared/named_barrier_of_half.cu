// Each half of a block has a barrier of its own. Racy: both halves read what the other one has written.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void halves(int* out) {
  __shared__ int cells[128];
  const unsigned t = threadIdx.x;
  cells[t] = 0;
  __syncthreads();
  cells[t] = static_cast<int>(t); // @write
  __barrier_sync_count(1 + t / 64, 64);
#ifdef RACY
  const int other = cells[127 - t]; // race: data-race with @write
#else
  const int other = cells[t ^ 63U];
#endif
  __barrier_sync(5);
  out[blockIdx.x * 128 + t] = other + cells[127 - t];
}

int main() {
  halves<<<2, 128>>>(zeros(256));
  return finish();
}
