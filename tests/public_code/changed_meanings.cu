// Classes in which a name is used and then declared with another meaning: nvcc takes them, and so
// does tilesim, without a word; g++ does only with -fpermissive.
//
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

template <class T>
struct warp_sum {
  struct storage {
    T parts[32];
  };
};

template <class T>
struct block_sum {
  using warp_sum = warp_sum<T>; // as CUB's BlockReduce has WarpReduce
  typename warp_sum::storage all[4];
};

struct stride {
  int value;
};
struct shape {
  stride stride;
  int extent;
};

__global__ void sum(int* out) {
  using load = warp_sum<int>;
  __shared__ union {
    load::storage load;
    block_sum<int>::warp_sum::storage other;
  } shared;
  shared.load.parts[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (const int part : shared.load.parts) {
      all += part;
    }
    *out = all;
  }
}

int main() {
  const shape s{{2}, 3};
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  sum<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  EXPECT(*out == 496);
  EXPECT(s.stride.value * s.extent == 6);
  cudaFree(out);
  return verdict("changed_meanings");
}
