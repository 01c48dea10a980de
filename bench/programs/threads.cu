// Threads of `__global__` kernels: what a thread, a barrier, and a reduction in shared memory cost, by the processor's time.
// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <algorithm>
#include <cstdio>
#include <sys/resource.h>

constexpr int n = 1 << 20;

__global__ void saxpy(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void barriers(int count) {
  for (int i = 0; i < count; ++i) {
    __syncthreads();
  }
}

__global__ void sum(const float* in, float* out) {
  __shared__ float partial[256];
  const int t = threadIdx.x;
  float mine = 0.0F;
  for (int i = 0; i < 16; ++i) {
    mine += in[blockIdx.x * 4096 + i * 256 + t];
  }
  partial[t] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    atomicAdd(out, partial[0]);
  }
}

__global__ void large_blocks(int* out) {
  __shared__ int row[1024];
  row[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (row[1023 - threadIdx.x] == 5) {
    atomicAdd(out, 1);
  }
}

template <class F>
void measure(const char* name, const char* unit, double each, F launch) {
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    const double start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    launch();
    cudaDeviceSynchronize();
    best = std::min(best, nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start);
  }
  std::printf("threads %s %s %.2f\n", name, unit, best / each);
}

int main() {
  float* const x = fresh(std::vector<float>(n, 1.0F));
  float* const y = fresh(std::vector<float>(n, 2.0F));
  int* const counts = fresh(std::vector<int>(1, 0));
  measure("saxpy", "ns_per_thread", n, [&] { saxpy<<<n / 256, 256>>>(2.0F, x, y); });
  measure("barrier", "us_per_barrier", 1e3 * 1000, [&] { barriers<<<1, 256>>>(1000); });
  measure("reduction", "ns_per_element", n, [&] { sum<<<n / 4096, 256>>>(x, y); });
  measure("large", "us_per_block", 1e3 * 1000, [&] { large_blocks<<<1000, 1024>>>(counts); });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("threads peak mebibytes %.0f\n", usage.ru_maxrss / 1024.0);
}
