// A cuda::pipeline lets as many pieces be under way as it has stages. Racy: three stages share two buffers, so that the
// third piece overwrites the first one. Repaired: a buffer for each stage.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int stages = 3;
#ifdef RACY
constexpr int buffers = 2;
#else
constexpr int buffers = stages;
#endif

__global__ void sum(const int* in, int* out, int pieces) {
  __shared__ int held[buffers][8];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int all = 0;
  for (int piece = 0, copied = 0; piece < pieces; ++piece) {
    for (; copied < pieces && copied < piece + stages; ++copied) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, held[copied % buffers], in + 8 * copied, 8 * sizeof(int), pipe); // @copy
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    all += held[piece % buffers][7 - threadIdx.x]; // race: data-race with @copy
    pipe.consumer_release();
  }
  out[threadIdx.x] = all;
}

int main() {
  sum<<<1, 8>>>(copied(counting(48)), zeros(8), 6);
  return finish();
}
