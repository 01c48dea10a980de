// Numbers of threads as a line of text: both the simulator's reports and the stepper's list tell of
// groups so.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tilesim::sim {

/// Of ascending numbers "1..3, 7 and 9..12"; of more ranges than fit a line the first, and how many
/// numbers are left.
template <class Numbers>
[[nodiscard]] std::string number_ranges(const Numbers& numbers) {
  constexpr std::size_t most_ranges = 6;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
      ++last;
    }
    if (parts.size() == most_ranges) {
      parts.push_back(fmt::format("{} more", numbers.size() - i));
      break;
    }
    parts.push_back(last == i       ? fmt::format("{}", numbers[i])
                    : last == i + 1 ? fmt::format("{}, {}", numbers[i], numbers[last])
                                    : fmt::format("{}..{}", numbers[i], numbers[last]));
    i = last + 1;
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

} // namespace tilesim::sim
