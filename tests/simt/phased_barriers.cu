// Barriers with numbers, for parts of a block, where some arrive and do not wait; groups whose threads arrive and wait
// apart. Checks itself.  [PTX: barrier; CUDA C++ Programming Guide: barrier_arrive, barrier_wait]
//
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;

__device__ int wrong;

__device__ void expect(bool as_it_should) {
  if (!as_it_should) {
    atomicAdd(&wrong, 1);
  }
}

__device__ void meet(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void arrive(int barrier, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// Those who fill two slots never wait for who empties them but for a slot to be free, and the other way round.
__global__ void hand_over(int rounds) {
  __shared__ int slots[2][64];
  constexpr int full = 1;  // and 2
  constexpr int empty = 3; // and 4
  const int t = static_cast<int>(threadIdx.x);
  for (int round = 0; round < rounds; ++round) {
    const int slot = round % 2;
    if (t < 64) {
      if (round >= 2) {
        meet(empty + slot, 96);
      }
      slots[slot][t] = round * 64 + t;
      arrive(full + slot, 96);
    } else {
      meet(full + slot, 96);
      expect(slots[slot][t - 64] == round * 64 + t - 64);
      expect(slots[slot][t - 32] == round * 64 + t - 32);
      if (round + 2 < rounds) {
        arrive(empty + slot, 96);
      }
    }
  }
}

// The last warp of a block counts as a whole one.
__global__ void parts_of_a_block() {
  __shared__ int cells[80];
  const unsigned t = threadIdx.x;
  const unsigned first = t < 32 ? 0 : 32;
  cells[t] = static_cast<int>(t);
  if (t < 32) {
    __barrier_sync_count(7, 32);
  } else {
    __barrier_sync_count(15, 64);
  }
  const unsigned size = t < 32 ? 32 : 48;
  const unsigned mirrored = first + size - 1 - (t - first);
  expect(cells[mirrored] == static_cast<int>(mirrored));
  __barrier_sync(0);
  expect(cells[79 - t] == static_cast<int>(79 - t));
  __barrier_sync(2);
  cells[t] = 1;
  asm volatile("barrier.sync 3;" ::: "memory");
  expect(cells[79 - t] == 1);
  asm volatile("bar.sync 9, 96;" ::: "memory");
  cells[t] = 2;
  __syncthreads();
  expect(cells[79 - t] == 2);
}

// Who has ended is not waited for.
__global__ void some_end() {
  __shared__ int cells[64];
  if (threadIdx.x >= 32) {
    return;
  }
  cells[threadIdx.x] = 3;
  __barrier_sync(1);
  expect(cells[31 - threadIdx.x] == 3);
}

// A warp counts when all of its threads have come that have not ended.
__global__ void some_of_a_warp_end() {
  __shared__ int cells[64];
  if (threadIdx.x >= 40) {
    return;
  }
  cells[threadIdx.x] = 4;
  __barrier_sync_count(1, 64);
  expect(cells[39 - threadIdx.x] == 4);
}

// To a barrier of all that is not aligned threads of a warp may come from different places.
__global__ void from_two_places() {
  __shared__ int cells[32];
  cells[threadIdx.x] = 5;
  if (threadIdx.x % 2 == 0) {
    __barrier_sync(0);
  } else {
    __barrier_sync(0);
  }
  expect(cells[31 - threadIdx.x] == 5);
}

__global__ void block_apart(int rounds) {
  __shared__ int cells[2][48];
  const cg::thread_block block = cg::this_thread_block();
  const int t = static_cast<int>(block.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    cells[round % 2][t] = round + t;
    auto token = block.barrier_arrive();
    const int own = round * t;
    block.barrier_wait(std::move(token));
    expect(own + cells[round % 2][47 - t] == round * t + round + 47 - t);
  }
}

__global__ void grid_apart(int* cells, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int n = static_cast<int>(grid.size());
  for (int round = 0; round < rounds; ++round) {
    int* const now = cells + round % 2 * n;
    now[i] = round + i;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    expect(now[n - 1 - i] == round + n - 1 - i);
  }
}

int main() {
  hand_over<<<3, 96>>>(7);
  parts_of_a_block<<<2, 80>>>();
  some_end<<<1, 64>>>();
  some_of_a_warp_end<<<2, 64>>>();
  from_two_places<<<2, 32>>>();
  block_apart<<<2, 48>>>(3);
  int* cells = nullptr;
  cudaMalloc(&cells, 2 * 128 * sizeof(int));
  int rounds = 3;
  void* arguments[] = {&cells, &rounds};
  cudaLaunchCooperativeKernel(grid_apart, dim3(4), dim3(32), arguments);
  const cudaError_t e = cudaDeviceSynchronize();
  int count = -1;
  cudaMemcpyFromSymbol(&count, wrong, sizeof count);
  cudaFree(cells);
  std::printf("%d wrong, %s\n", count, cudaGetErrorString(e));
}
