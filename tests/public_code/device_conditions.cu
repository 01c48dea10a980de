// Code for devices behind conditions of __CUDA_ARCH__, as public programs have it: in kernels, around device functions, and with
// another for the host; a function whose branches both close it; a volatile variable that the host sets.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ int twice(int) { // for devices before 6.0
  return -1;
}
#endif

#if __CUDA_ARCH__ >= 700
__device__ int once(int x) {
  return x;
}
#else
__device__ int once(int) {
  return -1;
}
#endif

struct sums {
  __device__ int of(int a, int b) const {
#ifdef __CUDA_ARCH__
    return a + b;
#else
    return -1;
#endif
  }
  __host__ int of(int a, int b, int) const {
#ifdef __CUDA_ARCH__
    return -1;
#else
    return a + b;
#endif
  }
};

__host__ __device__ int closed_twice(int x) {
#ifdef __CUDA_ARCH__
  return x + 1;
}
#else
  return x;
}
#endif

__device__ volatile int flag;

template <bool Named>
__global__ void guarded(int* out) {
#if defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ >= 700)
  out[0] = once(7);
  if (Named) {
    out[1] = __CUDA_ARCH__ >= 700 ? 1 : 0;
#else
  if (Named) {
#endif
    out[2] = sums{}.of(1, 2);
  }
  out[3] = flag;
  out[4] = closed_twice(1);
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 5 * sizeof(int));
  cudaMemset(out, 0, 5 * sizeof(int));
  const int five = 5;
  cudaMemcpyToSymbol(flag, &five, sizeof five);
  guarded<true><<<1, 1>>>(out);
  int host[5] = {};
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int back = 0;
  cudaMemcpyFromSymbol(&back, flag, sizeof back);
  cudaFree(out);
  std::printf("%d %d %d %d %d %d %d %d\n", host[0], host[1], host[2], host[3], host[4], closed_twice(1), back, sums{}.of(1, 2, 0));
  return host[0] == 7 && host[1] == 1 && host[2] == 3 && host[3] == 5 && host[4] == 2 && closed_twice(1) == 1 && back == 5 && sums{}.of(1, 2, 0) == 3 ? 0 : 1;
}
