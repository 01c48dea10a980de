// Kernels and launches in a header, for launches.cu.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_tile.h"

template <typename T, int N>
__tile_global__ void add_number(T* out, T value) {
  namespace ct = cuda::tiles;
  auto i = static_cast<int>(ct::bid().x) * N + ct::iota<ct::tile<int, ct::shape<N>>>();
  ct::store(out + i, ct::load(out + i) + value);
}

inline void launch_from_header(int* out, int blocks) {
  add_number<int, 8><<<blocks, 1>>>(out, 1);
}

// A library's dispatcher: the kernel is a template parameter of the caller.
template <typename T>
struct adder {
  T value;
  cudaStream_t stream = nullptr;

  template <int N>
  void operator()(T* out, int n) const {
    dim3 grid((n + N - 1) / N);
    add_number<T, N><<<grid, dim3(1, 1, 1), 0, stream>>>(out, value);
  }
};

template <auto* Kernel, typename... Args>
void launch_any(dim3 grid, Args... args) {
  Kernel<<<grid, 1>>>(args...);
}
