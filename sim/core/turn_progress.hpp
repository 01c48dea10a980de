// How far a thread has come, as turns count it: whoever records a history counts by this.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "sim/core/step_kind.hpp"

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

/// A history of more turns is of no use to a person, and costs memory in long runs.
inline constexpr std::size_t most_turns = std::size_t{1} << 16U;

struct turn_progress {
  std::uint64_t operations = 0;        ///< so far, without raw accesses
  std::uint64_t memory_operations = 0; ///< of those
  std::uint64_t raw_accesses = 0;      ///< since the last of these

  /// Where the thread stands whose next step is of that kind.
  [[nodiscard]] turn_point before(step_kind next) const {
    switch (next) {
    case step_kind::compute:
      return {.operations = operations, .any = true};
    case step_kind::memory:
      return {.operations = memory_operations};
    case step_kind::raw:
      return {.operations = memory_operations, .raw = raw_accesses};
    }
    return {};
  }

  /// It makes a step of that kind.
  void make(step_kind kind) noexcept {
    switch (kind) {
    case step_kind::compute:
      ++operations;
      break;
    case step_kind::memory:
      ++operations;
      ++memory_operations;
      raw_accesses = 0;
      break;
    case step_kind::raw:
      ++raw_accesses;
      break;
    }
  }
};

} // namespace tilesim::sim
