// A histogram, and what it looks like with a mistake in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_tile.h"

namespace ct = cuda::tiles;

constexpr int bins = 8;
constexpr int per_block = 64;
using index_tile = ct::tile<int, ct::shape<per_block>>;

__tile_global__ void histogram(const int* values, int* counts) {
  int first = ct::bid().x * per_block;
  auto i = first + ct::iota<index_tile>();
  ct::atomic_add(counts + ct::load(values + i),
                 ct::full<index_tile>(1),
                 ct::memory_order_relaxed_t{},
                 ct::thread_scope_device_t{});
}

// The same with a load and a store: counts get lost.
__tile_global__ void plain_histogram(const int* values, int* counts) {
  int first = ct::bid().x * per_block;
  auto i = first + ct::iota<index_tile>();
  auto counters = counts + ct::load(values + i);
  ct::store(counters, ct::load(counters) + 1);
}
