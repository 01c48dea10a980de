// cuda::atomic_ref and its kin, member by member, as the page has them: what each gives, and what it leaves behind.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cuda/atomic>
#include <cuda/std/atomic>

#include <cstdio>

__device__ int failures;

#define EXPECT(condition)                                                                                              \
  if (!(condition)) {                                                                                                  \
    printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x, #condition);                                             \
    atomicAdd(&failures, 1);                                                                                           \
  }

struct pair {
  int a, b;
  __device__ bool operator==(const pair& other) const { return a == other.a && b == other.b; }
};
struct alignas(16) wide {
  long long a, b;
};

// [cuda::atomic_ref, cuda::std::atomic_ref] load, store, exchange, both compare-exchanges with one order and two.
template <class Ref, class T>
__device__ void values(T first, T second, T third) {
  __shared__ T object;
  object = first;
  Ref r(object);
  const Ref same(r); // refers to the same object
  EXPECT(r.load() == first && r == first && same.load(cuda::memory_order_acquire) == first);
  r.store(second);
  EXPECT(object == second);
  EXPECT(((r = third) == third) && object == third);
  EXPECT(r.exchange(first, cuda::memory_order_acq_rel) == third && object == first);
  T expected = second;
  EXPECT(!r.compare_exchange_strong(expected, third) && expected == first && object == first);
  EXPECT(r.compare_exchange_strong(expected, third) && expected == first && object == third);
  EXPECT(!r.compare_exchange_weak(expected, second, cuda::memory_order_release, cuda::memory_order_relaxed));
  EXPECT(expected == third && object == third);
  EXPECT(r.compare_exchange_weak(expected, second, cuda::memory_order_seq_cst, cuda::memory_order_acquire));
  EXPECT(same.load() == second);
  r.wait(first); // it is another one: returns at once
  r.notify_one();
  r.notify_all();
  EXPECT(r.is_lock_free() == (sizeof(T) <= 8) && Ref::is_always_lock_free == (sizeof(T) <= 8));
  EXPECT(Ref::required_alignment == sizeof(T));
}

template <class T>
__device__ void numbers() {
  __shared__ T object;
  object = T(10);
  const cuda::atomic_ref<T, cuda::thread_scope_block> r(object);
  EXPECT(r.fetch_add(T(5)) == T(10) && object == T(15));
  EXPECT(r.fetch_sub(T(3), cuda::memory_order_relaxed) == T(15) && object == T(12));
  EXPECT(r.fetch_min(T(20)) == T(12) && object == T(12) && r.fetch_min(T(7)) == T(12) && object == T(7));
  EXPECT(r.fetch_max(T(3)) == T(7) && object == T(7) && r.fetch_max(T(9)) == T(7) && object == T(9));
  EXPECT((r += T(2)) == T(11) && (r -= T(1)) == T(10) && r++ == T(10) && ++r == T(12) && r-- == T(12) && --r == T(10));
}

template <class T>
__device__ void bits() {
  __shared__ T object;
  object = T(12);
  cuda::std::atomic_ref<T> r(object);
  EXPECT(r.fetch_and(T(10)) == T(12) && r.fetch_or(T(3)) == T(8) && r.fetch_xor(T(1)) == T(11) && object == T(10));
  EXPECT((r &= T(6)) == T(2) && (r |= T(5)) == T(7) && (r ^= T(4)) == T(3));
}

__global__ void one_thread(int* array) {
  values<cuda::atomic_ref<int, cuda::thread_scope_system>>(1, 2, 3);
  values<cuda::atomic_ref<unsigned char, cuda::thread_scope_device>>(
      static_cast<unsigned char>(1), static_cast<unsigned char>(2), static_cast<unsigned char>(255));
  values<cuda::atomic_ref<short>>(static_cast<short>(-1), static_cast<short>(2), static_cast<short>(3));
  values<cuda::atomic_ref<bool>>(true, false, false);
  values<cuda::atomic_ref<float, cuda::thread_scope_block>>(1.5F, 2.5F, -0.5F);
  values<cuda::atomic_ref<double, cuda::thread_scope_thread>>(1.5, 2.5, 1e300);
  values<cuda::std::atomic_ref<long long>>(1LL, -1LL, 1LL << 40);
  values<cuda::atomic_ref<int*>>(array, array + 1, static_cast<int*>(nullptr));
  values<cuda::atomic_ref<pair, cuda::thread_scope_device>>(pair{1, 2}, pair{2, 1}, pair{3, 4});
  numbers<int>();
  numbers<unsigned long long>();
  numbers<float>();
  numbers<double>();
  numbers<short>();
  bits<int>();
  bits<unsigned char>();
  bits<unsigned long long>();

  // Integers wrap.
  __shared__ int least;
  least = -2147483647 - 1;
  EXPECT(cuda::atomic_ref<int>(least).fetch_sub(1) == -2147483647 - 1 && least == 2147483647);
  __shared__ signed char small;
  small = 127;
  EXPECT(cuda::atomic_ref<signed char>(small)++ == 127 && small == -128);
  // Pointers move by elements.
  __shared__ int* p;
  p = array;
  const cuda::atomic_ref<int*, cuda::thread_scope_device> moves(p);
  EXPECT(moves.fetch_add(3) == array && p == array + 3 && (moves -= 1) == array + 2 && moves++ == array + 2);
  EXPECT(moves.fetch_min(array) == array + 3 && p == array && moves.fetch_max(array + 7) == array && p == array + 7);
  // 16 bytes.
  __shared__ wide both;
  both = {1, 2};
  const cuda::atomic_ref<wide, cuda::thread_scope_device> large(both);
  const wide old = large.exchange(wide{3, 4});
  EXPECT(old.a == 1 && old.b == 2 && both.a == 3 && both.b == 4 && !large.is_lock_free());

  // Objects, volatile ones, too; and what <atomic> has.
  cuda::atomic<int, cuda::thread_scope_thread> object(3);
  EXPECT((object = 4) == 4 && object++ == 4 && object.load() == 5);
  volatile cuda::std::atomic<unsigned> seen(7U);
  EXPECT(seen.fetch_add(1) == 7U && seen == 8U);
  cuda::std::atomic<int> a{1};
  EXPECT(cuda::std::atomic_fetch_add(&a, 2) == 1 && cuda::std::atomic_exchange(&a, 9) == 3);
  int expected = 8;
  EXPECT(!cuda::std::atomic_compare_exchange_strong(&a, &expected, 1) && expected == 9);
  cuda::std::atomic_store_explicit(&a, 5, cuda::memory_order_release);
  EXPECT(cuda::std::atomic_load_explicit(&a, cuda::memory_order_acquire) == 5 && cuda::std::atomic_is_lock_free(&a));
  cuda::std::atomic_flag flag{};
  EXPECT(!flag.test() && !flag.test_and_set() && flag.test_and_set(cuda::memory_order_acquire) && flag.test());
  flag.wait(false);
  flag.clear();
  EXPECT(!cuda::std::atomic_flag_test(&flag) && !cuda::std::atomic_flag_test_and_set(&flag));
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  cuda::std::atomic_thread_fence(cuda::memory_order_release);
  cuda::atomic_signal_fence(cuda::memory_order_acq_rel);
}

// wait() returns when another value is seen, and each thread of a chain wakes the next.
__global__ void chain(int* turn) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> r(*turn);
  const int mine = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int now = r.load(); now != mine; now = r.load()) {
    r.wait(now, cuda::memory_order_acquire);
  }
  r.store(mine + 1, cuda::memory_order_release);
  r.notify_all();
}

// Many threads, each kind of update, at block scope in shared memory and at device scope in device memory.
__global__ void many(unsigned* sums, float* total) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) {
    mine = 0;
  }
  __syncthreads();
  cuda::atomic_ref<unsigned, cuda::thread_scope_block>(mine).fetch_add(threadIdx.x, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(sums[0]).fetch_max(threadIdx.x);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(sums[1]).fetch_xor(1U << (threadIdx.x % 32));
  cuda::atomic_ref<float, cuda::thread_scope_device>(*total).fetch_add(0.5F);
  __syncthreads();
  EXPECT(mine == blockDim.x * (blockDim.x - 1) / 2);
}

int main() {
  int* ints = nullptr;
  unsigned* sums = nullptr;
  float* total = nullptr;
  cudaMalloc(&ints, 64 * sizeof(int));
  cudaMalloc(&sums, 2 * sizeof(unsigned));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(ints, 0, 64 * sizeof(int));
  cudaMemset(sums, 0, 2 * sizeof(unsigned));
  cudaMemset(total, 0, sizeof(float));
  const int zero = 0;
  cudaMemcpyToSymbol(failures, &zero, sizeof zero);
  one_thread<<<1, 1>>>(ints);
  chain<<<2, 5>>>(ints);
  many<<<3, 64>>>(sums, total);
  int turn = 0;
  unsigned results[2] = {};
  float sum = 0;
  cudaMemcpy(&turn, ints, sizeof turn, cudaMemcpyDeviceToHost);
  cudaMemcpy(results, sums, sizeof results, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  int failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  std::printf("%d failures, turn %d, largest %u, bits %u, sum %.1f\n", failed, turn, results[0], results[1], sum);
  cudaFree(ints);
  cudaFree(sums);
  cudaFree(total);
}
