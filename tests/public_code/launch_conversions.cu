// Arguments of launches: each is converted to the parameter's type at the launch, once, as for a call.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <utility>

namespace ct = cuda::tiles;

int conversions = 0;

// A buffer that owns device memory, as hosts write it.
template <class T>
struct buffer {
  T* p = nullptr;
  explicit buffer(int n) {
    cudaMalloc(&p, n * sizeof(T));
    cudaMemset(p, 0, n * sizeof(T));
  }
  buffer(buffer&& other) noexcept : p(std::exchange(other.p, nullptr)) {}
  ~buffer() { cudaFree(p); }
  operator T*() {
    ++conversions;
    return p;
  }
  T get(int i = 0) const {
    T value;
    cudaMemcpy(&value, p + i, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }
};
struct view {
  float* p;
  operator float*() const { return p; }
};
struct two_ways { // C++ chooses by the object, not by the parameter
  float* writable;
  float* readable;
  operator float*() { return writable; }
  operator const float*() const { return readable; }
};
struct number {
  int n;
  operator int() const { return n; }
};
struct pair {
  int a;
  int b;
};
enum class mode { off, on = 5 };
template <class T>
struct identity {
  using type = T;
};

__tile_global__ void set(float* p, int value) {
  *p = static_cast<float>(value);
}
__tile_global__ void set_many(float* p, int n, const float* q, const void* r, long long s = 7, mode m = mode::on) {
  *p = static_cast<float>(n + s + static_cast<int>(m)) + (q ? *q : 0.5f) + (r ? 100 : 0);
}
__tile_global__ void overloaded(float* p) {
  *p = 1;
}
__tile_global__ void overloaded(double* p) {
  *p = 2;
}
__tile_global__ void overloaded(float* p, const float* q) {
  *p = *q + 3;
}
__tile_global__ void overloaded(float* p, float* q) {
  *p = *q + 4;
}
template <class T, int N>
__tile_global__ void explicit_only(T* p, T n) {
  *p = n + N;
}
template <int N, class T, class = void>
__tile_global__ void deduced(T* p, typename identity<T>::type n, const float* q = nullptr) {
  *p = n + N + (q ? *q : 0);
}
template <class... Ts>
__tile_global__ void variadic(float* p, Ts... ts) {
  *p = (static_cast<float>(ts) + ... + 0);
}
__tile_global__ void unnamed(float* p, int, const float*, const int n) {
  *p = static_cast<float>(n);
}
__global__ void simt(float* p, pair c, const pair d) {
  *p = static_cast<float>(c.a + 10 * c.b + 100 * d.a);
}
template <class T>
__global__ void simt_deduced(T* p, pair c) {
  *p = static_cast<T>(c.a + 10 * c.b);
}
__tile_global__ void halves(float* p, __half h, __nv_bfloat16 b) {
  *p = static_cast<float>(h) + static_cast<float>(b);
}
__tile_global__ void by_reference(int& managed) {
  managed = 42;
}
namespace inner {
__tile_global__ void set(float* p, bool value) {
  *p = value ? 8.0f : 9.0f;
}
} // namespace inner
#define DEFINE(name, value) __tile_global__ void name##_kernel(float* p) { *p = value; }
DEFINE(by_macro, 11)
#define PARAMETERS float *p, int n
__tile_global__ void hidden_parameters(PARAMETERS) {
  n += 1; // each block has its own
  *p = static_cast<float>(n);
}

struct bits {
  unsigned three : 3;
};
struct traits {
  static const int undefined = 21; // no definition: may not be bound to a reference
};

int main() {
  buffer<float> x(4);
  buffer<double> y(4);
  const view v{x.p + 1};
  set<<<1, 1>>>(x, 3);
  EXPECT(x.get() == 3);
  set<<<16, 1>>>(x, 0);
  EXPECT(x.get() == 0 && conversions == 2);
  set<<<1, 1>>>(v, {});
  EXPECT(x.get(1) == 0);
  set<<<1, 1>>>({v}, {number{4}});
  EXPECT(x.get(1) == 4);
  set<<<1, 1>>>(x, number{5});
  EXPECT(x.get() == 5);

  set_many<<<1, 1>>>(x, 0, NULL, nullptr);
  EXPECT(x.get() == 12.5f);
  set_many<<<1, 1>>>(x, 0, 0, 0, 0, mode::off);
  EXPECT(x.get() == 0.5f);
  set_many<<<1, 1>>>(x, number{1}, v, &x, 1L);
  EXPECT(x.get() == 111);

  two_ways t{x.p + 2, x.p + 3};
  const two_ways fixed = t;
  set<<<1, 1>>>(t, 30);
  set<<<1, 1>>>(x.p + 3, 40);
  set_many<<<1, 1>>>(x, 0, t, 0, 0, mode::off);
  EXPECT(x.get() == 30);
  set_many<<<1, 1>>>(x, 0, fixed, 0, 0, mode::off);
  EXPECT(x.get() == 40);

  overloaded<<<1, 1>>>(x);
  overloaded<<<1, 1>>>(y);
  EXPECT(x.get() == 1 && y.get() == 2);
  overloaded<<<1, 1>>>(x, t);
  EXPECT(x.get() == 34);
  overloaded<<<1, 1>>>(x, fixed);
  EXPECT(x.get() == 43);

  explicit_only<float, 2><<<1, 1>>>(x, 0);
  EXPECT(x.get() == 2);
  deduced<3><<<1, 1>>>(x.p, number{4});
  EXPECT(x.get() == 7);
  deduced<3><<<1, 1>>>(x.p, 0, fixed);
  EXPECT(x.get() == 43);
  variadic<<<1, 1>>>(x, 1, 2.5, 'a' - 'a');
  EXPECT(x.get() == 3.5f);
  variadic<int, int><<<1, 1>>>(x, number{1}, 2.5);
  EXPECT(x.get() == 3);
  unnamed<<<1, 1>>>(x, {}, 0, 6);
  EXPECT(x.get() == 6);

  simt<<<1, 1>>>(x, {1, 2}, {});
  EXPECT(x.get() == 21);
  simt<<<1, 1>>>(x, {.b = 3}, pair{1});
  EXPECT(x.get() == 130);
  simt_deduced<<<1, 1>>>(x.p, {4, 5});
  EXPECT(x.get() == 54);
  halves<<<1, 1>>>(x, __float2half(0.5f), __float2bfloat16(2.0f));
  EXPECT(x.get() == 2.5f);

  int* managed = nullptr;
  cudaMallocManaged(&managed, sizeof(int));
  by_reference<<<1, 1>>>(*managed);
  cudaDeviceSynchronize();
  EXPECT(*managed == 42);
  cudaFree(managed);

  inner::set<<<1, 1>>>(x, 2);
  EXPECT(x.get() == 8);
  by_macro_kernel<<<1, 1>>>(x);
  EXPECT(x.get() == 11);
  hidden_parameters<<<3, 1>>>(x, 12);
  EXPECT(x.get() == 13);

  const bits b{5};
  set<<<1, 1>>>(x, b.three);
  EXPECT(x.get() == 5);
  deduced<0><<<1, 1>>>(x.p, traits::undefined);
  EXPECT(x.get() == 21);

  void (*pointer)(float*, int) = &set;
  void (*table[])(float*, int) = {set};
  pointer<<<1, 1>>>(x, number{22});
  EXPECT(x.get() == 22);
  (*table[0])<<<1, 1>>>(buffer<float>(1), 0); // it lives until the launch is made
  table[0]<<<1, 1>>>(x, {23});
  EXPECT(x.get() == 23);
  set<<<1, 1>>>(x, (set<<<1, 1>>>(x, 1), static_cast<int>(x.get()) + 1));
  EXPECT(x.get() == 2);

  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 1;
  EXPECT(cudaLaunchKernelEx(&config, set_many, x, number{3}, v, nullptr, number{0}, mode::off) == cudaSuccess);
  EXPECT(x.get() == 7);
  return verdict("launch_conversions");
}
