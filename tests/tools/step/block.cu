// A block of threads that meet: static and dynamic shared memory, a vote of a warp, a fence.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

constexpr int threads = 8;

__global__ void sum(const float* in, float* out) {
  __shared__ float partial[threads];
  extern __shared__ int order[];
  const int t = threadIdx.x;
  order[t] = threads - t;
  partial[t] = in[t];
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads();
  }
  __threadfence();
  const unsigned first = __ballot_sync(0xffU, t == 0);
  if (t == 0) {
    out[blockIdx.x] = partial[0] + order[7] * static_cast<int>(first);
  }
}

int main() {
  const float values[threads] = {1, 2, 3, 4, 5, 6, 7, 8};
  float* in = nullptr;
  float* out = nullptr;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, 2 * sizeof(float));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  sum<<<2, threads, threads * sizeof(int)>>>(in, out);
  float result[2] = {};
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return result[0] == 37 && result[1] == 37 ? 0 : 1;
}
