// What selects the addresses of a memory operation: a tile of pointers under a mask, or the indices
// of a view. The operations themselves (machine_memory.cpp) are the same for both.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/assertion.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/machine/memory_operation.hpp"
#include "sim/machine/view_selection.hpp"
#include "sim/memory/access_kind.hpp"

#include <tilesim/detail/machine.hpp>

namespace tilesim::sim {

/// A tile of pointers, under a mask where there is one.
class pointer_tile {
public:
  static constexpr machine::opcode load = machine::opcode::load_ptr_tko;
  static constexpr machine::opcode store = machine::opcode::store_ptr_tko;
  static constexpr machine::opcode update = machine::opcode::atomic_rmw_tko;

  pointer_tile(const machine::in& ptrs, const machine::in* mask)
      : ptrs_(ptrs)
      , mask_(mask) {}

  /// Asserts that a tile fits the pointers.
  void fits(const machine::tile_type& other) const {
    TILESIM_ASSERT(other.count == ptrs_.type->count, other.count, ptrs_.type->count);
    TILESIM_ASSERT(size_of(other.elem) == ptrs_.type->pointee_size, ptrs_.type->pointee_size);
  }

  /// Its addresses, checked.
  [[nodiscard]] memory_operation
  operation(sim_thread& t, const machine::access& how, access_kind kind) const {
    return {t, how, ptrs_, mask_, kind};
  }

  /// The addresses as they are, and whether each is selected; `active` is left empty where all are.
  void elements(std::vector<std::uintptr_t>& addresses, std::vector<std::uint8_t>& active) const;

  /// Gives what a load leaves out its padding, or an unspecified value without one.
  static void
  fill(sim_thread& t, const machine::out& result, const tile_access& a, const machine::in* padding);

  /// Tells who follows values where the addresses come from.
  void tell_selection(value_follower& values,
                      const sim_thread& t,
                      const tile_access& a,
                      const machine::out* result) const {
    values.accessed(t, a, ptrs_, mask_, result);
  }

  /// Tells the watchers of the operation. `values`: `count` operands, of which a load's padding
  /// stands behind the mask.
  void tell(sim_thread& t,
            machine::opcode op,
            const machine::access& how,
            const machine::out* result,
            const machine::in* values,
            unsigned count) const;

private:
  const machine::in& ptrs_;
  const machine::in* mask_;
};

/// The tile of a view at some indices. What lies outside is reported when the addresses are asked
/// for.
class indexed_view {
public:
  static constexpr machine::opcode load = machine::opcode::load_view_tko;
  static constexpr machine::opcode store = machine::opcode::store_view_tko;
  static constexpr machine::opcode update = machine::opcode::atomic_red_view_tko;

  indexed_view(const machine::tile_view& view, const machine::in* indices)
      : indices_(indices)
      , selected_(view, indices) {}

  void fits(const machine::tile_type& /*other*/) const noexcept {}

  [[nodiscard]] memory_operation
  operation(sim_thread& t, const machine::access& how, access_kind kind) const;

  /// As of pointers; none at indices outside the index space.
  void elements(std::vector<std::uintptr_t>& addresses, std::vector<std::uint8_t>& active) const;

  /// The padding is the view's. With a box, all elements get it: those inside are about to be read.
  void fill(sim_thread& t,
            const machine::out& result,
            const tile_access& a,
            const machine::in* padding) const;

  void tell_selection(value_follower& values,
                      const sim_thread& t,
                      const tile_access& a,
                      const machine::out* result) const;

  void tell(sim_thread& t,
            machine::opcode op,
            const machine::access& how,
            const machine::out* result,
            const machine::in* values,
            unsigned count) const;

private:
  const machine::in* indices_;
  view_selection selected_;
};

} // namespace tilesim::sim
