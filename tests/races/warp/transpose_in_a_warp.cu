// A warp transposes rows through shared memory, tile after tile. Racy: __syncwarp between its writes and its reads, and
// none between these and the next tile's writes. Repaired: one there, too.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void transpose(const int* in, int* out, int tiles) {
  __shared__ int tile[4][9];
  const unsigned row = threadIdx.x / 8;
  const unsigned column = threadIdx.x % 8;
  for (int i = 0; i < tiles; ++i) {
    tile[row][column] = in[i * 32 + threadIdx.x]; // @write
    __syncwarp();
    out[i * 32 + threadIdx.x] = tile[threadIdx.x % 4][threadIdx.x / 4]; // race: data-race with @write
#ifndef RACY
    __syncwarp();
#endif
  }
}

int main() {
  transpose<<<1, 32>>>(copied(counting(96)), zeros(96), 3);
  return finish();
}
