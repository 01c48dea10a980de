// Buffers in arrays, structs and helpers; threads of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

struct pair {
  float* first = nullptr;
  int* second = nullptr;
};

template <class T>
T* make(std::size_t count) {
  T* fresh = nullptr;
  cudaMalloc(&fresh, count * sizeof(T));
  return fresh;
}

void make_into(int** where) {
  cudaMalloc(where, 8);
}

int test() {
  auto *inside = make<int>(2), *beside = make<int>(2);
  return inside == beside ? 1 : 0;
}

__global__ void fill(float* a, float* b, int* c) {
  const unsigned i = blockIdx.x * 2 + threadIdx.x;
  a[i] = 1.0F;
  atomicAdd(b, 2.0F);
  c[i] = (int)blockIdx.x;
}

int main() {
  float* parts[3] = {};
  for (int i = 0; i < 2; ++i) {
    cudaMalloc(&parts[i], 4 * sizeof(float));
  }
  cudaMalloc(parts + 2,
             16);
  pair both;
  cudaMalloc(&both.first, 16); cudaMalloc(&both.second, 16);
  pair* behind = &both;
  cudaMalloc((void**)&behind->first, 16);
  int* made = make<int>(4);
  int failures = test();
  int* given = nullptr;
  make_into(&given);
  for (int i = 0; i < 2; ++i) {
    int* h = nullptr;
    cudaMalloc(&h, 4);
    cudaFree(h);
  }
  cudaMemset(both.first, 0, 16);
  failures += test();
  fill<<<2, 2>>>(parts[1], both.first, made);
  cudaDeviceSynchronize();
}
