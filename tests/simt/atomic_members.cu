// Every member of cuda::atomic_ref, cuda::std::atomic_ref, cuda::atomic, cuda::std::atomic and atomic_flag, once for each type,
// and with every order at every scope: what it gives and what it leaves behind, a row each; "-": it is not well-formed.
//
// Built by NVIDIA's compiler and run on a device it wrote atomic_members.txt; tilesim must print the same.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cuda/atomic>
#include <cuda/std/atomic>

#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

struct pair {
  int a, b;
  __host__ __device__ bool operator==(const pair& other) const { return a == other.a && b == other.b; }
};
struct alignas(16) wide {
  long long a, b;
  __host__ __device__ bool operator==(const wide& other) const { return a == other.a && b == other.b; }
};
enum color : unsigned short { red, green = 13, blue = 6 };

/// What objects lie in, each row in the same place: pointers are to it.
__device__ int target[64];
alignas(16) __device__ unsigned char place[16];

/// Bits of a value; a pointer's are its distance from `target`, in bytes.
template <class T>
__device__ void print(const T& value) {
  unsigned long long words[2] = {};
  memcpy(words, &value, sizeof value);
  if constexpr (std::is_pointer_v<T>) {
    words[0] -= reinterpret_cast<unsigned long long>(target);
  }
  if constexpr (sizeof(T) > 8) {
    printf(" %llx:%llx", words[0], words[1]);
  } else {
    printf(" %llx", words[0]);
  }
}

template <class T>
struct outcome {
  T expected;
  bool holds;
};

/// A member applied to an object of value `first` that A refers to, or is.
#define MEMBER(name, ...)                                                                                              \
  {                                                                                                                    \
    printf("%s", name);                                                                                                \
    if constexpr (requires(A a) { __VA_ARGS__; }) {                                                                    \
      *reinterpret_cast<T*>(place) = first;                                                                            \
      A& a = make<A, T>(first, room);                                                                                  \
      (void)second;                                                                                                    \
      if constexpr (std::is_void_v<decltype(__VA_ARGS__)>) {                                                           \
        __VA_ARGS__;                                                                                                   \
        printf(" done");                                                                                               \
      } else {                                                                                                         \
        const std::remove_cvref_t<decltype(__VA_ARGS__)> result = __VA_ARGS__;                                         \
        print(result);                                                                                                 \
      }                                                                                                                \
      printf(", then");                                                                                                \
      print(*reinterpret_cast<T*>(place));                                                                             \
      printf("\n");                                                                                                    \
    } else {                                                                                                           \
      printf(" -\n");                                                                                                  \
    }                                                                                                                  \
  }
/// A comparison and exchange: what it says, what it leaves in `expected` and in the object.
#define EXCHANGE(name, seen, ...)                                                                                      \
  {                                                                                                                    \
    *reinterpret_cast<T*>(place) = first;                                                                              \
    A& a = make<A, T>(first, room);                                                                                    \
    T expected = seen;                                                                                                 \
    const bool holds = __VA_ARGS__;                                                                                    \
    printf("%s %d,", name, holds);                                                                                     \
    print(expected);                                                                                                   \
    printf(", then");                                                                                                  \
    print(*reinterpret_cast<T*>(place));                                                                               \
    printf("\n");                                                                                                      \
  }

/// An atomic object in `place`, or in `room` what refers to one there.
template <class A, class T>
__device__ A& make(T first, void* room) {
  if constexpr (std::is_constructible_v<A, T&> && !std::is_constructible_v<A, T>) {
    return *new (room) A(*reinterpret_cast<T*>(place));
  } else {
    return *new (static_cast<void*>(place)) A(first);
  }
}

// One function in spite of its length: the members.
template <class A, class T>
__device__ void members(T first, T second) {
  alignas(16) unsigned char room[16];
  MEMBER("load", a.load())
  MEMBER("value", static_cast<T>(a))
  MEMBER("store", a.store(second))
  MEMBER("=", a = second)
  MEMBER("exchange", a.exchange(second))
  EXCHANGE("weak", first, a.compare_exchange_weak(expected, second))
  EXCHANGE("weak, another", second, a.compare_exchange_weak(expected, second))
  EXCHANGE("strong", first, a.compare_exchange_strong(expected, second))
  EXCHANGE("strong, another", second, a.compare_exchange_strong(expected, second))
  if (!(first == second)) { // else it waits
    MEMBER("wait", a.wait(second))
  }
  MEMBER("notify_one", a.notify_one())
  MEMBER("notify_all", a.notify_all())
  MEMBER("is_lock_free", a.is_lock_free())
  if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T>) {
    MEMBER("fetch_add 1", a.fetch_add(1))
    MEMBER("fetch_sub 1", a.fetch_sub(1))
    MEMBER("++a", ++a)
    MEMBER("a++", a++)
    MEMBER("--a", --a)
    MEMBER("a--", a--)
    MEMBER("+= 1", a += 1)
    MEMBER("-= 1", a -= 1)
  }
  if constexpr (std::is_arithmetic_v<T>) {
    MEMBER("fetch_add", a.fetch_add(second))
    MEMBER("fetch_sub", a.fetch_sub(second))
    MEMBER("+=", a += second)
    MEMBER("-=", a -= second)
    MEMBER("fetch_min", a.fetch_min(second))
    MEMBER("fetch_max", a.fetch_max(second))
    MEMBER("fetch_and", a.fetch_and(second))
    MEMBER("fetch_or", a.fetch_or(second))
    MEMBER("fetch_xor", a.fetch_xor(second))
    MEMBER("&=", a &= second)
    MEMBER("|=", a |= second)
    MEMBER("^=", a ^= second)
  }
}

// One function in spite of its length: the members that take orders.
template <class A, class T>
__device__ void orders(T first, T second) {
  alignas(16) unsigned char room[16];
  constexpr cuda::std::memory_order all[] = {cuda::std::memory_order_relaxed, cuda::std::memory_order_consume,
                                             cuda::std::memory_order_acquire, cuda::std::memory_order_release,
                                             cuda::std::memory_order_acq_rel, cuda::std::memory_order_seq_cst};
  for (const cuda::std::memory_order o : all) {
    const bool acquires = o == cuda::std::memory_order_consume || o == cuda::std::memory_order_acquire;
    const bool releases = o == cuda::std::memory_order_release;
    const bool both = o == cuda::std::memory_order_acq_rel;
    printf("order %d\n", static_cast<int>(o));
    if (!releases && !both) {
      MEMBER("load", a.load(o))
      MEMBER("wait", a.wait(second, o))
      for (const cuda::std::memory_order success : all) {
        EXCHANGE("weak", first, a.compare_exchange_weak(expected, second, success, o))
        EXCHANGE("strong, another", second, a.compare_exchange_strong(expected, second, success, o))
      }
    }
    if (!acquires && !both) {
      MEMBER("store", a.store(second, o))
    }
    MEMBER("exchange", a.exchange(second, o))
    EXCHANGE("weak, another", second, a.compare_exchange_weak(expected, second, o))
    EXCHANGE("strong", first, a.compare_exchange_strong(expected, second, o))
    MEMBER("fetch_add", a.fetch_add(second, o))
    MEMBER("fetch_sub", a.fetch_sub(second, o))
    MEMBER("fetch_min", a.fetch_min(second, o))
    MEMBER("fetch_max", a.fetch_max(second, o))
    MEMBER("fetch_and", a.fetch_and(second, o))
    MEMBER("fetch_or", a.fetch_or(second, o))
    MEMBER("fetch_xor", a.fetch_xor(second, o))
  }
}

template <class T>
__global__ void each_kind(T first, T second) {
  printf("reference\n");
  members<cuda::atomic_ref<T, cuda::thread_scope_device>>(first, second);
  printf("cuda::std reference\n");
  members<cuda::std::atomic_ref<T>>(first, second);
  printf("object\n");
  members<cuda::atomic<T, cuda::thread_scope_block>>(first, second);
  printf("cuda::std object\n");
  members<cuda::std::atomic<T>>(first, second);
}
template <class T, cuda::thread_scope Scope>
__global__ void each_order(T first, T second) {
  printf("reference\n");
  orders<cuda::atomic_ref<T, Scope>>(first, second);
  printf("object\n");
  orders<cuda::atomic<T, Scope>>(first, second);
}
__global__ void flags() {
  __shared__ cuda::std::atomic_flag f;
  new (&f) cuda::std::atomic_flag(false);
  printf("test_and_set %d", f.test_and_set()); // one call each: nothing orders a call's arguments
  printf(", then %d\n", f.test());
  printf("test_and_set %d", f.test_and_set(cuda::std::memory_order_acq_rel));
  printf(", then %d\n", f.test(cuda::std::memory_order_acquire));
  f.wait(false);
  f.notify_one();
  f.notify_all();
  f.clear(cuda::std::memory_order_release);
  printf("clear, then %d\n", f.test(cuda::std::memory_order_relaxed));
  printf("functions %d", cuda::std::atomic_flag_test(&f));
  printf(" %d", cuda::std::atomic_flag_test_and_set(&f));
  printf(" %d", cuda::std::atomic_flag_test_and_set_explicit(&f, cuda::std::memory_order_relaxed));
  cuda::std::atomic_flag_clear_explicit(&f, cuda::std::memory_order_release);
  printf(" %d\n", cuda::std::atomic_flag_test_explicit(&f, cuda::std::memory_order_acquire));
  cuda::std::atomic_flag_clear(&f);
}
template <cuda::thread_scope Scope>
__device__ void fence() {
  cuda::atomic_thread_fence(cuda::std::memory_order_relaxed, Scope);
  cuda::atomic_thread_fence(cuda::std::memory_order_consume, Scope);
  cuda::atomic_thread_fence(cuda::std::memory_order_acquire, Scope);
  cuda::atomic_thread_fence(cuda::std::memory_order_release, Scope);
  cuda::atomic_thread_fence(cuda::std::memory_order_acq_rel, Scope);
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, Scope);
}
__global__ void fences() {
  fence<cuda::thread_scope_system>();
  fence<cuda::thread_scope_device>();
  fence<cuda::thread_scope_block>();
  fence<cuda::thread_scope_thread>();
  cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst);
  cuda::std::atomic_signal_fence(cuda::std::memory_order_seq_cst);
  cuda::atomic_signal_fence(cuda::std::memory_order_acq_rel);
  printf("fences\n");
}

static int launched(const char* what) {
  const cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
  }
  return e == cudaSuccess ? 0 : 1;
}
template <class T>
static int of(const char* name, T first, T second) {
  std::printf("# %s\n", name);
  std::fflush(stdout);
  each_kind<T><<<1, 1>>>(first, second);
  return launched(name);
}
template <class T>
static int integer(const char* name) {
  const int failed = of<T>(name, T(13), T(6));
  return failed + of<T>(name, std::numeric_limits<T>::max(), T(3)) + of<T>(name, std::numeric_limits<T>::min(), T(-1));
}
template <class T>
static int floating(const char* name) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  int failed = of<T>(name, T(1.5), T(-0.25)) + of<T>(name, T(-0.0), T(0.0)) + of<T>(name, T(0.0), T(-0.0));
  failed += of<T>(name, T(2), nan) + of<T>(name, nan, T(2));
  return failed + of<T>(name, std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::denorm_min());
}
template <class T>
static int with_orders(const char* name, T first, T second) {
  int failed = 0;
  const auto at = [&](const char* scope, auto kernel) {
    std::printf("# %s at %s scope\n", name, scope);
    std::fflush(stdout);
    kernel<<<1, 1>>>(first, second);
    failed += launched(name);
  };
  at("system", each_order<T, cuda::thread_scope_system>);
  at("device", each_order<T, cuda::thread_scope_device>);
  at("block", each_order<T, cuda::thread_scope_block>);
  at("thread", each_order<T, cuda::thread_scope_thread>);
  return failed;
}

int main() {
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16 << 20);
  int failed = of<bool>("bool", true, false) + of<bool>("bool", false, true);
  failed += integer<char>("char") + integer<signed char>("signed char") + integer<unsigned char>("unsigned char");
  failed += integer<short>("short") + integer<unsigned short>("unsigned short");
  failed += integer<int>("int") + integer<unsigned>("unsigned");
  failed += integer<long>("long") + integer<unsigned long>("unsigned long");
  failed += integer<long long>("long long") + integer<unsigned long long>("unsigned long long");
  failed += floating<float>("float") + floating<double>("double");
  failed += of<color>("enum", green, blue) + of<pair>("class of 8 bytes", pair{1, 2}, pair{3, 4});
  failed += of<wide>("class of 16 bytes", wide{1, 2}, wide{3, 4});
  int* p = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&p), target);
  failed += of<int*>("pointer", p + 13, p + 6);
  failed += with_orders<int>("int", 13, 6) + with_orders<double>("double", 1.5, -0.25) +
            with_orders<unsigned char>("unsigned char", 255, 3);
  std::puts("# flags and fences");
  std::fflush(stdout);
  flags<<<1, 1>>>();
  fences<<<1, 1>>>();
  failed += launched("flags and fences");
  std::printf("# %d failed\n", failed);
}
