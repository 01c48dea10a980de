// A pair of values that one thread changes and others read whole, without waiting for each other: a
// reader looks at the count of changes before and after, and reads again if it was odd or has changed.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

struct guarded {
  unsigned changes;
  int first, second; ///< the second is twice the first
};

using count_reference = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using value_reference = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ void write(guarded& g, int value) {
  const count_reference changes(g.changes);
  const unsigned before = changes.load(cuda::memory_order_relaxed);
  changes.store(before + 1, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  value_reference(g.first).store(value, cuda::memory_order_relaxed);
  value_reference(g.second).store(2 * value, cuda::memory_order_relaxed);
  changes.store(before + 2, cuda::memory_order_release);
}

__device__ int2 read(guarded& g) {
  const count_reference changes(g.changes);
  for (;;) {
    const unsigned before = changes.load(cuda::memory_order_acquire);
    const int first = value_reference(g.first).load(cuda::memory_order_relaxed);
    const int second = value_reference(g.second).load(cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    if (before % 2 == 0 && changes.load(cuda::memory_order_relaxed) == before) {
      return {first, second};
    }
  }
}

__global__ void use(guarded* g, int* torn, int rounds) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      for (int i = 1; i <= rounds; ++i) {
        write(*g, i);
      }
    }
    return;
  }
  int last = 0;
  for (int i = 0; i < rounds; ++i) {
    const int2 seen = read(*g);
    if (seen.y != 2 * seen.x || seen.x < last) {
      atomicAdd(torn, 1);
    }
    last = seen.x;
  }
}

int main() {
  guarded* g = nullptr;
  int* torn = nullptr;
  cudaMallocManaged(&g, sizeof *g);
  cudaMallocManaged(&torn, sizeof *torn);
  *g = {};
  *torn = 0;
  use<<<3, 4>>>(g, torn, 10);
  cudaDeviceSynchronize();
  std::printf("seqlock: %u changes, %d and %d at the end, %d reads torn\n", g->changes, g->first, g->second, *torn);
  const bool right = g->changes == 20 && g->second == 20 && *torn == 0;
  cudaFree(g);
  cudaFree(torn);
  return right ? 0 : 1;
}
