// Places: the ranges of bytes that an exploration's accesses name, by number.
//
// Two accesses share a place if they overlap. While all accesses of a place have the same bytes, an
// event of it has one source and one position; where some overlap in part the place is mixed, and
// its events are judged byte by byte.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilesim::memmodel {

using place_number = std::uint32_t;
inline constexpr place_number no_place = ~place_number{0};

/// Two ranges overlap in part that were taken for separate places, or for one of one size: the
/// table knows now, and whoever has used its numbers begins again.
struct places_merged {
  byte_range first;
  byte_range second;
};

class place_table {
public:
  /// The number of the place of these bytes.
  /// @throws places_merged
  [[nodiscard]] place_number of(const byte_range& bytes);

  [[nodiscard]] bool mixed(place_number p) const noexcept { return places_[p].mixed; }
  [[nodiscard]] bool any_mixed() const noexcept { return any_mixed_; }
  /// All its bytes; more than an access of it has if it is mixed.
  [[nodiscard]] const byte_range& bytes(place_number p) const noexcept { return places_[p].bytes; }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

private:
  struct known {
    byte_range bytes;
    bool mixed = false;
  };
  void merge(const byte_range& bytes, place_number with);

  std::vector<known> places_;
  bool any_mixed_ = false;
  std::unordered_map<std::uint64_t, place_number> by_byte_; ///< of every byte of a place
};

} // namespace tilesim::memmodel
