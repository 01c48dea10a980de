// Odd-even transposition: neighbours are put in order, pairs from even places on and pairs from odd places on in turn. Racy:
// without a barrier between the two. Repaired: with one behind each.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void sort(int* in_and_out) {
  __shared__ int row[16];
  const int t = static_cast<int>(threadIdx.x);
  row[2 * t] = in_and_out[2 * t];
  row[2 * t + 1] = in_and_out[2 * t + 1];
  __syncthreads();
  for (int phase = 0; phase < 16; ++phase) {
    const int at = 2 * t + phase % 2;
    if (at + 1 < 16) {
      const int a = row[at];     // either: data-race with @high; either: data-race with @low
      const int b = row[at + 1]; // either: data-race with @high; either: data-race with @low
      row[at] = min(a, b);       // @low
      row[at + 1] = max(a, b);   // @high
    }
#ifndef RACY
    __syncthreads();
#endif
  }
  __syncthreads();
  in_and_out[2 * t] = row[2 * t];
  in_and_out[2 * t + 1] = row[2 * t + 1];
}

int main() {
  std::vector<int> values = counting(16);
  std::reverse(values.begin(), values.end());
  sort<<<1, 8>>>(copied(values));
  return finish();
}
