// What the machine checks around an operation: the thread, addresses, promises.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/control.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/draws.hpp"
#include "sim/machine/perform.hpp"
#include "sim/machine/view_selection.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/engine.hpp"
#include "sim/naming/element_place.hpp"
#include "sim/process/sections.hpp"

#include <tilesim/detail/machine.hpp>

#include <string>
#include <vector>

namespace tilesim::sim {

/// The caller's thread, about to perform `operation`: watchers, limits and the scheduler's say.
/// Ends the run when there is none, or when it is one of several threads of a block. `read`: what
/// it strongly reads.
[[nodiscard]] sim_thread& begin_operation(const library_section& inside,
                                          machine::caller by,
                                          const char* operation,
                                          step_kind kind = step_kind::compute,
                                          const coming_read* read = nullptr) noexcept;

/// "so are 3 more elements of this tile".
[[nodiscard]] std::string more_elements(std::size_t count);

/// "element (0,1) of an f32 tile [2x4], element (2,5) of the tensor [4x8]".
[[nodiscard]] std::string element_place(const view_selection& selected, std::size_t element);

/// A combination that the machine does not have: tilesim's own bug, or a front door's.
[[noreturn]] void
refuse_operation(sim_thread& t, machine::opcode op, element operand, element result);

/// False, and a finding, for sub-tile numbers outside the source.   [tile operations: extract]
[[nodiscard]] bool check_extract(sim_thread& t,
                                 const machine::out& result,
                                 const machine::in& source,
                                 const std::int64_t* indices,
                                 unsigned count);

/// Signed overflow of an atomic addition, or of the negation in an atomic subtraction. Elements
/// that are masked out compute nothing.   [memory operations: atomic_add, atomic_sub]
void check_atomic_add(sim_thread& t,
                      const tile_access& a,
                      const machine::out& old,
                      const machine::in& argument);

/// A promise that does not hold.   [assumptions]
void check_assumption(sim_thread& t, const machine::assumption& promise, const machine::in& value);

/// Gives masked-out elements their padding, or an unspecified value without one.
void fill_masked(sim_thread& t,
                 const machine::out& result,
                 const tile_access& a,
                 const machine::in* padding,
                 left_open why = left_open::masked_load);

/// Gives every element an unspecified value, after a finding.
void draw_unspecified(sim_thread& t, const machine::out& result);

/// remf: gives an unspecified value to the elements whose operands are both infinite.
/// [arithmetic operations: remainder]
void draw_remainders(sim_thread& t, const machine::out& result, const machine::in* operands);

/// What a performed compare-exchange has compared with decided whether it changed memory: whoever
/// follows unspecified values gets to know.
void follow_exchange(sim_thread& t,
                     const machine::out& old,
                     const machine::in& pointers,
                     const machine::in& cmp,
                     const machine::in& val,
                     const machine::in* mask);

/// Tells the observers of a performed operation.
void tell(sim_thread& t,
          machine::opcode op,
          const machine::attributes* modes,
          const machine::access* how,
          const machine::out* result,
          const machine::in* operands,
          unsigned count);

} // namespace tilesim::sim
