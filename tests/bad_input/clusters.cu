// What is not simulated of groups of threads is told where it is asked for: clusters of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cooperative_groups.h>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) group(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  *out = 1;
}

__global__ void __cluster_dims__(2, 1, 1) remote(int* out) {
  __shared__ int own;
  own = 1;
  *out = *cg::this_cluster().map_shared_rank(&own, 1);
}

__global__ void cluster_barrier() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

__global__ void __cluster_dims__(2, 1, 1) alone(int* out) {
  out[blockIdx.x] = 1;
}

int main(int count, char** arguments) {
  int* p = nullptr;
  cudaMalloc(&p, 2 * sizeof(int));
  switch (count > 1 ? std::atoi(arguments[1]) : 0) {
  case 0:
    group<<<2, 32>>>(p);
    break;
  case 1:
    remote<<<2, 1>>>(p);
    break;
  case 2:
    cluster_barrier<<<2, 32>>>();
    break;
  default: // asks for nothing of its cluster
    alone<<<2, 1>>>(p);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
