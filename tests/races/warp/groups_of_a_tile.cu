// Tiles of eight lanes pass values by shared memory. Racy: a lane reads its neighbour's of another tile. Repaired: of
// its own.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

__global__ void pass(int* out) {
  __shared__ int row[32];
  const unsigned t = threadIdx.x;
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  row[t] = static_cast<int>(t); // @write
  tile.sync();
#ifdef RACY
  const unsigned other = (t + 1) % 32;
#else
  const unsigned other = t / 8 * 8 + (t + 1) % 8;
#endif
  out[t] = row[other]; // race: data-race with @write; may: uninitialised-read
}

int main() {
  pass<<<1, 32>>>(zeros(32));
  return finish();
}
