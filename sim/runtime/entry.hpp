// How every entry point begins and ends.
//
//   cudaError_t cudaFoo(int* out) {
//     TILESIM_ENTRY(call)
//     if (out == nullptr) {
//       return call.misuse(cudaErrorInvalidValue, "cudaFoo: null pointer for the result");
//     }
//     …
//     return call.ok();
//   }
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/for_library.hpp"
#include "sim/runtime/state.hpp"

#include <mutex>
#include <string>
#include <string_view>

/// Begins an entry point. One that the library asks for by way of the program does nothing, and a
/// stream's host function is refused.
#define TILESIM_ENTRY(call)                                                                        \
  if (tilesim::sim::for_library::asked()) {                                                        \
    return cudaSuccess;                                                                            \
  }                                                                                                \
  tilesim::sim::entry call(TILESIM_SITE);                                                          \
  if (call.refused() != cudaSuccess) {                                                             \
    return call.refused();                                                                         \
  }

namespace tilesim::sim {

using tilesim::finding_kind; // for `using namespace tilesim::sim` in entry points

/// Ends the run where the calling thread is a simulated one: kernels have no runtime here.
void stop_in_kernel(const void* site, std::string_view what, const char* remedy);

class entry : library_section {
public:
  explicit entry(const void* site);

  context& sim;
  runtime_state& state;
  const void* const site;

  /// cudaErrorNotPermitted in a stream's host function, which has been told then.
  [[nodiscard]] cudaError_t refused() const noexcept { return refused_; }

  /// What a correct call returns: success, or the error that has ended the device's use.
  [[nodiscard]] cudaError_t ok() noexcept;

  /// Returns and remembers an error that is no defect of the program: not ready, out of memory.
  cudaError_t error(cudaError_t e) noexcept;

  /// Returns and remembers an error, and adds a finding that says more than CUDA does.
  cudaError_t misuse(cudaError_t e,
                     std::string message,
                     std::string remedy = {},
                     finding_kind kind = finding_kind::api_misuse);

private:
  std::unique_lock<reentrant_mutex> lock_;
  cudaError_t refused_ = cudaSuccess;
};

/// "x (float[64]), allocation #3 (256 bytes of device memory, saxpy.cu:12)", with "freed at …" if
/// it is dead; the variable and the type where they are known.
[[nodiscard]] std::string describe(const entry& call, const allocation& a);

/// "0x7f… (x[1] of float[64], 4 bytes into allocation #3 (…))", "0x7f… (host memory)", "a null
/// pointer".
[[nodiscard]] std::string describe_pointer(const entry& call, const void* p);

} // namespace tilesim::sim
