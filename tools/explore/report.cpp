// What an exploration found.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/report.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/schedule_string.hpp"
#include "tools/check/selector.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace tilesim::driver {

namespace {

using json = nlohmann::ordered_json;

std::string replay_of(const json& schedule, const std::string& program) {
  if (!schedule.is_string()) {
    return {};
  }
  const auto parsed = sim::parse_schedule(schedule.get<std::string>());
  return parsed ? to_string(sim::replay{*parsed, program}) : std::string();
}

/// The names of buffers that are not the same in all states.
std::set<std::string> differing(const std::vector<explored_state>& states) {
  std::set<std::string> names;
  for (const explored_state& s : states) {
    for (const auto& [name, values] : s.values.items()) {
      const json& first = states.front().values;
      if (!first.contains(name) || first.at(name) != values) {
        names.insert(name);
      }
    }
  }
  return names;
}

} // namespace

explored_finding finding_from(const json& f, std::string replay) {
  return {.code = f.at("code"),
          .note = f.at("severity") == "note",
          .message = f.at("message"),
          .details = f.at("details"),
          .remedy = f.at("remedy"),
          .where = sim::frames_from_json(f.at("where")),
          .other = sim::frames_from_json(f.at("other")),
          .executions = f.at("executions"),
          .replay = std::move(replay),
          .names = f.at("names")};
}

bool explored_state::same_as(const explored_state& other) const {
  return values == other.values && printed == other.printed && status == other.status &&
         unfinished == other.unfinished && returned == other.returned;
}

void explore_report::read(const json& told, bool observed) {
  complete = told.at("complete");
  why = told.at("why");
  tell_bound(told.at("beyond"));
  share = told.at("share");
  seconds = told.at("seconds");
  buffered = told.at("buffered");
  blocked = told.at("blocked");
  stopped = told.at("stopped");
  reduced = told.at("reduced");
  symmetric = told.at("symmetric");
  buffers = told.at("buffers");
  known = told.at("known");
  for (const json& leaf : told.at("leaves")) {
    states.push_back({.values = leaf.at("values"),
                      .printed = leaf.at("printed"),
                      .status = leaf.at("status"),
                      .unfinished = leaf.at("how") == "not run",
                      .returned = leaf.at("returned"),
                      .executions = leaf.at("executions"),
                      .replay = replay_of(leaf.at("schedule"), program),
                      .buffered = leaf.at("buffered"),
                      .picture = leaf.at("picture"),
                      .names = leaf.at("names")});
    executions += states.back().executions;
  }
  if (!observed && !part) {
    drop_what_all_have();
  }
  unite_states();
  for (const json& f : told.at("findings")) {
    findings.push_back(finding_from(f, replay_of(f.at("schedule"), program)));
    findings.back().picture = f.at("picture");
  }
}

/// All that the bound leaves is not all, unless there is nothing more.
void explore_report::tell_bound(bool beyond) {
  within_bound = complete && beyond;
  if (within_bound) {
    complete = false;
    why = fmt::format("complete within the bound: every execution with at most {}",
                      counted(*bound, "stale read"));
  }
}

/// Buffers that are the same in all states.
void explore_report::drop_what_all_have() {
  const auto names = differing(states);
  for (explored_state& s : states) {
    json kept = json::object();
    for (const auto& [name, values] : s.values.items()) {
      if (names.empty() || names.contains(name)) {
        kept[name] = values;
      }
    }
    s.values = std::move(kept);
  }
}

void explore_report::unite_states() {
  std::vector<explored_state> distinct;
  for (explored_state& s : states) {
    const auto same = std::ranges::find_if(
        distinct, [&](const explored_state& other) { return s.same_as(other); });
    if (same == distinct.end()) {
      distinct.push_back(std::move(s));
      continue;
    }
    same->executions += s.executions;
    same->buffered = same->buffered && s.buffered;
    if (same->replay.empty()) {
      same->replay = s.replay;
    }
    for (json& names : s.names) {
      same->names.push_back(std::move(names));
    }
    if (same->picture.is_null()) {
      same->picture = s.picture;
    }
  }
  states = std::move(distinct);
  std::ranges::sort(states, {}, [](const explored_state& s) {
    return std::tuple(sim::json_text(s.values), s.printed, s.status, s.returned);
  });
}

void explore_report::expect_file(const std::string& file) {
  if (file.empty()) {
    return;
  }
  const auto text = read_text(file);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: cannot be read; --expect takes a file", file));
  }
  expect(file, *text);
}

void explore_report::expect(const std::string& file, const std::string& text) {
  const auto plain = sim::parse_json(text);
  if (!plain.is_object() || !plain.contains("states") || !plain.at("states").is_array()) {
    throw failure(exit_usage,
                  fmt::format("{}: --expect takes JSON with \"states\": [{{\"values\": …}}], as "
                              "--json writes it",
                              file));
  }
  compared = true;
  std::vector<bool> met(states.size(), false);
  for (const auto& wanted : plain.at("states")) {
    if (!wanted.is_object() || !wanted.contains("values") || !wanted.at("values").is_object()) {
      throw failure(exit_usage, fmt::format("{}: a state without \"values\"", file));
    }
    bool found = false;
    for (std::size_t i = 0; i < states.size(); ++i) {
      bool same = !wanted.contains("printed") || wanted.at("printed") == states[i].printed;
      for (const auto& [name, values] : wanted.at("values").items()) {
        same = same && states[i].values.contains(name) &&
               nlohmann::json(states[i].values.at(name)) == values;
      }
      if (same) {
        met[i] = found = true;
      }
    }
    if (!found) {
      missing.push_back(sim::json_text(wanted.at("values")));
    }
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!met[i]) {
      unexpected.push_back(sim::json_text(states[i].values));
    }
  }
}

std::optional<std::string>
explore_report::first_unknown(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (std::ranges::find(buffers, name) == buffers.end()) {
      return fmt::format(
          "--observe: no buffer is called {} where the host waits for kernels; there "
          "{} {}",
          name,
          buffers.size() == 1 ? "is" : "are",
          buffers.empty() ? "none" : fmt::format("{}", fmt::join(buffers, ", ")));
    }
  }
  return {};
}

std::string explore_report::name_of(const explored_finding& f) const {
  return name_among(findings, f);
}

std::uint64_t explore_report::failed() const {
  std::uint64_t n = 0;
  for (const explored_state& s : states) {
    n += s.status != 0 ? s.executions : 0;
  }
  return n;
}

std::size_t explore_report::defects() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [](const explored_finding& f) { return !f.note; }));
}

// An incomplete exploration that lacks expected states says nothing of them.
int explore_report::exit_code() const {
  if (defects() != 0 || failed() != 0 || !unexpected.empty() || (complete && !missing.empty())) {
    return exit_findings;
  }
  return complete ? exit_clean : exit_incomplete;
}

namespace {

json replay_json(const std::string& replay) {
  return replay.empty() ? json(nullptr) : json(replay);
}

json state_json(const explored_state& s, const explore_report& r) {
  json out{{"values", s.values},
           {"printed", s.printed},
           {"status", s.status},
           {"executions", s.executions},
           {"load_buffering", s.buffered},
           {"replay", replay_json(s.replay)}};
  if (r.part) {
    out["names"] = s.names;
  }
  if (r.of_library) {
    out["returned"] = s.returned;
  }
  return out;
}

} // namespace

std::string to_json(const explore_report& r) {
  json out{{"model", r.sequential ? "sc" : "ptx"},
           {"load_buffering", r.load_buffering && !r.sequential},
           {"complete", r.complete},
           {"why", r.why},
           {"bound", r.bound ? json(*r.bound) : json(nullptr)},
           {"within_bound", r.within_bound},
           {"samples", r.samples},
           {"share", r.complete || r.within_bound ? 1.0 : r.share},
           {"executions", r.executions},
           {"reduced", r.reduced},
           {"symmetric", r.symmetric},
           {"stopped", r.stopped},
           {"states", json::array()},
           {"findings", json::array()}};
  for (const explored_state& s : r.states) {
    out["states"].push_back(state_json(s, r));
  }
  for (const explored_finding& f : r.findings) {
    out["findings"].push_back({{"code", f.code},
                               {"severity", f.note ? "note" : "error"},
                               {"message", f.message},
                               {"details", f.details},
                               {"remedy", f.remedy},
                               {"where", sim::frames_json<json>(f.where)},
                               {"other", sim::frames_json<json>(f.other)},
                               {"executions", f.executions},
                               {"name", r.name_of(f)},
                               {"replay", replay_json(f.replay)}});
    if (r.part) {
      out["findings"].back()["names"] = f.names;
    }
  }
  if (r.part) {
    out["shard"] = {{"index", r.part->index},
                    {"of", r.part->of},
                    {"tilesim", TILESIM_VERSION},
                    {"source", r.source},
                    {"command", r.command},
                    {"program", r.program},
                    {"observe", r.observe},
                    {"given", r.given},
                    {"known", r.known}};
  }
  if (r.compared) {
    out["missing"] = r.missing;
    out["unexpected"] = r.unexpected;
  }
  return sim::json_text(out, 2) + "\n";
}

} // namespace tilesim::driver
