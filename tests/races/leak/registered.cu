// Registered memory is the program's own, and no leak. Racy: managed memory.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>());
}

int main() {
  static int own[8];
  int* data = own;
#ifdef RACY
  cudaMallocManaged(&data, sizeof(own)); // race: leak
#else
  cudaHostRegister(own, sizeof(own), cudaHostRegisterDefault);
#endif
  fill<<<1, 1>>>(data);
  return finish();
}
