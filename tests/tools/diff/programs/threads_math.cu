// Mathematical functions in a kernel of threads: a GPU's results may be off by what CUDA documents.
// Each thread computes with the function of its number.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cuda_runtime.h>

__device__ float one_of(unsigned which, float x) {
  switch (which) {
  case 0:
    return expf(x);
  case 1:
    return __expf(x);
  case 2:
    return std::log1p(x);
  case 3:
    return erff(x / 8);
  case 4:
    return powf(x, 1.5F);
  case 5:
    return 3.0F * expf(-x); // followed into what is computed with it
  case 6:
    return sinf(x) + cosf(x); // one call for both
  case 7:
    return sqrtf(x) + fabsf(x); // exact
  case 9:
    return rsqrtf(x + 1.0F);
  case 8:
    return static_cast<float>(exp(static_cast<double>(x)));
  case 10:
    return __logf(x + 0.5F);
  case 11:
    return __sinf(x / 4);
  case 12:
    return hypotf(x, -3.0F);
  case 13:
    return __exp10f(x / 4);
  default:
    return tgammaf(x + 1.0F); // of which nothing is known
  }
}

__global__ void compute(float* out, const float* in, unsigned functions) {
  const unsigned i = threadIdx.x;
  out[i] = one_of(i % functions, in[i]);
}

int main(int argc, char**) {
  float *in, *out, host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = static_cast<float>(i) / 8;
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  compute<<<1, 64>>>(out, in, argc > 1 ? 15 : 14);
  cudaDeviceSynchronize();
}
