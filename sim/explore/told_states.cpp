// States in words.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/told_states.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/core/context.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/watch/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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

std::vector<observed> buffers_of(context& c,
                                 const std::vector<final_memory>& states,
                                 const std::vector<std::string>& wanted,
                                 bool all,
                                 std::set<std::string>& names) {
  std::vector<observed> out;
  std::set<std::uintptr_t> written;
  for (const final_memory& s : states) {
    for (const auto& [at, byte] : s.bytes) {
      written.insert(at);
    }
  }
  const auto is_wanted = [&](const std::string& name) {
    names.insert(name);
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
  };
  const sim::step::buffers known(c);
  for (const sim::step::buffer* b : known.all()) {
    const allocation& a = *b->memory;
    const auto first = written.lower_bound(a.begin);
    const bool some = first != written.end() && *first < a.end();
    const bool named = a.live && is_wanted(b->name) && !wanted.empty();
    if (a.live && (named || (wanted.empty() && (some || all)))) {
      const std::size_t bytes = b->element ? size_of(b->element->kind) : a.size % 4 == 0 ? 4 : 1;
      out.push_back({b->name, a.begin, a.size / bytes, bytes, b->element});
    }
    written.erase(first, written.lower_bound(a.end()));
  }
  while (!written.empty()) { // variables
    const std::uintptr_t begin = *written.begin() & ~std::uintptr_t{3};
    const std::string name = describe_element(c, begin);
    written.erase(written.begin(), written.lower_bound(begin + 4));
    if (is_wanted(name)) {
      out.push_back({name, begin, 1, 4, {}});
    }
  }
  return out;
}

json values_of(const std::vector<observed>& buffers, const final_memory& state) {
  json out = json::object();
  for (const observed& o : buffers) {
    std::vector<std::uint8_t> bytes(o.count * o.bytes);
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(o.begin), bytes.size());
    for (auto b =
             std::ranges::lower_bound(state.bytes, o.begin, {}, &memory_bytes::value_type::first);
         b != state.bytes.end() && b->first < o.begin + bytes.size();
         ++b) {
      bytes[b->first - o.begin] = b->second;
    }
    json& values = out[o.name] = json::array();
    for (std::size_t i = 0; i < o.count; ++i) {
      values.push_back(element_value(o, &bytes[i * o.bytes]));
    }
  }
  return out;
}

void unite_finding(json& all, const json& f) {
  const auto same = std::ranges::find_if(all, [&](const json& g) {
    const bool alike = g.at(in_report::where) == f.at(in_report::where) &&
                       g.at(in_report::other) == f.at(in_report::other);
    const bool turned = g.at(in_report::where) == f.at(in_report::other) &&
                        g.at(in_report::other) == f.at(in_report::where);
    return g.at(in_report::code) == f.at(in_report::code) &&
           (alike || (turned && !f.at(in_report::other).empty())) &&
           (!f.at(in_report::where).empty() ||
            g.at(in_report::message) == f.at(in_report::message));
  });
  if (same == all.end()) {
    all.push_back(f);
    return;
  }
  (*same)[in_exploration::executions] = same->at(in_exploration::executions).get<std::uint64_t>() +
                                        f.at(in_exploration::executions).get<std::uint64_t>();
  for (const json& names : f.at(in_exploration::names)) {
    (*same)[in_exploration::names].push_back(names);
  }
  if (same->at(in_exploration::schedule).is_null()) {
    (*same)[in_exploration::schedule] = f.at(in_exploration::schedule);
  }
}

found_ends ends_of(std::vector<final_memory>& states, std::uint64_t executions, bool whole) {
  found_ends all{.ends = {}, .executions = executions, .whole = whole};
  for (final_memory& s : states) {
    all.ends.push_back(std::move(s.bytes));
  }
  return all;
}

} // namespace tilesim::sim::exploring
