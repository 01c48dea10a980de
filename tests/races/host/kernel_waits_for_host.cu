// A kernel waits until the host has written its input and raised a flag, in system scope. Racy: the host raises
// the flag relaxed.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__tile_global__ void compute(const int* input, int* flag, int* out) {
  while (ct::atomic_load<acquire, in_system>(flag) == 0) {
  }
  ct::store(out, ct::load(input)); // race: host-race with @input
}

int main() {
  int *input = nullptr, *flag = nullptr, *out = zeros(1);
  cudaMallocManaged(&input, sizeof *input);
  cudaMallocManaged(&flag, sizeof *flag);
  compute<<<1, 1>>>(input, flag, out);
  *input = 42; // @input
  const cuda::atomic_ref<int, cuda::thread_scope_system> raised(*flag);
#ifdef RACY
  raised.store(1, cuda::memory_order_relaxed);
#else
  raised.store(1, cuda::memory_order_release);
#endif
  const int status = finish();
  cudaFree(input);
  cudaFree(flag);
  return status;
}
