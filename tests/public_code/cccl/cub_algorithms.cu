// CUB's algorithms whose shuffles, loads and stores are inline PTX: of warps, of blocks, of the device.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int threads = 128;
constexpr int n = 5000;

template <class T>
__global__ void sum(const T* in, int* out) {
  using reduce = cub::BlockReduce<T, threads>;
  __shared__ typename reduce::TempStorage storage;
  const T total = reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) {
    *out = static_cast<int>(total);
  }
}
__global__ void prefix(const int* in, int* out) {
  using scan = cub::BlockScan<int, threads>;
  __shared__ typename scan::TempStorage storage;
  scan(storage).ExclusiveSum(in[threadIdx.x], out[threadIdx.x]);
}
__global__ void sort(const int* in, int* out) {
  using block_sort = cub::BlockRadixSort<int, threads, 2>;
  __shared__ typename block_sort::TempStorage storage;
  int x[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  block_sort(storage).Sort(x);
  out[2 * threadIdx.x] = x[0];
  out[2 * threadIdx.x + 1] = x[1];
}
__global__ void warps(const int* in, int* sums, int* prefixes) {
  using reduce = cub::WarpReduce<int>;
  using scan = cub::WarpScan<int>;
  __shared__ typename reduce::TempStorage for_sums[threads / 32];
  __shared__ typename scan::TempStorage for_scans[threads / 32];
  const unsigned warp = threadIdx.x / 32;
  const int total = reduce(for_sums[warp]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) {
    sums[warp] = total;
  }
  scan(for_scans[warp]).InclusiveSum(in[threadIdx.x], prefixes[threadIdx.x]);
}

struct odd {
  __host__ __device__ bool operator()(int x) const { return (x & 1) != 0; }
};

/// Asks how much memory an algorithm needs, and runs it.
template <class F>
void run(F algorithm) {
  void* memory = nullptr;
  std::size_t bytes = 0;
  algorithm(memory, bytes);
  cudaMalloc(&memory, bytes);
  algorithm(memory, bytes);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

template <class T>
T* managed(int count) {
  T* p = nullptr;
  cudaMallocManaged(&p, count * sizeof(T));
  return p;
}

int main() {
  int* const in = managed<int>(n);
  int* const out = managed<int>(n);
  double* const reals = managed<double>(threads);
  int total = 0;
  int block = 0;
  int odds = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 % 1013;
    total += in[i];
    odds += in[i] & 1;
    if (i < threads) {
      block += in[i];
      reals[i] = in[i];
    }
  }
  int wrong = 0;
  const auto check = [&wrong](bool right, const char* what) {
    if (!right) {
      std::printf("%s: wrong\n", what);
      ++wrong;
    }
  };
  const auto sorted = [out](int count) {
    for (int i = 1; i < count; ++i) {
      if (out[i - 1] > out[i]) {
        return false;
      }
    }
    return true;
  };
  sum<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  check(out[0] == block, "BlockReduce of int");
  sum<<<1, threads>>>(reals, out);
  cudaDeviceSynchronize();
  check(out[0] == block, "BlockReduce of double");
  prefix<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  check(out[threads - 1] == block - in[threads - 1], "BlockScan");
  sort<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  check(sorted(2 * threads), "BlockRadixSort");
  warps<<<1, threads>>>(in, out, out + 4);
  cudaDeviceSynchronize();
  check(out[0] + out[1] + out[2] + out[3] == block && out[4 + 31] == out[0], "WarpReduce, WarpScan");
  run([=](void* memory, std::size_t& bytes) { cub::DeviceReduce::Sum(memory, bytes, in, out, n); });
  check(out[0] == total, "DeviceReduce");
  run([=](void* memory, std::size_t& bytes) { cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, n); });
  check(out[n - 1] == total - in[n - 1], "DeviceScan");
  run([=](void* memory, std::size_t& bytes) { cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n); });
  check(sorted(n), "DeviceRadixSort");
  int* const count = managed<int>(1);
  run([=](void* memory, std::size_t& bytes) {
    cub::DeviceSelect::If(memory, bytes, in, out, count, n, odd{});
  });
  check(*count == odds, "DeviceSelect");
  for (void* p : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(reals), static_cast<void*>(count)}) {
    cudaFree(p);
  }
  std::printf("%d wrong\n", wrong);
  return wrong;
}
