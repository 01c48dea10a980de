// Strong loads and stores of vectors, inline PTX: devices perform each at once, as CUB's look-back takes them to.
// [PTX: vector data-types leaves their elements without an order]
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned torn;

__global__ void pairs_of_words(void* memory) {
  for (unsigned n = 1; n <= 100; ++n) {
    unsigned a = n, b = n;
    if (blockIdx.x == 0) {
      asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(memory), "r"(a), "r"(b) : "memory");
    } else {
      asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(memory) : "memory");
      if (a != b) {
        atomicAdd(&torn, 1);
      }
    }
  }
}
__global__ void pairs_of_long_words(void* memory) {
  for (unsigned n = 1; n <= 100; ++n) {
    unsigned long long a = n, b = n;
    if (blockIdx.x == 0) {
      asm volatile("st.release.gpu.v2.u64 [%0], {%1, %2};" ::"l"(memory), "l"(a), "l"(b) : "memory");
    } else {
      asm volatile("ld.acquire.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(memory) : "memory");
      if (a != b) {
        atomicAdd(&torn, 1);
      }
    }
  }
}
__global__ void four_words(void* memory) {
  for (unsigned n = 1; n <= 100; ++n) {
    unsigned a = n, b = n, c = n, d = n;
    if (blockIdx.x == 0) {
      asm volatile("st.relaxed.gpu.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(memory), "r"(a), "r"(b), "r"(c), "r"(d)
                   : "memory");
    } else {
      asm volatile("ld.relaxed.gpu.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "l"(memory)
                   : "memory");
      if (a != b || b != c || c != d) {
        atomicAdd(&torn, 1);
      }
    }
  }
}

int main() {
  void* memory = nullptr;
  cudaMalloc(&memory, 16);
  cudaMemset(memory, 0, 16);
  pairs_of_words<<<2, 1>>>(memory);
  cudaMemset(memory, 0, 16);
  pairs_of_long_words<<<2, 1>>>(memory);
  cudaMemset(memory, 0, 16);
  four_words<<<2, 1>>>(memory);
  unsigned result = 1;
  cudaMemcpyFromSymbol(&result, torn, sizeof result);
  cudaFree(memory);
  std::printf("%u torn\n", result);
  return static_cast<int>(result);
}
