// Copies, checked and in their stream's order.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/copy_check.hpp"

#include <cstddef>
#include <driver_types.h>

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

  // Slices of a box.
  std::size_t slices = 1;
  std::size_t dst_slice = 0; ///< bytes from one to the next
  std::size_t src_slice = 0;

  [[nodiscard]] copy_request slice(std::size_t n) const {
    copy_request one = *this;
    one.dst = static_cast<unsigned char*>(dst) + n * dst_slice;
    one.src = static_cast<const unsigned char*>(src) + n * src_slice;
    one.slices = 1;
    return one;
  }
};

/// Checks and performs a copy of rows.
cudaError_t copy(entry& call, const copy_request& r);
/// The same of a box.
cudaError_t copy_3d(entry& call,
                    const char* function,
                    const cudaMemcpy3DParms* p,
                    bool asynchronous,
                    cudaStream_t stream);

/// Gives a function of the host to a stream.
cudaError_t
call_on_host(entry& call, cudaStream_t stream, const cudaHostNodeParams& h, const char* api);

} // namespace tilesim::sim
