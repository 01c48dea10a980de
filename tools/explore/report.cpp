// What an exploration found.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/report.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration_report.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/frames_text.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/schedule_string.hpp"
#include "tools/check/report.hpp"
#include "tools/check/selector.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/wording.hpp"
#include "tools/explore/json_members.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tilesim::tools {

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

/// What tells states apart, in the order of reports.
auto key_of(const explored_state& s) {
  return std::tuple(sim::json_text(s.values), s.printed, s.status, s.returned, s.unfinished);
}

} // namespace

explored_finding finding_from(const json& f, std::string replay) {
  return {.code = f.at(sim::in_report::code),
          .note = f.at(sim::in_report::severity) == sim::in_report::severity_note,
          .message = f.at(sim::in_report::message),
          .details = f.at(sim::in_report::details),
          .remedy = f.at(sim::in_report::remedy),
          .where = sim::frames_from_json(f.at(sim::in_report::where)),
          .other = sim::frames_from_json(f.at(sim::in_report::other)),
          .executions = f.at(sim::in_exploration::executions),
          .replay = std::move(replay),
          .names = f.at(sim::in_exploration::names)};
}

void explore_report::read(const json& told, bool observed) {
  complete = told.at(sim::in_exploration::complete);
  why = told.at(sim::in_exploration::why);
  tell_bound(told.at(sim::in_exploration::beyond));
  if (const json& estimate = told.at(sim::in_exploration::share); !estimate.is_null()) {
    share = estimate.get<double>();
  }
  seconds = told.at(sim::in_exploration::seconds);
  buffered = told.at(sim::in_exploration::buffered);
  blocked = told.at(sim::in_exploration::blocked);
  stopped = told.at(sim::in_exploration::stopped);
  reduced = told.at(sim::in_exploration::reduced);
  symmetric = told.at(sim::in_exploration::symmetric);
  buffers = told.at(sim::in_exploration::buffers);
  known = told.at(sim::in_exploration::known);
  for (const json& leaf : told.at(sim::in_exploration::leaves)) {
    states.push_back(
        {.values = leaf.at(sim::in_exploration::values),
         .printed = leaf.at(sim::in_exploration::printed),
         .status = leaf.at(sim::in_exploration::status),
         .unfinished = leaf.at(sim::in_exploration::how) == sim::in_exploration::how_not_run,
         .returned = leaf.at(sim::in_exploration::returned),
         .executions = leaf.at(sim::in_exploration::executions),
         .replay = replay_of(leaf.at(sim::in_exploration::schedule), program),
         .buffered = leaf.at(sim::in_exploration::buffered),
         .picture = leaf.at(sim::in_exploration::picture),
         .names = leaf.at(sim::in_exploration::names)});
    executions += states.back().executions;
  }
  again = told.at(sim::in_exploration::again);
  executions -= again.at(sim::in_exploration::executions).get<std::uint64_t>();
  if (!observed && !part) {
    drop_what_all_have();
  }
  unite_states();
  for (const json& f : told.at(sim::in_exploration::findings)) {
    findings.push_back(finding_from(f, replay_of(f.at(sim::in_exploration::schedule), program)));
    findings.back().picture = f.at(sim::in_exploration::picture);
  }
  tell_limits();
}

void explore_report::add_one_run(const nlohmann::json& run) {
  for (const auto& f : run.at(sim::in_report::findings)) {
    const std::string code = f.at(sim::in_report::code);
    if (code != tilesim::code(finding_kind::barrier_divergence) &&
        code != tilesim::code(finding_kind::uninitialised_read)) {
      continue;
    }
    json told = f;
    told[sim::in_exploration::executions] = 0;
    told[sim::in_exploration::names] = json::array();
    explored_finding it = finding_from(told, to_string(sim::replay{sim::schedule(), program}));
    if (std::ranges::none_of(findings, [&](const explored_finding& g) {
          return g.code == it.code && g.where == it.where;
        })) {
      findings.push_back(std::move(it));
    }
  }
}

/// What is not simulated is not explored, and no fault of the program's.
void explore_report::tell_limits() {
  for (const explored_finding& f : findings) {
    if (is_limit(f.code) && (complete || within_bound)) {
      complete = within_bound = false;
      why = fmt::format(
          "{}{}", f.where.empty() ? "" : sim::to_string(f.where.front()) + ": ", f.message);
    }
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
  std::map<decltype(key_of(states.front())), explored_state> distinct;
  for (explored_state& s : states) {
    const auto [at, is_new] = distinct.try_emplace(key_of(s));
    explored_state& same = at->second;
    if (is_new) {
      same = std::move(s);
      continue;
    }
    same.executions += s.executions;
    same.buffered = same.buffered && s.buffered;
    if (same.replay.empty()) {
      same.replay = s.replay;
    }
    for (json& names : s.names) {
      same.names.push_back(std::move(names));
    }
    if (same.picture.is_null()) {
      same.picture = s.picture;
    }
  }
  states.clear();
  for (auto& [key, s] : distinct) {
    states.push_back(std::move(s));
  }
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

namespace {

/// Finds the states that an expected one describes. One that names fewer buffers than the states
/// have, or not what is printed, stands for all that agree in the rest: states are sorted by each
/// set of names that is asked for, once.
class states_by_values {
public:
  explicit states_by_values(const std::vector<explored_state>& states)
      : states_(states) {}

  /// Indices of the states that `wanted` describes: {"values": {...}, "printed": …}.
  const std::vector<std::size_t>& like(const nlohmann::json& wanted) {
    named asked{{}, wanted.contains(in_json::printed)};
    auto key = nlohmann::json::array();
    for (const auto& [name, value] : wanted.at(in_json::values).items()) {
      asked.buffers.push_back(name);
      key.push_back(value);
    }
    if (asked.printed) {
      key.push_back(wanted.at(in_json::printed));
    }
    const auto [at, is_new] = sorted_.try_emplace(std::move(asked));
    if (is_new) {
      sort(at->first, at->second);
    }
    static const std::vector<std::size_t> none;
    const auto found = at->second.find(key);
    return found == at->second.end() ? none : found->second;
  }

private:
  struct named {
    std::vector<std::string> buffers;
    bool printed;
    auto operator<=>(const named&) const = default;
  };
  using by_values = std::map<nlohmann::json, std::vector<std::size_t>>;

  void sort(const named& by, by_values& to) const {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const explored_state& s = states_[i];
      if (!std::ranges::all_of(by.buffers, [&](auto& name) { return s.values.contains(name); })) {
        continue;
      }
      auto key = nlohmann::json::array();
      for (const std::string& name : by.buffers) {
        key.push_back(nlohmann::json(s.values.at(name)));
      }
      if (by.printed) {
        key.push_back(s.printed);
      }
      to[std::move(key)].push_back(i);
    }
  }

  const std::vector<explored_state>& states_;
  std::map<named, by_values> sorted_;
};

} // namespace

void explore_report::expect(const std::string& file, const std::string& text) {
  const auto plain = sim::parse_json(text);
  if (!plain.is_object() || !plain.contains(in_json::states) ||
      !plain.at(in_json::states).is_array()) {
    throw failure(exit_usage,
                  fmt::format("{}: --expect takes JSON with \"states\": [{{\"values\": …}}], as "
                              "--json writes it",
                              file));
  }
  compared = true;
  std::vector<bool> met(states.size(), false);
  states_by_values by_values(states);
  for (const auto& wanted : plain.at(in_json::states)) {
    if (!wanted.is_object() || !wanted.contains(in_json::values) ||
        !wanted.at(in_json::values).is_object()) {
      throw failure(exit_usage, fmt::format("{}: a state without \"values\"", file));
    }
    const auto& found = by_values.like(wanted);
    for (const std::size_t i : found) {
      met[i] = true;
    }
    if (found.empty()) {
      missing.push_back(sim::json_text(wanted.at(in_json::values)));
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

std::uint64_t explore_report::ended() const {
  std::uint64_t n = 0;
  for (const explored_state& s : states) {
    n += s.executions;
  }
  return n;
}

std::size_t explore_report::defects() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      findings, [](const explored_finding& f) { return !f.note && !is_limit(f.code); }));
}

std::optional<explore_report::estimate> explore_report::in_all() const {
  if (complete || within_bound || !share || *share <= 0 || executions == 0) {
    return {};
  }
  return estimate{static_cast<double>(executions) / *share, seconds / *share};
}

std::string explore_report::remedy() const {
  if (complete || !share) {
    return {};
  }
  std::vector<std::string> ways;
  const std::string options = of_library ? "explore_options::" : "--";
  const std::string is = of_library ? " = " : " ";
  if (bound && *bound > 0) {
    ways.push_back(fmt::format("fewer stale reads ({}bound{}{})", options, is, *bound - 1));
  } else if (!bound && !sequential) {
    ways.push_back(
        fmt::format("only executions with few stale reads ({}bound{}0, then 1, 2)", options, is));
  }
  ways.push_back(fmt::format("some that are drawn ({}sample{}100000)", options, is));
  return fmt::format("explore {}; or launch fewer blocks or threads", fmt::join(ways, ", or "));
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
  json out{{in_json::values, s.values},
           {in_json::printed, s.printed},
           {in_json::status, s.status},
           {in_json::executions, s.executions},
           {in_json::load_buffering, s.buffered},
           {in_json::replay, replay_json(s.replay)}};
  if (r.part) {
    out[in_json::names] = s.names;
  }
  if (r.of_library) {
    out[in_json::returned] = s.returned;
  }
  return out;
}

json share_json(const explore_report& r) {
  return r.complete || r.within_bound ? json(1.0) : r.share ? json(*r.share) : json(nullptr);
}

json estimate_json(const explore_report& r) {
  const auto all = r.in_all();
  return all ? json{{in_json::executions, all->executions}, {in_json::seconds, all->seconds}}
             : json(nullptr);
}

} // namespace

std::string to_json(const explore_report& r) {
  json out{{in_json::model, r.sequential ? in_json::model_sc : in_json::model_ptx},
           {in_json::load_buffering, r.load_buffering && !r.sequential},
           {in_json::complete, r.complete},
           {in_json::why, r.why},
           {in_json::bound, r.bound ? json(*r.bound) : json(nullptr)},
           {in_json::within_bound, r.within_bound},
           {in_json::samples, r.samples},
           {in_json::share, share_json(r)},
           {in_json::estimate, estimate_json(r)},
           {in_json::remedy, r.remedy()},
           {in_json::executions, r.executions},
           {in_json::reduced, r.reduced},
           {in_json::symmetric, r.symmetric},
           {in_json::stopped, r.stopped},
           {in_json::states, json::array()},
           {in_json::findings, json::array()}};
  for (const explored_state& s : r.states) {
    out[in_json::states].push_back(state_json(s, r));
  }
  for (const explored_finding& f : r.findings) {
    out[in_json::findings].push_back(
        {{sim::in_report::code, f.code},
         {sim::in_report::severity,
          f.note ? sim::in_report::severity_note : sim::in_report::severity_error},
         {sim::in_report::message, f.message},
         {sim::in_report::details, f.details},
         {sim::in_report::remedy, f.remedy},
         {sim::in_report::where, sim::frames_json<json>(f.where)},
         {sim::in_report::other, sim::frames_json<json>(f.other)},
         {sim::in_exploration::executions, f.executions},
         {in_json::name, r.name_of(f)},
         {in_json::replay, replay_json(f.replay)}});
    if (r.part) {
      out[in_json::findings].back()[sim::in_exploration::names] = f.names;
    }
  }
  if (r.part) {
    out[in_json::shard] = {{in_json::index, r.part->index},
                           {in_json::of, r.part->of},
                           {in_json::tilesim, TILESIM_VERSION},
                           {in_json::source, r.source},
                           {in_json::command, r.command},
                           {in_json::program, r.program},
                           {in_json::observe, r.observe},
                           {in_json::given, r.given},
                           {in_json::again, r.again},
                           {in_json::known, r.known}};
  }
  if (r.compared) {
    out[in_json::missing] = r.missing;
    out[in_json::unexpected] = r.unexpected;
  }
  return sim::json_text(out, 2) + "\n";
}

} // namespace tilesim::tools
