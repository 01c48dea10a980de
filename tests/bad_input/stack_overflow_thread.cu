// A thread of a `__global__` kernel has an eighth of a tile block's stack, and no less than 8 MiB.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

__device__ int depth(const volatile char* above, int left) {
  volatile char mine[4096];
  mine[0] = above[0];
  return left == 0 ? mine[0] : depth(mine, left - 1) + 1;
}

__global__ void deep(int* out, int left) {
  const volatile char first = 0;
  *out = depth(&first, left);
}

int main(int count, char**) {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  deep<<<1, 1>>>(out, 1500); // 6 MiB
  cudaDeviceSynchronize();
  if (*out != 1500) {
    return 1;
  }
  if (count > 1) {
    deep<<<1, 1>>>(out, 12000); // 48 MiB
    cudaDeviceSynchronize();
  }
  cudaFree(out);
}
