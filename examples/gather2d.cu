// A 2 x 2 tile gathered from scattered places of a 4 x 4 array.
//
// The example of the reference page on memory operations.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;

using i32x2x2 = ct::tile<int, ct::shape<2, 2>>;
using ptr_2x2 = ct::tile<const int*, ct::shape<2, 2>>;

__tile_global__ void gather(const int* x, int* out) {
  // [2, 11; 4, 13]
  i32x2x2 index = (2 + 9 * ct::iota<i32x2x2>()) % 16;
  ptr_2x2 ptrs = x + index;
  i32x2x2 r = ct::load(ptrs);
  ct::store(out + ct::iota<i32x2x2>(), r);
}

int main() {
  int x[4][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
  int out[4] = {};
  int* dx = nullptr;
  int* dout = nullptr;
  cudaMalloc(&dx, sizeof(x));
  cudaMalloc(&dout, sizeof(out));
  cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice);

  gather<<<1, 1>>>(dx, dout);

  cudaMemcpy(out, dout, sizeof(out), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dout);
  std::printf("gather2d: [%d, %d; %d, %d]\n", out[0], out[1], out[2], out[3]);
  const bool right = out[0] == 2 && out[1] == 11 && out[2] == 4 && out[3] == 13;
  return right ? 0 : 1;
}
