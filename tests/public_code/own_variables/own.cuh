// Each source that includes it has these for itself, as NVIDIA's compiler has it without -rdc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace own {
__device__ int counter = 0;
__constant__ int step = 0;
__device__ int twice(int x) {
  return 2 * x;
}
} // namespace own
