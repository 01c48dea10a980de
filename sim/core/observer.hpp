// Watching a program: what the stepper, traces, statistics and checkers hang onto.
//
// The machine tells every observer of every operation, after it has been performed. An observer
// changes nothing. A run without observers pays one branch per operation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/accuracy.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstdint>

namespace tilesim::sim {

struct sim_thread;

/// One performed tile operation. Pointers are valid during the call only.
struct operation_event {
  const sim_thread* thread = nullptr;
  const void* site = nullptr; ///< return address into the user's code
  machine::opcode op = {};
  const machine::attributes* modes = nullptr; ///< elementwise, reductions, scans; else nullptr
  const machine::access* access = nullptr;    ///< memory operations; else nullptr
  const machine::out* result = nullptr;       ///< nullptr if there is none
  const machine::in* operands = nullptr;
  unsigned operand_count = 0;
  const machine::combination* combined = nullptr; ///< reductions and scans: how

  /// Whether the result is one of several that the documentation allows, and which.
  [[nodiscard]] ops::accuracy accuracy() const noexcept {
    return modes == nullptr ? ops::accuracy{} : ops::accuracy_of(op, *modes, result->type->elem);
  }
  /// Whether the result may be another in another order of combining, which is left open.
  [[nodiscard]] bool depends_on_order() const noexcept {
    return op == machine::opcode::mmaf || (combined != nullptr && ops::depends_on_order(*combined));
  }
};

/// Accesses of one operation: one event per active element.
struct memory_event {
  const sim_thread* thread = nullptr;
  const void* site = nullptr;
  machine::access how = {};
  bool reads = false;
  bool writes = false;
  unsigned bytes = 0; ///< per element
  unsigned count = 0;
  const std::uintptr_t* addresses = nullptr;
  const std::uint8_t* mask = nullptr; ///< one byte per element, 0: not accessed; nullptr: all are
};

class observer {
public:
  observer() = default;
  virtual ~observer() = default;
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;

  virtual void operation(const operation_event& /*e*/) {}
  virtual void memory(const memory_event& /*e*/) {}
  /// The run is over.
  virtual void end() {}
};

} // namespace tilesim::sim
