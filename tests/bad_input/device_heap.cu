// Wrong uses of memory that kernels allocate.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cstdlib>

__device__ int* kept;

__global__ void behind_the_end(int* out) {
  int* const p = new int[64];
  p[64 + *out] = 1;
  *out = p[64];
}
__global__ void freed(int* out) {
  kept = static_cast<int*>(malloc(256));
  free(kept);
  *out = kept[1];
}
__global__ void freed_twice() {
  kept = static_cast<int*>(malloc(256));
  free(kept);
  free(kept);
}
__global__ void of_the_host(int* p) {
  free(p);
}
__global__ void inside() {
  kept = static_cast<int*>(malloc(256));
  free(kept + 1);
}
__global__ void allocates() {
  kept = new int[64];
}
__global__ void deletes(int how) {
  if (how == 7) {
    int* const p = new int[8];
    kept = p;
    delete kept;
  } else {
    kept = static_cast<int*>(malloc(32));
    delete[] kept;
  }
}

int main(int count, char** arguments) {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  switch (count > 1 ? std::atoi(arguments[1]) : 0) {
  case 0:
    behind_the_end<<<1, 1>>>(out);
    break;
  case 1:
    freed<<<1, 1>>>(out);
    break;
  case 2:
    freed_twice<<<1, 1>>>();
    break;
  case 3:
    of_the_host<<<1, 1>>>(out);
    break;
  case 4:
    inside<<<1, 1>>>();
    break;
  case 6: {
    allocates<<<1, 1>>>();
    int* p = nullptr;
    cudaMemcpyFromSymbol(&p, kept, sizeof p);
    const cudaError_t copied = cudaMemcpy(out, p, sizeof(int), cudaMemcpyDefault);
    const cudaError_t filled = cudaMemset(p, 0, sizeof(int));
    std::printf("%s %s\n", cudaGetErrorName(copied), cudaGetErrorName(filled));
    break;
  }
  case 7:
  case 8:
    deletes<<<1, 1>>>(std::atoi(arguments[1]));
    break;
  default:
    allocates<<<1, 1>>>();
    int* p = nullptr;
    cudaMemcpyFromSymbol(&p, kept, sizeof p);
    std::printf("%s\n", cudaGetErrorName(cudaFree(p)));
  }
  cudaDeviceSynchronize();
  cudaFree(out);
}
