// One function per family: the table entry of an operation, empty where there is none.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise_kernel.hpp"
#include "sim/ops/loop.hpp"

#include <tilesim/detail/machine.hpp>

namespace tilesim::sim::ops {

/// Asks the family of the opcode: what find_elementwise picks from.
table_entry find_entry(machine::opcode op,
                       const machine::attributes& modes,
                       element result,
                       element operand0,
                       arithmetic how) noexcept;

table_entry
find_integer(machine::opcode op, const machine::attributes& modes, element kind) noexcept;
table_entry
find_integer_divide(machine::opcode op, const machine::attributes& modes, element kind) noexcept;
table_entry find_bits(machine::opcode op, const machine::attributes& modes, element kind) noexcept;
table_entry find_float(machine::opcode op,
                       const machine::attributes& modes,
                       element kind,
                       arithmetic how) noexcept;
table_entry find_math(machine::opcode op, const machine::attributes& modes, element kind) noexcept;
table_entry find_half(machine::opcode op, const machine::attributes& modes, element kind) noexcept;
table_entry
find_compare(machine::opcode op, const machine::attributes& modes, element kind) noexcept;
table_entry find_integer_cast(machine::opcode op,
                              const machine::attributes& modes,
                              element result,
                              element source) noexcept;
table_entry find_itof(const machine::attributes& modes,
                      element result,
                      element source,
                      arithmetic how) noexcept;
table_entry find_ftoi(const machine::attributes& modes, element result, element source) noexcept;
table_entry find_ftof(const machine::attributes& modes,
                      element result,
                      element source,
                      arithmetic how) noexcept;
table_entry find_copy(element result, element source) noexcept;
table_entry find_select(element result, element condition) noexcept;

} // namespace tilesim::sim::ops
