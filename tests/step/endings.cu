// Every way in which a stepped program can end; the first argument says which.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace ct = cuda::tiles;

__tile_global__ void fill(int* p) {
  ct::store(p + ct::iota<ct::tile<int, ct::shape<4>>>(), ct::full<ct::tile<int, ct::shape<4>>>(7));
}

__tile_global__ void wait_for_nobody(int* flag) {
  if ((int)ct::bid().x == 0) {
    while ((int)ct::atomic_add<ct::memory_order::acquire, ct::thread_scope::device>(flag, 0) == 0) {
    }
  }
}

__tile_global__ void outside(int* p) {
  ct::store(p + 4, 1);
}

__tile_global__ void race(int* p) {
  ct::store(p, (int)ct::bid().x);
}

__tile_global__ void forever(int* p) {
  for (;;) {
    ct::store(p, (int)ct::load(p) + 1);
  }
}

int main(int count, char** words) {
  const char* how = count > 1 ? words[1] : "";
  const auto is = [how](const char* name) { return std::strcmp(how, name) == 0; };
  int* p = nullptr;
  cudaMalloc(&p, 4 * sizeof(int));
  cudaMemset(p, 0, 4 * sizeof(int));
  fill<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("filled\n");
  if (is("abort")) {
    std::abort();
  } else if (is("exit")) {
    std::exit(5);
  } else if (is("_exit")) {
    std::fflush(stdout);
    _exit(6);
  } else if (is("host")) {
    *p = 1;
  } else if (is("deadlock")) {
    cudaMemset(p, 0, sizeof(int));
    wait_for_nobody<<<2, 1>>>(p);
    cudaDeviceSynchronize();
  } else if (is("outside")) {
    outside<<<1, 1>>>(p);
    cudaDeviceSynchronize();
  } else if (is("race")) {
    race<<<2, 1>>>(p);
    cudaDeviceSynchronize();
  } else if (is("forever")) {
    forever<<<1, 1>>>(p);
    cudaDeviceSynchronize();
  }
  cudaFree(p);
}
