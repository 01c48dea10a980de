// Threads of a block that meet. By default a tree of sums in shared memory, which has one execution.
// NO_BARRIER: without the first barrier, which races. TICKETS: they draw numbers from a counter in shared memory, in any
// order. WARP: a warp's lanes pass values by __syncwarp; HALF: each waits for itself alone. LEFT: a thread ends before the barrier.
// STORES: store buffering between two barriers. VOTE: a barrier that counts. LANES: what a warp's functions give its lanes;
// PASSED: a value that is written before a shuffle and read behind it, which orders no memory; SEEN: what two lanes of store buffering have
// seen, which they tell each other. GRID: message passing over a barrier of all blocks; GRIDS=N: N threads of each draw tickets before one and
// behind it. ACTIVE: what is not explored.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"
#if defined(GRID) || defined(GRIDS)
#include <cooperative_groups.h>
#endif

__global__ void sum(int* out) {
  __shared__ int partial[4];
  const unsigned t = threadIdx.x;
  partial[t] = static_cast<int>(t) + 1;
#ifndef NO_BARRIER
  __syncthreads();
#endif
  if (t < 2) {
    partial[t] += partial[t + 2];
  }
  __syncthreads();
  if (t == 0) {
    *out = partial[0] + partial[1];
  }
}

__global__ void tickets(int* out) {
  __shared__ int next;
  if (threadIdx.x == 0) {
    next = 0;
  }
  __syncthreads();
  out[threadIdx.x] = atomicAdd(&next, 1);
}

__global__ void lanes(int* out) {
  __shared__ int row[2];
  row[threadIdx.x] = static_cast<int>(threadIdx.x) + 5;
#ifdef HALF
  __syncwarp(1U << threadIdx.x);
#else
  __syncwarp(3);
#endif
  out[threadIdx.x] = row[1 - threadIdx.x];
}

__global__ void left(int* out) {
  if (threadIdx.x == 1) {
    return;
  }
  __syncthreads();
  out[0] = 1;
}

__global__ void votes(int* out) {
  out[threadIdx.x] = __syncthreads_count(threadIdx.x == 0);
}

__global__ void given(int* out) {
  const unsigned t = threadIdx.x;
  const int mine = static_cast<int>(t) + 5;
  out[t] = 100 * __shfl_xor_sync(3, mine, 1) + 10 * static_cast<int>(__ballot_sync(3, t == 1)) + __any_sync(3, t == 0);
  out[2 + t] = 100 * static_cast<int>(__match_any_sync(3, mine)) + 10 * __all_sync(3, t == 0) + __reduce_add_sync(3, mine) + __shfl_sync(3, mine, 0) + __syncthreads_or(t == 1) + __syncthreads_and(t == 1);
}

__global__ void passed(int* out) {
  __shared__ int row[2];
  row[threadIdx.x] = 7;
  const int other = __shfl_xor_sync(3, static_cast<int>(threadIdx.x), 1);
  out[threadIdx.x] = row[other];
}

__global__ void seen(int* out) {
  __shared__ int cell[2];
  const unsigned t = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_block> mine(cell[t]);
  cuda::atomic_ref<int, cuda::thread_scope_block> other(cell[1 - t]);
  mine.store(0, relaxed);
  __syncthreads();
  mine.store(1, relaxed);
  out[t] = 10 * __shfl_xor_sync(3, other.load(relaxed), 1) + 1;
}

#ifdef GRID
__global__ void whole_grid(int* out, int* data) {
  const unsigned b = blockIdx.x;
  data[b] = static_cast<int>(b) + 1;
  cooperative_groups::this_grid().sync();
  out[b] = data[1 - b];
}
#endif

#ifdef GRIDS
__global__ void grids(int* out, int* next) {
  const unsigned b = blockIdx.x;
  if (threadIdx.x == 0) {
    out[b] = atomicAdd(next, 1);
  }
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == GRIDS - 1) {
    out[2 + b] = atomicAdd(next, 1);
  }
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) {
    out[b] = 10 * out[b] + atomicAdd(next, 1);
  }
}
#endif

__global__ void active(int* out) {
  *out = static_cast<int>(__activemask());
}

__global__ void stores(int* out) {
  __shared__ int cell[2];
  const unsigned t = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_block> mine(cell[t]);
  cuda::atomic_ref<int, cuda::thread_scope_block> other(cell[1 - t]);
  mine.store(0, relaxed);
  __syncthreads();
  mine.store(1, relaxed);
  out[t] = other.load(relaxed);
  __syncthreads();
  out[2 + t] = other.load(relaxed);
}

int main() {
  int* const out = zeros(4);
#if defined(TICKETS)
  tickets<<<1, 3>>>(out);
#elif defined(WARP)
  lanes<<<1, 2>>>(out);
#elif defined(LEFT)
  left<<<1, 2>>>(out);
#elif defined(VOTE)
  votes<<<1, 2>>>(out);
#elif defined(STORES)
  stores<<<1, 2>>>(out);
#elif defined(LANES)
  given<<<1, 2>>>(out);
#elif defined(PASSED)
  passed<<<1, 2>>>(out);
#elif defined(SEEN)
  seen<<<1, 2>>>(out);
#elif defined(ACTIVE)
  active<<<1, 2>>>(out);
#elif defined(GRID)
  int* data = zeros(2);
  void* arguments[] = {const_cast<int**>(&out), &data};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(whole_grid), dim3(2), dim3(1), arguments);
#elif defined(GRIDS)
  int* next = zeros(1);
  void* arguments[] = {const_cast<int**>(&out), &next};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grids), dim3(2), dim3(GRIDS), arguments);
#else
  sum<<<1, 4>>>(out);
#endif
  const std::vector<int> got = taken(out, 4);
  cudaFree(out);
#if !defined(TICKETS) && !defined(WARP) && !defined(LEFT) && !defined(VOTE) && !defined(STORES) && !defined(LANES) && !defined(PASSED) && !defined(SEEN) && !defined(ACTIVE) && !defined(GRID) && !defined(GRIDS)
  return got[0] == 10 ? 0 : 1;
#else
  return 0;
#endif
}
