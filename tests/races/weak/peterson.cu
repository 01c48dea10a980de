// Peterson's lock for two. Racy: stores that release and loads that acquire; a thread may look for the other's flag before
// its own is seen. Repaired: sequentially consistent.
// run: hooks
// run: needs weak
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void count(int* flags, int* turn, int* counter) {
#ifdef RACY
  constexpr auto stored = cuda::memory_order_release;
  constexpr auto loaded = cuda::memory_order_acquire;
#else
  constexpr auto stored = cuda::memory_order_seq_cst;
  constexpr auto loaded = cuda::memory_order_seq_cst;
#endif
  const int me = static_cast<int>(blockIdx.x);
  const cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[me]);
  const cuda::atomic_ref<int, cuda::thread_scope_device> other(flags[1 - me]);
  const cuda::atomic_ref<int, cuda::thread_scope_device> whose(*turn);
  mine.store(1, stored);
  whose.store(1 - me, stored);
  while (other.load(loaded) == 1 && whose.load(loaded) == 1 - me) {
  }
  *counter += 1; // race: data-race
  mine.store(0, cuda::memory_order_release);
}

int main() {
  count<<<2, 1>>>(zeros(2), zeros(1), zeros(1));
  return finish();
}
