// Atomic additions of floats and doubles by threads, whose order is open: by way of shared memory, too; and one whose old value is used.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void total(float* out, const float* in) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  __shared__ float part[4];
  if (threadIdx.x < 4) {
    part[threadIdx.x] = 0.0f;
  }
  __syncthreads();
  atomicAdd(&part[threadIdx.x % 4], in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&out[0], part[0] + part[1] + part[2] + part[3]);
  }
  if (i < 8) {
    out[1 + i] = 0.0f; // exact
  }
}

__global__ void refs(double* out, const float* in) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  const double x = in[i] / 3.0;
  cuda::atomic_ref<double, cuda::thread_scope_device>(out[0]).fetch_add(x, cuda::memory_order_relaxed);
  cuda::atomic_ref<double, cuda::thread_scope_device>(out[1]) -= x;
  asm volatile("red.global.add.f64 [%0], %1;" ::"l"(&out[2]), "d"(x) : "memory");
}

__global__ void olds(float* out, const float* in) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  const float old = atomicAdd(&out[0], in[i]);
  if (i == 5) {
    out[1] = old;
    out[2] = old > 1000.0f ? 7.0f : 3.0f;
  }
}

int main(int, char** arguments) {
  float *in, *out, host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = 0.1f * static_cast<float>(i + 1);
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 64);
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 64);
  if (std::strcmp(arguments[1], "total") == 0) {
    total<<<4, 16>>>(out, in);
  } else if (std::strcmp(arguments[1], "refs") == 0) {
    refs<<<4, 16>>>(reinterpret_cast<double*>(out), in);
  } else {
    olds<<<4, 16>>>(out, in);
  }
  cudaDeviceSynchronize();
}
