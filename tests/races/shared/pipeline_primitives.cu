// A thread copies by __pipeline_memcpy_async, commits, and reads. Racy: it does not wait. Repaired: it does.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda_pipeline.h>

__global__ void pass(const int4* in, int* out) {
  __shared__ int4 row[8];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&row[t], &in[t], sizeof(int4), t % 2 == 0 ? 0 : 8); // @copy
  __pipeline_commit();
#ifndef RACY
  __pipeline_wait_prior(0);
#endif
  out[t] = row[t].x; // race: data-race with @copy
  __syncthreads();
}

int main() {
  pass<<<1, 8>>>(reinterpret_cast<const int4*>(copied(counting(32))), zeros(8));
  return finish();
}
