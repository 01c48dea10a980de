// Heads of lists that nobody has emptied: an exchange gives what was there. Repaired: nobody takes it, and so the exchange is a
// store.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void push(int* heads, int* next) {
  const int t = static_cast<int>(threadIdx.x);
#ifdef RACY
  next[t] = atomicExch(&heads[t], t); // race: uninitialised-read
#else
  next[t] = t;
  if (t < 8)
    atomicExch(&heads[t],
               (t + 1));
  else if (t < 16)
    (void)atomicExch_block(heads + t, t);
  else if (t < 24)
    cuda::atomic_ref<int>(heads[t]).exchange(t);
  else
    ::atomicExch_system(heads + t, t);
  next[t] += heads[t];
#endif
}

int main() {
  push<<<1, 32>>>(unwritten(32), zeros(32));
  return finish();
}
