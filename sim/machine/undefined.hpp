// What the reference leaves undefined, as findings and notes: which element, of which operands, and
// what to do about it.
//
// The operations themselves are pure functions (sim/ops) that only know that an element was
// undefined; pointers are judged here, where allocations are known.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/thread.hpp"
#include "sim/ops/elementwise.hpp"

#include <tilesim/detail/machine.hpp>

namespace tilesim::sim {

/// An elementwise operation, performed. Its operands are those of the machine's call.
struct performed_operation {
  machine::opcode op;
  const machine::attributes& modes;
  const machine::out& result;
  const machine::in* operands;
  unsigned count;
};

/// Some element was undefined by the page: a finding for each kind that occurred and is reported.
[[gnu::cold]] void
report_undefined(sim_thread& t, const performed_operation& p, ops::undefined_reason why);

/// An operation whose operands were written as pointers: a difference of pointers that are not into
/// one array is undefined, their order is unspecified.
/// [arithmetic operations: pointer difference, pointer comparison; C++ expr.add, expr.rel]
void check_written_pointers(sim_thread& t, const performed_operation& p);

/// A note where a pointer leaves its allocation and is not one past its end.
/// [arithmetic operations: pointer addition, pointer subtraction; C++ expr.add]
void note_pointers_out_of_range(sim_thread& t, const performed_operation& p);

} // namespace tilesim::sim
