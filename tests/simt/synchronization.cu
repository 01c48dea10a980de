// cuda::barrier, cuda::latch, cuda::counting_semaphore and cuda::pipeline among threads of a block, and
// across blocks: the values that pass, and who is let through.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ int failures;
#define CHECK(...)                                                                                 \
  do {                                                                                             \
    if (!(__VA_ARGS__)) {                                                                          \
      atomicAdd(&failures, 1);                                                                     \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__);                                             \
    }                                                                                              \
  } while (false)

#pragma nv_diag_suppress static_var_with_dynamic_init

/// Several phases, with arrive and wait apart, by parity, and with a drop.
__global__ void barriers() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[32];
  const int t = threadIdx.x;
  if (t == 0) {
    init(&bar, blockDim.x);
  }
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    row[t] = t + round;
    auto token = bar.arrive();
    bar.wait(std::move(token));
    CHECK(row[31 - t] == 31 - t + round);
    bar.arrive_and_wait();
  }
  row[t] = -t;
  const bool parity = false; // ten phases are over
  static_cast<void>(bar.arrive());
  bar.wait_parity(parity);
  CHECK(row[(t + 7) % 32] == -((t + 7) % 32));
  if (t >= 16) {
    bar.arrive_and_drop();
  } else {
    bar.arrive_and_wait();
    row[t] = 100;
    bar.arrive_and_wait();
    CHECK(row[15 - t] == 100);
  }
}

/// One warp is told by another one, which does not wait: arrivals of several at once.
__global__ void halves() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int value;
  if (threadIdx.x == 0) {
    init(&bar, 64);
  }
  __syncthreads();
  if (threadIdx.x == 40) {
    value = 7;
    static_cast<void>(bar.arrive(32));
  } else if (threadIdx.x < 32) {
    bar.arrive_and_wait();
    CHECK(value == 7);
  }
}

/// What runs when a phase is over sees all that came before, and is seen by all that comes behind.
struct counts_rounds {
  int* rounds;
  __host__ __device__ void operator()() const { *rounds += 1; }
};
__global__ void completions(int* rounds) {
  using barrier = cuda::barrier<cuda::thread_scope_device, counts_rounds>;
  __shared__ alignas(barrier) unsigned char place[sizeof(barrier)];
  barrier* const bar = reinterpret_cast<barrier*>(place);
  if (threadIdx.x == 0) {
    init(bar, blockDim.x, counts_rounds{rounds});
  }
  __syncthreads();
  for (int round = 1; round <= 3; ++round) {
    bar->arrive_and_wait();
    CHECK(*rounds == round);
    bar->arrive_and_wait();
    if (threadIdx.x == 0) {
      *rounds -= 1;
    }
    __syncthreads();
  }
}

/// A latch across blocks.
__global__ void latches(cuda::latch<cuda::thread_scope_device>* all, int* data) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = 1 + static_cast<int>(blockIdx.x);
    if (blockIdx.x == 0) {
      all->arrive_and_wait();
      CHECK(all->try_wait());
      int sum = 0;
      for (unsigned i = 0; i < gridDim.x; ++i) {
        sum += data[i];
      }
      CHECK(sum == 10);
    } else {
      all->count_down();
    }
  }
}

/// Two at most, and one at a time.
__global__ void semaphores(int* inside, int* sum) {
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block> two;
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> one;
  if (threadIdx.x == 0) {
    new (&two) cuda::counting_semaphore<cuda::thread_scope_block>(2);
    new (&one) cuda::binary_semaphore<cuda::thread_scope_block>(1);
  }
  __syncthreads();
  two.acquire();
  CHECK(atomicAdd(inside, 1) < 2);
  one.acquire();
  *sum += 1;
  one.release();
  atomicAdd(inside, -1);
  two.release();
  __syncthreads();
  if (threadIdx.x == 0) {
    CHECK(two.try_acquire() && two.try_acquire() && !two.try_acquire());
    CHECK(!two.try_acquire_for(cuda::std::chrono::nanoseconds(10)));
    CHECK(one.max() == 1 && *sum == static_cast<int>(blockDim.x));
  }
}

/// Two stages: the next piece is on its way while one is added up.
template <class Pipe>
__device__ int pieces(Pipe& pipe, cg::thread_block block, const int* in, int (*stages)[32]) {
  const int t = threadIdx.x;
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, stages[0], in, sizeof(int) * 32, pipe);
  pipe.producer_commit();
  for (int piece = 1; piece <= 4; ++piece) {
    if (piece < 4) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[piece % 2], in + 32 * piece, cuda::aligned_size_t<4>(sizeof(int) * 32), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += stages[(piece - 1) % 2][31 - t];
    pipe.consumer_release();
  }
  return sum;
}
__global__ void pipelines(const int* in) {
  __shared__ int stages[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  CHECK(pieces(pipe, block, in, stages) == 4 * (31 - t) + 32 * 6);
}
__global__ void roles(const int* in) {
  __shared__ int stages[2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int i = 0; i < 6; ++i) {
    if (produces) {
      pipe.producer_acquire();
      if (threadIdx.x == 3) {
        cuda::memcpy_async(&stages[i % 2], in + i, sizeof(int), pipe);
      }
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      CHECK(stages[i % 2] == i);
      pipe.consumer_release();
    }
  }
  pipe.quit();
}
__global__ void of_one_thread(const int* in) {
  __shared__ int row[4];
  auto pipe = cuda::make_pipeline();
  if (threadIdx.x == 0) {
    pipe.producer_acquire();
    cuda::memcpy_async(row, in, sizeof row, pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    CHECK(row[3] == 3);
    pipe.consumer_release();
  }
}
__global__ void copied_by_barrier(const int* in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[64];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
  }
  block.sync();
  cuda::memcpy_async(block, row, in, sizeof row, bar);
  bar.arrive_and_wait();
  CHECK(row[63 - threadIdx.x] == 63 - static_cast<int>(threadIdx.x));
}

int main() {
  const int none = 0;
  cudaMemcpyToSymbol(failures, &none, sizeof none);
  int* numbers = nullptr;
  cudaMallocManaged(&numbers, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i) {
    numbers[i] = i;
  }
  int* zeros = nullptr;
  cudaMallocManaged(&zeros, 16 * sizeof(int));
  for (int i = 0; i < 16; ++i) {
    zeros[i] = 0;
  }
  using latch = cuda::latch<cuda::thread_scope_device>;
  latch* all = nullptr;
  cudaMallocManaged(&all, sizeof(latch));
  new (all) latch(4);
  barriers<<<2, 32>>>();
  halves<<<1, 64>>>();
  completions<<<1, 8>>>(zeros);
  latches<<<4, 2>>>(all, zeros + 4);
  semaphores<<<1, 8>>>(zeros + 8, zeros + 9);
  pipelines<<<2, 32>>>(numbers);
  roles<<<1, 64>>>(numbers);
  of_one_thread<<<1, 32>>>(numbers);
  copied_by_barrier<<<1, 64>>>(numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  int wrong = 0;
  cudaMemcpyFromSymbol(&wrong, failures, sizeof wrong);
  std::printf("%d failures, %s\n", wrong, cudaGetErrorString(error));
  cudaFree(all);
  cudaFree(zeros);
  cudaFree(numbers);
  return 0;
}
