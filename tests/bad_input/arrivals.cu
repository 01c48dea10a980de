// Arrivals that a barrier or a latch does not expect: 0 counts for three of two, 1 counts down past zero, 2 is right.
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
  } else {
    meets<<<1, 1>>>(2);
    counts<<<1, 1>>>(1);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
