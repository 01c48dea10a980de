// A tree of sums whose strides grow. Racy: the first level begins without a barrier. Repaired: behind one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void sum(const int* in, int* out) {
  __shared__ int partial[16];
  const unsigned t = threadIdx.x;
  partial[t] = in[t]; // @filled
#ifndef RACY
  __syncthreads();
#endif
  for (unsigned stride = 1; stride < 16; stride *= 2) {
    if (t % (2 * stride) == 0) {
      partial[t] += partial[t + stride]; // race: data-race with @filled; may: data-race; may: uninitialised-read
    }
    __syncthreads();
  }
  if (t == 0) {
    *out = partial[0];
  }
}

int main() {
  sum<<<1, 16>>>(copied(counting(16)), zeros(1));
  return finish();
}
