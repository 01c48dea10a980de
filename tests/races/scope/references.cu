// Threads of one block count in one object. Racy: by references of two scopes, which both hold all of them, at the same
// time; cuda::atomic_ref has that as undefined. Repaired: the block meets between the two.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void counts(int* n) {
  if (threadIdx.x % 2 == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_block> r(*n);
    r.fetch_add(1, cuda::memory_order_relaxed); // @block
  }
#ifndef RACY
  __syncthreads();
#endif
  if (threadIdx.x % 2 == 1) {
    cuda::atomic_ref<int, cuda::thread_scope_device> r(*n);
    r.fetch_add(1, cuda::memory_order_relaxed); // race: narrow-scope with @block
  }
}

int main() {
  counts<<<1, 8>>>(zeros(1));
  return finish();
}
