// What the host did before a launch comes before the kernel, and what it does after waiting comes after, also
// where it used the same memory both times. Racy: it waits for another stream.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void increment(int* data) {
  ct::store(data, ct::load(data) + 1); // @store
}

int main() {
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  int *data = nullptr, *own = nullptr;
  data = managed(1);
  own = managed(1);
  *data = 1;
  *own = 1;
  increment<<<1, 1, 0, stream>>>(data);
  *own = *own + 1; // of the host alone
#ifdef RACY
  cudaStreamSynchronize(other);
#else
  cudaStreamSynchronize(stream);
#endif
  *own = *own + 1;
  const int result = *data; // race: host-race with @store
  std::printf("%d %d\n", result, *own);
  return finish();
}
