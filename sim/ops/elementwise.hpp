// The elementwise operations: from an opcode, its modes and its element kinds to a loop over
// elements.
//
// Pure functions: no tracing, no state. The meaning of each operation stands in integer.cpp,
// float32_64.cpp, half.cpp, compare.cpp, convert_*.cpp and bits.cpp, two lines each; loop.hpp maps
// it over the elements.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

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

/// The operation for these element kinds. Of `select`, operand0 is the condition and `result`
/// decides. Of comparisons and conversions both count; of all others operand0 equals result.
/// `offset` is not here: see offset_pointers.
[[nodiscard]] elementwise_operation find_elementwise(machine::opcode op,
                                                     const machine::attributes& modes,
                                                     element result,
                                                     element operand0,
                                                     arithmetic how = arithmetic::page) noexcept;

/// offset: result[i] = operand[0][i] + operand[1][i] * pointee_size, the index read as a signed
/// integer of kind `index` (i1 as 0 or 1). Returns true if an address left the 64-bit address
/// space.
bool offset_pointers(const elementwise_args& args, element index, unsigned pointee_size) noexcept;

} // namespace tilesim::sim::ops
