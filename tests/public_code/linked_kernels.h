// What linked_kernels.cu offers to linked.cu.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

struct problem {
  const float* in;
  float* out;
  int n;
  cudaStream_t stream = 0;
};

void launch_scale(const problem& p, float factor);
cudaError_t launch_shift(const problem& p, float by);
int launches_so_far();

// In both files: one instance, whichever file it comes from.
template <typename T>
inline T rounded_up(T n, T to) {
  static int calls = 0;
  ++calls;
  return (n + to - 1) / to * to;
}
