// Heat in a rod by relaxation: every thread has one cell, and all of the grid meet after each step.
// One launch instead of one a step.
//
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

__global__ void relax(float* now, float* next, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size())) {
      const bool end = i == 0 || i == n - 1;
      next[i] = end ? now[i] : 0.25F * now[i - 1] + 0.5F * now[i] + 0.25F * now[i + 1];
    }
    grid.sync();
    float* const was = now;
    now = next;
    next = was;
  }
}

int main() {
  int n = 300;
  int steps = 10;
  std::vector<float> rod(n);
  rod.front() = 100;
  rod[n / 2] = 64;
  float* now = nullptr;
  float* next = nullptr;
  cudaMalloc(&now, n * sizeof(float));
  cudaMalloc(&next, n * sizeof(float));
  cudaMemcpy(now, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  void* arguments[] = {&now, &next, &n, &steps};
  const cudaError_t launched =
      cudaLaunchCooperativeKernel(relax, dim3(4), dim3(64), arguments);
  if (launched != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(launched));
    return 1;
  }
  std::vector<float> got(n);
  cudaMemcpy(got.data(), now, n * sizeof(float), cudaMemcpyDeviceToHost); // an even number of steps

  std::vector<float> other(n);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      const bool end = i == 0 || i == n - 1;
      other[i] = end ? rod[i] : 0.25F * rod[i - 1] + 0.5F * rod[i] + 0.25F * rod[i + 1];
    }
    std::swap(rod, other);
  }
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += got[i] == rod[i] ? 0 : 1;
  }
  std::printf("grid_barrier: %d cells, %d steps, %.3f in the middle, %d wrong\n", n, steps, got[n / 2], wrong);
  cudaFree(now);
  cudaFree(next);
  return wrong == 0 ? 0 : 1;
}
