// What a failed assert in a kernel prints, which error the runtime gives from when, and what other
// blocks still do. Each case is a process of its own, since the device is of no use afterwards.
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda_tile.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ct = ::cuda::tiles;
using namespace ct::literals;

__tile_global__ void one_of_many(int which, int* seen) {
  const int b = ct::bid().x;
  seen[b] = 1;
  assert(b != which && "this one");
  seen[b] = 2;
}

template <class T>
__tile__ void check(T x) {
  assert(x > T(3));
}
__tile_global__ void in_a_function(int n, int* seen) {
  check(n + 2);
  check(static_cast<float>(n));
  seen[0] = 1;
}

__tile_global__ void of_tiles(int n, int* seen) {
  auto v = ct::iota<ct::tile<int, ct::shape<8>>>();
  assert(ct::all_of(v < n, 0_ic));
  assert(ct::reduce_max(v, 0_ic) < 7);
  seen[0] = 1;
}

__tile_global__ void holds(int n, int* seen) {
  assert(n > 0);
  assert(seen);
  assert((ct::full<ct::tile<bool, ct::shape<>>>(n > 1)));
  seen[0] = 5;
}

__global__ void not_a_tile_kernel(int n, int* seen) {
  seen[0] = 1;
  assert(n == 1 || threadIdx.x != 1);
  if (threadIdx.x == 0) {
    seen[1] = 2;
  }
}

static void say(const char* what, cudaError_t error) {
  std::printf("%s: %s (%d)\n", what, cudaGetErrorName(error), static_cast<int>(error));
  std::fflush(stdout);
}

static int run(const char* name) {
  std::printf("%s\n", name);
  std::fflush(stdout);
  int* seen = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&seen), 4096, cudaHostAllocMapped);
  std::memset(seen, 0, 4096);
  int* memory = nullptr;
  cudaMalloc(&memory, 64);
  int copied = 77;
  cudaError_t waited = cudaSuccess;
  const cudaError_t before = cudaGetLastError();
  if (std::strcmp(name, "one of many") == 0) {
    one_of_many<<<200, 1>>>(37, seen);
  } else if (std::strcmp(name, "in a function") == 0) {
    in_a_function<<<1, 1>>>(2, seen);
  } else if (std::strcmp(name, "of tiles") == 0) {
    of_tiles<<<1, 1>>>(8, seen);
  } else if (std::strcmp(name, "not a tile kernel") == 0) {
    not_a_tile_kernel<<<1, 2>>>(0, seen);
  } else {
    holds<<<1, 1>>>(8, seen);
  }
  const cudaError_t launched = cudaGetLastError();
  waited = std::strcmp(name, "of tiles") == 0
               ? cudaMemcpy(&copied, memory, sizeof copied, cudaMemcpyDeviceToHost)
               : cudaDeviceSynchronize();
  say("before", before);
  say("launched", launched);
  say("waited", waited);
  say("peek", cudaPeekAtLastError());
  say("last", cudaGetLastError());
  say("last again", cudaGetLastError());
  say("stream", cudaStreamSynchronize(nullptr));
  say("copy", cudaMemcpy(&copied, memory, sizeof copied, cudaMemcpyDeviceToHost));
  void* more = nullptr;
  say("malloc", cudaMalloc(&more, 4));
  say("free", cudaFree(memory));
  int devices = 0;
  say("count", cudaGetDeviceCount(&devices));
  holds<<<1, 1>>>(8, seen + 512);
  say("launch", cudaGetLastError());
  say("wait", cudaDeviceSynchronize());
  // What the block that failed still stored is open: stores move across an assertion.
  int finished = 0;
  for (int i = 0; i < 512; ++i) {
    finished += i != 37 && seen[i] == 2 ? 1 : 0;
  }
  if (std::strcmp(name, "one of many") == 0) {
    std::printf("other blocks that came to their ends: %d\n", finished);
  }
  std::printf("the later launch ran: %s\n", seen[512] == 5 ? "yes" : "no");
  return 0;
}

int main() {
  for (const char* name : {"holds", "one of many", "in a function", "of tiles", "not a tile kernel"}) {
    const pid_t child = fork();
    if (child == 0) {
      return run(name);
    }
    waitpid(child, nullptr, 0);
  }
  return 0;
}
