// Two pieces ahead by cooperative_groups::memcpy_async. Racy: it waits for all but the last two copies, and reads the last but
// one. Repaired: for all but the last.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

#ifdef RACY
constexpr unsigned prior = 2;
#else
constexpr unsigned prior = 1;
#endif

__global__ void sum(const int* in, int* out) {
  __shared__ int rows[2][32];
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  cg::memcpy_async(block, rows[0], in, sizeof rows[0]); // @first
  cg::memcpy_async(block, rows[1], in + 32, sizeof rows[1]);
  cg::wait_prior<prior>(block);
  const int first = rows[0][31 - t]; // race: data-race with @first
  cg::wait(block);
  out[t] = first + rows[1][31 - t];
}

int main() {
  sum<<<1, 32>>>(copied(counting(64)), zeros(32));
  return finish();
}
