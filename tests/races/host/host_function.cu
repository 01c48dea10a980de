// A host function runs in its stream's order: what the stream has done before, it may use. Racy: it is put into
// another stream.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

void show(void* data) {
  const int last = static_cast<int*>(data)[7]; // race: host-race with @store
  std::printf("%d\n", last);
}

int main() {
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  int* data = nullptr;
  data = managed(8);
  fill<<<1, 1, 0, stream>>>(data);
#ifdef RACY
  cudaLaunchHostFunc(other, show, data);
#else
  cudaLaunchHostFunc(stream, show, data);
#endif
  return finish();
}
