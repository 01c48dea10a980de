// Two blocks of five operations each, all of places that both access, for `tilesim explore --sample`.
// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>

__global__ void meet(int* flags, int* ticket, int* second, int* seen) {
  using shared = cuda::atomic_ref<int, cuda::thread_scope_device>;
  const unsigned b = blockIdx.x;
  shared(flags[b]).store(1, cuda::memory_order_relaxed);
  const int first = shared(flags[1 - b]).load(cuda::memory_order_relaxed);
  const int mine = shared(*ticket).fetch_add(1, cuda::memory_order_acq_rel);
  shared(second[b]).store(1, cuda::memory_order_release);
  const int then = shared(second[1 - b]).load(cuda::memory_order_acquire);
  seen[b] = first + 2 * mine + 4 * then;
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 7 * sizeof(int));
  cudaMemset(p, 0, 7 * sizeof(int));
  int* const flags = p;
  int* const ticket = p + 2;
  int* const second = p + 3;
  int* const seen = p + 5;
  meet<<<2, 1>>>(flags, ticket, second, seen);
  cudaDeviceSynchronize();
  cudaFree(p);
}
