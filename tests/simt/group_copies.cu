// Threads of a group that copy together, and wait.  [CUDA C++ Programming Guide: memcpy_async, wait, wait_prior]
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* out, int n) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (int at = 0; at < n; at += 64) {
    cg::memcpy_async(block, part, in + at, sizeof(int) * 64);
    cg::wait(block);
    sum += part[(t + 1) % 64];
    block.sync();
  }
  const auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(tile, part + tile.meta_group_rank() * 32, in, sizeof(int) * 32);
  cg::wait_prior<0>(tile);
  out[t] = sum + part[t];
}

int main() {
  constexpr int n = 256;
  int* in = nullptr;
  int* out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = i;
  }
  sums<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < 64; ++t) {
    int expected = t % 32;
    for (int part = 0; part < 4; ++part) {
      expected += part * 64 + (t + 1) % 64;
    }
    wrong += out[t] == expected ? 0 : 1;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
}
