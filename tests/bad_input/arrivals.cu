// Arrivals that a barrier or a latch does not expect: 0 counts for three of two, 1 counts down past zero, 2 is right.
// 3: two of eight never arrive. 4: likewise, at a barrier of a scope of its own in device memory.
// SPDX-License-Identifier: Apache-2.0
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void meets(int update) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 2);
  static_cast<void>(bar.arrive(update));
}

__global__ void misses() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x % 4 != 3) {
    bar.arrive_and_wait();
  }
}

__device__ cuda::barrier<cuda::thread_scope_device> every_block(3);
__global__ void misses_one() { every_block.arrive_and_wait(); }

__global__ void counts(int update) {
  __shared__ cuda::latch<cuda::thread_scope_block> done;
  new (&done) cuda::latch<cuda::thread_scope_block>(1);
  done.count_down(update);
}

int main(int argc, char** argv) {
  const int which = argc > 1 ? std::atoi(argv[1]) : 0;
  if (which == 0) {
    meets<<<1, 1>>>(3);
  } else if (which == 1) {
    counts<<<1, 1>>>(2);
  } else if (which == 3) {
    misses<<<1, 8>>>();
  } else if (which == 4) {
    misses_one<<<2, 1>>>();
  } else {
    meets<<<1, 1>>>(2);
    counts<<<1, 1>>>(1);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
