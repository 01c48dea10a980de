// Block alignment for a mixture of experts: tokens are sorted by their expert, and each expert's list is
// padded to a multiple of the block size. A histogram by atomics, a prefix sum, and a scatter whose places
// come from atomic counters: which token of an expert comes first is open.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <algorithm>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int tile_size = 64, experts = 16, block_size = 16;
using lane = ct::tile<int, ct::shape<tile_size>>;
using expert_lane = ct::tile<int, ct::shape<experts>>;

__tile_global__ void count_tokens(const int* expert_of, int* counts, int tokens) {
  auto i = static_cast<int>(ct::bid().x) * tile_size + ct::iota<lane>();
  auto inside = i < tokens;
  auto e = ct::load_masked(expert_of + i, inside, 0);
  ct::atomic_add_masked<ct::memory_order::relaxed, ct::thread_scope::device>(counts + e, ct::ones<lane>(), inside);
}

// start[e]: where expert e's list begins; start[experts]: how long the array is.
__tile_global__ void place_experts(const int* counts, int* start, int* next) {
  auto e = ct::iota<expert_lane>();
  auto padded = ct::ceildiv(ct::load(counts + e), block_size) * block_size;
  auto ends = ct::partial_sum(padded, 0_ic);
  ct::store(start + 1 + e, ends);
  ct::store(next + e, ends - padded);
}

__tile_global__ void scatter_tokens(const int* expert_of, int* next, int* sorted, int tokens) {
  auto i = static_cast<int>(ct::bid().x) * tile_size + ct::iota<lane>();
  auto inside = i < tokens;
  auto e = ct::load_masked(expert_of + i, inside, 0);
  auto place = ct::atomic_add_masked<ct::memory_order::relaxed, ct::thread_scope::device>(next + e, ct::ones<lane>(), inside);
  ct::store_masked(sorted + place, i, inside);
}

int main() {
  const int tokens = 1000;
  const int longest = tokens + experts * block_size;
  std::vector<int> expert_of(tokens), empty(longest, -1);
  for (int i = 0; i < tokens; ++i) {
    expert_of[i] = (i * i + 3 * i) % 23 % experts;
  }
  int *dexpert = on_device(expert_of), *dcounts = zeros_on_device<int>(experts), *dstart = zeros_on_device<int>(experts + 1);
  int *dnext = zeros_on_device<int>(experts), *dsorted = on_device(empty);
  const int grid = (tokens + tile_size - 1) / tile_size;
  count_tokens<<<grid, 1>>>(dexpert, dcounts, tokens);
  place_experts<<<1, 1>>>(dcounts, dstart, dnext);
  scatter_tokens<<<grid, 1>>>(dexpert, dnext, dsorted, tokens);
  std::vector<int> start(experts + 1), sorted(longest);
  cudaMemcpy(start.data(), dstart, start.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(sorted.data(), dsorted, sorted.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int* p : {dexpert, dcounts, dstart, dnext, dsorted}) {
    cudaFree(p);
  }

  // Sorted within each expert, the lists are determined.
  for (int e = 0; e < experts; ++e) {
    std::sort(sorted.begin() + start[e], sorted.begin() + start[e + 1]);
  }
  std::vector<double> want_start{0}, want;
  for (int e = 0; e < experts; ++e) {
    std::vector<double> list;
    for (int i = 0; i < tokens; ++i) {
      if (expert_of[i] == e) {
        list.push_back(i);
      }
    }
    const std::size_t padding = (block_size - list.size() % block_size) % block_size;
    want.insert(want.end(), padding, -1);
    want.insert(want.end(), list.begin(), list.end());
    want_start.push_back(static_cast<double>(want.size()));
  }
  want.resize(longest, -1);
  int failures = verdict("moe_align starts", start, want_start, 0, 0);
  failures += verdict("moe_align tokens", sorted, want, 0, 0);
  return failures != 0;
}
