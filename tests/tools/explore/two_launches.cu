// Two launches: the second sees all that the first has done, whatever that was. 3 states of the first (6 executions), 2 of the second.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void claim(int* owner) {
  shared(*owner).exchange(static_cast<int>(blockIdx.x) + 1, relaxed);
}
__global__ void follow(int* owner, int* seen) {
  if (blockIdx.x == 0) {
    shared(*seen).store(shared(*owner).load(relaxed) * 10, relaxed);
  } else {
    shared(*seen).fetch_add(1, relaxed);
  }
}

int main() {
  int* const owner = zeros(1);
  int* const seen = zeros(1);
  claim<<<3, 1>>>(owner);
  follow<<<2, 1>>>(owner, seen);
  std::printf("%d\n", taken(seen, 1)[0]);
  cudaFree(owner);
  cudaFree(seen);
}
