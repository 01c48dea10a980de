// A launch that passes numbers and pointers: passed [FACTOR [SHARED]].
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdlib>

__device__ int seen[4];

__global__ void scale(float* out, const float* in, float factor, long long skip, unsigned char* none) {
  const unsigned i = threadIdx.x;
  out[i] = in[i + skip] * factor;
  if (none == nullptr && i < 4) {
    seen[i] = static_cast<int>(i);
  }
}

int main(int argc, char** argv) {
  float* memory = nullptr;
  cudaMalloc(&memory, 64);
  const float in[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  cudaMemcpy(memory + 8, in, sizeof in, cudaMemcpyHostToDevice);
  scale<<<1, 8, argc > 2 ? std::atoi(argv[2]) : 0>>>(
      memory, memory + 8, argc > 1 ? static_cast<float>(std::atof(argv[1])) : 2.0F, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
