// A thread of the host sets a flag and ends at once, again and again: just behind the last look of those who wait.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <thread>

__global__ void raw(volatile int* stop) {
  while (*stop == 0) {
  }
}

int main() {
  int* stop = nullptr;
  cudaMallocManaged(&stop, sizeof *stop);
  for (int i = 0; i < 400; ++i) {
    *stop = 0;
    std::thread other([stop, i] {
      std::this_thread::sleep_for(std::chrono::microseconds(500 + (37 * i) % 1500));
      std::atomic_ref<int>(*stop).store(1);
    });
    other.detach();
    raw<<<1, 1>>>(stop);
    cudaDeviceSynchronize();
  }
  std::printf("done\n");
}
