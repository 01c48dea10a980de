// A ticket lock: a thread waits until its number is served. Racy: the next number is served by a relaxed store. Repaired: by
// a release.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void add(int* next, int* serving, int* sum) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> drawn(*next);
  const cuda::atomic_ref<int, cuda::thread_scope_device> served(*serving);
  const int mine = drawn.fetch_add(1, cuda::memory_order_relaxed);
  while (served.load(cuda::memory_order_acquire) != mine) {
  }
  *sum += mine; // race: data-race
#ifdef RACY
  served.store(mine + 1, cuda::memory_order_relaxed);
#else
  served.store(mine + 1, cuda::memory_order_release);
#endif
}

int main() {
  add<<<3, 2>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
