// Prefix sums of blocks of 512 elements, after Blelloch: up the tree and down again in dynamic
// shared memory, two elements a thread. A second kernel adds what the blocks before sum up to.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void scan_blocks(const int* in, int* out, int* totals, int n) {
  extern __shared__ int tree[];
  const int width = 2 * blockDim.x;
  const int base = blockIdx.x * width;
  const int t = threadIdx.x;
  tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  int distance = 1;
  for (int nodes = width / 2; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      tree[left + distance] += tree[left];
    }
    distance *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = tree[width - 1];
    tree[width - 1] = 0;
  }
  for (int nodes = 1; nodes < width; nodes *= 2) {
    distance /= 2;
    __syncthreads();
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      const int before = tree[left];
      tree[left] = tree[left + distance];
      tree[left + distance] += before;
    }
  }
  __syncthreads();
  for (int i = 2 * t; i < 2 * t + 2; ++i) {
    if (base + i < n) {
      out[base + i] = tree[i];
    }
  }
}

__global__ void add_totals(int* out, const int* totals, int n) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    before = 0;
    for (unsigned b = 0; b < blockIdx.x; ++b) {
      before += totals[b];
    }
  }
  __syncthreads();
  const int width = 2 * blockDim.x;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const int at = blockIdx.x * width + i;
    if (at < n) {
      out[at] += before;
    }
  }
}

int main() {
  const int n = 5000;
  const int threads = 256;
  const int blocks = (n + 2 * threads - 1) / (2 * threads);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) {
    values[i] = i % 7 - 2;
  }
  int* in = nullptr;
  int* out = nullptr;
  int* totals = nullptr;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&totals, blocks * sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan_blocks<<<blocks, threads, 2 * threads * sizeof(int)>>>(in, out, totals, n);
  add_totals<<<blocks, threads>>>(out, totals, n);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    wrong += result[i] != sum ? 1 : 0;
    sum += values[i];
  }
  std::printf("scan: %d elements, the last sum %d, %d wrong\n", n, result[n - 1], wrong);
  cudaFree(in);
  cudaFree(out);
  cudaFree(totals);
  return wrong == 0 ? 0 : 1;
}
