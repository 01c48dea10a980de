// Each source that includes it has these for itself, as NVIDIA's compiler has it without -rdc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace own {
__device__ int counter = 0;
__constant__ int step = 0;
__device__ int twice(int x) {
  return 2 * x;
}
template <class T>
__device__ T total = 0;
inline __device__ int last = 0;
inline __device__ void add(int x) { // each source's own, too, by the variables that it names
  atomicAdd(&total<int>, x);
  atomicExch(&last, x);
}
} // namespace own
