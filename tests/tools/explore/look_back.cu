// A scan that looks back: each block publishes its sum, adds those before it, and publishes the whole. Sums are plain, flags say which is there.
// RELAXED_FLAG, RELAXED_LOOK: one order weakened.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifdef RELAXED_FLAG
constexpr auto to_flag = relaxed;
#else
constexpr auto to_flag = release;
#endif
#ifdef RELAXED_LOOK
constexpr auto to_look = relaxed;
#else
constexpr auto to_look = acquire;
#endif

__global__ void scan(int* flags, int* sums, int* wholes) {
  const int me = static_cast<int>(blockIdx.x);
  int sum = me + 1;
  if (me > 0) {
    sums[me] = sum;
    shared(flags[me]).store(1, to_flag);
  }
  for (int back = me - 1; back >= 0; --back) {
    int flag = 0;
    while ((flag = shared(flags[back]).load(to_look)) == 0) {
    }
    if (flag == 2) {
      sum += wholes[back];
      break;
    }
    sum += sums[back];
  }
  wholes[me] = sum;
  shared(flags[me]).store(2, to_flag);
}

int main() {
  int* const flags = zeros(3);
  int* const sums = zeros(3);
  int* const wholes = zeros(3);
  scan<<<3, 1>>>(flags, sums, wholes);
  const std::vector<int> got = taken(wholes, 3);
  cudaFree(flags);
  cudaFree(sums);
  cudaFree(wholes);
  return got == std::vector<int>{1, 3, 6} ? 0 : 1;
}
