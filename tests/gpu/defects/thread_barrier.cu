// Sums of blocks of threads by a tree in shared memory. The defect: no barrier between its levels (-DDEFECT).
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

constexpr int threads = 1024;
constexpr int blocks = 64;

__global__ void sum(int* out, const int* in) {
  __shared__ int part[threads];
  const int t = static_cast<int>(threadIdx.x);
  part[t] = in[(blockIdx.x * threads) + t];
  for (int half = threads / 2; half > 0; half /= 2) {
#ifndef DEFECT
    __syncthreads();
#endif
    if (t < half) {
      part[t] += part[t + half];
    }
  }
  if (t == 0) {
    out[blockIdx.x] = part[0];
  }
}

int main() {
  static int host[threads * blocks];
  for (int i = 0; i < threads * blocks; ++i) {
    host[i] = (i % 97) + 1;
  }
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, blocks * sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, blocks * sizeof(int));
  sum<<<blocks, threads>>>(out, in);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
