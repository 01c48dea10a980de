// An index of a grid or a block in words.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace tilesim::sim {

/// "(1,0,0)", of a number that counts x first.
[[nodiscard]] inline std::string index_text(std::uint64_t linear, const dim3& extents) {
  return fmt::format("({},{},{})",
                     linear % extents.x,
                     linear / extents.x % extents.y,
                     linear / extents.x / extents.y);
}

} // namespace tilesim::sim
