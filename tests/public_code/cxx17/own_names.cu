// A program of C++17 may have a lerp of its own; and a source of the host's may have a umin, which CUDA's headers have, too.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cuda_runtime.h>

inline __device__ __host__ float lerp(float a, float b, float t) {
  return a + t * (b - a) + 1000;
}

unsigned smaller(unsigned a, unsigned b);

__global__ void between(float* out) {
  *out = lerp(1.0F, 3.0F, 0.5F);
}

int main() {
  float *out = nullptr, host = 0;
  cudaMalloc(&out, sizeof host);
  between<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return host == 1002 && lerp(0.0F, 2.0F, 0.5F) == 1001 && smaller(7, 3) == 3 ? 0 : 1;
}
