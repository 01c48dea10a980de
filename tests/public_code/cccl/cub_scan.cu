// A scan of the device, whose blocks look back at one another: right under every schedule, and without a race.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cub/device/device_scan.cuh>
#include <vector>

int main() {
  const int n = 30000; // several tiles
  std::vector<int> h(n, 1);
  int *in = nullptr, *out = nullptr;
  void* storage = nullptr;
  size_t bytes = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += h[i] == i + 1 ? 0 : 1;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  cudaFree(storage);
  return wrong;
}
