// Two buffers are swapped while a launch that was given them has not run: it waits behind another one, which waits
// for a third. Whatever is told of it has the names of its call.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <utility>

namespace ct = cuda::tiles;

__tile_global__ void wait_for(int* flag) {
  while ((int)ct::atomic_load<ct::memory_order::acquire, ct::thread_scope::device>(flag) == 0) {
  }
}

__tile_global__ void raise_flag(int* flag) {
  ct::atomic_store<ct::memory_order::release, ct::thread_scope::device>(flag, 1);
}

__tile_global__ void advance(const int* from, int* to) {
  ct::store(to + 4, (int)ct::load(from)); // outside
}

static int* zeros() {
  int* p = nullptr;
  cudaMalloc(&p, 4 * sizeof(int));
  cudaMemset(p, 0, 4 * sizeof(int));
  return p;
}

int main() {
  int* cur = zeros();
  int* next = zeros();
  int* flag = zeros();
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  wait_for<<<1, 1, 0, first>>>(flag);
  advance<<<1, 1, 0, first>>>(cur, next);
  std::swap(cur, next);
  raise_flag<<<1, 1, 0, second>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(cur);
  cudaFree(next);
  cudaFree(flag);
}
