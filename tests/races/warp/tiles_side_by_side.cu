// Tiles of eight threads that each exchange in a row of their own. Racy: sync() of a tile, though what is read is the next
// tile's. Repaired: the block's barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void rotate(int* out) {
  __shared__ int row[32];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = static_cast<int>(threadIdx.x);
  row[t] = t; // @row
#ifdef RACY
  tile.sync();
#else
  cg::this_thread_block().sync();
#endif
  out[t] = row[(t + 8) % 32] + static_cast<int>(tile.size()); // race: data-race with @row; may: uninitialised-read
}

int main() {
  rotate<<<1, 32>>>(zeros(32));
  return finish();
}
