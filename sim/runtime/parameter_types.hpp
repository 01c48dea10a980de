// The parameters of a function, by its address.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ffi.h>
#include <string>
#include <vector>

namespace tilesim::sim {

struct parameter {
  ffi_type* type;   ///< as the calling convention sees it; lives for ever
  std::size_t size; ///< bytes to copy
  bool indirect;    ///< a class that is passed by invisible reference
};

struct signature {
  std::vector<parameter> parameters;
  std::string problem; ///< why the function cannot be called; empty: it can
};

/// nullptr when there is no debug information for the function. Cached.
[[nodiscard]] const signature* find_signature(const void* function);

} // namespace tilesim::sim
