// A lock-free stack: nodes are pushed by compare-exchange of the head. Racy: relaxed, so that who takes the head may not
// see what the node holds. Repaired: a push releases, and a pop acquires.
// run: hooks
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

#ifdef RACY
constexpr auto published = cuda::memory_order_relaxed;
constexpr auto taken = cuda::memory_order_relaxed;
#else
constexpr auto published = cuda::memory_order_release;
constexpr auto taken = cuda::memory_order_acquire;
#endif

struct node {
  int value;
  int next;
};

__global__ void push_and_pop(node* nodes, int* top, int* out) {
  const int t = static_cast<int>(blockIdx.x);
  const cuda::atomic_ref<int, cuda::thread_scope_device> head(*top);
  if (t % 2 == 0) {
    nodes[t].value = t; // @value
    int old = head.load(cuda::memory_order_relaxed);
    do {
      nodes[t].next = old; // @next
    } while (!head.compare_exchange_weak(old, t + 1, published, cuda::memory_order_relaxed));
  } else {
    int old = head.load(taken);
    while (old != 0) {
      const int next = nodes[old - 1].next; // race: data-race with @next
      if (head.compare_exchange_weak(old, next, taken, taken)) {
        out[t] = nodes[old - 1].value; // race: data-race with @value
        return;
      }
    }
  }
}

int main() {
  push_and_pop<<<6, 1>>>(zeros<node>(6), zeros(1), zeros(6));
  return finish();
}
