// More memory than the device has: the runtime's own error, which the program handles.
#include "cuda_tile.h"
#include <cstdio>
int main() {
  void* p = nullptr;
  cudaError_t error = cudaMalloc(&p, std::size_t{1} << 45);
  std::puts(cudaGetErrorName(error));
  return error == cudaErrorMemoryAllocation ? 7 : 0;
}
