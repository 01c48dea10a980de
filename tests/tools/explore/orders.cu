// Each block sums the same numbers, in an order that may be drawn, and counts itself.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;

constexpr int blocks = 3;
constexpr ct::memory_order_relaxed_t relaxed{};
constexpr ct::thread_scope_device_t device{};

__tile_global__ void sum(float* sums, int* count) {
  using numbers = ct::tile<float, ct::shape<64>>;
  const int me = ct::bid().x;
  const auto one_in = ct::element_cast<float>(ct::iota<ct::tile<int, ct::shape<64>>>() + 1);
  const auto all = ct::sum<0>(ct::full<numbers>(1.0F) / one_in);
  ct::store(sums + me, ct::reshape<ct::shape<>>(all));
  ct::atomic_add(count, 1, relaxed, device);
}

int main() {
  float* sums = nullptr;
  int* count = nullptr;
  cudaMallocManaged(&sums, blocks * sizeof *sums);
  cudaMallocManaged(&count, sizeof *count);
  *count = 0;
  sum<<<blocks, 1>>>(sums, count);
  cudaDeviceSynchronize();
  std::printf("%a %a %a\n", double{sums[0]}, double{sums[1]}, double{sums[2]});
  cudaFree(sums);
  cudaFree(count);
}
