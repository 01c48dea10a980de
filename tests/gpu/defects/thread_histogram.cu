// A histogram of a million numbers by threads: in shared memory, then added to the whole. The defect: the whole is loaded,
// added to and stored (-DDEFECT).
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

constexpr int numbers = 1 << 20;
constexpr int bins = 256;

__global__ void count(unsigned* total, const unsigned char* in) {
  __shared__ unsigned own[bins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = (blockIdx.x * bins) + threadIdx.x; i < numbers; i += gridDim.x * bins) {
    atomicAdd(&own[in[i]], 1);
  }
  __syncthreads();
#ifdef DEFECT
  total[threadIdx.x] = total[threadIdx.x] + own[threadIdx.x];
#else
  atomicAdd(&total[threadIdx.x], own[threadIdx.x]);
#endif
}

int main() {
  static unsigned char host[numbers];
  unsigned drawn = 1;
  for (unsigned char& x : host) {
    drawn = (drawn * 1664525U) + 1013904223U;
    x = static_cast<unsigned char>(drawn >> 24U);
  }
  unsigned char* in = nullptr;
  unsigned* total = nullptr;
  cudaMalloc(&in, numbers);
  cudaMalloc(&total, bins * sizeof(unsigned));
  cudaMemcpy(in, host, numbers, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, bins * sizeof(unsigned));
  count<<<64, bins>>>(total, in);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(total);
}
