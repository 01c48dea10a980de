// The one race of these programs, and main. What the rest does in host code changes nothing of what is found.
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"
#include "host_code.h"

#include <cstdio>

#ifdef BY_LIBRARY
#  include <tilesim/check.hpp>
#endif

namespace {

namespace ct = cuda::tiles;

constexpr ct::memory_order_relaxed_t relaxed{};
constexpr ct::thread_scope_device_t device_scope{};

/// Block 0 sends a datum by a flag whose orders are too weak.
__tile_global__ void message(int* data, int* flag) {
  if (ct::bid().x == 0) {
    ct::store(data, 42); // @store
    ct::atomic_store(flag, 1, relaxed, device_scope);
    return;
  }
  while (ct::atomic_load(flag, relaxed, device_scope) == 0) {
  }
  ct::store(data + 1, ct::load(data)); // @load
}

/// Each block increments its own element, by raw accesses.
__tile_global__ void count(int* managed) {
  managed[ct::bid().x] += 1;
}

void run() {
  host_code("before");
  int* managed = nullptr;
  int* device = nullptr;
  cudaMallocManaged(&managed, 64 * sizeof(int));
  cudaMalloc(&device, 3 * sizeof(int));
  cudaMemset(device, 0, 3 * sizeof(int));
  host_code("with managed memory");
  for (int i = 0; i < 64; ++i)
    managed[i] = i;
  watch_library(managed);
  count<<<64, 1>>>(managed);
  watch_library(nullptr);
  message<<<2, 1>>>(device, device + 2);
  host_code("beside kernels");
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += managed[i];
  int sent[2] = {};
  cudaMemcpy(sent, device, sizeof sent, cudaMemcpyDeviceToHost);
  host_code("after");
  std::printf("sum %d, sent %d %d\n", sum, sent[0], sent[1]);
  cudaFree(managed);
  cudaFree(device);
}

} // namespace

int main() {
#ifdef BY_LIBRARY
  const auto result = tilesim::check([] { run(); }, {.name = "host code", .schedules = 2});
  std::fputs(result.text().c_str(), stderr);
  return result.exit_code();
#else
  run();
  return 0;
#endif
}
