// Each block sorts 512 keys in shared memory by a bitonic network.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr unsigned keys = 512; // of a block

__global__ void sort(int* all) {
  __shared__ int key[keys];
  int* const mine = all + blockIdx.x * keys;
  const unsigned t = threadIdx.x;
  key[t] = mine[t];
  key[t + keys / 2] = mine[t + keys / 2];
  for (unsigned size = 2; size <= keys; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned i = 2 * t - (t & (stride - 1));
      const bool up = (i & size) == 0;
      const int a = key[i];
      const int b = key[i + stride];
      if ((a > b) == up) {
        key[i] = b;
        key[i + stride] = a;
      }
    }
  }
  __syncthreads();
  mine[t] = key[t];
  mine[t + keys / 2] = key[t + keys / 2];
}

int main() {
  const int blocks = 3;
  std::vector<int> values(blocks * keys);
  unsigned random = 1;
  for (int& v : values) {
    random = random * 1664525U + 1013904223U;
    v = static_cast<int>(random >> 16);
  }
  int* p = nullptr;
  cudaMalloc(&p, values.size() * sizeof(int));
  cudaMemcpy(p, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  sort<<<blocks, keys / 2>>>(p);
  std::vector<int> result(values.size());
  cudaMemcpy(result.data(), p, values.size() * sizeof(int), cudaMemcpyDeviceToHost);
  bool sorted = true;
  for (int b = 0; b < blocks; ++b) {
    std::sort(values.begin() + b * keys, values.begin() + (b + 1) * keys);
  }
  sorted = result == values;
  std::printf(
      "bitonic_sort: %d blocks of %u keys, %s\n", blocks, keys, sorted ? "sorted" : "wrong");
  cudaFree(p);
  return sorted ? 0 : 1;
}
