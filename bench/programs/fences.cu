// Threads whose every access is sequentially consistent, and the same with acquire and release: what it costs in `check` to
// follow the order of the fences that each such access begins with. Nanoseconds an access, by the processor's time.
// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <cstdio>
#include <cuda/atomic>

constexpr int blocks = 64;
constexpr int threads = 64;
constexpr int rounds = 20;

template <cuda::memory_order Update, cuda::memory_order Read>
__global__ void count(int* place, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> shared(*place);
  int seen = 0;
  for (int i = 0; i < rounds; ++i) {
    shared.fetch_add(1, Update);
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
  int* const place = fresh(std::vector<int>(2, 0));
  int* const out = fresh(std::vector<int>(2 * blocks * threads, 0));
  measure("acq_rel", [&] {
    count<cuda::memory_order_acq_rel, cuda::memory_order_acquire><<<blocks, threads>>>(place, out);
  });
  measure("seq_cst", [&] {
    count<cuda::memory_order_seq_cst, cuda::memory_order_seq_cst>
        <<<blocks, threads>>>(place + 1, out + blocks * threads);
  });
}
