// Every way in which a stepped program can end; the first argument says which.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <csignal>
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

__tile_global__ void spin(int* p) {
  const int seen = (int)ct::load(p);
  static_cast<void>(!write(STDOUT_FILENO, "spins\n", 6)); // no operation
  volatile int zero = 0;
  while (zero == 0) {
  }
  ct::store(p, seen);
}

__tile_global__ void write_and_spin(int* p) {
  ct::store(p, 9);
  static_cast<void>(!write(STDOUT_FILENO, "written\n", 8)); // no operation
  volatile int zero = 0;
  while (zero == 0) {
  }
}

__tile_global__ void divide(int* p, int by) {
  const int seen = (int)ct::load(p);
  ct::store(p, seen / by);
}

void spin_on_the_host(const char* when) {
  std::printf("%s\n", when);
  volatile int zero = 0;
  for (unsigned long round = 1; zero == 0; ++round) {
    if (round % 100'000'000 == 0) {
      std::printf("spins on\n");
    }
  }
}

int main(int count, char** words) {
  const char* how = count > 1 ? words[1] : "";
  const auto is = [how](const char* name) { return std::strcmp(how, name) == 0; };
  if (is("early abort")) {
    std::abort();
  } else if (is("early spin")) {
    spin_on_the_host("spins early");
  }
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
  } else if (is("spin")) {
    spin<<<1, 1>>>(p);
    cudaDeviceSynchronize();
  } else if (is("write and spin")) {
    write_and_spin<<<1, 1>>>(p);
    cudaDeviceSynchronize();
  } else if (is("late spin")) {
    spin_on_the_host("spins late");
  } else if (is("null")) {
    *(volatile int*)nullptr = 1;
  } else if (is("sent")) {
    std::raise(SIGSEGV);
  } else if (is("divide")) {
    divide<<<2, 1>>>(p, count - 2);
    cudaDeviceSynchronize();
  }
  cudaFree(p);
}
