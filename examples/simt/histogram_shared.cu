// A histogram: each block counts in shared memory, and adds its counts to those of all.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int bins = 64;

__global__ void count(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned mine[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    mine[i] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[in[i] % bins], 1U);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    atomicAdd(&out[i], mine[i]);
  }
}

int main() {
  const int n = 20000;
  std::vector<unsigned char> values(n);
  std::vector<unsigned> expected(bins);
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<unsigned char>((i * 7 + i / 64) % 251);
    ++expected[values[i] % bins];
  }
  unsigned char* in = nullptr;
  unsigned* out = nullptr;
  cudaMalloc(&in, n);
  cudaMalloc(&out, bins * sizeof(unsigned));
  cudaMemcpy(in, values.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, bins * sizeof(unsigned));
  count<<<8, 128>>>(in, out, n);
  std::vector<unsigned> result(bins);
  cudaMemcpy(result.data(), out, bins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::printf("histogram_shared: %d bytes, %u in bin 0, %u in bin 63, %s\n",
              n,
              result[0],
              result[63],
              result == expected ? "as counted by the host" : "wrong");
  cudaFree(in);
  cudaFree(out);
  return result == expected ? 0 : 1;
}
