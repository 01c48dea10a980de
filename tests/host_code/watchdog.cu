// A handler of SIGALRM's that ends the program while a kernel runs: watchdog HOW.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

const char* how;

__tile_global__ void loop(int* p) {
  for (;;) {
    cuda::tiles::atomic_add<cuda::tiles::memory_order::relaxed, cuda::tiles::thread_scope::device>(p, 1);
  }
}

void on_alarm(int) {
  if (std::strcmp(how, "_exit") == 0) {
    _exit(3);
  } else if (std::strcmp(how, "exit") == 0) {
    std::exit(4);
  } else if (std::strcmp(how, "abort") == 0) {
    std::abort();
  }
  std::signal(SIGALRM, SIG_DFL);
  std::raise(SIGALRM);
}

int main(int /*count*/, char** arguments) {
  how = arguments[1];
  std::signal(SIGALRM, on_alarm);
  int* p = nullptr;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  ualarm(300'000, 0);
  loop<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
