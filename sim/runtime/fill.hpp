// Fills, checked and in their stream's order.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <driver_types.h>

namespace tilesim::sim {

class entry;

struct fill_request {
  const char* function = nullptr;
  void* pointer = nullptr;
  std::size_t pitch = 0;
  int value = 0;
  std::size_t width = 0; ///< in bytes
  std::size_t height = 0;
  bool asynchronous = false;
  cudaStream_t stream = nullptr;
  unsigned element_size = 1; ///< the value's bytes: 1, 2 or 4
};

/// Checks and performs a fill of rows.
cudaError_t fill(entry& call, const fill_request& r);

} // namespace tilesim::sim
