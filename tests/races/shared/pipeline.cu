// Pieces pass the one stage of a cuda::pipeline. Racy: it is given back before it has been read. Repaired: behind that.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void sum(const int* in, int* out) {
  __shared__ int stage[8];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int all = 0;
  for (int i = 0; i < 4; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, stage, in + 8 * i, 8 * sizeof(int), pipe); // @copy
    pipe.producer_commit();
    pipe.consumer_wait();
#ifdef RACY
    pipe.consumer_release();
    all += stage[7 - threadIdx.x]; // race: data-race with @copy
#else
    all += stage[7 - threadIdx.x];
    pipe.consumer_release();
#endif
  }
  out[threadIdx.x] = all;
}

int main() {
  sum<<<1, 8>>>(copied(counting(32)), zeros(8));
  return finish();
}
