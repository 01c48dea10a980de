// One block stores an int that another reads in halves: accesses that overlap in part are not explored.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void halves(int* whole, int* seen) {
  if (blockIdx.x == 0) {
    shared(*whole).store(0x10002, relaxed);
  } else {
    using half = cuda::atomic_ref<short, cuda::thread_scope_device>;
    *seen = half(reinterpret_cast<short*>(whole)[1]).load(relaxed);
  }
}

int main() {
  int* const whole = zeros(1);
  int* const seen = zeros(1);
  halves<<<2, 1>>>(whole, seen);
  cudaDeviceSynchronize();
  cudaFree(whole);
  cudaFree(seen);
}
