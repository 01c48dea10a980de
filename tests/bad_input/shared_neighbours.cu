// An index that leaves one array of shared memory: 0 reads a[37] of 32 elements, 1 writes b[-1], 2 writes a[-32], in front of all, 3 is right.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void leaves(int* out, int which) {
  __shared__ int a[32];
  __shared__ int b[32];
  const int t = static_cast<int>(threadIdx.x);
  a[t] = b[t] = t;
  __syncthreads();
  if (t == 0 && which == 0) {
    out[0] = a[t + 37];
  } else if (t == 0 && which == 1) {
    b[t - 1] = 7;
  } else if (t == 0 && which == 2) {
    a[t - 32] = 7;
  }
  __syncthreads();
  out[t] = a[t] + b[t];
}

int main(int argc, char** argv) {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  leaves<<<1, 32>>>(out, argc > 1 ? std::atoi(argv[1]) : 3);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error == cudaSuccess ? 0 : 1;
}
