// A kernel waits for a flag that another thread of the host raises, and that thread for one that the kernel raises: it is
// ordered with the kernel without any CUDA call, and nothing of it is a race. Racy: main reads the result early.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <cuda/atomic>
#include <thread>

namespace ct = cuda::tiles;

__tile_global__ void compute(const int* input, int* flags, int* out) {
  while (ct::atomic_load<ct::memory_order::acquire, ct::thread_scope::system>(flags) == 0) {
  }
  ct::store(out, ct::load(input) + 1);
  ct::atomic_store<ct::memory_order::release, ct::thread_scope::system>(flags + 1, 1);
}

int main() {
  int *input = nullptr, *flags = nullptr, *out = nullptr;
  cudaMallocManaged(&input, sizeof(int));
  cudaMallocManaged(&flags, 2 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  compute<<<1, 1>>>(input, flags, out);
#ifdef RACY
  std::printf("%d\n", *out);
#endif
  std::thread helper([=] {
    *input = 41;
    cuda::atomic_ref<int, cuda::thread_scope_system>(flags[0]).store(1, cuda::memory_order_release);
    const cuda::atomic_ref<int, cuda::thread_scope_system> done(flags[1]);
    while (done.load(cuda::memory_order_acquire) == 0) {
    }
    std::printf("%d\n", *out);
  });
  int result = 0;
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost); // waits for the kernel
  helper.join();
  cudaFree(input);
  cudaFree(flags);
  cudaFree(out);
}
