// A tile is written by rows and read by columns. Racy: the warp that reads is not the one that wrote, and only
// its own warp is waited for. Repaired: the block meets.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void turn(const int* in, int* out) {
  __shared__ int tile[8][9];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  tile[y][x] = in[y * 8 + x]; // @row
#ifdef RACY
  __syncwarp();
#else
  __syncthreads();
#endif
  out[y * 8 + x] = tile[x][y]; // race: data-race with @row; may: uninitialised-read
}

int main() {
  turn<<<1, dim3(8, 8)>>>(copied(counting(64)), zeros(64));
  return finish();
}
