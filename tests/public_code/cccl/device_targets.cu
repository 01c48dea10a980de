// Code for devices in one function with the host's, as public programs write it: <nv/target>'s macros with and without
// parentheses.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include <nv/target>

__device__ int bare(int x) {
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_80, return x + 80;, NV_IS_DEVICE, return x + 1;)
  return -1;
}

__device__ int in_parentheses(int x) {
  NV_DISPATCH_TARGET(NV_HAS_FEATURE_SM_100f, (return x + 100;), NV_PROVIDES_SM_80, (int y = 40, z = 40; return x + y + z;))
  return -1;
}

__host__ __device__ int nested(int x) {
  NV_IF_ELSE_TARGET(NV_IS_DEVICE, (NV_IF_TARGET(NV_PROVIDES_SM_80, return x + 80;) return -1;), return x;)
}

__global__ void all(int* out) {
  out[0] = bare(1);
  out[1] = in_parentheses(1);
  out[2] = nested(1);
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 3 * sizeof(int));
  all<<<1, 1>>>(out);
  int host[3] = {};
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  std::printf("%d %d %d, %d\n", host[0], host[1], host[2], nested(1));
  return host[0] == 81 && host[1] == 81 && host[2] == 81 && nested(1) == 1 ? 0 : 1;
}
