// Data races of one execution.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/relations.hpp"

#include <optional>

namespace tilesim::memmodel {

/// Why nothing excuses a race.
enum class race_reason : std::uint8_t {
  weak,    ///< at least one of the two is weak
  scope,   ///< both are strong, but a scope does not include the other's thread
  overlap, ///< both are strong and their scopes suffice, but they overlap only in part
};

struct race {
  event_id first = no_event; ///< first < second
  event_id second = no_event;
  race_reason reason = race_reason::weak;
  /// Partial overlap. One such race in a program, and its axioms constrain nothing.  [PTX:
  /// mixed-size data races]
  bool mixed_size = false;
};

/// [PTX: data races; CUDA C++: data races] The pairs of overlapping memory operations, at least one
/// of them a write, that are neither morally strong nor related in causality order either way.
/// Symmetric. Initial writes race with nothing. An atomic is one operation, whose read is ordered
/// before what its write is ordered before.
[[nodiscard]] relation races(const relations& r);

/// Some race, a mixed-size one if there is one.
[[nodiscard]] std::optional<race> find_race(const relations& r);

} // namespace tilesim::memmodel
