// The sum of an array: each thread adds up some elements, a block adds up its threads in shared
// memory, and atomics add up the blocks.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int threads = 256;
constexpr int each = 16; // elements of a thread

__global__ void sum(const float* in, float* out, int n) {
  __shared__ float partial[threads];
  const int t = threadIdx.x;
  const int first = blockIdx.x * threads * each + t;
  float mine = 0.0F;
  for (int i = 0; i < each; ++i) {
    const int at = first + i * threads;
    mine += at < n ? in[at] : 0.0F;
  }
  partial[t] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads(); // all of a level before the next one
  }
  if (t == 0) {
    atomicAdd(out, partial[0]);
  }
}

int main() {
  const int n = 100000;
  std::vector<float> values(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<float>(i % 17);
    expected += values[i];
  }
  float* in = nullptr;
  float* out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(float));
  sum<<<(n + threads * each - 1) / (threads * each), threads>>>(in, out, n);
  float result = 0;
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("block_reduction: %d elements, sum %.0f, expected %.0f\n", n, result, expected);
  cudaFree(in);
  cudaFree(out);
  return result == static_cast<float>(expected) ? 0 : 1;
}
