// Exchanges whose result nobody takes: by the text at the place of the call, for compilers leave
// nothing of it that could be seen.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/source_lines.hpp"

#include <map>
#include <string>
#include <vector>

namespace tilesim::sim {

/// Whether the call at a line and column, both from 1, is an exchange that is a statement:
/// atomicExch and its kin, the member exchange() of an atomic object, atomic_xchg of tiles. False
/// where the text does not say.
[[nodiscard]] bool
is_dropped_exchange(const std::vector<std::string>& lines, unsigned line, unsigned column);

class dropped_results {
public:
  /// Of an operation of the program's, by its return address.
  [[nodiscard]] bool of(const void* site);

private:
  source_lines sources_;
  std::map<const void*, bool> known_;
};

} // namespace tilesim::sim
