// The other file of linked.cu: its kernels and their launches.
// SPDX-License-Identifier: Apache-2.0
#include "linked_kernels.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;

namespace {
using block = ct::tile<float, ct::shape<32>>;
int launches = 0;

// linked.cu has a kernel and a helper of the same names.
__tile__ auto lanes() {
  return static_cast<int>(ct::bid().x) * 32 + ct::iota<ct::tile<int, ct::shape<32>>>();
}
__tile_global__ void transform(const float* in, float* out, int n, float factor, float by) {
  auto i = lanes();
  auto mask = i < n;
  ct::store_masked(out + i, ct::load_masked(in + i, mask, 0.0f) * factor + by, mask);
}

void launch(const problem& p, float factor, float by) {
  transform<<<rounded_up(p.n, 32) / 32, 1, 0, p.stream>>>(p.in, p.out, p.n, factor, by);
  ++launches;
}
} // namespace

void launch_scale(const problem& p, float factor) {
  launch(p, factor, 0);
}
cudaError_t launch_shift(const problem& p, float by) {
  launch(p, 1.0f, by);
  return cudaGetLastError();
}
int launches_so_far() {
  return launches;
}
