// When a program that explores is ended, if it has not ended itself.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

namespace tilesim::tools {

/// Why one that has been ended has told nothing.
inline constexpr const char* time_is_over =
    "the time is over, and a block goes on without an access of shared memory, or host code has "
    "not come to its end";

/// Of one that is to explore for so many seconds from now on; never for 0. It looks at the time
/// itself, wherever it can, and has its states to write down then: the more the longer it ran.
[[nodiscard]] inline std::optional<std::chrono::steady_clock::time_point>
deadline_of(double seconds) {
  if (seconds <= 0) {
    return {};
  }
  const std::chrono::duration<double> in_all(seconds + 5 + (seconds / 2));
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(in_all);
}

} // namespace tilesim::tools
