// What callers of the operations promise, as conditions for TILESIM_ASSERT.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/assertion.hpp"

#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tilesim::sim::ops {

[[nodiscard]] inline std::size_t bytes_of(const machine::tile_type& type) noexcept {
  return std::size_t{type.count} * size_of(type.elem);
}

/// Whether a result shares no byte with an operand.
[[nodiscard]] inline bool apart(const machine::out& result, const machine::in& operand) noexcept {
  const auto to = reinterpret_cast<std::uintptr_t>(result.data);
  const auto from = reinterpret_cast<std::uintptr_t>(operand.data);
  return to + bytes_of(*result.type) <= from || from + bytes_of(*operand.type) <= to;
}

[[nodiscard]] inline bool same_kind(const machine::tile_type& a,
                                    const machine::tile_type& b) noexcept {
  return size_of(a.elem) == size_of(b.elem);
}

/// Whether the number of elements is what the extents say.
[[nodiscard]] inline bool is_consistent(const machine::tile_type& type) noexcept {
  std::uint64_t count = 1;
  for (unsigned k = 0; k < type.rank; ++k) {
    count *= type.extents[k];
  }
  return count == type.count;
}

/// Whether two types have the same extents, but for those of dimension `dim`.
[[nodiscard]] inline bool
same_extents_but(const machine::tile_type& a, const machine::tile_type& b, unsigned dim) noexcept {
  if (a.rank != b.rank || dim >= a.rank) {
    return false;
  }
  for (unsigned k = 0; k < a.rank; ++k) {
    if (k != dim && a.extents[k] != b.extents[k]) {
      return false;
    }
  }
  return true;
}

/// Whether each dimension is named once.
[[nodiscard]] inline bool is_permutation(const std::int64_t* p, unsigned rank) noexcept {
  std::uint64_t seen = 0;
  for (unsigned k = 0; k < rank; ++k) {
    if (p[k] < 0 || p[k] >= static_cast<std::int64_t>(rank)) {
      return false;
    }
    seen |= std::uint64_t{1} << static_cast<unsigned>(p[k]);
  }
  return seen == (std::uint64_t{1} << rank) - 1;
}

} // namespace tilesim::sim::ops
