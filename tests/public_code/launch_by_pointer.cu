// cudaLaunchKernel with a kernel that is no more than an address, and arguments that are no more than
// pointers: each of its own size and register class.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void sum_up(int* out, float f, double d, short s, bool b, long long n) {
  ct::store(out + ct::bid().x, static_cast<int>(f + d + s + n) + (b ? 1 : 0));
}

int main() {
  int* out = nullptr;
  EXPECT(cudaMalloc(&out, 2 * sizeof(int)) == cudaSuccess);
  float f = 1.5f;
  double d = 2.5;
  short s = -4;
  bool b = true;
  long long n = 41;
  void* arguments[] = {&out, &f, &d, &s, &b, &n};
  EXPECT(cudaLaunchKernel((const void*)sum_up, dim3(2), dim3(1), arguments, 0, nullptr) == cudaSuccess);
  int got[2] = {};
  EXPECT(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(got[0] == 42 && got[1] == 42);
  cudaFree(out);
  return verdict("launch_by_pointer");
}
