// A sum in one launch: each block leaves its own, and the last one to finish adds these up. Warps
// add up by shuffles. The fences order a block's sum before it counts itself, and the count before
// the sums are read.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int threads = 128;

__device__ unsigned finished;

__device__ int sum_of_block(int value) {
  __shared__ int of_warp[threads / 32];
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffffU, value, distance);
  }
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = value;
  }
  __syncthreads();
  int all = 0;
  for (int w = 0; w < threads / 32; ++w) {
    all += of_warp[w];
  }
  __syncthreads(); // it may be called again
  return all;
}

__global__ void sum(const int* in, volatile int* of_block, int* out, int n) {
  __shared__ bool is_last;
  const int i = blockIdx.x * threads + threadIdx.x;
  const int mine = sum_of_block(i < n ? in[i] : 0);
  if (threadIdx.x == 0) {
    of_block[blockIdx.x] = mine;
    __threadfence();
    is_last = atomicAdd(&finished, 1U) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) {
    int rest = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) {
      rest += of_block[b];
    }
    rest = sum_of_block(rest);
    if (threadIdx.x == 0) {
      *out = rest;
      atomicExch(&finished, 0U); // for the next launch; a plain store would race with the counts
    }
  }
}

int main() {
  const int n = 10000;
  const int blocks = (n + threads - 1) / threads;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = i % 11 - 3;
    expected += values[i];
  }
  int* in = nullptr;
  int* of_block = nullptr;
  int* out = nullptr;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&of_block, blocks * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int round = 0; round < 2; ++round) {
    sum<<<blocks, threads>>>(in, of_block, out, n);
    int result = 0;
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    wrong += result != expected ? 1 : 0;
  }
  std::printf(
      "last_block: %d elements in %d blocks, sum %d, %d wrong\n", n, blocks, expected, wrong);
  cudaFree(in);
  cudaFree(of_block);
  cudaFree(out);
  return wrong;
}
