// A number with its noun, as all texts have it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tilesim::sim {

/// "1 block", "2 blocks": with an ending of the plural's where it is no "s".
[[nodiscard]] inline std::string
counted(std::uint64_t n, std::string_view what, std::string_view plural = "s") {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : plural);
}

} // namespace tilesim::sim
