// Sets of a thread's reads, and what its runs say of which of them settle a write.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace tilesim::memmodel {

/// Of the first 64 reads of a thread: a bit for each, in the order in which it makes them.
using read_set = std::uint64_t;

/// What another run says of a set of reads. Those among them that return something else there (the
/// run then says nothing), those that are not performed there or elsewhere in memory, and whether
/// the write is.
struct other_run {
  read_set differ = 0;
  read_set missing = 0;
  bool writes = false;

  [[nodiscard]] bool contradicts(read_set set) const noexcept {
    return (set & differ) == 0 && ((set & missing) != 0 || !writes);
  }
  friend auto operator<=>(const other_run&, const other_run&) = default;
};

} // namespace tilesim::memmodel
