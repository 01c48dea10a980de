// A block stores the time: it does something else each time that it is run, and is not explored.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__device__ long long now() {
#ifdef __x86_64__
  return static_cast<long long>(__builtin_ia32_rdtsc());
#else
  long long ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

__global__ void stamp(int* flag, int* time) {
  if (blockIdx.x == 0) {
    shared(*flag).store(1, relaxed);
  } else {
    shared(*time).store(static_cast<int>(now()), relaxed);
    shared(*time).store(shared(*flag).load(relaxed), relaxed);
  }
}
__global__ void look(int* time, int* flag) {
  shared(*flag).store(shared(*time).load(relaxed), relaxed);
}

int main() {
  int* const flag = zeros(1);
  int* const time = zeros(1);
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  stamp<<<2, 1>>>(flag, time);
  look<<<1, 1, 0, other>>>(time, flag);
  cudaDeviceSynchronize();
  cudaStreamDestroy(other);
  cudaFree(flag);
  cudaFree(time);
}
