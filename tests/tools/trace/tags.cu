// A source whose text would end a script: </script><b>bold</b>
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

__tile_global__ void one(int* out) {
  cuda::tiles::store(out, 1); // </script><b>bold</b>
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  one<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
