// A warp's reduction in volatile shared memory, as it was written for devices whose lanes ran in step (-DLOCKSTEP): what a
// lane reads is a matter of turns, although volatile accesses are no race by the PTX model. As it stands the lanes meet.
// The host looks at the sum unless -DUNSEEN is given.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__device__ void meet() {
#ifndef LOCKSTEP
  __syncwarp();
#endif
}

__global__ void reduce(const int* in, int* out) {
  __shared__ volatile int sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  if (t >= 32) {
    return;
  }
  for (unsigned half = 32; half > 0; half /= 2) {
    const int other = t < half ? sums[t + half] : 0;
    meet();
    if (t < half) {
      sums[t] = sums[t] + other;
    }
    meet();
  }
  if (t == 0) {
    *out = sums[0];
  }
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 65 * sizeof(int));
  cudaMemset(p, 1, 65 * sizeof(int));
  reduce<<<1, 64>>>(p, p + 64);
  cudaDeviceSynchronize();
#ifndef UNSEEN
  int sum = 0;
  cudaMemcpy(&sum, p + 64, sizeof sum, cudaMemcpyDeviceToHost);
#endif
  cudaFree(p);
}
