// Two streams free one allocation, the second one before the first has come to it. Repaired: one of them does.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__tile_global__ void wait(int* flag) {
  while (ct::atomic_load<acquire, in_system>(flag) == 0) {
  }
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int* flag = managed(1);
  int* data = nullptr;
  cudaMallocAsync(&data, 8 * sizeof(int), first);
  cudaStreamSynchronize(first);
  wait<<<1, 1, 0, first>>>(flag);
  cudaFreeAsync(data, first);
#ifdef RACY
  cudaFreeAsync(data, second); // race: api-misuse
  std::printf("expect: cudaFreeAsync: freed twice: allocation #2 (32 bytes of device memory\n");
  std::printf("expect: freed in a stream at freed_twice.cu:21\n");
#endif
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
  return finish();
}
