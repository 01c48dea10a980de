// Two locks that two blocks take in another order: a deadlock if each has one of them. With -DPATIENT a block gives up
// after a while, so that nobody waits for ever.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

constexpr ct::memory_order_acquire_t acquire{};
constexpr ct::memory_order_release_t release{};
constexpr ct::thread_scope_device_t device{};

#ifdef PATIENT
constexpr int most = 5000;
#else
constexpr int most = 0; // for ever: nothing counts the tries
#endif

__tile__ bool take(int* lock) {
  for (int tries = 0; most == 0 || tries < most; tries += most == 0 ? 0 : 1) {
    const int held = ct::atomic_compare_exchange(lock, 0, 1, acquire, device);
    if (held == 0) {
      return true;
    }
  }
  return false;
}

__tile_global__ void swapped(int* locks, int* count) {
  const int block = ct::bid().x;
  int* first = locks + block % 2;
  int* second = locks + (block + 1) % 2;
  if (take(first)) {
    if (take(second)) {
      const int seen = ct::load(count);
      ct::store(count, seen + 1);
      ct::atomic_store(second, 0, release, device);
    }
    ct::atomic_store(first, 0, release, device);
  }
}

int main() {
  int* locks = nullptr;
  cudaMalloc(&locks, 3 * sizeof(int));
  cudaMemset(locks, 0, 3 * sizeof(int));
  swapped<<<2, 1>>>(locks, locks + 2);
  cudaDeviceSynchronize();
  cudaFree(locks);
}
