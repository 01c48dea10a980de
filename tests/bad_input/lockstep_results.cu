// Volatile accesses of one warp that nothing orders: what they read changes no result (bound, visited), or it does (row), by
// the first argument. Where results depend on the schedule for accesses that are no such pair: one statement's stores (last),
// global memory (message).
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstring>

__device__ int key(unsigned t) {
  return static_cast<int>((t * 7) % 32) + 1;
}

// A bound that spares others work: an old one does no harm.
__global__ void bound(int* out) {
  __shared__ volatile int best_so_far;
  __shared__ int best;
  if (threadIdx.x == 0) {
    best_so_far = 100;
    best = 100;
  }
  __syncthreads();
  const int mine = key(threadIdx.x);
  if (mine < best_so_far) { // line 23
    best_so_far = mine;     // line 24
    atomicMin(&best, mine);
  }
  __syncthreads();
  out[threadIdx.x] = best;
}

// Whoever comes first marks the bucket, and all write the same.
__global__ void visited(int* out) {
  __shared__ volatile bool seen[8];
  if (threadIdx.x < 8) {
    seen[threadIdx.x] = false;
  }
  __syncthreads();
  const int bucket = key(threadIdx.x) % 8;
  if (!seen[bucket]) {   // line 39
    seen[bucket] = true; // line 40
  }
  __syncthreads();
  out[threadIdx.x] = seen[threadIdx.x % 8] ? 1 : 0;
}

// Lane 0 tells the others a row, each round another one, as if they ran in step.
__global__ void row(int* out) {
  __shared__ volatile int current;
  if (threadIdx.x == 0) {
    current = 0;
  }
  __syncwarp();
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    if (threadIdx.x == 0) {
      current = key(static_cast<unsigned>(i)); // line 56
    }
    sum += current; // line 58
  }
  out[threadIdx.x] = sum;
}

__global__ void last(int* out) {
  __shared__ volatile int lane;
  lane = static_cast<int>(threadIdx.x); // line 65
  __syncthreads();
  out[threadIdx.x] = lane;
}

__global__ void message(volatile int* out) {
  if (threadIdx.x == 0) {
    out[0] = 1; // line 72
  } else {
    out[threadIdx.x] = out[0]; // line 74
  }
}

int main(int, char** words) {
  int* p = nullptr;
  int seen[32];
  cudaMalloc(&p, sizeof seen);
  cudaMemset(p, 0, sizeof seen);
  const auto is = [&](const char* name) { return std::strcmp(words[1], name) == 0; };
  if (is("bound")) {
    bound<<<1, 32>>>(p);
  } else if (is("visited")) {
    visited<<<1, 32>>>(p);
  } else if (is("row")) {
    row<<<1, 32>>>(p);
  } else if (is("last")) {
    last<<<1, 32>>>(p);
  } else {
    message<<<1, 32>>>(p);
  }
  cudaMemcpy(seen, p, sizeof seen, cudaMemcpyDeviceToHost);
  cudaFree(p);
}
