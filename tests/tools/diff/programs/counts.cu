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

__global__ void limits(unsigned* bins) { // the first 1024 leave a mark, the same one in many orders
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (atomicAdd(bins, 1U) < 1024) {
    atomicOr(bins + 1, 1U << (i / 1024));
  }
}

__global__ void stores(unsigned* bins) { // which additions come behind the last of them?
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> all(bins[0]);
  if (i % 4096 == 0) {
    all.store(0, cuda::memory_order_relaxed);
  }
  all.fetch_add(1, cuda::memory_order_relaxed);
}

__global__ void floats_too(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (i % 2 == 0) {
    atomicAdd(reinterpret_cast<float*>(bins), 1.0f);
  } else {
    atomicAdd(bins, 1U);
  }
}

__global__ void overlaps(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  atomicMax(reinterpret_cast<unsigned long long*>(bins), static_cast<unsigned long long>(i) << 32U);
  atomicAdd(bins + 1, 1U);
}

__global__ void beside(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (i < 8) {
    bins[8 + i] = 2 * i;
  }
  atomicAdd(bins + (i % 8), 1U);
}

__global__ void times(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (i < 8) {
    bins[i] = static_cast<unsigned>(clock64());
    bins[8 + i] = 3;
  }
}

__global__ void polls(unsigned* bins) {
  const unsigned i = (blockIdx.x * blockDim.x) + threadIdx.x;
  atomicAdd(bins, 1U);
  if (i == 0) {
    while (*static_cast<volatile unsigned*>(bins) < 32768) {
    }
    atomicMax(bins + 1, 1U);
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
  } else if (is("mixed")) {
    mixed<<<128, 256>>>(bins);
  } else if (is("limits")) {
    limits<<<128, 256>>>(bins);
  } else if (is("stores")) {
    stores<<<128, 256>>>(bins);
  } else if (is("floats_too")) {
    floats_too<<<128, 256>>>(bins);
  } else if (is("overlaps")) {
    overlaps<<<128, 256>>>(bins);
  } else if (is("beside")) {
    beside<<<128, 256>>>(bins);
  } else if (is("times")) {
    times<<<128, 256>>>(bins);
  } else {
    polls<<<128, 256>>>(bins);
  }
  cudaDeviceSynchronize();
}
