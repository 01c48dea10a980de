// Tiles of several warps: sums, scans, values handed on, votes, groups within groups.  [CUDA C++ Programming Guide:
// cooperative groups, thread block tile; reduce; inclusive_scan]
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct pair {
  int a;
  float b;
};

__global__ void tiles(int* wrong) {
  __shared__ cg::block_tile_memory<512> memory;
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  const auto half = cg::tiled_partition<64>(tile);
  const auto quarter = cg::tiled_partition<16>(half);
  const int t = static_cast<int>(threadIdx.x);
  const int first = t / 128 * 128;
  int bad = 0;
  const auto expect = [&bad](bool holds) { bad += holds ? 0 : 1; };
  expect(tile.thread_rank() == threadIdx.x % 128 && tile.size() == 128 && tile.num_threads() == 128);
  expect(tile.meta_group_rank() == threadIdx.x / 128 && tile.meta_group_size() == 4);
  expect(half.meta_group_rank() == threadIdx.x / 64 % 2 && half.meta_group_size() == 2);
  expect(quarter.thread_rank() == threadIdx.x % 16 && quarter.meta_group_size() == 4);
  expect(cg::reduce(tile, t, cg::plus<int>()) == 128 * first + 127 * 64);
  expect(cg::reduce(half, t, cg::greater<int>()) == t / 64 * 64 + 63);
  expect(cg::inclusive_scan(tile, 1, cg::plus<int>()) == t - first + 1);
  expect(cg::exclusive_scan(half, 2) == 2 * (t % 64));
  expect(cg::reduce(quarter, 1, cg::plus<int>()) == 16);
  const pair given = tile.shfl(pair{t, t / 2.0F}, 77);
  expect(given.a == first + 77 && given.b == (first + 77) / 2.0F);
  expect(tile.any(t == 130) == (first == 128 ? 1 : 0) && tile.all(t < 256) == (first < 256 ? 1 : 0));
  expect(cg::invoke_one_broadcast(tile, [t] { return t + 7; }) == first + 7);
  for (int i = 0; i < t / 128; ++i) {
    tile.sync(); // each tile by itself
  }
  atomicAdd(wrong, bad);
}

int main() {
  int* wrong = nullptr;
  cudaMallocManaged(&wrong, sizeof *wrong);
  *wrong = 0;
  tiles<<<2, 512>>>(wrong);
  cudaDeviceSynchronize();
  std::printf("%d wrong\n", *wrong);
  cudaFree(wrong);
}
