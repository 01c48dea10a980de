// Barriers for how many arrivals?
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cuda/barrier>
#include <cuda_runtime.h>

__device__ cuda::barrier<cuda::thread_scope_device> of_device;

__global__ void initialises(int what) {
  __shared__ cuda::barrier<cuda::thread_scope_block> of_block;
  if (what == 1) {
    init(&of_device, -1);
  } else {
    init(&of_block, what == 0 ? 0 : 1);
  }
  if (what == 2) {
    init(&of_device, 0);
    of_block.arrive_and_wait();
  }
}

int main(int count, char** arguments) {
  initialises<<<1, 1>>>(count > 1 ? std::atoi(arguments[1]) : 0);
  cudaDeviceSynchronize();
}
