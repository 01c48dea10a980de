// Numbers that a person writes.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/numbers.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tilesim::tools {

using sim::number;

inline constexpr double most_seconds = 1e9; // thirty years: clocks hold it

/// Seconds that an option may take: more than none, and finite.
[[nodiscard]] inline std::optional<double> seconds(std::string_view text) {
  const auto s = number<double>(text);
  return s && *s > 0 && *s <= most_seconds ? s : std::nullopt;
}

/// What a person wrote, in a message.
[[nodiscard]] inline std::string shortened(std::string_view text) {
  constexpr std::size_t most = 40;
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "…";
}

} // namespace tilesim::tools
