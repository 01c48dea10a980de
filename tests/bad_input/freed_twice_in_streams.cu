// Two streams free one allocation, the second one before the first has come to it.
#include "cuda_tile.h"
#include <cuda/atomic>

namespace ct = cuda::tiles;

__tile_global__ void wait(int* flag) {
  while (ct::atomic_load<ct::memory_order::relaxed, ct::thread_scope::system>(flag) == 0) {
  }
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int* flag = nullptr;
  cudaMallocManaged(&flag, sizeof(int));
  int* data = nullptr;
  cudaMallocAsync(&data, 8 * sizeof(int), first);
  wait<<<1, 1, 0, first>>>(flag);
  cudaFreeAsync(data, first);
  cudaFreeAsync(data, second);
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_relaxed);
  cudaDeviceSynchronize();
  cudaFree(flag);
}
