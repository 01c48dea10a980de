// Threads that round to half what they have computed inexactly, near the middle between two halves.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void halves(__half* out, const float* in) {
  out[threadIdx.x] = __float2half(std::exp(in[threadIdx.x]));
}

int main() {
  float *in, host[64];
  __half* out;
  for (float& x : host) {
    x = 0x1.1d85b6p-1f; // e^x lies an ulp of float beside the middle of 0x1.bfp+0 and 0x1.bf4p+0
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 128);
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 128);
  halves<<<1, 64>>>(out, in);
  cudaDeviceSynchronize();
}
