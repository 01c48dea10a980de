// Kernels that write to constant memory, which is the host's to write.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cuda_runtime.h>

__constant__ int table[4];
template <class T>
__constant__ T limits;
alignas(1024) __device__ int counts[4];

__global__ void writes(int i) {
  table[i] = 7;
}
__global__ void updates(int* p) {
  atomicAdd(p, 1);
}
__global__ void reads(int* p) {
  counts[0] = table[0] + limits<int>;
  atomicAdd(&counts[1], *p);
}

int main(int count, char** arguments) {
  const int values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(table, values, sizeof values);
  int* limit = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&limit), limits<int>);
  switch (count > 1 ? std::atoi(arguments[1]) : 0) {
  case 0:
    writes<<<1, 1>>>(1);
    break;
  case 1:
    updates<<<1, 1>>>(limit);
    break;
  default:
    reads<<<1, 1>>>(limit);
  }
  cudaDeviceSynchronize();
}
