// What the programs of this folder share: short names, memory, and the end of a program.
//
// A program is compiled twice, as it is and with -DRACY. check.py says how its comments are read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cstdio>
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

/// Device memory that holds 0; the host has waited for it.
template <class T = int>
T* zeros(int n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemset(p, 0, n * sizeof(T));
  cudaDeviceSynchronize();
  return p;
}

/// Device memory that holds the values; the host has waited for it.
template <class T>
T* copied(const std::vector<T>& values) {
  T* p = nullptr;
  cudaMalloc(&p, values.size() * sizeof(T));
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

/// The program's exit status, when all work is done.
inline int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("CUDA error: %s\n", cudaGetErrorString(error));
  }
  return error == cudaSuccess ? 0 : 1;
}
