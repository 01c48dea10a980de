// Barriers with numbers and counts that they cannot have, that too few come to, and arrivals that are one too many.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cooperative_groups.h>
#include <cstdlib>
#include <utility>

namespace cg = cooperative_groups;

__global__ void numbered(int what) {
  switch (what) {
  case 0:
    __barrier_sync(16);
    break;
  case 1:
    __barrier_sync_count(1, 48);
    break;
  case 2:
    __barrier_sync_count(1, 96);
    break;
  case 3:
    __barrier_sync_count(1, threadIdx.x < 32 ? 32 : 64);
    break;
  case 4:
    if (threadIdx.x < 32) {
      __barrier_sync_count(1, 64);
    } else {
      __barrier_sync_count(2, 64);
    }
    break;
  case 5:
    asm volatile("bar.red.popc.u32 %0, 1, 1;" : "=r"(what));
    break;
  case 10: // half of each warp arrives, the other half waits: no warp counts
    if (threadIdx.x % 2 == 0) {
      asm volatile("barrier.arrive 1, 64;");
    } else {
      asm volatile("barrier.sync 1, 64;");
    }
    break;
  default:
    asm volatile("bar.sync 1, 32;");
  }
}

__global__ void differs() {
  if (threadIdx.x != 0) {
    asm volatile("bar.sync 1, 64;");
  } else {
    asm volatile("bar.sync 1, 32;");
  }
}

__global__ void in_branches(int what) {
  if (what == 11 ? threadIdx.x % 2 == 0 : what == 12 ? threadIdx.x < 32 : false) {
    asm volatile("bar.sync 1, 64;");
  } else if (what != 13) {
    asm volatile("bar.sync 1, 64;");
  } else if (threadIdx.x % 2 == 0) {
    asm volatile("barrier.sync 1, 64;");
  } else {
    asm volatile("barrier.sync 1, 64;");
  }
}

__global__ void arrives_twice() {
  const cg::thread_block block = cg::this_thread_block();
  auto first = block.barrier_arrive();
  auto second = block.barrier_arrive();
  block.barrier_wait(std::move(first));
  block.barrier_wait(std::move(second));
}

__global__ void waits_alone() {
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x < 32) {
    block.barrier_wait(block.barrier_arrive());
  } else {
    block.sync();
  }
}

int main(int count, char** arguments) {
  const int what = count > 1 ? std::atoi(arguments[1]) : 0;
  switch (what) {
  case 6:
    differs<<<1, 64>>>();
    break;
  case 7:
    arrives_twice<<<1, 64>>>();
    break;
  case 8:
    waits_alone<<<1, 64>>>();
    break;
  case 11:
  case 12:
  case 13:
    in_branches<<<1, 64>>>(what);
    break;
  default:
    numbered<<<1, 64>>>(what);
  }
  cudaDeviceSynchronize();
}
