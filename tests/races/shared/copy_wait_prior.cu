// A thread's own pipeline, two pieces ahead. Racy: it waits for all but the last two copies, and reads the last but one.
// Repaired: for all but the last.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/pipeline>

#ifdef RACY
constexpr unsigned char prior = 2;
#else
constexpr unsigned char prior = 1;
#endif

__global__ void sum(const int* in, int* out, int pieces) {
  __shared__ int rows[2][8];
  const unsigned t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&rows[0][t], &in[t], sizeof(int), pipe); // @first
  pipe.producer_commit();
  int all = 0;
  for (int i = 1; i < pieces; ++i) {
    cuda::memcpy_async(&rows[i % 2][t], &in[8 * i + t], sizeof(int), pipe); // @copy
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<prior>(pipe);
    all += rows[(i + 1) % 2][t]; // race: data-race with @first; race: data-race with @copy
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[t] = all + rows[(pieces + 1) % 2][t];
}

int main() {
  sum<<<1, 8>>>(copied(counting(32)), zeros(8), 4);
  return finish();
}
