// One thread of a block waits for a word of another by atomic_ref::wait. Racy: the word is stored and awaited relaxed. Repaired:
// released and acquired.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

#ifdef RACY
constexpr auto storing = cuda::memory_order_relaxed;
constexpr auto waiting = cuda::memory_order_relaxed;
#else
constexpr auto storing = cuda::memory_order_release;
constexpr auto waiting = cuda::memory_order_acquire;
#endif

__global__ void hand_over(int* out) {
  __shared__ int word;
  __shared__ int value;
  if (threadIdx.x == 0) {
    word = 0;
  }
  __syncthreads();
  const cuda::atomic_ref<int, cuda::thread_scope_block> ready(word);
  if (threadIdx.x == 32) {
    value = 7; // @value
    ready.store(1, storing);
    ready.notify_all();
  } else if (threadIdx.x == 0) {
    ready.wait(0, waiting);
    *out = value; // race: data-race with @value; may: uninitialised-read
  }
}

int main() {
  hand_over<<<1, 64>>>(zeros(1));
  return finish();
}
