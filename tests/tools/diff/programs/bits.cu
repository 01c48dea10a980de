// Whole numbers that are computed from the bits of what may be off: nobody follows these.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void keys(unsigned* out, const float* in) { // so that whole numbers are ordered as the floats are
  const unsigned i = threadIdx.x;
  const unsigned bits = __float_as_uint(std::exp(in[i]));
  out[i] = bits ^ ((bits >> 31U) != 0 ? 0xffffffffU : 0x80000000U);
  out[64 + i] = 7 * i;
}

__global__ void packed(unsigned* out, const float* in) { // two halves to a word
  const unsigned i = threadIdx.x;
  const unsigned low = __half_as_ushort(__float2half(std::exp(in[i]))); // in the middle of two halves
  out[i] = low | (low << 16U);
}

int main(int, char** arguments) {
  float* in = nullptr;
  unsigned* out = nullptr;
  float host[64];
  const bool keys_of = std::strcmp(arguments[1], "keys") == 0;
  for (int i = 0; i < 64; ++i) {
    host[i] = keys_of ? static_cast<float>(i) / 64 : 0x1.1d85b6p-1F;
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 2 * sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 2 * sizeof(host));
  if (keys_of) {
    keys<<<1, 64>>>(out, in);
  } else {
    packed<<<1, 64>>>(out, in);
  }
  cudaDeviceSynchronize();
}
