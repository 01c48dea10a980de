// Host code that waits for a kernel without a call of the runtime, which a GPU's system scope permits: `load` polls
// managed memory, `exchange` and `compare` by updates that change nothing, `pinned` pinned memory.
// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>

#include <cstdio>
#include <string_view>

using shared = cuda::atomic_ref<int, cuda::thread_scope_system>;

__managed__ int flag;

__global__ void answer(int* at) {
  while (shared(*at).load() == 0) {
  }
  shared(*at).store(2);
}

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "load";
  int* at = &flag;
  if (mode == "pinned") {
    cudaMallocHost(&at, sizeof(int));
    *at = 0;
  }
  answer<<<1, 1>>>(at);
  shared(*at).store(1);
  if (mode == "exchange") {
    while (shared(*at).fetch_add(0) != 2) {
    }
  } else if (mode == "compare") {
    for (int expected = 2; !shared(*at).compare_exchange_strong(expected, 3); expected = 2) {
    }
  } else {
    while (shared(*at).load() != 2) {
    }
  }
  std::printf("answered\n");
  if (mode == "pinned") {
    cudaDeviceSynchronize();
    cudaFreeHost(at);
  }
  return cudaDeviceSynchronize();
}
