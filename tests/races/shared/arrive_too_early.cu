// A barrier in two halves, with work between them that nobody waits for. Racy: what others wait for is written between
// them, too. Repaired: before the arrival.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/barrier>
#include <utility>

__global__ void shift(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&bar, 8);
  }
  __syncthreads();
#ifndef RACY
  row[t] = in[t];
#endif
  auto token = bar.arrive();
#ifdef RACY
  row[t] = in[t]; // @write
#endif
  const int mine = in[t] * 2;
  bar.wait(std::move(token));
  out[t] = mine + row[(t + 1) % 8]; // race: data-race with @write; may: uninitialised-read
}

int main() {
  shift<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
