// The cost of a small launch, beside few allocations and beside many.
// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <algorithm>
#include <cstdio>

__tile_global__ void nothing() {}

double microseconds_of_launch() {
  constexpr int launches = 500;
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    const double start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int n = 0; n < launches; ++n) {
      nothing<<<1, 1>>>();
    }
    cudaDeviceSynchronize();
    best = std::min(best, nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start);
  }
  return best / launches / 1000;
}

int main() {
  const std::vector<float> array(16'384);
  fresh(array);
  std::printf("launches beside 1 us %.2f\n", microseconds_of_launch());
  for (int i = 1; i < 1000; ++i) {
    fresh(array);
  }
  std::printf("launches beside 1000 us %.2f\n", microseconds_of_launch());
  return 0;
}
