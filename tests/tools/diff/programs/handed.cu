// Threads that compute inexactly in loops, hand what they have to others of their warp, and update what decides later; a copy between two launches.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <cuda_runtime.h>

__global__ void loops(float* out, const float* in) {
  const unsigned i = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 6; ++k) {
    sum += std::exp(in[i] - 4.0f * static_cast<float>(k));
  }
  out[i] = sum;
}

__global__ void shuffles(float* out, const float* in) {
  const unsigned i = threadIdx.x;
  float sum = std::exp(in[i]);
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(0xffffffffU, sum, offset);
  }
  out[i] = sum;
}

__global__ void exponentials(float* out, const float* in) {
  out[threadIdx.x] = std::exp(in[threadIdx.x]);
}

__global__ void doubled(float* out, const float* in) {
  out[threadIdx.x] = 2.0f * in[threadIdx.x];
}

// The last but one of all tickets, and what its drawer adds up to.
__global__ void decides(float* out, const float*) {
  __shared__ int tickets;
  if (threadIdx.x == 0) {
    tickets = 0;
  }
  __syncthreads();
  const int first = atomicAdd(&tickets, 1);
  const int second = atomicAdd(&tickets, 1);
  if (first == 31 && second == 77) {
    out[0] = 1.0f + static_cast<float>(threadIdx.x);
  }
}

int main(int, char** arguments) {
  float *in, *out, *other, host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = 0.125f * static_cast<float>(i);
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(host));
  if (std::strcmp(arguments[1], "loops") == 0) {
    loops<<<1, 64>>>(out, in);
  } else if (std::strcmp(arguments[1], "shuffles") == 0) {
    shuffles<<<1, 64>>>(out, in);
  } else if (std::strcmp(arguments[1], "decides") == 0) {
    decides<<<1, 64>>>(out, in);
  } else {
    cudaMalloc(&other, sizeof(host));
    exponentials<<<1, 64>>>(other, in);
    cudaMemcpyAsync(in, other, sizeof(host), cudaMemcpyDeviceToDevice);
    doubled<<<1, 64>>>(out, in);
  }
  cudaDeviceSynchronize();
}
