// Device variables in all ways of declaring several at once, which a kernel may use.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda/atomic>

struct pair_of_ints {
  int first, second;
};

__device__ cuda::atomic<int, cuda::thread_scope_device> turns{1}, waiting{2};
__device__ int row[2] = {1, 2}, column[2] = {3, 4}, alone = 5;
__device__ pair_of_ints pairs[2] = {{1, 2},
                                    {3, 4}},
    more_pairs[1] = {{5, 6}};
__constant__ float scale{2}, offset{3};
namespace {
__device__ int unsettled, settled{7};
}

__global__ void use(int* out) {
  turns.fetch_add(1);
  waiting.fetch_add(1);
  column[1] += row[1] + alone;
  more_pairs[0].second += pairs[1].first;
  unsettled += settled;
  *out = turns.load() + waiting.load() + column[1] + more_pairs[0].second + unsettled + static_cast<int>(scale * offset);
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  use<<<1, 1>>>(out);
  int sum = 0;
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(out);
  std::printf("%d, %s\n", sum, cudaGetErrorName(cudaGetLastError()));
}
