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

struct device_heap {
  std::map<const void*, std::size_t> live; ///< bytes, by where they begin
  std::size_t used = 0;
};

} // namespace tilesim::sim
