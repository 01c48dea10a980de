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
  message showing = message::array();
  for (const auto& [number, how] : s.showing) {
    showing.push_back(
        {number, how.turns.empty() ? message(how.launches_wait) : message(to_string(how))});
  }
  return {s.count, s.buffered, std::move(showing)};
}

shown_executions executions_of(const message& j) {
  shown_executions out;
  out.count = j.at(0);
  out.buffered = j.at(1);
  for (const message& one : j.at(2)) {
    const message& how = one.at(1);
    if (how.is_boolean()) {
      out.showing.push_back(
          {one.at(0), schedule{.how = strategy::turns, .launches_wait = how.get<bool>()}});
    } else if (auto read = parse_schedule(how.get<std::string>())) {
      out.showing.push_back({one.at(0), std::move(*read)});
    }
  }
  return out;
}

} // namespace

void shown_executions::add(const shown_executions& later) {
  for (const auto& [number, how] : later.showing) {
    if (count + number < most_tried) {
      show(how, count + number);
    }
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
              {in_tally::again, t.again},
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
    out[in_tally::states].push_back({std::move(bytes), to_message(s.by), s.picture, s.printed});
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
    state.printed = s.at(3);
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
  out.again = j.at(in_tally::again);
  out.stopped = j.at(in_tally::stopped);
  out.stuck = j.at(in_tally::stuck);
  out.share = j.at(in_tally::share);
  out.beyond = j.at(in_tally::beyond);
  out.not_explored = j.at(in_tally::not_explored);
  return out;
}

std::size_t
state_index::of(memory_bytes bytes, std::string printed, std::vector<final_memory>& states) {
  const std::size_t hash = hash_of(bytes) ^ std::hash<std::string>()(printed);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    if (states[at->second].bytes == bytes && states[at->second].printed == printed) {
      return at->second;
    }
  }
  by_hash_.emplace(hash, states.size());
  states.push_back({std::move(bytes), std::move(printed), {}, {}});
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
    states.push_back(states_.of(s.bytes, s.printed, all_.states));
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
    if (b.states.size() > 1) {
      all_.again_buffered.emplace_back(b.states.size() - 1, b.name);
    }
    for (const std::size_t f : b.findings) {
      all_.findings[findings[f]].by.add(b.name);
    }
  }
  all_.executions += t.executions;
  all_.again += t.again;
  all_.again_buffered.insert(
      all_.again_buffered.end(), t.again_buffered.begin(), t.again_buffered.end());
  all_.stopped += t.stopped;
  all_.stuck += t.stuck;
  all_.share += t.share;
  all_.beyond = all_.beyond || t.beyond;
  if (all_.not_explored.empty()) {
    all_.not_explored = t.not_explored;
  }
}

} // namespace tilesim::sim::exploring
