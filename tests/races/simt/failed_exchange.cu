// A compare-exchange of <cuda/atomic> that fails writes nothing, so plain reads beside it are no race. Racy: it
// succeeds. (One of cuda::tiles writes back what it read.)
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void look(int* value, int* seen) {
  if (threadIdx.x == 0) {
#ifdef RACY
    int expected = 0;
#else
    int expected = 5;
#endif
    cuda::atomic_ref<int, cuda::thread_scope_device>(*value).compare_exchange_strong(expected, 1); // @exchange
  } else {
    seen[threadIdx.x] = *value; // race: data-race with @exchange
  }
}

int main() {
  look<<<1, 4>>>(zeros(1), zeros(4));
  return finish();
}
