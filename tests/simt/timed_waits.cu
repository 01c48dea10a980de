// Waits that give up: of semaphores, barriers and pipelines, and loops that look at the host's clock. Nobody else does
// anything, and they end all the same. Checks itself.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>

#if __has_include(<cuda/std/chrono>) // libcu++'s, of which its own waits are
#include <cuda/std/chrono>
namespace chrono = cuda::std::chrono;
#else
#include <chrono>
namespace chrono = std::chrono;
#endif

__device__ int wrong;

__device__ void expect(bool as_it_should) {
  if (!as_it_should) {
    atomicAdd(&wrong, 1);
  }
}

#define WHILE_WAITING chrono::milliseconds(2)

__global__ void semaphores() {
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 4> free;
  if (threadIdx.x == 0) {
    new (&free) cuda::counting_semaphore<cuda::thread_scope_block, 4>(1);
  }
  __syncthreads();
  const bool got = free.try_acquire_for(WHILE_WAITING);
  expect(__syncthreads_count(got) == 1);
}

__global__ void barriers() {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (threadIdx.x == 0) {
    init(&all, blockDim.x + 1);
  }
  __syncthreads();
  auto phase = all.arrive();
  expect(!all.try_wait_for(std::move(phase), WHILE_WAITING));
  expect(!all.try_wait_parity_until(false, chrono::system_clock::now() + WHILE_WAITING));
  __syncthreads();
  if (threadIdx.x == 0) {
    static_cast<void>(all.arrive());
  }
  all.wait_parity(false);
}

__global__ void pipelines() {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_device, 1> state;
  auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  expect(!pipeline.consumer_wait_for(WHILE_WAITING));
}

__global__ void polls(int* flag) {
  const auto end = chrono::system_clock::now() + WHILE_WAITING;
  int seen = 0;
  while ((seen = *static_cast<volatile int*>(flag)) == 0 && chrono::system_clock::now() < end) {
  }
  expect(seen == 0);
}

int main() {
  static_assert(sizeof(cuda::barrier<cuda::thread_scope_block>) == 8);
  static_assert(sizeof(cuda::barrier<cuda::thread_scope_device>) == 8);
  int* flag = nullptr;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  semaphores<<<2, 3>>>();
  barriers<<<2, 3>>>();
  pipelines<<<1, 2>>>();
  polls<<<2, 2>>>(flag);
  const cudaError_t e = cudaDeviceSynchronize();
  int count = -1;
  cudaMemcpyFromSymbol(&count, wrong, sizeof count);
  cudaFree(flag);
  std::printf("%d wrong, %s\n", count, cudaGetErrorName(e));
}
