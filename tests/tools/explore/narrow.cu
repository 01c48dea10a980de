// Updates and stores of block scope by two blocks: one of them has been seen by a read that it has no order with, and
// is behind others all the same where a run goes on.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

using narrow = cuda::atomic_ref<int, cuda::thread_scope_block>;
using wide = cuda::atomic_ref<int, cuda::thread_scope_system>;

__global__ void update(int* x, int* seen) {
#ifdef CIRCLE
  // The load of either may take what the other stores behind its own.
  if (blockIdx.x == 0) {
    seen[0] = wide(*x).load(relaxed);
    *x = 2;
  } else {
    const int got = *x;
    wide(*x).store(1, relaxed);
    seen[1] = got;
  }
#else
  if (blockIdx.x == 0) {
    narrow(*x).store(2, release);
    shared(*x).store(1, relaxed);
    seen[0] = narrow(*x).load(relaxed);
  } else {
    shared(*x).store(2, release);
    cuda::atomic_thread_fence(acq_rel, cuda::thread_scope_block);
    seen[1] = narrow(*x).fetch_add(1, release);
  }
#endif
}

int main() {
  int* const x = zeros(3); // and what is seen, behind it
  update<<<2, 1>>>(x, x + 1);
  const std::vector<int> got = taken(x, 3);
  std::printf("%d %d %d\n", got[0], got[1], got[2]);
  cudaFree(x);
}
