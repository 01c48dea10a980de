// A program whose kernels access memory, and which then ends as its first argument says.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace ct = cuda::tiles;

__tile_global__ void count(int* cells) {
  ct::atomic_add(cells, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}

__tile_global__ void count_and_abort(int* cells) {
  ct::atomic_add(cells, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  std::abort();
}

int main(int, char** words) {
  const auto is = [&](const char* way) { return std::strcmp(words[1], way) == 0; };
  int* cells = nullptr;
  cudaMalloc(&cells, sizeof(int));
  cudaMemset(cells, 0, sizeof(int));
  if (is("abort-inside"))
    count_and_abort<<<8, 1>>>(cells);
  else
    count<<<8, 1>>>(cells);
  cudaDeviceSynchronize();
  if (is("_exit"))
    _exit(0);
  if (is("quick_exit"))
    std::quick_exit(0);
  if (is("exec"))
    execlp("true", "true", nullptr);
  if (is("kill"))
    raise(SIGKILL);
  if (is("raise-segv"))
    raise(SIGSEGV);
  if (is("raise-bus"))
    raise(SIGBUS);
  if (is("raise-fpe"))
    raise(SIGFPE);
  if (is("abort"))
    std::abort();
  throw 1;
}
