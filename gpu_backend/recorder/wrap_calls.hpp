// What all functions do that stand in front of the CUDA runtime's: they call the runtime, and tell
// the recorder.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/recorder/call.hpp"
#include "gpu_backend/recorder/recorder.hpp"

#include <cstddef>
#include <utility>

namespace tilesim::gpu {

/// Calls the runtime; what fails is told.
template <class F>
cudaError_t called(const char* name, F&& real) {
  const cudaError_t error = std::forward<F>(real)();
  note_error(error);
  if (error != cudaSuccess && error != cudaErrorNotReady) {
    recorder::of_process().failed(name, error);
  }
  return error;
}

/// `before(recorder)`, the runtime, `after(recorder)` where it succeeded: for the program's calls.
template <class Before, class F, class After>
cudaError_t told(const char* name, Before&& before, F&& real, After&& after) {
  const call c;
  if (!c.of_program()) {
    return real();
  }
  recorder& r = recorder::of_process();
  before(r);
  const cudaError_t error = called(name, real);
  if (error == cudaSuccess) {
    after(r);
  }
  return error;
}

inline void nothing(recorder& /*unused*/) {}

} // namespace tilesim::gpu
