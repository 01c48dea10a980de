// Copies, checked and in their stream's order.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/copy_check.hpp"

#include <cstddef>
#include <driver_types.h>

struct CUstream_st;

namespace tilesim::sim {

class entry;

struct copy_request {
  const char* function = nullptr;
  void* dst = nullptr;
  std::size_t dst_pitch = 0;
  const void* src = nullptr;
  std::size_t src_pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  bool asynchronous = false;
  cudaStream_t stream = nullptr;
  const void* variable = nullptr; ///< dst or src, if that is a variable of the device
};

/// Checks and performs a copy of rows.
cudaError_t copy(entry& call, const copy_request& r);

/// The stream of a handle, or nullptr after a misuse has been reported.
CUstream_st* find_stream(entry& call, cudaStream_t handle, const char* function);

} // namespace tilesim::sim
