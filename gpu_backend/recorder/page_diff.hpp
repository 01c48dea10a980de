// Which pages of memory on the device differ from copies of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/format.hpp"

#include <cstddef>
#include <cstdint>

namespace tilesim::gpu {

using format::page_bytes;

/// Memory and its copy, both on the device; the last page may be shorter.
struct compared_memory {
  const void* live = nullptr;
  const void* shadow = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t first_page = 0; ///< pages are counted through all memories

  friend bool operator==(const compared_memory&, const compared_memory&) = default;
};

/// Puts into found[0] how many pages differ, and behind it which, in any order. `memories` and
/// `found`, which has room for all pages, are on the device. Starts it in the stream; cudaSuccess
/// is 0.
int start_page_diff(const compared_memory* memories,
                    unsigned count,
                    std::uint64_t pages,
                    unsigned* found,
                    void* stream);

} // namespace tilesim::gpu
