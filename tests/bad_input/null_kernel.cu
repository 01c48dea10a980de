// A launch through a null pointer to a kernel: by <<<>>> the host's code calls it and ends there, as it
// does with CUDA; the runtime's functions return an error.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cstdlib>

__global__ void fill(int* p) { *p = 1; }

int main(int, char** words) {
  const int which = std::atoi(words[1]);
  void (*known)(int*) = nullptr;         // to the compiler
  void (*volatile unknown)(int*) = nullptr; // not to it
  int* p = nullptr;
  if (which == 0) {
    known<<<1, 1>>>(p);
  } else if (which == 1) {
    cudaMalloc(&p, sizeof(int));
    fill<<<1, 1>>>(p);
    unknown<<<1, 1>>>(p);
  } else {
    void* arguments[] = {&p};
    cudaLaunchConfig_t one{};
    one.gridDim = one.blockDim = 1;
    const cudaError_t got[] = {
        cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr),
        cudaLaunchCooperativeKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr),
        cudaLaunchKernelExC(&one, nullptr, arguments),
        cudaLaunchKernelEx(&one, known, p),
    };
    for (const cudaError_t e : got) {
      std::printf("%d ", static_cast<int>(e));
    }
    std::printf("%d\n", static_cast<int>(cudaGetLastError()));
  }
  std::printf("went on\n");
}
