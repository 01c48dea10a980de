// Operations of cooperative groups that give another type than the threads bring along.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void all(int* p) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  *p = cg::COMBINE(tile, *p, cg::plus<TYPE>());
}

int main() {
  all<<<1, 32>>>(nullptr);
}
