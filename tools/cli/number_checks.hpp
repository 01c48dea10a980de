// What options take that are numbers: checks for CLI11 whose words fit on a line.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::driver {

/// The number that the whole text is; none if it is something else or too large for the type.
template <class T>
[[nodiscard]] std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

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

[[nodiscard]] inline CLI::Validator
whole_number(std::uint64_t least, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  return {[=](const std::string& text) -> std::string {
            const auto n = number<std::uint64_t>(text);
            if (n && *n >= least && *n <= most) {
              return {};
            }
            return most == std::numeric_limits<std::uint64_t>::max()
                       ? fmt::format(
                             "takes a whole number, at least {}, not '{}'", least, shortened(text))
                       : fmt::format("takes a whole number from {} to {}, not '{}'",
                                     least,
                                     most,
                                     shortened(text));
          },
          ""};
}

[[nodiscard]] inline CLI::Validator positive_seconds() {
  return {[](const std::string& text) -> std::string {
            return seconds(text) ? ""
                                 : fmt::format("takes seconds, such as 2.5, at most {}, not '{}'",
                                               most_seconds,
                                               shortened(text));
          },
          ""};
}

} // namespace tilesim::driver
