// Locks: two blocks add 1 to a plain counter, each with the lock held.
// KIND: 0 compare-exchange, 1 ticket, 2 exchange. RELAXED_LOCK, RELAXED_UNLOCK: one order weakened. NEVER: not given back.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifndef KIND
#  define KIND 0
#endif
#ifdef RELAXED_LOCK
constexpr auto to_take = relaxed;
#else
constexpr auto to_take = acquire;
#endif
#ifdef RELAXED_UNLOCK
constexpr auto to_give = relaxed;
#else
constexpr auto to_give = release;
#endif

__device__ void take(int* lock) {
#if KIND == 0
  int expected = 0;
  while (!shared(lock[0]).compare_exchange_strong(expected, 1, to_take, relaxed)) {
    expected = 0;
  }
#elif KIND == 1
  const int mine = shared(lock[0]).fetch_add(1, relaxed);
  while (shared(lock[1]).load(to_take) != mine) {
  }
#else
  while (shared(lock[0]).exchange(1, to_take) != 0) {
  }
#endif
}

__device__ void give(int* lock) {
#if KIND == 1
  shared(lock[1]).store(shared(lock[1]).load(relaxed) + 1, to_give);
#else
  shared(lock[0]).store(0, to_give);
#endif
}

__global__ void work(int* lock, int* counter) {
  take(lock);
  *counter = *counter + 1;
#ifndef NEVER
  give(lock);
#endif
}

int main() {
  int* const lock = zeros(2);
  int* const counter = zeros(1);
  work<<<2, 1>>>(lock, counter);
  const int got = taken(counter, 1)[0];
  cudaFree(lock);
  cudaFree(counter);
  return got == 2 ? 0 : 1;
}
