// Tiles of two warps each, that hand values round in shared memory. Racy: each thread waits for its warp only. Repaired: for
// the tile; the other tile of the block is not waited for.  [CUDA C++ Programming Guide: thread block tile]
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reversed(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int values[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  const unsigned t = threadIdx.x;
  values[t] = 0;
  __syncthreads();
  values[t] = static_cast<int>(t); // @put
#ifdef RACY
  cg::tiled_partition<32>(tile).sync();
#else
  tile.sync();
#endif
  out[t] = values[(t & 64) + 63 - tile.thread_rank()]; // race: data-race with @put
  if (t >= 64) {
    tile.sync(); // of this tile alone
  }
}

int main() {
  reversed<<<1, 128>>>(zeros(128));
  return finish();
}
