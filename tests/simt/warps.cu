// Barriers and warp operations against what the programming guide says that they give.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cuda_fp16.h>
#include <type_traits>

__device__ int failures;

#define EXPECT(condition)                                                                          \
  if (!(condition)) {                                                                              \
    printf("line %d, block (%d,%d,%d), thread (%d,%d,%d): %s\n",                                  \
           __LINE__,                                                                               \
           blockIdx.x,                                                                             \
           blockIdx.y,                                                                             \
           blockIdx.z,                                                                             \
           threadIdx.x,                                                                            \
           threadIdx.y,                                                                            \
           threadIdx.z,                                                                            \
           #condition);                                                                            \
    atomicAdd(&failures, 1);                                                                       \
  }

constexpr unsigned full = 0xffffffffU;

// Overloads: what is smaller than an int becomes one, and classes and pointers are none.
struct pair_of_ints {
  int first;
  int second;
};
template <class T>
concept shuffled = requires(T v) { __shfl_sync(full, v, 0); } && requires(T v) { __shfl_xor_sync(full, v, 1); };
template <class T>
concept matched = requires(T v, int* agree) { __match_all_sync(full, v, agree) + __match_any_sync(full, v); };
template <class T>
concept cached = requires(const T* p) { __ldg(p); };
template <class T>
using given = decltype(__shfl_down_sync(full, T{}, 1U));
static_assert(shuffled<int> && shuffled<unsigned long long> && shuffled<__half2> && shuffled<bool>);
static_assert(!shuffled<int*> && !shuffled<pair_of_ints> && !shuffled<long double>);
static_assert(std::is_same_v<given<short>, int> && std::is_same_v<given<bool>, int> && std::is_same_v<given<long>, long>);
static_assert(std::is_same_v<given<double>, double> && std::is_same_v<given<__half>, __half>);
static_assert(matched<float> && matched<char> && !matched<pair_of_ints> && !matched<int*>);
static_assert(cached<short> && cached<float4> && cached<__half2> && !cached<pair_of_ints> && !cached<bool> && !cached<int*>);

__device__ int number() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// [Synchronization Functions] The count of predicates that are not zero; whether all are; whether
// any is.
__global__ void barriers() {
  __shared__ int order[1024];
  const int t = number();
  const int n = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  order[t] = t;
  __syncthreads();
  EXPECT(order[n - 1 - t] == n - 1 - t);
  EXPECT(__syncthreads_count(t % 3 == 0) == (n + 2) / 3);
  EXPECT(__syncthreads_count(t) == n - 1);
  EXPECT((__syncthreads_and(t < n) != 0) && (__syncthreads_and(t > 0) == 0));
  EXPECT((__syncthreads_or(t == n - 1) != 0) && (__syncthreads_or(0) == 0));
  for (int round = 0; round < 3; ++round) {
    order[(t + 1) % n] = t + round;
    __syncthreads();
    EXPECT(order[t] == (t + n - 1) % n + round);
    __syncthreads();
  }
}

template <class T>
__device__ void shuffles() {
  const int lane = number() % 32;
  const T mine = static_cast<T>(lane * 3 + 1);
  const auto of = [](int l) { return static_cast<T>(l * 3 + 1); };
  EXPECT(__shfl_sync(full, mine, 5) == of(5));
  EXPECT(__shfl_sync(full, mine, lane + 1) == of((lane + 1) % 32)); // modulo the width
  EXPECT(__shfl_sync(full, mine, 2, 8) == of(lane / 8 * 8 + 2));
  EXPECT(__shfl_sync(full, mine, -1) == of(31));
  EXPECT(__shfl_up_sync(full, mine, 1) == of(lane == 0 ? 0 : lane - 1));
  EXPECT(__shfl_up_sync(full, mine, 3, 8) == of(lane % 8 < 3 ? lane : lane - 3));
  EXPECT(__shfl_down_sync(full, mine, 1) == of(lane == 31 ? 31 : lane + 1));
  EXPECT(__shfl_down_sync(full, mine, 5, 16) == of(lane % 16 > 10 ? lane : lane + 5));
  EXPECT(__shfl_xor_sync(full, mine, 16) == of(lane ^ 16));
  // A lane of a later group is its own; one of an earlier group is read.
  EXPECT(__shfl_xor_sync(full, mine, 8, 8) == of(lane % 16 < 8 ? lane : lane ^ 8));
}

__global__ void warps() {
  const int lane = number() % 32;
  shuffles<int>();
  shuffles<unsigned>();
  shuffles<long long>();
  shuffles<float>();
  shuffles<double>();
  EXPECT(__ballot_sync(full, lane % 2) == 0xaaaaaaaaU);
  EXPECT((__all_sync(full, lane < 32) != 0) && __all_sync(full, lane) == 0);
  EXPECT((__any_sync(full, lane == 7) != 0) && __any_sync(full, 0) == 0);
  EXPECT(__match_any_sync(full, lane % 4) == (0x11111111U << lane % 4));
  EXPECT(__match_any_sync(full, static_cast<double>(lane / 16)) ==
         (lane < 16 ? 0xffffU : 0xffff0000U));
  int same = 7;
  EXPECT(__match_all_sync(full, 3LL, &same) == full && same == 1);
  EXPECT(__match_all_sync(full, lane, &same) == 0 && same == 0);
  EXPECT(__reduce_add_sync(full, lane) == 496 && __reduce_add_sync(full, 0x80000000U) == 0);
  EXPECT(__reduce_min_sync(full, lane - 5) == -5 && __reduce_max_sync(full, lane - 40) == -9);
  EXPECT(__reduce_min_sync(full, static_cast<unsigned>(lane - 5)) == 0);
  EXPECT(__reduce_max_sync(full, static_cast<unsigned>(lane - 5)) == 0xffffffffU);
  EXPECT(__reduce_and_sync(full, 0xf0U | static_cast<unsigned>(lane)) == 0xf0U);
  EXPECT(__reduce_or_sync(full, 1U << lane) == full &&
         __reduce_xor_sync(full, 1U << lane % 31) == 0x7ffffffeU);
  EXPECT(__activemask() == full);
  // Half a warp each, with masks of their own, in code of their own.
  if (lane < 16) {
    EXPECT(__shfl_sync(0xffffU, lane, 3) == 3);
    EXPECT(__ballot_sync(0xffffU, 1) == 0xffffU && __activemask() == 0xffffU);
    __syncwarp(0xffffU);
  } else {
    EXPECT(__reduce_add_sync(0xffff0000U, 1) == 16);
    EXPECT(__activemask() == 0xffff0000U);
    __syncwarp(0xffff0000U);
  }
  __syncwarp();
  // One operation with one mask, wherever in the code.  [PTX: shfl.sync]
  const int other =
      lane % 2 == 0 ? __shfl_xor_sync(full, lane, 1) : __shfl_xor_sync(full, lane + 100, 1);
  EXPECT(other == (lane % 2 == 0 ? lane + 101 : lane - 1));
}

// Lanes that have ended are waited for no longer, and those that a block does not have never were.
__global__ void short_of_a_warp() {
  const int t = number();
  if (t >= 40) {
    return;
  }
  const int lane = t % 32;
  const unsigned there = t < 32 ? full : 0xffU;
  EXPECT(__ballot_sync(full, 1) == there);
  EXPECT(__any_sync(full, lane == 7) != 0);
  EXPECT(__shfl_sync(full, lane, 7) == 7);
  EXPECT(__activemask() == there);
}

int main() {
  const int zero = 0;
  cudaMemcpyToSymbol(failures, &zero, sizeof zero);
  barriers<<<2, 256>>>();
  barriers<<<dim3(2, 1, 2), dim3(8, 4, 3)>>>();
  barriers<<<1, dim3(16, 8, 8)>>>();
  barriers<<<3, 1>>>();
  warps<<<2, 64>>>();
  warps<<<1, dim3(4, 4, 4)>>>();
  short_of_a_warp<<<1, 50>>>();
  cudaDeviceSynchronize();
  int failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  std::printf("%d failures\n", failed);
  return failed == 0 ? 0 : 1;
}
