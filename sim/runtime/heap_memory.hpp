// The device's heap, which kernels allocate from by malloc and new.
//
// Its memory is device memory with bounds of its own. [CUDA C++ Programming Guide: Dynamic Global
// Memory Allocation and Operations]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>

namespace tilesim::sim {

/// The ways to allocate, and to free what each has made.
enum class heap_call : unsigned char { function, object, array };

struct heap_block {
  std::size_t bytes = 0;
  heap_call by{};
};

struct device_heap {
  std::map<const void*, heap_block> live; ///< by where they begin
  std::size_t used = 0;
};

} // namespace tilesim::sim
