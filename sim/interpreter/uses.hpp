// How an entry's values are used: how long each is needed, and which only stand for others.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace tilesim::interpreter {

/// What is known of a value before it has a place.
struct value_use {
  const tileir::operation* maker = nullptr; ///< nullptr: an argument
  std::uint32_t region = 0;                 ///< that its place belongs to
  std::uint32_t last = 0; ///< the number of the last operation of that region that needs it
  /// It has the bytes of another: a reshape's result, an assumption's.
  std::optional<tileir::value_id> same_as;
  /// One element of that value stands for all of its own: a broadcast's result.
  std::optional<tileir::value_id> stands_for_one;
  bool needed_whole = false; ///< by somebody who does not take one element for all
};

class uses {
public:
  /// `kept`: values that are needed to the end.
  uses(const tileir::entry& e, const std::set<tileir::value_id>& kept);

  [[nodiscard]] const value_use& of(tileir::value_id v) const { return values_[v]; }
  /// The value whose bytes v has.
  [[nodiscard]] tileir::value_id root(tileir::value_id v) const;
  /// The value of one element that v stands for, if it does.
  [[nodiscard]] std::optional<tileir::value_id> one(tileir::value_id v) const;

private:
  struct place {
    std::uint32_t region;
    std::uint32_t number; ///< of the operation that is being looked at
  };

  void walk(const tileir::region& r);
  void define(tileir::value_id v, const tileir::operation* maker);
  void look_at(const tileir::operation& o);
  void relate(const tileir::operation& o);
  void use(tileir::value_id v, bool whole);
  void keep(tileir::value_id v);
  void keep_for_ever(tileir::value_id v);

  const tileir::entry& entry_;
  std::vector<value_use> values_;
  std::vector<place> path_;
  std::uint32_t regions_ = 0;
};

/// True of operations that take an operand of one element for one of many.
[[nodiscard]] bool is_elementwise(tileir::opcode o) noexcept;

} // namespace tilesim::interpreter
