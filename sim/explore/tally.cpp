// What a part of an exploration comes to, and what parts come to together.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/tally.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/explore/part_messages.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim::exploring {

namespace {

std::size_t hash_of(const memory_bytes& bytes) {
  std::uint64_t h = 0;
  for (const auto& [at, byte] : bytes) {
    h = (h ^ (at * 256 + byte)) * 0x9e37'79b9'7f4a'7c15U;
    h ^= h >> 32U;
  }
  return h;
}

// A schedule without turns has no text.
message to_message(const shown_executions& s) {
  message shown = nullptr;
  if (s.shown) {
    shown = s.shown->turns.empty() ? message(s.shown->launches_wait) : message(to_string(*s.shown));
  }
  return {s.count, s.buffered, s.number, std::move(shown)};
}

shown_executions executions_of(const message& j) {
  shown_executions out{
      .count = j.at(0), .buffered = j.at(1), .shown = {}, .number = j.at(2), .names = {}};
  const message& shown = j.at(3);
  if (shown.is_boolean()) {
    out.shown = schedule{.how = strategy::turns, .launches_wait = shown.get<bool>()};
  } else if (shown.is_string()) {
    out.shown = parse_schedule(shown.get<std::string>());
  }
  return out;
}

} // namespace

void shown_executions::add(const shown_executions& later) {
  if (!shown && later.shown && count + later.number < most_tried) {
    shown = later.shown;
    number = count + later.number;
  }
  count += later.count;
  buffered += later.buffered;
  names.insert(names.end(), later.names.begin(), later.names.end());
}

message to_message(const tally& t) {
  message out{{in_tally::states, message::array()},
              {in_tally::findings, message::array()},
              {in_tally::buffered, message::array()},
              {in_tally::executions, t.executions},
              {in_tally::stopped, t.stopped},
              {in_tally::stuck, t.stuck},
              {in_tally::share, t.share},
              {in_tally::beyond, t.beyond},
              {in_tally::not_explored, t.not_explored}};
  for (const final_memory& s : t.states) {
    message bytes = message::array();
    for (const auto& [at, byte] : s.bytes) {
      bytes.push_back(at);
      bytes.push_back(byte);
    }
    out[in_tally::states].push_back({std::move(bytes), to_message(s.by), s.picture});
  }
  for (const explored_finding& f : t.findings) {
    // As text, which keeps the order of its keys.
    out[in_tally::findings].push_back({f.key, json_text(f.what), to_message(f.by), f.picture});
  }
  for (const buffered_execution& b : t.buffered) {
    out[in_tally::buffered].push_back({b.name.first, b.name.second, b.states, b.findings});
  }
  return out;
}

tally tally_of(const message& j) {
  tally out;
  for (const message& s : j.at(in_tally::states)) {
    final_memory state;
    const message& bytes = s.at(0);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      state.bytes.emplace_back(bytes.at(i), bytes.at(i + 1));
    }
    state.by = executions_of(s.at(1));
    state.picture = s.at(2);
    out.states.push_back(std::move(state));
  }
  for (const message& f : j.at(in_tally::findings)) {
    out.findings.push_back(
        {f.at(0), ordered_json_of(f.at(1).get<std::string>()), executions_of(f.at(2)), f.at(3)});
  }
  for (const message& b : j.at(in_tally::buffered)) {
    out.buffered.push_back({{b.at(0), b.at(1)}, b.at(2), b.at(3)});
  }
  out.executions = j.at(in_tally::executions);
  out.stopped = j.at(in_tally::stopped);
  out.stuck = j.at(in_tally::stuck);
  out.share = j.at(in_tally::share);
  out.beyond = j.at(in_tally::beyond);
  out.not_explored = j.at(in_tally::not_explored);
  return out;
}

std::size_t state_index::of(memory_bytes bytes, std::vector<final_memory>& states) {
  const std::size_t hash = hash_of(bytes);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    if (states[at->second].bytes == bytes) {
      return at->second;
    }
  }
  by_hash_.emplace(hash, states.size());
  states.push_back({std::move(bytes), {}, {}});
  return states.size() - 1;
}

std::size_t tallies::finding(const explored_finding& f) {
  const auto [at, is_new] = findings_.try_emplace(f.key, all_.findings.size());
  if (is_new) {
    all_.findings.push_back({f.key, f.what, {}, f.picture});
  }
  return at->second;
}

void tallies::add(const tally& t) {
  std::vector<std::size_t> states;
  for (const final_memory& s : t.states) {
    states.push_back(states_.of(s.bytes, all_.states));
    if (all_.states[states.back()].picture.is_null()) {
      all_.states[states.back()].picture = s.picture;
    }
    all_.states[states.back()].by.add(s.by);
  }
  std::vector<std::size_t> findings;
  for (const explored_finding& f : t.findings) {
    findings.push_back(finding(f));
    all_.findings[findings.back()].by.add(f.by);
  }
  for (const buffered_execution& b : t.buffered) {
    if (!names_.insert(b.name).second) {
      continue;
    }
    for (const std::size_t s : b.states) {
      all_.states[states[s]].by.add(b.name);
    }
    for (const std::size_t f : b.findings) {
      all_.findings[findings[f]].by.add(b.name);
    }
  }
  all_.executions += t.executions;
  all_.stopped += t.stopped;
  all_.stuck += t.stuck;
  all_.share += t.share;
  all_.beyond = all_.beyond || t.beyond;
  if (all_.not_explored.empty()) {
    all_.not_explored = t.not_explored;
  }
}

} // namespace tilesim::sim::exploring
