// Algorithms of CUB's that are no PTX inside: docs/cccl.md lists the others.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_for.cuh>
#include <vector>

constexpr int threads = 64;

__global__ void load_store(const int* in, int* out) {
  using load = cub::BlockLoad<int, threads, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  using store = cub::BlockStore<int, threads, 2, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    typename load::TempStorage load;
    typename store::TempStorage store;
  } storage;
  int x[2];
  load(storage.load).Load(in, x);
  __syncthreads();
  x[0] += 1;
  x[1] += 2;
  store(storage.store).Store(out, x);
}
__global__ void histogram(const int* in, int* out) {
  using count = cub::BlockHistogram<unsigned char, threads, 2, 8, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename count::TempStorage storage;
  __shared__ unsigned bins[8];
  unsigned char x[2] = {static_cast<unsigned char>(in[2 * threadIdx.x] & 7),
                        static_cast<unsigned char>(in[2 * threadIdx.x + 1] & 7)};
  count(storage).Histogram(x, bins);
  __syncthreads();
  if (threadIdx.x < 8) {
    out[threadIdx.x] = static_cast<int>(bins[threadIdx.x]);
  }
}

int main() {
  std::vector<int> host(2 * threads);
  for (int i = 0; i < 2 * threads; ++i) {
    host[i] = i * 37 % 101;
  }
  int* in = nullptr;
  int* out = nullptr;
  cudaMalloc(&in, host.size() * sizeof(int));
  cudaMalloc(&out, host.size() * sizeof(int));
  cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  std::vector<int> got(2 * threads);
  int wrong = 0;
  const auto check = [&](const char* what, auto expected, int n) {
    cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; ++i) {
      bad += got[i] != expected(i);
    }
    std::printf("%s: %d wrong\n", what, bad);
    wrong += bad;
  };
  load_store<<<1, threads>>>(in, out);
  check("BlockLoad, BlockStore", [&](int i) { return host[i] + 1 + i % 2; }, 2 * threads);
  histogram<<<1, threads>>>(in, out);
  check("BlockHistogram", [&](int b) {
    int n = 0;
    for (const int x : host) {
      n += (x & 7) == b;
    }
    return n;
  }, 8);
  cub::DeviceFor::Bulk(2 * threads, [out](int i) { out[i] = i * i; });
  check("DeviceFor", [](int i) { return i * i; }, 2 * threads);
  cudaFree(in);
  cudaFree(out);
  return wrong == 0 ? 0 : 1;
}
