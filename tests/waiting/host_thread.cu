// Blocks wait for a thread of the host's, which sets a flag after a while: host_thread MODE.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda/atomic>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

using flag_ref = cuda::atomic_ref<int, cuda::thread_scope_system>;
constexpr std::chrono::seconds longer_than_a_round{4};

__global__ void poll(int* stop, int* /*own*/) {
  while (flag_ref(*stop).load() == 0) {
  }
}
__global__ void raw(volatile int* stop, int* /*own*/) {
  while (*stop == 0) {
  }
}
__global__ void tickets(int* stop, int* own) {
  while (flag_ref(*stop).load() == 0) {
    flag_ref(*own).fetch_add(1);
  }
}
__global__ void token(int* stop, int* own) {
  const int me = int(blockIdx.x & 1);
  for (;;) {
    while (flag_ref(*own).load() != me) {
      if (flag_ref(*stop).load() != 0) {
        return;
      }
    }
    flag_ref(*own).store(1 - me);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  int* stop = nullptr;
  int* own = nullptr;
  cudaMallocManaged(&stop, sizeof *stop);
  *stop = 0;
  cudaMalloc(&own, sizeof *own);
  cudaMemset(own, 0, sizeof *own);
  std::thread other([stop] {
    std::this_thread::sleep_for(longer_than_a_round);
    flag_ref(*stop).store(1);
  });
#define MODE(name)                                                                                 \
  if (std::strcmp(mode, #name) == 0) {                                                             \
    name<<<4, 1>>>(stop, own);                                                                     \
  }
  MODE(poll)
  MODE(raw)
  MODE(tickets)
  MODE(token)
  cudaDeviceSynchronize();
  other.join();
  cudaFree(stop);
  cudaFree(own);
  std::puts("ended");
}
