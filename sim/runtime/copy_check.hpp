// May these bytes be copied or filled? One answer for every copying function.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <driver_types.h>
#include <optional>

namespace tilesim::sim {

class entry;
class runtime_state;

/// One side of a copy, as the call describes it. Rows begin `pitch` bytes apart.
struct copy_side {
  const char* function = ""; ///< "cudaMemcpy"
  const char* role = "";     ///< "destination"
  const void* pointer = nullptr;
  bool device = false;         ///< the call says that this is device memory
  const char* done = "copied"; ///< what is done with its bytes
};

struct copy_extent {
  std::size_t width = 0;  ///< bytes in a row
  std::size_t height = 1; ///< rows
  std::size_t pitch = 0;
  /// Bytes from the first to behind the last.
  [[nodiscard]] std::size_t span() const noexcept {
    return height == 0 || width == 0 ? 0 : (height - 1) * pitch + width;
  }
};

/// cudaSuccess, or the error with its finding: a null pointer, memory that is not there any more,
/// host memory where device memory is due, more bytes than the allocation has.
cudaError_t check_side(entry& call, const copy_side& side, const copy_extent& extent);

/// True for host memory that CUDA does not know: an asynchronous copy reads it at the call.
[[nodiscard]] bool pageable(const entry& call, const void* pointer);

/// How many bytes are left behind pointer in a variable whose address cudaGetSymbolAddress has
/// told; nothing if it points into none.
[[nodiscard]] std::optional<std::size_t> bytes_in_variable(const runtime_state& state,
                                                           const void* pointer);

} // namespace tilesim::sim
