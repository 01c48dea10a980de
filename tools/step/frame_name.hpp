// Frames, as they are numbered and called.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/protocol.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tilesim::tools::step {

/// A function of a block's calls, or one that is inlined there: each has a number of its own.
struct listed_frame {
  std::size_t call; ///< which of the calls
  source_frame place;
  std::string name; ///< the function's; "launched" for what a launch was rewritten into
};

/// Innermost first. The last of several calls is the launch, with who has called it.
[[nodiscard]] inline std::vector<listed_frame>
listed_frames(const std::vector<protocol::frames>& calls) {
  std::vector<listed_frame> all;
  for (std::size_t call = 0; call < calls.size(); ++call) {
    for (std::size_t i = 0; i < calls[call].size(); ++i) {
      const source_frame& place = calls[call][i];
      const bool launch = i == 0 && call + 1 == calls.size() && call != 0 &&
                          place.function.starts_with("operator()");
      all.push_back({call, place, launch ? "launched" : place.function});
    }
  }
  return all;
}

} // namespace tilesim::tools::step
