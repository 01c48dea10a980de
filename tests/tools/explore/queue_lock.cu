// The lock of Mellor-Crummey and Scott: each of two blocks waits at a flag of its own until the one before it hands the lock on.
// Nobody else has been seen at that flag when it is first polled: by a load, POLL=1: an addition of 0, POLL=2: a compare-exchange.
// TILE: by tile operations. RELAXED_…: one order weakened. Where the one behind links itself in relaxed, its flag may be set
// after it has been cleared, in coherence order, so that it waits for ever.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifndef POLL
#define POLL 0
#endif

#ifdef TILE
#define KERNEL __tile_global__
#define ORDER(o) ct::memory_order_##o##_t{}
const auto device = ct::thread_scope_device_t{};
#define LOAD(p, o) static_cast<int>(ct::atomic_load(p, o, device))
#define STORE(p, v, o) ct::atomic_store(p, v, o, device)
#define SWAP(p, v, o) static_cast<int>(ct::atomic_xchg(p, v, o, device))
#define ADD(p, v, o) static_cast<int>(ct::atomic_add(p, v, o, device))
#define EXCHANGE(p, expected, v, o) static_cast<int>(ct::atomic_compare_exchange(p, expected, v, o, device))
#define BLOCK static_cast<int>(ct::bid().x)
#define COUNT(p) ct::store(p, ct::load(p) + 1)
#else
#define KERNEL __global__
#define ORDER(o) cuda::memory_order_##o
#define LOAD(p, o) shared(*(p)).load(o)
#define STORE(p, v, o) shared(*(p)).store(v, o)
#define SWAP(p, v, o) shared(*(p)).exchange(v, o)
#define ADD(p, v, o) shared(*(p)).fetch_add(v, o)
__device__ int exchange(int* p, int expected, int value, cuda::memory_order order) {
  shared(*p).compare_exchange_strong(expected, value, order);
  return expected;
}
#define EXCHANGE(p, expected, v, o) exchange(p, expected, v, o)
#define BLOCK static_cast<int>(blockIdx.x)
#define COUNT(p) ++*(p)
#endif

#ifdef RELAXED_SWAP
#define TO_SWAP ORDER(release)
#else
#define TO_SWAP ORDER(acq_rel)
#endif
#ifdef RELAXED_LINK
#define TO_LINK ORDER(relaxed)
#else
#define TO_LINK ORDER(release)
#endif
#ifdef RELAXED_WAIT
#define TO_WAIT ORDER(relaxed)
#else
#define TO_WAIT ORDER(acquire)
#endif
#ifdef RELAXED_FREE
#define TO_FREE ORDER(relaxed)
#else
#define TO_FREE ORDER(release)
#endif
#ifdef RELAXED_HAND
#define TO_HAND ORDER(relaxed)
#else
#define TO_HAND ORDER(release)
#endif

#if POLL == 1
#define POLLED(p) ADD(p, 0, TO_WAIT)
#elif POLL == 2
#define POLLED(p) EXCHANGE(p, 2, 2, TO_WAIT)
#else
#define POLLED(p) LOAD(p, TO_WAIT)
#endif

KERNEL void count(int* tail, int* flags, int* next, int* counter) {
  const int me = BLOCK + 1;
  STORE(flags + me, 1, ORDER(relaxed));
  const int before = SWAP(tail, me, TO_SWAP);
  if (before != 0) {
    STORE(next + before, me, TO_LINK);
    while (POLLED(flags + me) != 0) {
    }
  }
  COUNT(counter);
  int after = LOAD(next + me, ORDER(acquire));
  if (after == 0 && EXCHANGE(tail, me, 0, TO_FREE) == me) {
    return;
  }
  while (after == 0) {
    after = LOAD(next + me, ORDER(acquire));
  }
  STORE(flags + after, 0, TO_HAND);
}

int main() {
  int* const tail = zeros(1);
  int* const flags = zeros(3);
  int* const next = zeros(3);
  int* const counter = zeros(1);
  count<<<2, 1>>>(tail, flags, next, counter);
  const int counted = taken(counter, 1)[0];
  cudaFree(tail);
  cudaFree(flags);
  cudaFree(next);
  cudaFree(counter);
  return counted == 2 ? 0 : 1;
}
