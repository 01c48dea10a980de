// One step of Jacobi's method. Racy: in place, so that a block reads its neighbour's edge as that writes it. Repaired: from
// one array into another.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void step(const int* from, int* to) {
  const int t = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x) + 1;
  const int sum = from[t - 1] + from[t + 1]; // @neighbours
  __syncthreads();
  to[t] = sum / 2; // race: data-race with @neighbours
}

int main() {
  int* const a = copied(counting(10));
#ifdef RACY
  int* const b = a;
#else
  int* const b = zeros(10);
#endif
  step<<<2, 4>>>(a, b);
  return finish();
}
