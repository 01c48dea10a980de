// A tile of more threads than a warp has.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void ranks(unsigned* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = tile.thread_rank();
}

int main() {
  unsigned* out = nullptr;
  cudaMalloc(&out, 128 * sizeof *out);
  ranks<<<1, 128>>>(out);
  cudaFree(out);
}
