// Strong reads of every kind that may take several writes: step through them with --model ptx. The program ends with 1 if a
// read took an older write.
//   message   a flag and a message of a tile kernel, twice written
//   tile      a relaxed load of four elements
//   volatile  a volatile read of a kernel of threads
//   fences    store buffering with sequentially consistent fences and reads
//   update    an addition, which has no choice
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cstdio>
#include <cstring>
#include <cuda/atomic>

namespace ct = cuda::tiles;
constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto device = ct::thread_scope::device;
using shared = cuda::atomic_ref<int, cuda::thread_scope_device>;

__tile_global__ void pass(int* message, int* flag, int* seen) {
  if (ct::bid().x == 0) {
    ct::atomic_store<relaxed, device>(message, 41);
    ct::atomic_store<relaxed, device>(message, 42);
    ct::atomic_store<relaxed, device>(flag, 1);
  } else {
    ct::store(seen, ct::atomic_load<relaxed, device>(flag));        // the flag
    ct::store(seen + 1, ct::atomic_load<relaxed, device>(message)); // the message
    ct::store(seen + 2, ct::atomic_load<relaxed, device>(message)); // again
  }
}

__tile_global__ void load_four(float* cells, float* seen) {
  const auto at = ct::iota<ct::tile<int, ct::shape<4>>>();
  if (ct::bid().x == 0) {
    ct::atomic_store<relaxed, device>(cells + 1, 1.5F);
    ct::atomic_store<relaxed, device>(cells + 3, 2.5F);
    ct::atomic_store<relaxed, device>(cells + 3, 3.5F);
  } else {
    ct::store(seen + at, ct::atomic_load<relaxed, device>(cells + at)); // four elements
  }
}

__global__ void poll(volatile int* flag, int* seen) {
  if (blockIdx.x == 0) {
    *flag = 7;
  } else {
    seen[0] = *flag; // volatile
  }
}

__global__ void look(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  shared(places[me]).store(1, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  seen[me] = shared(places[1 - me]).load(cuda::memory_order_seq_cst); // fenced
}

__global__ void count(int* places, int* seen) {
  seen[blockIdx.x] = shared(places[0]).fetch_add(1, cuda::memory_order_relaxed); // an update
}

template <class T>
T* zeros(int n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemset(p, 0, n * sizeof(T));
  return p;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "message";
  const auto is = [&](const char* word) { return std::strcmp(what, word) == 0; };
  int* const flags = zeros<int>(2);
  int* const seen = zeros<int>(4);
  float* const cells = zeros<float>(4);
  float* const took = zeros<float>(4);
  int wanted[3] = {0, 0, 0};
  if (is("message")) {
    pass<<<2, 1>>>(flags, flags + 1, seen);
    wanted[0] = 1, wanted[1] = wanted[2] = 42;
  } else if (is("tile")) {
    load_four<<<2, 1>>>(cells, took);
  } else if (is("volatile")) {
    poll<<<2, 1>>>(flags, seen);
    wanted[0] = 7;
  } else if (is("fences")) {
    look<<<2, 1>>>(flags, seen);
    wanted[1] = 1;
  } else {
    count<<<2, 1>>>(flags, seen);
    wanted[1] = 1;
  }
  int got[3];
  float of_tile[4];
  cudaMemcpy(got, seen, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(of_tile, took, sizeof of_tile, cudaMemcpyDeviceToHost);
  std::printf("seen %d %d %d, %g %g\n", got[0], got[1], got[2], of_tile[1], of_tile[3]);
  cudaFree(flags);
  cudaFree(seen);
  cudaFree(cells);
  cudaFree(took);
  return std::memcmp(got, wanted, sizeof got) == 0 ? 0 : 1;
}
