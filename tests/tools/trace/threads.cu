// Blocks of two threads: a value passed by a release and an acquire, another by fences.
// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>
#include <cuda_runtime.h>

using flag_type = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void pass(int* data, int* flags, int* out) {
  flag_type first(flags[0]);
  flag_type second(flags[1]);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 41;
    first.store(1, cuda::memory_order_release);
    data[1] = 42;
    __threadfence();
    second.store(1, cuda::memory_order_relaxed);
  }
  if (blockIdx.x == 1 && threadIdx.x == 1) {
    while (first.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = data[0];
    while (second.load(cuda::memory_order_relaxed) == 0) {
    }
    __threadfence();
    out[1] = data[1];
  }
}

int main() {
  int *data = nullptr, *flags = nullptr, *out = nullptr;
  cudaMalloc(&data, 2 * sizeof(int));
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(flags, 0, 2 * sizeof(int));
  pass<<<2, 2>>>(data, flags, out);
  int result[2] = {};
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(flags);
  cudaFree(out);
  return result[0] == 41 && result[1] == 42 ? 0 : 1;
}
