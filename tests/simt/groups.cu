// Cooperative groups, member by member: who is in them, what they give one another.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int failures;

#define EXPECT(condition)                                                                                              \
  if (!(condition)) {                                                                                                  \
    printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x + blockDim.x * threadIdx.y, #condition);                  \
    atomicAdd(&failures, 1);                                                                                           \
  }

/// Any group that can meet: the sum of what its threads bring along, in the first.
template <class Group>
__device__ int sum(const Group& g, int* places, int value) {
  const int rank = static_cast<int>(g.thread_rank());
  for (int apart = static_cast<int>(g.size()) / 2; apart > 0; apart /= 2) {
    places[rank] = value;
    g.sync();
    if (rank < apart) {
      value += places[rank + apart];
    }
    g.sync();
  }
  return value;
}
__device__ int sum_of_any(const cg::thread_group g, int* places, int value) {
  return sum(g, places, value);
}

struct wide {
  double a, b, c;
};

template <unsigned N>
__device__ void tiles(const cg::thread_block& block) {
  const auto t = cg::tiled_partition<N>(block);
  const unsigned r = block.thread_rank();
  constexpr unsigned all = N == 32 ? ~0U : (1U << N) - 1;
  EXPECT(t.size() == N && t.num_threads() == N && t.thread_rank() == r % N);
  EXPECT(t.meta_group_rank() == r / N && t.meta_group_size() == block.size() / N);
  EXPECT(t.shfl(r, 0) == r / N * N && t.shfl_xor(r, N / 2) == (r ^ (N / 2)));
  EXPECT(t.shfl_down(r, 1) == (r % N == N - 1 ? r : r + 1) && t.shfl_up(r, 1) == (r % N == 0 ? r : r - 1));
  EXPECT(t.shfl(wide{1.0 * r, 2.0 * r, 3.0 * r}, N - 1).c == 3.0 * (r / N * N + N - 1));
  EXPECT(t.any(t.thread_rank() == N - 1) && t.all(1) && !t.all(t.thread_rank() != 0));
  EXPECT(t.ballot(t.thread_rank() == N - 1) == 1U << (N - 1));
  EXPECT(t.match_any(r & 1) == (N == 1 ? 1U : 0x55555555U << (r & 1) & all));
  int same = 0;
  EXPECT(t.match_all(5, same) == all && same == 1);
  EXPECT(cg::reduce(t, static_cast<int>(t.thread_rank()), cg::plus<int>()) == static_cast<int>(N * (N - 1) / 2));
  EXPECT(cg::reduce(t, t.thread_rank(), cg::greater<unsigned>()) == N - 1);
  EXPECT(cg::reduce(t, t.thread_rank() + 1, cg::less<unsigned>()) == 1);
  EXPECT(cg::reduce(t, 1U << t.thread_rank(), cg::bit_or<unsigned>()) == all);
  EXPECT(cg::inclusive_scan(t, 1U) == t.thread_rank() + 1);
  EXPECT(cg::exclusive_scan(t, 2) == 2 * static_cast<int>(t.thread_rank()));
}

// Every tile takes places of its own from a counter, once: those of a lane stand one behind the other.
__device__ unsigned places = 0;
__device__ unsigned taken[128];
__device__ int most = -1;
template <unsigned N>
__device__ void updates(const cg::thread_block& block) {
  const auto t = cg::tiled_partition<N>(block);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(places);
  const unsigned mine = t.thread_rank() % 2;
  const unsigned at = cg::exclusive_scan_update(t, counter, mine);
  if (mine != 0) {
    EXPECT(at < 128 && atomicAdd(&taken[at], 1) == 0);
  }
  EXPECT(t.shfl(at, 0) + t.thread_rank() / 2 == at);
  cuda::atomic_ref<int, cuda::thread_scope_device> top(most);
  block.sync();
  EXPECT(cg::inclusive_scan_update(t, top, static_cast<int>(block.thread_rank()), cg::greater<int>()) >= static_cast<int>(block.thread_rank()));
  block.sync();
  EXPECT(top.load(cuda::memory_order_relaxed) == static_cast<int>(block.size()) - 1);
  block.sync();
}

__device__ void coalesced(unsigned r) {
  if (r % 3 != 0) {
    return;
  }
  const cg::coalesced_group g = cg::coalesced_threads();
  unsigned before = 0;
  for (unsigned i = r / 32 * 32; i < r; ++i) {
    before += i % 3 == 0;
  }
  EXPECT(g.thread_rank() == before && cg::reduce(g, 1U, cg::plus<unsigned>()) == g.size());
  EXPECT(g.shfl(before, 2) == 2 && g.shfl(before, g.size() - 1) == g.size() - 1);
  EXPECT(g.shfl_down(r, 1) == (before == g.size() - 1 ? r : r + 3) && g.shfl_up(r, 1) == (before == 0 ? r : r - 3));
  EXPECT(g.ballot(before == 1) == 2 && g.any(before == 1) && !g.all(before == 1));
  EXPECT(g.match_any(before == 1) == (before == 1 ? 2 : ((1U << g.size()) - 1) & ~2U));
  EXPECT(cg::inclusive_scan(g, 1) == static_cast<int>(before) + 1);
  const auto four = cg::tiled_partition(g, 4);
  EXPECT(four.thread_rank() == before % 4 && four.meta_group_rank() == before / 4);
  EXPECT(cg::reduce(four, four.thread_rank(), cg::greater<unsigned>()) == four.size() - 1);
  EXPECT(cg::invoke_one_broadcast(g, [&] { return g.size(); }) == g.size());
}

__global__ void groups() {
  __shared__ int places[128];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned r = block.thread_rank();
  EXPECT(r == threadIdx.x + 32 * threadIdx.y && block.size() == 128 && block.group_index().x == blockIdx.x);
  tiles<1>(block);
  tiles<2>(block);
  tiles<4>(block);
  tiles<8>(block);
  tiles<16>(block);
  tiles<32>(block);
  updates<32>(block);
  const int of_block = sum(block, places, 1);
  EXPECT(r != 0 || of_block == 128);
  const auto eight = cg::tiled_partition(block, 8);
  const int of_eight = sum_of_any(eight, places + r / 8 * 8, 1);
  EXPECT(eight.size() == 8 && eight.thread_rank() == r % 8 && (r % 8 != 0 || of_eight == 8));
  const auto four = cg::tiled_partition<4>(cg::tiled_partition<16>(block));
  EXPECT(four.meta_group_rank() == r % 16 / 4 && four.meta_group_size() == 4);
  coalesced(r);
  const auto warp = cg::tiled_partition<32>(block);
  const auto label = cg::labeled_partition(warp, r % 4);
  EXPECT(label.size() == 8 && label.thread_rank() == r % 32 / 4);
  const auto two = cg::binary_partition(warp, r % 32 < 10);
  EXPECT(two.size() == (r % 32 < 10 ? 10 : 22));
  const cg::grid_group grid = cg::this_grid();
  EXPECT(!grid.is_valid() && grid.size() == 256 && grid.thread_rank() == r + 128 * blockIdx.x);
  cg::sync(block);
}

/// Each block adds what all have left in the round before.
__global__ void rounds(int* cells) {
  const cg::grid_group grid = cg::this_grid();
  EXPECT(grid.is_valid() && grid.num_blocks() == 4);
  const int n = static_cast<int>(grid.size());
  const int i = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < 3; ++round) {
    const int next = cells[(i + n / 2) % n];
    grid.sync();
    cells[i] += next;
    grid.sync();
  }
}

int main() {
  groups<<<2, dim3(32, 4)>>>();
  int* cells = nullptr;
  cudaMallocManaged(&cells, 128 * sizeof *cells);
  for (int i = 0; i < 128; ++i) {
    cells[i] = 1;
  }
  void* arguments[] = {&cells};
  cudaLaunchCooperativeKernel(rounds, dim3(4), dim3(32), arguments);
  cudaDeviceSynchronize();
  int failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  printf("%d failures, %d and %d, %s\n", failed, cells[0], cells[127], cudaGetErrorString(cudaGetLastError()));
  cudaFree(cells);
  return failed;
}
