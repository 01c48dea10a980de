// The sum of a large array: each block strides over the array, keeps a tile of partial sums in
// registers, and adds it to the result with an atomic.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int tile_size = 128;
using index_tile = ct::tile<int, ct::shape<tile_size>>;
using sum_tile = ct::tile<long long, ct::shape<tile_size>>;

__tile_global__ void sum(const int* in, int n, unsigned long long* result) {
  int block = ct::bid().x;
  int blocks = ct::num_blocks().x;
  auto partial = ct::zeros<sum_tile>();
  for (int first : ct::irange(block * tile_size, n, blocks * tile_size)) {
    auto i = first + ct::iota<index_tile>();
    partial = partial + ct::load_masked(in + i, i < n, 0);
  }
  auto everywhere = ct::full<ct::tile<unsigned long long*, ct::shape<tile_size>>>(result);
  ct::atomic_add(everywhere,
                 ct::element_cast<unsigned long long>(partial),
                 ct::memory_order_relaxed_t{},
                 ct::thread_scope_device_t{});
}

int main() {
  const int n = 123'457;
  std::vector<int> in(n);
  long long want = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 31) % 2003 - 1001;
    want += in[i];
  }
  int* din = nullptr;
  unsigned long long* dsum = nullptr;
  unsigned long long got = 0;
  cudaMalloc(&din, n * sizeof(int));
  cudaMalloc(&dsum, sizeof(got));
  cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dsum, 0, sizeof(got));

  sum<<<32, 1>>>(din, n, dsum);

  cudaMemcpy(&got, dsum, sizeof(got), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dsum);
  std::printf("reduction: %lld, expected %lld\n", static_cast<long long>(got), want);
  return static_cast<long long>(got) == want ? 0 : 1;
}
