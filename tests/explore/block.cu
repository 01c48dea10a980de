// Threads of a block that meet. By default a tree of sums in shared memory, which has one execution.
// NO_BARRIER: without the first barrier, which races. TICKETS: they draw numbers from a counter in shared memory, in any
// order. WARP: a warp's lanes pass values by __syncwarp; HALF: each waits for itself alone. LEFT: a thread ends before the barrier.
// VOTE: what is not explored. STORES: store buffering between two barriers.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

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
  *out = __syncthreads_count(threadIdx.x == 0);
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
#else
  sum<<<1, 4>>>(out);
#endif
  const std::vector<int> got = taken(out, 4);
  cudaFree(out);
#if !defined(TICKETS) && !defined(WARP) && !defined(LEFT) && !defined(VOTE) && !defined(STORES)
  return got[0] == 10 ? 0 : 1;
#else
  return 0;
#endif
}
