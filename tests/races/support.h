// What the programs of this folder share: short names, memory, and the end of a program.
//
// A program is compiled twice, as it is and with -DRACY. check.py says how its comments are read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto acquire = ct::memory_order::acquire;
constexpr auto release = ct::memory_order::release;
constexpr auto acq_rel = ct::memory_order::acq_rel;

constexpr auto in_block = ct::thread_scope::block;
constexpr auto in_device = ct::thread_scope::device;
constexpr auto in_system = ct::thread_scope::system;

template <int N>
using ints = ct::tile<int, ct::shape<N>>;

__tile__ inline int block() {
  return ct::bid().x;
}

/// The sum of a row.
template <class T>
__tile__ int sum_of(const T& row) {
  return static_cast<int>(ct::sum(row, 0_ic));
}

/// Memory that finish() gives back.
struct kept {
  void* pointer;
  bool pinned;
};
inline std::vector<kept> all_kept;

inline void to_be_freed(void* p, bool pinned = false) {
  all_kept.push_back({p, pinned});
}

/// Device memory that nothing has been written to.
template <class T = int>
T* unwritten(int n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  to_be_freed(p);
  return p;
}

/// Memory of both sides, and memory of the host that kernels may use.
inline int* managed(int n) {
  int* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(int));
  to_be_freed(p);
  return p;
}
inline int* pinned(int n) {
  int* p = nullptr;
  cudaMallocHost(&p, n * sizeof(int));
  to_be_freed(p, true);
  return p;
}

/// Device memory that holds 0; the host has waited for it.
template <class T = int>
T* zeros(int n) {
  T* p = unwritten<T>(n);
  cudaMemset(p, 0, n * sizeof(T));
  cudaDeviceSynchronize();
  return p;
}

/// Device memory that holds the values; the host has waited for it.
template <class T>
T* copied(const std::vector<T>& values) {
  T* p = unwritten<T>(static_cast<int>(values.size()));
  cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  return p;
}

/// 0, 1, … n - 1.
inline std::vector<int> counting(int n) {
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) {
    v[i] = i;
  }
  return v;
}

/// Two different elements of n, the smaller one first, drawn from the number of the run.
inline std::pair<int, int> two_places(int n) {
  const char* run = std::getenv("TILESIM_RACES_PLACEMENT");
  std::mt19937 random(run == nullptr ? 0 : std::atoi(run));
  const int a = static_cast<int>(random() % n);
  const int b = (a + 1 + static_cast<int>(random() % (n - 1))) % n;
  return {std::min(a, b), std::max(a, b)};
}

/// The program's exit status, when all work is done and all memory given back.
inline int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("CUDA error: %s\n", cudaGetErrorString(error));
  }
  for (const kept& k : all_kept) {
    k.pinned ? cudaFreeHost(k.pointer) : cudaFree(k.pointer);
  }
  return error == cudaSuccess ? 0 : 1;
}
