// Whether a cell is an infinity: the page leaves the remainder of two unspecified.
// [arithmetic operations: remainder]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <cstdint>
#include <cstring>

namespace tilesim::sim::ops {

/// Of the basic floating-point kinds; false for others.
[[nodiscard]] inline bool is_infinite(element kind, const void* cell) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, cell, size_of(kind));
  switch (kind) {
  case element::f16:
    return (bits & 0x7fffU) == 0x7c00U;
  case element::bf16:
    return (bits & 0x7fffU) == 0x7f80U;
  case element::f32:
    return (bits & 0x7fffffffU) == 0x7f800000U;
  case element::f64:
    return (bits & 0x7fffffffffffffffU) == 0x7ff0000000000000U;
  default:
    return false;
  }
}

} // namespace tilesim::sim::ops
