// One lane hands on what its warp has written. Racy: the others' writes are not ordered before its release. Repaired:
// __syncwarp is.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void pass(int* data, int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  const unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = 1; // @data
#ifndef RACY
    __syncwarp();
#endif
    if (t == 0) {
      raised.store(1, cuda::memory_order_release);
    }
  } else {
    if (t == 0) {
      while (raised.load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncwarp();
    out[t] = data[t]; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 32>>>(zeros(32), zeros(1), zeros(32));
  return finish();
}
