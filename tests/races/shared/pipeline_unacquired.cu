// Double buffering by a cuda::pipeline of two stages: while one is read, the next piece is copied to the other. Racy: a
// stage is filled again without asking for it, before all have read what it holds. Repaired: producer_acquire first.
// run: hooks
// run: needs random
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void sum(const int* in, int* out, int pieces) {
  __shared__ int stages[2][8];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int all = 0;
  for (int piece = 0, copied = 0; piece < pieces; ++piece) {
    for (; copied < pieces && copied < piece + 2; ++copied) {
#ifndef RACY
      pipe.producer_acquire();
#endif
      cuda::memcpy_async(block, stages[copied % 2], in + 8 * copied, 8 * sizeof(int), pipe); // @copy
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    all += stages[piece % 2][7 - threadIdx.x]; // race: data-race with @copy
    pipe.consumer_release();
  }
  out[threadIdx.x] = all;
}

int main() {
  sum<<<1, 8>>>(copied(counting(48)), zeros(8), 6);
  return finish();
}
