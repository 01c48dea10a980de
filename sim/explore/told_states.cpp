// States in words.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/told_states.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/core/context.hpp"
#include "sim/memory/allocations.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace tilesim::sim::exploring {

using json = nlohmann::ordered_json;

void set_memory(context& c, const final_memory& state) {
  const scoped_access open(c.mem);
  for (const auto& [at, byte] : state.bytes) {
    *reinterpret_cast<std::uint8_t*>(at) = byte;
  }
}

json names_of(const shown_executions& s, std::uint64_t times) {
  std::string text;
  for (const auto& [first, second] : s.names) {
    text += fmt::format("{:016x}{:016x}", first, second);
  }
  return text.empty() ? json::array() : json::array({json::array({times, text})});
}

json none_again() {
  return {{in_exploration::executions, 0}, {in_exploration::names, json::array()}};
}

json again_of(const tally& t) {
  json out = none_again();
  std::uint64_t all = t.again;
  for (const auto& [times, name] : t.again_buffered) {
    all += times;
    out[in_exploration::names].push_back(
        json::array({times, fmt::format("{:016x}{:016x}", name.first, name.second)}));
  }
  out[in_exploration::executions] = all;
  return out;
}

json both_again(json one, const json& other) {
  one[in_exploration::executions] = one.at(in_exploration::executions).get<std::uint64_t>() +
                                    other.at(in_exploration::executions).get<std::uint64_t>();
  for (const json& names : other.at(in_exploration::names)) {
    one[in_exploration::names].push_back(names);
  }
  return one;
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
