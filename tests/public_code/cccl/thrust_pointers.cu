// Thrust's algorithms over pointers, which CUB's do the work of.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

int main() {
  constexpr int n = 3000;
  int* in = nullptr;
  int* out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  int total = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 % 1013;
    total += in[i];
  }
  int wrong = thrust::reduce(thrust::device, in, in + n) == total ? 0 : 1;
  thrust::inclusive_scan(thrust::device, in, in + n, out);
  cudaDeviceSynchronize();
  wrong += out[n - 1] == total ? 0 : 1;
  thrust::sort(thrust::device, in, in + n);
  cudaDeviceSynchronize();
  for (int i = 1; i < n; ++i) {
    wrong += in[i - 1] <= in[i] ? 0 : 1;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong;
}
