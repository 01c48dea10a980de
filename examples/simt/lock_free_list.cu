// A list that all threads push to and pop from without a lock: its head is an index and a count of
// changes, in one word, so that a head that has come back is not taken for the old one.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <vector>

constexpr unsigned none = 0xffffffffU;

struct node {
  unsigned next;
  int value;
};

using head_reference = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
using next_reference = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned long long changed(unsigned long long head, unsigned to) {
  return ((head >> 32) + 1) << 32 | to;
}

__device__ void push(unsigned long long* list, node* nodes, unsigned n) {
  const head_reference head(*list);
  const next_reference next(nodes[n].next);
  unsigned long long seen = head.load(cuda::memory_order_relaxed);
  do {
    next.store(static_cast<unsigned>(seen), cuda::memory_order_relaxed);
  } while (!head.compare_exchange_weak(
      seen, changed(seen, n), cuda::memory_order_release, cuda::memory_order_relaxed));
}

__device__ unsigned pop(unsigned long long* list, node* nodes) {
  const head_reference head(*list);
  unsigned long long seen = head.load(cuda::memory_order_acquire);
  while (static_cast<unsigned>(seen) != none) {
    // Another thread may have taken it and pushed it again: then the count has changed.
    const next_reference next(nodes[static_cast<unsigned>(seen)].next);
    const unsigned behind = next.load(cuda::memory_order_relaxed);
    if (head.compare_exchange_weak(
            seen, changed(seen, behind), cuda::memory_order_acquire, cuda::memory_order_acquire)) {
      return static_cast<unsigned>(seen);
    }
  }
  return none;
}

/// Everyone pushes two nodes of its own and takes one, whosever.
__global__ void use(unsigned long long* list, node* nodes, int* taken) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned all = gridDim.x * blockDim.x;
  nodes[i].value = 1;
  push(list, nodes, i);
  nodes[all + i].value = 1;
  push(list, nodes, all + i);
  const unsigned n = pop(list, nodes);
  if (n != none) {
    atomicAdd(taken, nodes[n].value);
    atomicAdd(taken + 1, 1);
  }
}

int main() {
  constexpr unsigned all = 128;
  unsigned long long* list = nullptr;
  node* nodes = nullptr;
  int* taken = nullptr;
  cudaMallocManaged(&list, sizeof *list);
  cudaMallocManaged(&nodes, 2 * all * sizeof *nodes);
  cudaMallocManaged(&taken, 2 * sizeof *taken);
  *list = none;
  taken[0] = taken[1] = 0;
  use<<<4, all / 4>>>(list, nodes, taken);
  cudaDeviceSynchronize();
  unsigned left = 0;
  std::vector<bool> seen(2 * all);
  unsigned twice = 0;
  for (unsigned n = static_cast<unsigned>(*list); n != none; n = nodes[n].next) {
    twice += seen[n] ? 1 : 0;
    seen[n] = true;
    ++left;
  }
  std::printf("lock_free_list: %d taken with %d in all, %u left, %u twice\n", taken[1], taken[0], left, twice);
  const bool right = taken[0] == static_cast<int>(all) && taken[1] == taken[0] && left == all && twice == 0;
  cudaFree(list);
  cudaFree(nodes);
  cudaFree(taken);
  return right ? 0 : 1;
}
