// A call of the program's: whose it is, and the error that the program is to find behind it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <mutex>

namespace tilesim::gpu {

/// A function of the runtime's has been called. Until it returns the recorder's own calls leave no
/// trace in what cudaGetLastError gives the program.
class call {
public:
  call();
  ~call();
  call(const call&) = delete;
  call& operator=(const call&) = delete;
  /// False: the recorder's own, or that of a process which the program has forked.
  [[nodiscard]] bool of_program() const noexcept { return outermost_; }

  /// The program waits in the runtime: other threads may be what it waits for.
  template <class F>
  cudaError_t while_others_go_on(F&& real) {
    if (!outermost_) {
      return real();
    }
    lock_.unlock();
    const cudaError_t error = real();
    lock_.lock();
    return error;
  }

private:
  std::unique_lock<std::mutex> lock_;
  bool outermost_ = false;
};

/// The process that is recorded is this one: not those that it forks.
void this_process_is_recorded() noexcept;
[[nodiscard]] bool in_recorded_process() noexcept;

/// A call of the program's has given this: cudaGetLastError will, too.
void note_error(cudaError_t error) noexcept;
/// What cudaGetLastError, or cudaPeekAtLastError, is to give it.
[[nodiscard]] cudaError_t take_error() noexcept;
[[nodiscard]] cudaError_t peek_error() noexcept;

} // namespace tilesim::gpu
