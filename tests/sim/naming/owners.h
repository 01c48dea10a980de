// What people put between their code and cudaMalloc: functions, factories, classes with resources
// of their own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_tile.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t e_ = (call);                                                                 \
    if (e_ != cudaSuccess) {                                                                       \
      std::printf("%s\n", cudaGetErrorString(e_));                                                 \
      std::exit(7);                                                                                \
    }                                                                                              \
  } while (0)

inline void assert_success(cudaError_t e, const char* /*file*/, int /*line*/) {
  if (e != cudaSuccess) {
    std::exit(7);
  }
}
#define GPU(call) assert_success((call), __FILE__, __LINE__)

template <class T>
T* alloc(std::size_t n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  return p;
}
template <class T>
T* alloc_void(std::size_t n) {
  void* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  return static_cast<T*>(p);
}
template <class T>
void alloc_into(T** out, std::size_t n) {
  CHECK(cudaMalloc((void**)out, n * sizeof(T)));
}
template <class T>
void alloc_ref(T*& out, std::size_t n) {
  CHECK(cudaMalloc(&out, n * sizeof(T)));
}
struct deleter {
  void operator()(void* p) const { cudaFree(p); }
};
template <class T>
struct cuda_delete {
  void operator()(T* p) const { cudaFree(p); }
};
template <class T>
using device_ptr = std::unique_ptr<T[], deleter>;
template <class T>
std::unique_ptr<T, cuda_delete<T>> make_unique_device(std::size_t n) {
  T* raw;
  CHECK(cudaMalloc(&raw, n * sizeof(T)));
  return std::unique_ptr<T, cuda_delete<T>>(raw);
}
template <class T>
device_ptr<T> make_device(std::size_t n) {
  void* raw;
  CHECK(cudaMalloc(&raw, n * sizeof(T)));
  return device_ptr<T>(static_cast<T*>(raw));
}
template <class T>
std::shared_ptr<T> make_shared_device(std::size_t n) {
  T* raw = nullptr;
  CHECK(cudaMalloc(&raw, n * sizeof(T)));
  return std::shared_ptr<T>(raw, [](T* p) { cudaFree(p); });
}
template <class T>
std::shared_ptr<T> make_shared_void(std::size_t n) {
  void* raw = nullptr;
  CHECK(cudaMalloc(&raw, n * sizeof(T)));
  return {static_cast<T*>(raw), cudaFree};
}
template <class T>
class device_vector {
public:
  explicit device_vector(std::size_t n)
      : size_(n) {
    CHECK(cudaMalloc(&data_, n * sizeof(T)));
  }
  device_vector(device_vector&& o) noexcept
      : data_(o.data_)
      , size_(o.size_) {
    o.data_ = nullptr;
  }
  device_vector& operator=(device_vector&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  device_vector() = default;
  ~device_vector() { cudaFree(data_); }
  T* data() { return data_; }
  void resize(std::size_t n) {
    cudaFree(data_);
    CHECK(cudaMalloc(&data_, n * sizeof(T)));
    size_ = n;
  }
  static device_vector zeros(std::size_t n) {
    device_vector v(n);
    CHECK(cudaMemset(v.data_, 0, n * sizeof(T)));
    return v;
  }

private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};
template <class T>
struct device_allocator {
  using value_type = T;
  T* allocate(std::size_t n) {
    void* p;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    return (T*)p;
  }
  void deallocate(T* p, std::size_t) { cudaFree(p); }
};
template <class T, class A = device_allocator<T>>
class vec {
  A a_;
  T* first_;
  std::size_t n_;

public:
  explicit vec(std::size_t n)
      : first_(a_.allocate(n))
      , n_(n) {}
  ~vec() { a_.deallocate(first_, n_); }
  T* data() { return first_; }
};
struct raw_buffer {
  void* p = nullptr;
  std::size_t bytes = 0;
  explicit raw_buffer(std::size_t b)
      : bytes(b) {
    CHECK(cudaMalloc(&p, b));
  }
  ~raw_buffer() { cudaFree(p); }
  template <class T>
  T* as() {
    return static_cast<T*>(p);
  }
};
struct pool {
  std::vector<void*> all;
  void* get(std::size_t n) {
    void* p;
    CHECK(cudaMalloc(&p, n));
    all.push_back(p);
    return p;
  }
  ~pool() {
    for (void* p : all)
      cudaFree(p);
  }
};
struct model {
  float* weights;
  float* bias;
  void init(std::size_t n) {
    CHECK(cudaMalloc(&weights, n * 4));
    CHECK(cudaMalloc(&bias, n * 4));
  }
};
struct layer {
  device_vector<float> w;
  device_vector<float> b;
  layer(std::size_t n)
      : w(n)
      , b(n) {}
  static layer create(std::size_t n) { return layer(n); }
  static std::unique_ptr<layer> make(std::size_t n) { return std::make_unique<layer>(n); }
};
struct singleton {
  float* buffer = nullptr;
  static singleton& get() {
    static singleton s;
    return s;
  }
  void ensure(std::size_t n) {
    if (buffer == nullptr)
      CHECK(cudaMalloc(&buffer, n * 4));
  }
};
inline std::shared_ptr<float> adopt(float* raw) {
  return std::shared_ptr<float>(raw, cudaFree);
}
struct alloc_result {
  float* p;
  cudaError_t e;
};
inline alloc_result try_alloc(std::size_t n) {
  alloc_result r{};
  r.e = cudaMalloc(&r.p, n * 4);
  return r;
}
template <class T>
std::pair<T*, T*> alloc_two(std::size_t n) {
  return {alloc<T>(n), alloc<T>(n)};
}
template <class F>
auto timed(F&& f) {
  return f();
}
struct temp_buffer {
  float* data_;
  explicit temp_buffer(std::size_t n) {
    float* raw;
    CHECK(cudaMalloc(&raw, n * 4));
    data_ = raw;
  }
};
