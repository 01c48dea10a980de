// The elementwise operations: from an opcode, its modes and its element kinds to a loop over
// elements.
//
// Pure functions: no tracing, no state. The meaning of each operation stands in integer.cpp,
// float32_64.cpp, half.cpp, compare.cpp, convert_*.cpp and bits.cpp, two lines each; loop.hpp maps
// it over the elements.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise_kernel.hpp"

#include <tilesim/detail/machine.hpp>

namespace tilesim::sim::ops {

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
