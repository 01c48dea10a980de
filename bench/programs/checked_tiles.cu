// The kernels of python_checked.py through the C++ headers, for the race detector.
// Prints one line per measurement for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int count = 1 << 20, few = 1 << 15, rows = 256, columns = 1024;

__tile_global__ void saxpy(float a, const float* x, float* y) {
  ct::partition_view from{ct::tensor_span{x, ct::extents{1048576_ic}}, ct::shape<1024>{}};
  ct::partition_view to{ct::tensor_span{y, ct::extents{1048576_ic}}, ct::shape<1024>{}};
  const int i = ct::bid().x;
  to.store(a * from.load(i) + to.load(i), i);
}

template <class Order>
__tile_global__ void histogram(const int* values, int* bins) {
  using index_tile = ct::tile<int, ct::shape<256>>;
  ct::partition_view from{ct::tensor_span{values, ct::extents{1048576_ic}}, ct::shape<256>{}};
  const int i = ct::bid().x;
  ct::atomic_add(bins + from.load(i), ct::full<index_tile>(1), Order{}, ct::thread_scope_device_t{});
}

__tile_global__ void softmax(const float* in, float* out) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{256_ic, 1024_ic}}, ct::shape<1, columns>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{256_ic, 1024_ic}}, ct::shape<1, columns>{}};
  const int row = ct::bid().x;
  auto x = from.load(row, 0);
  auto e = ct::exp(x - ct::reduce_max(x, 1_ic));
  to.store(e / ct::sum(e, 1_ic), row, 0);
}

template <class F>
double best(int repeats, F f) {
  double shortest = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const double start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    f();
    cudaDeviceSynchronize();
    shortest = std::min(shortest, nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start);
  }
  return shortest;
}

int main() {
  std::vector<float> host(count);
  std::vector<int> drawn(count);
  for (int i = 0; i < count; ++i) {
    host[i] = static_cast<float>(i) / count;
    drawn[i] = static_cast<int>(i * 40503LL % 65536 % 64);
  }
  const float* x = fresh(host);
  float* y = fresh(std::vector<float>(count, 0.0f));
  const int* values = fresh(drawn);
  int* bins = fresh(std::vector<int>(64, 0));
  std::printf("saxpy ns_per_element %g\n", best(9, [&] { saxpy<<<count / 1024, 1>>>(2.0f, x, y); }) / count);
  std::printf("relaxed_histogram ns_per_element %g\n",
              best(5, [&] { histogram<ct::memory_order_relaxed_t><<<count / 256, 1>>>(values, bins); }) / count);
  std::printf("acq_rel_histogram ns_per_element %g\n",
              best(3, [&] { histogram<ct::memory_order_acq_rel_t><<<few / 256, 1>>>(values, bins); }) / few);
  std::printf("softmax ns_per_element %g\n",
              best(5, [&] { softmax<<<rows, 1>>>(x, y); }) / (rows * columns));
}
