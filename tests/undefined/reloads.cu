// Loaded values that are used in another shape after their place was overwritten.  [docs/compiler-findings.md]
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <cstdio>

namespace ct = cuda::tiles;

using column = ct::tile<int, ct::shape<16, 1>>;
using row = ct::tile<int, ct::shape<1, 8>>;

__tile_global__ void in_place(float* t, float* o) {
  auto r = ct::iota<column>();
  auto i = r * 8 + ct::iota<row>();
  auto old = ct::load(t + r); // @LOAD
  ct::store(t + r, old + 1.0f); // @STORE
  ct::store(o + i, ct::load(o + i) + old); // note: reloaded value: a loaded tile is used in another shape after its place was overwritten [reloaded-value]
              // | it was loaded at reloads.cu:@LOAD, and overwritten at reloads.cu:@STORE
              // | by tile block (0,0,0) of in_place
}

// In the same shape; before the store; of other memory; loaded again: the neighbours.
__tile_global__ void neighbours(float* t, float* o, float* other) {
  auto r = ct::iota<column>();
  auto i = r * 8 + ct::iota<row>();
  auto old = ct::load(t + r);
  auto wide = ct::broadcast(old, ct::shape<16, 8>{});
  ct::store(other + r, old + 1.0f);
  ct::store(o + i, ct::load(o + i) + old);
  ct::store(t + r, old + 1.0f);
  ct::store(other + r, old + 2.0f);
  ct::store(o + i, ct::load(o + i) + wide);
  auto again = ct::load(t + r);
  ct::store(o + i, ct::load(o + i) + again);
}

// One element of many is enough; so is a store of the whole by a view's rows.
__tile_global__ void one_element(float* t, float* o) {
  auto r = ct::iota<column>();
  auto i = r * 8 + ct::iota<row>();
  auto old = ct::load(t + r);
  ct::store_masked(t + r, old + 1.0f, r == 5);
  ct::store(o + i, ct::load(o + i) + old); // note: reloaded value: a loaded tile is used in another shape after its place was overwritten [reloaded-value]
}

int main() {
  float* t = nullptr;
  float* o = nullptr;
  float* other = nullptr;
  cudaMallocManaged(&t, 16 * sizeof(float));
  cudaMallocManaged(&o, 128 * sizeof(float));
  cudaMallocManaged(&other, 16 * sizeof(float));
  for (int i = 0; i < 128; ++i) {
    o[i] = static_cast<float>(i);
    t[i % 16] = static_cast<float>(i);
  }
  in_place<<<1, 1>>>(t, o);
  neighbours<<<1, 1>>>(t, o, other);
  one_element<<<1, 1>>>(t, o);
  cudaDeviceSynchronize();
  std::puts("done");
}
