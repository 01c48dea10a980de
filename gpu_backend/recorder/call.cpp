// Whose call it is.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/call.hpp"

#include "gpu_backend/recorder/real.hpp"

#include <unistd.h>
#include <utility>

namespace tilesim::gpu {

namespace {

thread_local int depth = 0;
/// Of this thread, where the runtime does not have it any more.
thread_local cudaError_t kept = cudaSuccess;

pid_t recorded = 0;

std::mutex& one_at_a_time() {
  static auto* const it = new std::mutex; // never destroyed, as the recorder
  return *it;
}

} // namespace

void this_process_is_recorded() noexcept {
  recorded = getpid();
}

bool in_recorded_process() noexcept {
  return getpid() == recorded;
}

call::call() {
  if (depth > 0 || !in_recorded_process()) {
    return;
  }
  lock_ = std::unique_lock(one_at_a_time());
  ++depth;
  outermost_ = true;
  note_error(__real_cudaGetLastError());
}

call::~call() {
  if (outermost_) {
    static_cast<void>(__real_cudaGetLastError());
    --depth;
  }
}

void note_error(cudaError_t error) noexcept {
  kept = error != cudaSuccess ? error : kept;
}

cudaError_t take_error() noexcept {
  return std::exchange(kept, cudaSuccess);
}

cudaError_t peek_error() noexcept {
  return kept;
}

} // namespace tilesim::gpu
