// What people put between their code and cudaMalloc.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_tile.h"

#include <cstddef>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess) {                                                                   \
      return;                                                                                      \
    }                                                                                              \
  } while (0)

template <class T>
struct dbuf {
  T* p = nullptr;
  std::size_t n = 0;
  explicit dbuf(std::size_t count)
      : n(count) {
    CHECK(cudaMalloc(&p, n * sizeof(T)));
  }
  explicit dbuf(const std::vector<T>& v)
      : dbuf(v.size()) {
    CHECK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  dbuf(dbuf&& other) noexcept
      : p(other.p)
      , n(other.n) {
    other.p = nullptr;
  }
  dbuf& operator=(dbuf&&) = delete;
  dbuf(const dbuf&) = delete;
  dbuf& operator=(const dbuf&) = delete;
  ~dbuf() { cudaFree(p); }
  std::vector<T> get() const {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
};

/// The pointer comes back by value, or through a parameter.
template <class T>
T* make(std::size_t n) {
  T* fresh = nullptr;
  cudaMalloc(&fresh, n * sizeof(T));
  return fresh;
}
template <class T>
void make_into(T*& out, std::size_t n) {
  cudaMalloc(reinterpret_cast<void**>(&out), n * sizeof(T));
}

struct device_delete {
  void operator()(void* p) const { cudaFree(p); }
};

/// What people put between their code and memory that host and device share.
inline int total(const int* p, std::size_t n) {
  int sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += p[i];
  }
  return sum;
}
inline void start_copy(int* to, const int* from, std::size_t n, cudaStream_t stream) {
  cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDefault, stream);
}
