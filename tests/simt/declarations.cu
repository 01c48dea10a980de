// Every way in which __shared__ variables are declared, unmodified: each holds what it is to.
// SPDX-License-Identifier: Apache-2.0
#include "declarations.h"

#include <cstdio>
#include <cstdlib>

#define ROWS 4
#define SHARED __shared__
#define VOLATILE_SHARED static __shared__ volatile
#define TILE(type, name, n) __shared__ type name[n]
#define PAIR(a, b) __shared__ int a##_s, b##_s[2];

extern __shared__ float everywhere[];
__shared__ int outside, outside_too[3];
namespace deep {
__shared__ unsigned outside;
extern __shared__ double everywhere_too[];
} // namespace deep

struct particle {
  float x, y;
  int kind;
};
template <class T>
struct storage {
  struct type {
    T values[4];
  };
};
enum class colour : unsigned char { red, blue };

/// The well-known way around dynamic arrays of different types in templates.
template <class T>
struct dynamic_memory {
  __device__ operator T*() {
    extern __shared__ int bytes_of_all[];
    return reinterpret_cast<T*>(bytes_of_all);
  }
};

__device__ int counted(int by) {
  __shared__ int count;
  if (threadIdx.x == 0 && by == 0) {
    count = 0;
  }
  __syncthreads();
  return atomicAdd(&count, by);
}

template <class T, int N>
__device__ T* scratch() {
  __shared__ T values[N];
  return values;
}

#define EXPECT(condition)                                                                          \
  if (!(condition)) {                                                                              \
    printf("line %d, block %d, thread %d: %s\n", __LINE__, blockIdx.x, threadIdx.x, #condition);   \
    *failed = 1;                                                                                   \
  }

// One kernel in spite of its length: a row for each form, and all of one block's memory.
template <class T>
__global__ void forms(int* failed) {
  const int t = static_cast<int>(threadIdx.x);
  const int b = static_cast<int>(blockIdx.x);
  __shared__ T plain[8];
  static __shared__ T with_static[8];
  T __shared__ behind_type[8];
  const int unrelated = 3;
  __shared__ alignas(64) unsigned char bytes[8 * sizeof(T)];
  __align__(32) __shared__ char aligned_before[8];
  __shared__ __align__(128) char aligned_behind[8];
  alignas(16) static __shared__ char aligned_first[8];
  __shared__ T table[ROWS][8 + 1], cube[2][2][8], *pointer, scalar;
  __shared__ particle particles[8];
  __shared__ struct {
    int a;
    T b[2];
  } nameless[8];
  __shared__ union {
    float f;
    unsigned u;
  } both[8];
  __shared__ typename storage<T>::type dependent;
  __shared__ volatile int changing[8];
  __shared__ colour colours[8];
  __shared__ int (*function)(int);
  SHARED T by_macro[8];
  VOLATILE_SHARED int by_two[8];
  TILE(T, by_use, 8);
  PAIR(left, right)
  IN_HEADER(T, from_header);
  __shared__ float const_extent[(2 > 1) ? 8 : 4];
  T* const dynamic = dynamic_memory<T>();

  plain[t] = static_cast<T>(t + b);
  with_static[t] = static_cast<T>(t + 1);
  behind_type[t] = static_cast<T>(t + 2);
  reinterpret_cast<T*>(bytes)[t] = static_cast<T>(t + 3);
  aligned_before[t] = aligned_behind[t] = aligned_first[t] = static_cast<char>(t);
  table[t % ROWS][t] = static_cast<T>(t + 4);
  cube[1][0][t] = static_cast<T>(t + 5);
  particles[t] = {1.0F, 2.0F, t};
  nameless[t].a = t;
  nameless[t].b[1] = static_cast<T>(t + 6);
  both[t].f = 1.0F;
  changing[t] = t;
  colours[t] = t % 2 == 0 ? colour::red : colour::blue;
  by_macro[t] = static_cast<T>(t + 7);
  by_two[t] = t;
  by_use[t] = static_cast<T>(t + 8);
  from_header[t] = static_cast<T>(t + 9);
  const_extent[t] = 1.5F;
  scratch<T, 8>()[t] = static_cast<T>(t + 10);
  scratch<T, 9>()[t] = static_cast<T>(t + 11);
  dynamic[t] = static_cast<T>(t + 12);
  if (t == 0) {
    pointer = plain;
    scalar = static_cast<T>(13);
    function = nullptr;
    left_s = 14;
    right_s[1] = 15;
    dependent.values[3] = static_cast<T>(16);
    outside = 17 + b;
    outside_too[2] = 18;
    deep::outside = 19;
  }
  __syncthreads();
  const int o = 7 - t;
  // Lambdas that capture by value, by name, or nothing at all: a variable of static storage needs
  // no capture.
  const auto by_value = [=] { return plain[o]; };
  const auto by_nothing = [](int i) { return with_static[i]; };
  const auto by_name = [o] { return behind_type[o]; };
  const auto by_reference = [&] { return by_macro[o]; };
  const auto nested = [=] { return [=] { return by_use[o]; }(); };
  EXPECT(by_value() == static_cast<T>(o + b) && pointer[o] == plain[o]);
  EXPECT(by_nothing(o) == static_cast<T>(o + 1) && by_name() == static_cast<T>(o + 2));
  EXPECT(by_reference() == static_cast<T>(o + 7) && nested() == static_cast<T>(o + 8));
  EXPECT(reinterpret_cast<T*>(bytes)[o] == static_cast<T>(o + 3) && unrelated == 3);
  EXPECT(reinterpret_cast<size_t>(bytes) % 64 == 0 &&
         reinterpret_cast<size_t>(aligned_before) % 32 == 0);
  EXPECT(reinterpret_cast<size_t>(aligned_behind) % 128 == 0 &&
         reinterpret_cast<size_t>(aligned_first) % 16 == 0);
  EXPECT(aligned_before[o] == o && aligned_behind[o] == o && aligned_first[o] == o);
  EXPECT(table[o % ROWS][o] == static_cast<T>(o + 4) && cube[1][0][o] == static_cast<T>(o + 5));
  EXPECT(particles[o].kind == o && nameless[o].a == o && nameless[o].b[1] == static_cast<T>(o + 6));
  EXPECT(both[o].u == 0x3f800000U && changing[o] == o && by_two[o] == o &&
         from_header[o] == static_cast<T>(o + 9));
  EXPECT(colours[o] == (o % 2 == 0 ? colour::red : colour::blue) && const_extent[o] == 1.5F);
  EXPECT((scratch<T, 8>()[o] == static_cast<T>(o + 10) &&
          scratch<T, 9>()[o] == static_cast<T>(o + 11)));
  EXPECT(dynamic[o] == static_cast<T>(o + 12) && reinterpret_cast<T*>(everywhere)[o] == dynamic[o]);
  EXPECT(static_cast<void*>(everywhere) == deep::everywhere_too && scalar == static_cast<T>(13));
  EXPECT(left_s == 14 && right_s[1] == 15 && dependent.values[3] == static_cast<T>(16) &&
         function == nullptr);
  EXPECT(outside == 17 + b && outside_too[2] == 18 && deep::outside == 19);
  EXPECT(sizeof plain == 8 * sizeof(T) && sizeof table == ROWS * 9 * sizeof(T));
  EXPECT(__isShared(plain) && __isShared(everywhere) && !__isShared(failed) && __isGlobal(failed));
  EXPECT(__cvta_shared_to_generic(__cvta_generic_to_shared(&plain[3])) == &plain[3]);
  counted(0);
  counted(t + 1); // 0 would begin anew
  __syncthreads();
  EXPECT(counted(1000) >= 28);
}

int main() {
  int* failed = nullptr;
  cudaMallocManaged(&failed, sizeof(int));
  *failed = 0;
  forms<int><<<3, 8, 8 * sizeof(int)>>>(failed);
  forms<double><<<3, 8, 8 * sizeof(double)>>>(failed);
  forms<short><<<dim3(2, 1, 2), dim3(8, 1, 1), 8 * sizeof(int)>>>(failed);
  cudaDeviceSynchronize();
  std::printf("%s\n", *failed != 0 ? "failed" : "as declared");
  cudaFree(failed);
}
