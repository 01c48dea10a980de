// A tile kernel hands data to a __global__ kernel that runs beside it: their atomics go together. Racy: the acquire
// is missing.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__tile_global__ void produce(int* data, int* flag) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @data
  ct::atomic_store<release, in_device>(flag, 1);
}
__global__ void consume(const int* data, int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
#ifdef RACY
  while (raised.load(cuda::memory_order_relaxed) == 0) {
  }
#else
  while (raised.load(cuda::memory_order_acquire) == 0) {
  }
#endif
  out[threadIdx.x] = data[threadIdx.x]; // race: data-race with @data
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  int *data = zeros(8), *flag = zeros(1), *out = zeros(8);
  consume<<<1, 8, 0, second>>>(data, flag, out);
  produce<<<1, 1, 0, first>>>(data, flag);
  return finish();
}
