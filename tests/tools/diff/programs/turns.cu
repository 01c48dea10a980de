// Results that tell who has come when: a recording's are one execution of very many. Called with the name of one of the kernels.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>

namespace ct = cuda::tiles;
constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto device = ct::thread_scope::device;

// Each block draws a ticket, and writes its number there.
__tile_global__ void tickets(int* m) {
  const int ticket = static_cast<int>(ct::atomic_add<relaxed, device>(m, 1));
  ct::store(m + 1 + ticket, static_cast<int>(ct::bid().x) + 1);
}

// Each of its elements draws one, of one of two counters: elements of blocks come in any order.
__tile_global__ void elements(int* m) {
  using row = ct::tile<int, ct::shape<16>>;
  const auto own = static_cast<int>(ct::bid().x) * 16 + ct::iota<row>();
  const auto which = own % 3 % 2;
  const auto ticket = ct::atomic_add<relaxed, device>(m + which, ct::ones<row>());
  ct::store(m + 2 + which * 64 + ticket, own + 1);
}

// A stack of numbers from 1, linked behind its head: everyone pushes its own, and every other one then pops. In the head's
// upper half is how often it has changed.
__global__ void stack(unsigned long long* head, unsigned* next) {
  using reference = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
  const unsigned own = threadIdx.x + blockIdx.x * blockDim.x + 1;
  const reference top(*head);
  unsigned long long seen = top.load(cuda::memory_order_relaxed);
  do {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(next[own]).store(static_cast<unsigned>(seen), cuda::memory_order_relaxed);
  } while (!top.compare_exchange_strong(seen, ((seen >> 32) + 1) << 32 | own, cuda::memory_order_release, cuda::memory_order_relaxed));
  if (own % 2 == 0) {
    seen = top.load(cuda::memory_order_acquire);
    unsigned behind = 0;
    do {
      behind = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(next[static_cast<unsigned>(seen)]).load(cuda::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, ((seen >> 32) + 1) << 32 | behind, cuda::memory_order_acquire, cuda::memory_order_acquire));
  }
}

// Blocks look for numbers that several of their threads may find, gather in shared memory what they have found first, and put
// it in one piece behind what others have put.
__global__ void gathered(int* count, int* out, int* taken) {
  __shared__ int found[64];
  __shared__ int many;
  __shared__ int base;
  if (threadIdx.x == 0) {
    many = 0;
  }
  __syncthreads();
  const int own = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  for (int i = 0; i < 3; ++i) {
    const int n = (own * 5 + i * 7) % 48;
    if (atomicCAS(taken + n, 0, 1) == 0) {
      found[atomicAdd(&many, 1)] = n + 1;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    base = atomicAdd(count, many);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < many; i += static_cast<int>(blockDim.x)) {
    out[base + i] = found[i];
  }
}

// One is the first, and one the last.
__global__ void contest(int* m) {
  const int own = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x) + 1;
  atomicCAS(m, 0, own);
  atomicExch(m + 1, own);
}

// Likewise of elements.
__tile_global__ void contest_of_elements(int* m) {
  using row = ct::tile<int, ct::shape<16>>;
  const auto own = static_cast<int>(ct::bid().x) * 16 + ct::iota<row>() + 1;
  ct::atomic_compare_exchange<relaxed, device>(m + own * 0, ct::full<row>(0), own);
  ct::atomic_xchg<relaxed, device>(m + 1 + own * 0, own);
}

int main(int argc, char** argv) {
  constexpr int words = 256;
  int* m = nullptr;
  cudaMalloc(&m, words * sizeof(int));
  cudaMemset(m, 0, words * sizeof(int));
  const char* const which = argc > 1 ? argv[1] : "";
  if (std::strcmp(which, "tickets") == 0) {
    tickets<<<200, 1>>>(m);
  } else if (std::strcmp(which, "elements") == 0) {
    elements<<<4, 1>>>(m);
  } else if (std::strcmp(which, "stack") == 0) {
    stack<<<4, 8>>>(reinterpret_cast<unsigned long long*>(m), reinterpret_cast<unsigned*>(m) + 2);
  } else if (std::strcmp(which, "contest") == 0) {
    contest<<<4, 8>>>(m);
  } else if (std::strcmp(which, "contest_of_elements") == 0) {
    contest_of_elements<<<2, 1>>>(m);
  } else {
    gathered<<<4, 8>>>(m, m + 1, m + 64);
  }
  cudaDeviceSynchronize();
  cudaFree(m);
}
