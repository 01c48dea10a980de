// Atomic updates of whole numbers by many threads, which come to the same in every order, unless somebody looks at what
// they give, or several operations update one place.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void histogram(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  atomicAdd(bins + (i % 8), 1U);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(bins[8]).fetch_max(i, cuda::memory_order_relaxed);
}

__global__ void of_ptx(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(bins + (i % 8)), "r"(1U) : "memory");
  unsigned old;
  asm volatile("atom.relaxed.gpu.global.max.u32 %0, [%1], %2;" : "=r"(old) : "l"(bins + 8), "r"(i) : "memory");
}

__global__ void looks(unsigned* bins) { // who is the 100th?
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (atomicAdd(bins + (i % 8), 1U) == 100 && i % 8 == 0) {
    bins[9] = i;
  }
}

__global__ void mixed(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (i % 64 == 0) {
    atomicMax(bins, i);
  } else {
    atomicAdd(bins, 1U);
  }
}

int main(int, char** arguments) {
  unsigned* bins = nullptr;
  cudaMalloc(&bins, 64);
  cudaMemset(bins, 0, 64);
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  if (is("histogram")) {
    histogram<<<128, 256>>>(bins);
  } else if (is("of_ptx")) {
    of_ptx<<<128, 256>>>(bins);
  } else if (is("looks")) {
    looks<<<128, 256>>>(bins);
  } else {
    mixed<<<128, 256>>>(bins);
  }
  cudaDeviceSynchronize();
}
