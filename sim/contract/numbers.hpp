// Numbers that are written out.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace tilesim::sim {

/// The number that the whole text is; none if it is something else or too large for the type.
template <class T>
[[nodiscard]] std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

} // namespace tilesim::sim
