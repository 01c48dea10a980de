// States in words.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/told_states.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace tilesim::sim::exploring {

using json = nlohmann::ordered_json;

json names_of(const shown_executions& s, std::uint64_t times) {
  std::string text;
  for (const auto& [first, second] : s.names) {
    text += fmt::format("{:016x}{:016x}", first, second);
  }
  return text.empty() ? json::array() : json::array({json::array({times, text})});
}

json text_or_null(const std::optional<schedule>& s) {
  if (s && s->turns.empty()) { // nobody shares anything
    return json(to_string(schedule{}));
  }
  return s ? json(to_string(*s)) : json(nullptr);
}

found_ends ends_of(std::vector<final_memory>& states, std::uint64_t executions, bool whole) {
  found_ends all{.ends = {}, .executions = executions, .whole = whole};
  for (final_memory& s : states) {
    all.ends.push_back(std::move(s.bytes));
  }
  return all;
}

} // namespace tilesim::sim::exploring
