// A block copies by cooperative_groups::memcpy_async. Racy: it meets, which waits for no copies. Repaired: it waits for its own.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void turn(const int* in, int* out) {
  __shared__ int row[64];
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  cg::memcpy_async(block, row, in, sizeof row); // @copy
#ifdef RACY
  block.sync();
#else
  cg::wait(block);
#endif
  out[t] = row[63 - t]; // race: data-race with @copy
}

int main() {
  turn<<<1, 64>>>(copied(counting(64)), zeros(64));
  return finish();
}
