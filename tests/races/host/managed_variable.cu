// The host reads __managed__ variables, one of them declared by a macro, before the kernel that writes them is over; and
// writes one that a kernel reads. Repaired: cudaDeviceSynchronize.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#define SHARED_WITH_HOST static __managed__

__managed__ int totals[8];
SHARED_WITH_HOST int limit = 3;

__tile_global__ void fill(int* data) {
  ct::store(totals + ct::iota<ints<8>>(), ct::load(data + ct::iota<ints<8>>())); // @totals
  const int most = ct::load(&limit); // @limit
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>() + most);
}

__attribute__((noinline)) static int last() {
  return totals[7]; // race: host-race with @totals
}

int main() {
  limit = 4; // before the launch
  int* const data = zeros(8);
  fill<<<1, 1>>>(data);
#ifndef RACY
  cudaDeviceSynchronize();
#endif
  limit = 5; // race: host-race with @limit
  const int seen = last();
  cudaDeviceSynchronize();
  fill<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  std::printf("%d %d\nexpect: limit, a variable of the program\n", seen, totals[7]);
  return finish();
}
