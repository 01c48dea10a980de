// Following values through a run: what a result is in other cases than the one that is computed.
//
// The machine gives every operation's operands and result to the one who follows, if there is one,
// and lets him perform it again on other operands. He changes nothing of the run, and what
// operations mean knows nothing of him. spread (sim/execution) follows unspecified values, the
// error analysis (sim/error_analysis) how far inexact ones may be off.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/engine.hpp"
#include "sim/ops/rmw.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilesim::sim {

struct sim_thread;

/// How a result was computed, where operands and types do not say it.
struct computation {
  machine::opcode op = {};
  const machine::attributes* modes = nullptr;     ///< elementwise; else nullptr
  const machine::combination* combined = nullptr; ///< reductions and scans; else nullptr
  unsigned dim = 0;                               ///< … along which dimension
  bool reverse = false;                           ///< a scan: from the last element on
  bool of_index = false;                          ///< a reduction: the index of an extremum
  bool settled = false; ///< a sum of which it is known that it is not fused with a product
  /// Performs it on other operands of the same types; null where that cannot be.
  std::function<void(const machine::out& result, const machine::in* operands)> again = {};
};

/// What an atomic read-modify-write does to an element.
struct update_operation {
  machine::rmw_mode mode = {};
  machine::signedness sign = {};
  ops::rmw_function function = nullptr;
  bool gives_old = false; ///< the program gets the elements as they were
};

/// What an atomic update by a thread's plain code does to an object, where it is one of the
/// operations of tiles: whole numbers, and sums of floats and doubles.
struct object_update {
  machine::rmw_mode mode = machine::rmw_mode::xchg;
  unsigned bytes = 0;            ///< of the object
  const void* operand = nullptr; ///< of its type
  void* old = nullptr;           ///< what was there
  bool gives_old = false;        ///< the thread gets it

  [[nodiscard]] bool sums_floats() const noexcept { return mode == machine::rmw_mode::addf; }
  /// Several come to the same in every order.
  [[nodiscard]] bool commutes() const noexcept {
    return mode != machine::rmw_mode::xchg && !sums_floats();
  }
};

/// Which elements of a tile depend on an unspecified value, as far as whoever follows them knows.
struct dependence {
  std::vector<bool> elements; ///< empty: none is known to
  std::string origin;         ///< "a.cu:9: the mask of a load …": where the value comes from
  const char* remedy = "";    ///< what to do about it

  [[nodiscard]] bool any() const noexcept { return !elements.empty(); }
  [[nodiscard]] bool of(std::size_t element) const noexcept {
    return element < elements.size() && elements[element];
  }
};

class value_follower {
public:
  value_follower() = default;
  virtual ~value_follower() = default;
  value_follower(const value_follower&) = delete;
  value_follower& operator=(const value_follower&) = delete;

  /// The operation under way has drawn these elements of its result, of which one of the following
  /// will be told.
  virtual void draws(std::vector<std::size_t> elements) = 0;

  /// It has computed its result from operands.
  virtual void computed(const sim_thread& t,
                        const computation& how,
                        const machine::out& result,
                        const machine::in* operands,
                        unsigned count) = 0;

  /// It has read memory, written it, or both. `padding`: of what a load's mask leaves out, or
  /// nullptr.
  virtual void loaded(const sim_thread& t,
                      const tile_access& a,
                      const machine::out& result,
                      const machine::in* padding) = 0;
  virtual void stored(const sim_thread& t, const tile_access& a, const machine::in& value) = 0;
  virtual void updated(const sim_thread& t,
                       const tile_access& a,
                       const update_operation& how,
                       const machine::in& argument,
                       const machine::out& old) = 0;
  /// It is a compare-exchange.
  virtual void exchanged(const sim_thread& t,
                         const machine::out& old,
                         const machine::in& pointers,
                         const machine::in& comparand,
                         const machine::in& value,
                         const machine::in* mask) = 0;

  /// A thread's plain code has updated the object at an address, atomically. The follower may make
  /// what it gets another value.
  virtual void updated_object(const sim_thread& /*t*/,
                              const void* /*site*/,
                              std::uintptr_t /*at*/,
                              const object_update& /*what*/) {}

  /// A thread has looked at a clock.
  virtual void asked_the_time(const sim_thread& /*t*/) {}

  /// Its addresses, where it has accessed memory, and its mask; `result`: what it gives, if it
  /// does.
  virtual void accessed(const sim_thread& t,
                        const tile_access& a,
                        const machine::in& pointers,
                        const machine::in* mask,
                        const machine::out* result) = 0;

  /// Or the indices of the view that it has accessed.
  virtual void
  indexed(const sim_thread& /*t*/, const machine::in* /*indices*/, unsigned /*count*/) {}

  /// An operand decides what the run does, or prints.
  virtual void
  decides(const sim_thread& t, const machine::in* operands, unsigned count, const char* what) = 0;

  /// Of an operand of the operation under way.
  [[nodiscard]] virtual dependence depends(const sim_thread& t,
                                           const machine::in& operand) const = 0;
  /// Of the `bytes` at an address that were read there as `value`: a tile of one element.
  [[nodiscard]] virtual dependence memory_depends(const sim_thread& t,
                                                  std::uintptr_t address,
                                                  const void* value,
                                                  unsigned bytes) const = 0;
};

} // namespace tilesim::sim
