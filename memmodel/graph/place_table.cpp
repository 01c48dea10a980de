// Places: the ranges of bytes that an exploration's accesses name, by number.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/graph/place_table.hpp"

#include <algorithm>

namespace tilesim::memmodel {

place_number place_table::of(const byte_range& bytes) {
  const auto first = by_byte_.find(bytes.address);
  if (first != by_byte_.end()) {
    const known& k = places_[first->second];
    if (k.bytes == bytes ||
        (k.mixed && bytes.address >= k.bytes.address && bytes.end() <= k.bytes.end())) {
      return first->second;
    }
  }
  for (std::uint64_t a = bytes.address; a < bytes.end(); ++a) {
    if (const auto at = by_byte_.find(a); at != by_byte_.end()) {
      const byte_range other = places_[at->second].bytes;
      merge(bytes, at->second);
      throw places_merged{other, bytes};
    }
  }
  const auto number = static_cast<place_number>(places_.size());
  places_.push_back({bytes, false});
  for (std::uint64_t a = bytes.address; a < bytes.end(); ++a) {
    by_byte_.emplace(a, number);
  }
  return number;
}

/// All places that these bytes touch become one.
void place_table::merge(const byte_range& bytes, place_number with) {
  std::uint64_t from = std::min(bytes.address, places_[with].bytes.address);
  std::uint64_t to = std::max(bytes.end(), places_[with].bytes.end());
  for (std::uint64_t a = bytes.address; a < bytes.end(); ++a) {
    if (const auto at = by_byte_.find(a); at != by_byte_.end()) {
      from = std::min(from, places_[at->second].bytes.address);
      to = std::max(to, places_[at->second].bytes.end());
    }
  }
  any_mixed_ = true;
  places_[with] = {{from, static_cast<std::uint32_t>(to - from)}, true};
  for (std::uint64_t a = from; a < to; ++a) {
    by_byte_[a] = with;
  }
}

} // namespace tilesim::memmodel
