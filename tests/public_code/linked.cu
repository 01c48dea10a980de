// A program of several files: kernels behind a host interface in linked_kernels.cu, kernels and
// helpers of the same name in both, and a template that both instantiate.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "linked_kernels.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;

namespace {
__tile__ auto lanes() {
  return ct::iota<ct::tile<int, ct::shape<16>>>();
}
} // namespace

static __tile_global__ void transform(float* data, float square_of) {
  ct::store(data + lanes(), ct::load(data + lanes()) + square_of * square_of);
}

int main() {
  const int n = 100;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i * 0.5f;
  }
  device_array<float> in(x), out(n);
  problem p{in.data, out.data, n};
  launch_scale(p, 4.0f);
  p.in = out.data;
  CHECK_CUDA(launch_shift(p, 1.0f));
  transform<<<1, 1>>>(out.data + 16, 3.0f);
  CHECK_LAUNCHES();
  const auto o = out.host();
  for (int i = 0; i < n; ++i) {
    EXPECT(o[i] == 2.0f * i + 1 + (i >= 16 && i < 32 ? 9 : 0));
  }
  EXPECT(launches_so_far() == 2 && rounded_up(33, 32) == 64);
  return verdict("linked");
}
