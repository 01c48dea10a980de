// What options take that are numbers: checks for CLI11 whose words fit on a line.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/numbers.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>

namespace tilesim::tools {

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

} // namespace tilesim::tools
