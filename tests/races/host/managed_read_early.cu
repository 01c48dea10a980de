// The host reads managed memory before the kernel that writes it is over. Repaired: cudaDeviceSynchronize.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

int main() {
  int* data = nullptr;
  data = managed(8);
  fill<<<1, 1>>>(data);
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  std::printf("%d\n", data[7]); // race: host-race with @store
  return finish();
}
