// A persistent kernel waits for a flag that a launch in another stream raises: release and acquire order blocks of
// different launches, too. Racy: relaxed.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void wait(const int* data, int* flag, int* out) {
  while (ct::atomic_load<acquire, in_device>(flag) == 0) {
  }
  ct::store(out, ct::load(data)); // race: data-race with @data
}
__tile_global__ void raise(int* data, int* flag) {
  ct::store(data, 42); // @data
#ifdef RACY
  ct::atomic_store<relaxed, in_device>(flag, 1);
#else
  ct::atomic_store<release, in_device>(flag, 1);
#endif
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  int *data = zeros(1), *flag = zeros(1), *out = zeros(1);
  wait<<<1, 1, 0, first>>>(data, flag, out);
  raise<<<1, 1, 0, second>>>(data, flag);
  return finish();
}
