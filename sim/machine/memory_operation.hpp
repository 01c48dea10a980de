// One tile operation on memory: whose addresses are checked before anything is accessed.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/thread.hpp"
#include "sim/machine/view_selection.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::sim {

/// One tile operation on memory: its addresses checked, its mask spread out.
class memory_operation {
public:
  memory_operation(sim_thread& t,
                   const machine::access& how,
                   const machine::in& ptrs,
                   const machine::in* mask,
                   access_kind kind);
  /// Of what a view selects, which outlives the operation.
  memory_operation(sim_thread& t,
                   const machine::access& how,
                   const view_selection& selected,
                   access_kind kind);

  [[nodiscard]] const tile_access& access() const noexcept { return access_; }
  [[nodiscard]] bool some_masked() const noexcept { return active_ != access_.count; }
  [[nodiscard]] bool some_active() const noexcept { return active_ != 0; }

  /// True if writing `values` would change memory, as far as it is worth the time to find out.
  [[nodiscard]] bool would_change(const void* values) const;

  /// The operation read `values`.
  void has_read(const void* values) const;

  /// The operation read `values` and changed nothing: it may be one turn of a spin loop.
  void polled(const void* values) const;

  /// Tells the observers.
  void tell(bool reads, bool writes) const;

private:
  void begin(const machine::access& how);
  void follow();
  void expand();
  void check_contiguous();
  void check_box();
  void check_each();
  [[nodiscard]] std::string where(std::size_t element) const;
  /// Of element number `i`.
  void fault(std::size_t i);
  void drop(std::size_t i);

  sim_thread& thread_;
  access_kind kind_;
  const machine::tile_type* pointers_ = nullptr; ///< of a tile of pointers,
  const view_selection* selected_ = nullptr;     ///< or of a view
  tile_access access_{};
  std::size_t active_ = 0;
  std::vector<std::uint8_t> spread_mask_;
  std::vector<std::uintptr_t> spread_addresses_;
};

} // namespace tilesim::sim
