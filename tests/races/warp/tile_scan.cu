// Prefix sums of tiles of 8 threads in shared memory. Racy: nobody waits between a read and the write that follows.
// Repaired: the threads of a tile meet.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void scan(int* out) {
  __shared__ int s[32];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int* const own = s + 8 * tile.meta_group_rank();
  const int r = tile.thread_rank();
  own[r] = 1;
  tile.sync();
  for (int apart = 1; apart < 8; apart *= 2) {
    const int before = r >= apart ? own[r - apart] : 0; // @read
#ifndef RACY
    tile.sync();
#endif
    own[r] += before; // race: data-race with @read
    tile.sync();
  }
  out[threadIdx.x] = own[r];
}

int main() {
  scan<<<1, 32>>>(zeros(32));
  return finish();
}
