// Which family an opcode belongs to.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/elementwise.hpp"

#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using machine::opcode;

table_entry find_conversion(opcode op,
                            const machine::attributes& modes,
                            element result,
                            element operand0,
                            arithmetic how) noexcept {
  switch (op) {
  case opcode::exti:
  case opcode::trunci:
    return find_integer_cast(op, modes, result, operand0);
  case opcode::itof:
    return find_itof(modes, result, operand0, how);
  case opcode::ftoi:
    return find_ftoi(modes, result, operand0);
  case opcode::ftof:
    return find_ftof(modes, result, operand0, how);
  default: // bitcast, int_to_ptr, ptr_to_int, ptr_to_ptr
    return find_copy(result, operand0);
  }
}

} // namespace

// One function in spite of its length: a table of opcodes, each in one row.
table_entry find_entry(opcode op,
                       const machine::attributes& modes,
                       element result,
                       element operand0,
                       arithmetic how) noexcept {
  switch (op) {
  case opcode::addi:
  case opcode::subi:
  case opcode::muli:
  case opcode::negi:
  case opcode::absi:
  case opcode::mulhii:
  case opcode::maxi:
  case opcode::mini:
    return find_integer(op, modes, operand0);
  case opcode::divi:
  case opcode::remi:
    return find_integer_divide(op, modes, operand0);
  case opcode::andi:
  case opcode::ori:
  case opcode::xori:
  case opcode::shli:
  case opcode::shri:
    return find_bits(op, modes, operand0);
  case opcode::cmpi:
  case opcode::cmpf:
    return result == element::i1 ? find_compare(op, modes, operand0) : table_entry{};
  case opcode::addf:
  case opcode::subf:
  case opcode::mulf:
  case opcode::divf:
  case opcode::remf:
  case opcode::fma:
  case opcode::negf:
  case opcode::absf:
  case opcode::maxf:
  case opcode::minf:
  case opcode::ceil:
  case opcode::floor:
  case opcode::sqrt:
    if (operand0 == element::f16 || operand0 == element::bf16) {
      return find_half(op, modes, operand0);
    }
    return operand0 == element::f32 || operand0 == element::f64
               ? find_float(op, modes, operand0, how)
               : table_entry{};
  case opcode::rsqrt:
  case opcode::exp:
  case opcode::exp2:
  case opcode::log:
  case opcode::log2:
  case opcode::fpowf:
  case opcode::sin:
  case opcode::cos:
  case opcode::tan:
  case opcode::atan2:
  case opcode::sinh:
  case opcode::cosh:
  case opcode::tanh:
    return find_math(op, modes, operand0);
  case opcode::exti:
  case opcode::trunci:
  case opcode::itof:
  case opcode::ftoi:
  case opcode::ftof:
  case opcode::bitcast:
  case opcode::int_to_ptr:
  case opcode::ptr_to_int:
  case opcode::ptr_to_ptr:
    return find_conversion(op, modes, result, operand0, how);
  case opcode::select:
    return find_select(result, operand0);
  default: // not elementwise; `offset` needs more than kinds, see offset_pointers
    return {};
  }
}

elementwise_operation find_elementwise(machine::opcode op,
                                       const machine::attributes& modes,
                                       element result,
                                       element operand0,
                                       arithmetic how) noexcept {
  const table_entry found = find_entry(op, modes, result, operand0, how);
  if (found.baseline == nullptr) {
    return {};
  }
  return found.pick();
}

} // namespace tilesim::sim::ops
