// Asynchronous copies (NONE: plain ones instead). By default of two threads, each of which reads the other's copy behind a barrier's phase.
// EARLY: a thread reads its own copy before it has waited. MEET: they meet, and nobody waits for the phase. SOURCE: what is
// copied is overwritten before the wait. ANOTHER: they wait for another barrier. OWN: a thread's own pipeline, two pieces
// ahead; PRIOR: of how many it does not wait. STAGES: a pipeline of two stages, and BUFFERS for them. HANDED: a barrier
// awaits what a pipeline has copied.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void exchanged(int* in, int* out) {
  __shared__ block_barrier bar;
  __shared__ block_barrier other;
  __shared__ int row[2];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&bar, 2);
    init(&other, 2);
  }
  __syncthreads();
#ifdef NONE
  row[t] = in[t];
#else
  cuda::memcpy_async(&row[t], &in[t], sizeof(int), bar);
#endif
#if defined(EARLY)
  out[t] = row[t];
  bar.arrive_and_wait();
#elif defined(MEET)
  static_cast<void>(bar.arrive());
  __syncthreads();
  out[t] = row[1 - t];
#elif defined(SOURCE)
  in[t] = 7;
  bar.arrive_and_wait();
  out[t] = row[1 - t];
#elif defined(ANOTHER)
  static_cast<void>(bar.arrive());
  other.arrive_and_wait();
  out[t] = row[1 - t];
#else
  bar.arrive_and_wait();
  out[t] = row[1 - t];
  in[t] = 7;
#endif
}

#ifndef PRIOR
#define PRIOR 1
#endif

__global__ void ahead(const int* in, int* out) {
  __shared__ int rows[2];
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&rows[0], &in[0], sizeof(int), pipe);
  pipe.producer_commit();
  cuda::memcpy_async(&rows[1], &in[1], sizeof(int), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<PRIOR>(pipe);
  out[0] = rows[0];
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[1] = rows[1];
}

#ifndef BUFFERS
#define BUFFERS 2
#endif

__global__ void stages(const int* in, int* out) {
  __shared__ int held[BUFFERS][2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int all = 0;
  for (int piece = 0, copied = 0; piece < 3; ++piece) {
    for (; copied < 3 && copied < piece + 2; ++copied) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, held[copied % BUFFERS], in + 2 * copied, 2 * sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    all += held[piece % BUFFERS][block.size() - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = all;
}

__global__ void handed(const int* in, int* out) {
  __shared__ block_barrier bar;
  __shared__ int row[2];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&bar, 2);
  }
  __syncthreads();
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&row[t], &in[t], sizeof(int), pipe);
  cuda::pipeline_producer_commit(pipe, bar);
  bar.arrive_and_wait();
  out[t] = row[1 - t];
}

int main() {
  int* const in = zeros(8);
  for (int i = 0; i < 8; ++i) {
    cudaMemcpy(in + i, &i, sizeof i, cudaMemcpyHostToDevice);
  }
  int* const out = zeros(2);
#if defined(OWN)
  ahead<<<1, 1>>>(in, out);
  const int expected[] = {0, 1};
#elif defined(STAGES)
  stages<<<1, STAGES>>>(in, out);
  const int expected[] = {STAGES == 1 ? 6 : 9, STAGES == 1 ? 0 : 6};
#elif defined(HANDED)
  handed<<<1, 2>>>(in, out);
  const int expected[] = {1, 0};
#else
  exchanged<<<1, 2>>>(in, out);
  const int expected[] = {1, 0};
#endif
  const std::vector<int> got = taken(out, 2);
  cudaFree(in);
  cudaFree(out);
  return got[0] == expected[0] && got[1] == expected[1] ? 0 : 1;
}
