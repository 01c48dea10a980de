// What is known of the values that a tile block, or a block of threads, holds: by their bytes.
//
// C++ copies tiles and scalars unseen, so a value is known by what it is: whatever has the bytes of
// a value that may be off is taken for it, and of several values with the same bytes the widest
// enclosure counts. So a copy is never missed; an exact value that happens to have the same bytes
// is bounded more widely than need be.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/error_analysis/enclosure.hpp"
#include "sim/ops/preconditions.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace tilesim::sim::errors {

/// The bytes by which a tile is known.
[[nodiscard]] inline std::span<const std::byte> bytes_of(const machine::tile_type& type,
                                                         const void* data) {
  return {static_cast<const std::byte*>(data), ops::bytes_of(type)};
}

class known_values {
public:
  /// Keeps what is known of a value, beside what was known of the same bytes.
  void put(std::span<const std::byte> bytes, enclosed_tile what);
  /// Nothing: all its elements are points.
  [[nodiscard]] const enclosed_tile* find(element kind, std::span<const std::byte> bytes) const;
  /// A value of another kind with the same bytes.
  [[nodiscard]] const enclosed_tile* find_other(element kind,
                                                std::span<const std::byte> bytes) const;
  /// It was known, and is so no more, for there are too many.
  [[nodiscard]] bool is_lost(element kind, std::span<const std::byte> bytes) const;
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] static std::uint64_t hash_of(std::span<const std::byte> bytes) noexcept;

private:
  [[nodiscard]] static std::uint64_t key_of(element kind, std::uint64_t hash) noexcept;

  static constexpr std::size_t most_cells = std::size_t{1} << 22U;

  std::unordered_map<std::uint64_t, enclosed_tile> values_;
  std::deque<std::uint64_t> order_; ///< of coming: who goes first
  std::unordered_set<std::uint64_t> lost_;
  std::size_t cells_ = 0;
};

} // namespace tilesim::sim::errors
