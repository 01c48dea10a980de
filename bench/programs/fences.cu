// Threads whose every access is sequentially consistent; the same with acquire and release; and those behind fences that acquire and
// release, which is all that a sequentially consistent access is but for the order of its fences: what it costs in `check` to follow
// that. Nanoseconds an access, by the processor's time.
// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <cstdio>
#include <cuda/atomic>

constexpr int blocks = 64;
constexpr int threads = 64;
constexpr int rounds = 20;

template <cuda::memory_order Update, cuda::memory_order Read, bool Fences = false>
__global__ void count(int* place, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> shared(*place);
  int seen = 0;
  for (int i = 0; i < rounds; ++i) {
    if constexpr (Fences) {
      cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
    }
    shared.fetch_add(1, Update);
    if constexpr (Fences) {
      cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
    }
    seen += shared.load(Read);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

template <class F>
void measure(const char* name, F launch) {
  const double start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  launch();
  cudaDeviceSynchronize();
  const double each = (nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start) / (2.0 * blocks * threads * rounds);
  std::printf("fences %s ns/access %.1f\n", name, each);
}

int main() {
  int* const place = fresh(std::vector<int>(3, 0));
  int* const out = fresh(std::vector<int>(3 * blocks * threads, 0));
  measure("acq_rel", [&] {
    count<cuda::memory_order_acq_rel, cuda::memory_order_acquire><<<blocks, threads>>>(place, out);
  });
  measure("fenced", [&] {
    count<cuda::memory_order_acq_rel, cuda::memory_order_acquire, true>
        <<<blocks, threads>>>(place + 2, out + 2 * blocks * threads);
  });
  measure("seq_cst", [&] {
    count<cuda::memory_order_seq_cst, cuda::memory_order_seq_cst>
        <<<blocks, threads>>>(place + 1, out + blocks * threads);
  });
}
