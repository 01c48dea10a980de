// Atomic operations whose result nobody takes: by the text at the place of the call, for compilers
// leave nothing of it that could be seen.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/source_lines.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilesim::sim {

enum class calls : std::uint8_t {
  exchanges, ///< atomicExch and its kin, the member exchange() of atomic objects, atomic_xchg
  updates    ///< atomicAdd and its kin, the members fetch_add() … of atomic objects
};

/// Whether the call at a line and column, both from 1, is such a one, and a statement. False where
/// the text does not say.
[[nodiscard]] bool
is_dropped(calls which, const std::vector<std::string>& lines, unsigned line, unsigned column);

class dropped_results {
public:
  explicit dropped_results(calls which)
      : which_(which) {}

  /// Of an operation of the program's, by its return address.
  [[nodiscard]] bool of(const void* site);

private:
  calls which_;
  source_lines sources_;
  std::map<const void*, bool> known_;
};

} // namespace tilesim::sim
