// What a frame is called.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/protocol.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tilesim::driver::step {

/// Of call `number` of a block's calls the function `function`, one of those inlined there:
/// "launched" for what a launch was rewritten into.
[[nodiscard]] inline std::string frame_name(const std::vector<protocol::frames>& calls,
                                            std::size_t number,
                                            const source_frame& function) {
  const bool launch =
      number + 1 == calls.size() && number != 0 && function.function.starts_with("operator()");
  return launch ? "launched" : function.function;
}

} // namespace tilesim::driver::step
