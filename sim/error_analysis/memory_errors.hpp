// What is known of memory that kernels have written in the launch under way: element by element.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/error_analysis/combine_rules.hpp"
#include "sim/error_analysis/enclosure.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::errors {

class memory_errors {
public:
  struct cell {
    std::uintptr_t at = 0;
    element kind = {};
    enclosure value;
    std::uint64_t bits = 0; ///< that were written
  };

  void clear();
  [[nodiscard]] bool empty() const noexcept { return words_.empty(); }

  /// The element of this kind that lies there has been written. A point is nothing to keep.
  void put(std::uintptr_t at, element kind, const enclosure& value);
  /// Something exact has been written over these bytes.
  void forget(std::uintptr_t at, std::size_t bytes);
  /// What an element was before the update that has been made: these are the bits that it had.
  [[nodiscard]] std::optional<enclosure>
  before_update(std::uintptr_t at, element kind, const std::byte* old) const;
  /// A number has been added to the one that lies there, in one rounding: by whom first is open.
  void add(std::uintptr_t at,
           element kind,
           const enclosure& before,
           const enclosure& summand,
           bool flushes,
           const because& why);

  /// Those that overlap these bytes and still hold what was written.
  [[nodiscard]] std::vector<cell> overlapping(std::uintptr_t at, std::size_t bytes) const;
  /// What an element is: nothing, a point. One that is read as another kind than it was written is
  /// open.
  [[nodiscard]] std::optional<enclosure>
  find(std::uintptr_t at, element kind, const because& why) const;

private:
  static constexpr std::uintptr_t word_bytes = 8;

  std::unordered_map<std::uintptr_t, std::vector<cell>> words_;
  std::unordered_map<std::uintptr_t, open_sum> sums_;
};

} // namespace tilesim::sim::errors
