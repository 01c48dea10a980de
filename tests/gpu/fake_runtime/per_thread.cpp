// A part of the program whose default stream is each thread's own, as -default-stream per-thread
// makes it: the runtime's functions have other names there.
//
// SPDX-License-Identifier: Apache-2.0
#define FAKE_PER_THREAD
#include "gpu/fake_runtime/kernel.hpp"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

// NOLINTBEGIN(bugprone-reserved-identifier): NVIDIA's names
extern "C" {
cudaError_t cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync_ptsz(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemset_ptds(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync_ptsz(void* to, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

FAKE_KERNEL(slow_put, (std::uint8_t * out, std::uint8_t value), (out, value)) {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  *out = value;
}

} // namespace

/// Two threads, each with a default stream of its own: their launches are a group.
int per_thread_streams() {
  void* p = nullptr;
  if (cudaMalloc(&p, 100) != cudaSuccess || cudaMemset_ptds(p, 0, 100) != cudaSuccess) {
    return 1;
  }
  auto* const out = static_cast<std::uint8_t*>(p);
  std::vector<std::uint8_t> host(100);
  const auto work = [out](std::uint8_t value) {
    FAKE_LAUNCH(slow_put, 1, 1, 0, nullptr)(out + value, value);
  };
  std::thread first([&] { work(1); });
  first.join();
  std::thread second([&] { work(2); });
  second.join();
  work(3);
  static_cast<void>(cudaMemsetAsync_ptsz(out + 50, 5, 1, nullptr));
  static_cast<void>(cudaMemcpyAsync_ptsz(host.data(), out, 100, cudaMemcpyDeviceToHost, nullptr));
  static_cast<void>(cudaStreamSynchronize_ptsz(nullptr));
  static_cast<void>(cudaDeviceSynchronize());
  return host[3];
}
