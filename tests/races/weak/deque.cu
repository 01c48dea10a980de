// A work-stealing deque with one item left (Chase and Lev; orders of Lê, Pop, Cohen and Zappa Nardelli, PPoPP 2013): its
// owner takes it from the bottom, a thief from the top; who gets it, works on it. Racy: no fence between the owner's store
// of the bottom and its look at the top: both get it.
// run: hooks
// run: needs weak
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

using shared = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ bool take(int* top_of, int* bottom_of) {
  const shared top(*top_of), bottom(*bottom_of);
  const int b = bottom.load(cuda::memory_order_relaxed) - 1;
  bottom.store(b, cuda::memory_order_relaxed);
#ifndef RACY
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
#endif
  int t = top.load(cuda::memory_order_relaxed);
  if (t < b) {
    return true;
  }
  bool mine = t == b;
  if (mine) { // the last one: the thief may be faster
    mine = top.compare_exchange_strong(t, t + 1, cuda::memory_order_seq_cst);
  }
  bottom.store(b + 1, cuda::memory_order_relaxed);
  return mine;
}

__device__ bool steal(int* top_of, int* bottom_of) {
  const shared top(*top_of), bottom(*bottom_of);
  int t = top.load(cuda::memory_order_acquire);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  const int b = bottom.load(cuda::memory_order_acquire);
  return t < b && top.compare_exchange_strong(t, t + 1, cuda::memory_order_seq_cst);
}

// Two items: the owner needs no exchange for the second, so only the fence tells it that the thief had both.
__global__ void work(int* top, int* bottom, int* items) {
  if (blockIdx.x == 0) {
    if (take(top, bottom)) {
      items[1] += 1; // @owner
    }
  } else {
    if (steal(top, bottom)) {
      items[0] += 1;
      if (steal(top, bottom)) {
        items[1] += 1; // race: data-race with @owner
      }
    }
  }
}

int main() {
  work<<<2, 1>>>(zeros(1), copied(std::vector<int>{2}), zeros(2));
  return finish();
}
