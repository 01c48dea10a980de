// An elementwise operation as it is called: its cells, its kernel, and what the reference page
// leaves undefined about an element.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::sim::ops {

/// The cells of a call. A splat operand has one element, which stands for `count` of them. `result`
/// has `count` cells and overlaps no operand.
struct elementwise_args {
  void* result;
  const void* operand[3];
  bool splat[3];
  std::size_t count;
};

/// Performs the operation on all elements. Returns true if some element was undefined by the
/// reference page; its cell then holds what the hardware was seen to give.
using elementwise_kernel = bool (*)(const elementwise_args&) noexcept;

/// What the page leaves undefined about one element.
enum class undefined_kind : std::uint8_t {
  nothing,
  signed_overflow,
  unsigned_overflow, ///< Tile IR's no_unsigned_wrap; no C++ operation promises it
  division_by_zero,
  unrepresentable_quotient, ///< the minimum over -1
  shift_count,
  unrepresentable_integer, ///< of a floating-point value
};

/// Why the page leaves this combination of element values (one cell each; unused ones may be null)
/// undefined; `nothing` if it does not.
using undefined_reason = undefined_kind (*)(const void* a, const void* b, const void* c) noexcept;

struct elementwise_operation {
  elementwise_kernel run = nullptr; ///< nullptr: there is no such combination
  undefined_reason why = nullptr;   ///< never nullptr when `run` is not
};

/// Which answer to give where the reference page and the measured hardware differ.
enum class arithmetic : std::uint8_t {
  page,
  hardware, ///< what an H200 was measured to give: docs/hardware.md lists the differences
};

} // namespace tilesim::sim::ops
