// Merging the reports of runs.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/report.hpp"

#include "sim/contract/counted.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/report_members.hpp"
#include "tools/check/selector.hpp"
#include "tools/cli/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace tilesim::tools {
namespace {

// "a.cu:12"; empty without a place.
std::string line_of(const std::vector<source_frame>& frames) {
  return frames.empty() ? "" : fmt::format("{}:{}", frames.front().file, frames.front().line);
}

constexpr const char* in_a_child = "in a process that the program has made";

// Blocks that do not come to an end.
bool is_endless(const nlohmann::json& f) {
  const std::string message = f.at(sim::in_report::message);
  return message.starts_with("no progress") || message.starts_with("no end in sight:");
}

// Who does what there: behind the line, each in one of its own.
std::string limit_details(const nlohmann::json& f, const std::string& replay) {
  if (!is_endless(f)) {
    return {};
  }
  std::string text;
  for (const std::string line : f.at(sim::in_report::details)) {
    text += "\n  " + line;
  }
  const std::string remedy = f.at(sim::in_report::remedy);
  return text + "\n  to fix: " + remedy + "\n  to replay: " + replay;
}

std::vector<sim::turn> turns_of(const nlohmann::json& text) {
  return sim::parse_turns(text.get<std::string>()).value_or(std::vector<sim::turn>{});
}

witness witness_of(const nlohmann::json& f, const schedule& which) {
  return {.which = which,
          .blocks = f.at(sim::in_report::blocks).get<std::uint64_t>(),
          .turns = f.at(sim::in_report::turns).get<std::uint64_t>(),
          .history = turns_of(f.at(sim::in_report::shown_by)),
          .parties = turns_of(f.at(sim::in_report::parties)),
          .stale = stale_choices_of(f.at(sim::in_report::stale)),
          .told = stale_reads_of(f.at(sim::in_report::stale_reads))};
}

checked_finding finding_of(const nlohmann::json& f) {
  checked_finding found = reported_finding(f);
  found.count = f.at(sim::in_report::count);
  found.known = f.at(sim::in_report::known);
  found.if_results_differ = f.at(sim::in_report::if_results_differ);
  for (const auto& v : f.at(sim::in_report::variants)) {
    found.variants.push_back({v.at(sim::in_report::what), v.at(sim::in_report::count)});
  }
  return found;
}

void add_variants(std::vector<finding_variant>& to, const std::vector<finding_variant>& more) {
  for (const auto& v : more) {
    const auto known = std::ranges::find(to, v.what, &finding_variant::what);
    if (known == to.end()) {
      to.push_back(v);
    } else {
      known->count += v.count;
    }
  }
}

/// In the words of another that shares its lines.
void told_as(checked_finding& known, const checked_finding& other) {
  known.message = other.message;
  known.details = other.details;
  known.remedy = other.remedy;
  known.where = other.where;
  known.other = other.other;
  known.through = other.through;
  known.other_through = other.other_through;
}

run_end end_of(const program_run& run, bool limit_reached) {
  const std::string how =
      run.report.is_null() ? sim::in_report::how_running : run.report.at(sim::in_report::how);
  if (how == sim::in_report::how_interrupted || interrupt_watch::requested()) {
    return run_end::cancelled;
  }
  if (run.killed || (how == sim::in_report::how_stopped && limit_reached)) {
    return run_end::limited;
  }
  if (how == sim::in_report::how_stopped) {
    return run_end::stopped;
  }
  return run.status == 0 ? run_end::ended : run_end::failed;
}

} // namespace

bool is_limit(const std::string& code) {
  return code == tilesim::code(finding_kind::limit) ||
         code == tilesim::code(finding_kind::unsupported);
}

checked_finding reported_finding(const nlohmann::json& f) {
  checked_finding found;
  found.code = f.at(sim::in_report::code);
  found.note = f.at(sim::in_report::severity) == sim::in_report::severity_note;
  found.message = f.at(sim::in_report::message);
  found.details = f.at(sim::in_report::details).get<std::vector<std::string>>();
  found.remedy = f.at(sim::in_report::remedy);
  found.where = sim::frames_from_json(f.at(sim::in_report::where));
  found.other = sim::frames_from_json(f.at(sim::in_report::other));
  found.through = sim::frames_from_json(f.at(sim::in_report::through));
  found.other_through = sim::frames_from_json(f.at(sim::in_report::other_through));
  return found;
}

bool witness::simpler_than(const witness& other) const {
  if (blocks == 0 || other.blocks == 0) {
    return blocks != 0;
  }
  const auto cost = [](const witness& w) {
    return std::tuple{w.stale.size(), w.blocks, w.turns, w.name_length()};
  };
  return cost(*this) < cost(other);
}

std::size_t witness::name_length() const {
  // Nothing is simpler than what `tilesim run` does.
  return which == schedule{} ? 0 : to_string(which).size();
}

std::vector<stale_read> stale_reads_of(const nlohmann::json& list) {
  std::vector<stale_read> reads;
  for (const auto& s : list) {
    reads.push_back({s.at(sim::in_report::message).get<std::string>(),
                     s.at(sim::in_report::remedy).get<std::string>(),
                     sim::frames_from_json(s.at(sim::in_report::where)),
                     sim::frames_from_json(s.at(sim::in_report::passed))});
  }
  return reads;
}

std::vector<sim::stale_choice> stale_choices_of(const nlohmann::json& text) {
  return sim::parse_stale_choices(text.get<std::string>())
      .value_or(std::vector<sim::stale_choice>{});
}

const char* name(run_end end) noexcept {
  switch (end) {
  case run_end::ended:
    return "ended";
  case run_end::failed:
    return "failed";
  case run_end::stopped:
    return "stopped";
  case run_end::limited:
    return "limited";
  case run_end::cancelled:
    return "cancelled";
  }
  return "?";
}

void check_report::add_limit(const schedule& which, const nlohmann::json& f, maker by) {
  const auto place = line_of(sim::frames_from_json(f.at(sim::in_report::where)));
  const std::string message = f.at(sim::in_report::message);
  std::string fact =
      fmt::format("{}{}{}{}",
                  place,
                  place.empty() ? "" : ": ",
                  // The check tells the program what is left of its own time.
                  message.find("--timeout") != std::string::npos ? "time was over" : message,
                  by == maker::child ? fmt::format(", {}", in_a_child) : "");
  auto at = std::ranges::find(reached_, fact, &reached_limit::fact);
  if (at != reached_.end()) {
    ++at->others;
  } else {
    // Once is enough.
    const bool told = std::exchange(endless_told_, endless_told_ || is_endless(f));
    at = reached_.insert(
        reached_.end(),
        {.fact = std::move(fact),
         .first = describe(which),
         .details = told ? "" : limit_details(f, how_to_replay(to_string(replay{which, program}))),
         .line = limits.size()});
    limits.emplace_back();
  }
  limits[at->line] = fmt::format(
      "{}, under {}{}{}",
      at->fact,
      at->first,
      at->others == 0 ? "" : fmt::format(" and {}", sim::counted(at->others, "other schedule")),
      at->details);
}

bool check_report::add_process(const schedule& which,
                               const nlohmann::json& report,
                               checked_run& to,
                               maker by) {
  bool limit_reached = false;
  to.operations += report.at(sim::in_report::operations).get<std::uint64_t>();
  to.judged += report.at(sim::in_report::judged).get<std::uint64_t>();
  // Turns are the first process's: others follow them as far as they can.
  if (report.contains(sim::in_report::unfollowed) && by == maker::program) {
    limits.push_back(fmt::format("the replay could not follow {}",
                                 report.at(sim::in_report::unfollowed).get<std::string>()));
  }
  for (const auto& f : report.at(sim::in_report::findings)) {
    const std::string code = f.at(sim::in_report::code);
    to.endless = to.endless || (waits_for_ever(code) && f.at(sim::in_report::known) < 0) ||
                 (is_limit(code) && is_endless(f));
    if (is_limit(code)) {
      limit_reached = true;
      add_limit(which, f, by);
    } else if (code != tilesim::code(finding_kind::interrupted)) {
      merge(f, which, by);
    }
  }
  return limit_reached;
}

void check_report::add_children(const schedule& which,
                                const std::vector<child_run>& children,
                                checked_run& to) {
  constexpr int signals = 128;
  for (const auto& child : children) {
    add_process(which, child.report, to, maker::child);
    if (child.signal != 0 && to.end == run_end::ended) {
      to.end = run_end::failed;
      to.status = signals + child.signal;
      to.of_child = true;
    }
    if (child.runs) {
      limits.push_back(fmt::format("a process that the program has made still ran when the program "
                                   "had ended, under {}: of what it does then nothing is known",
                                   describe(which)));
    }
  }
}

void check_report::add(const schedule& which, const program_run& run) {
  checked_run entry{.which = which};
  bool limit_reached = false;
  if (!run.report.is_null()) {
    limit_reached = add_process(which, run.report, entry, maker::program);
  }
  entry.end = end_of(run, limit_reached);
  entry.status = run.status;
  if (run.waited_in_vain) {
    limits.push_back(
        fmt::format("the program was ended under {}: a process that it has made had been "
                    "stopped, and it still ran 10 seconds later",
                    describe(which)));
  }
  add_children(which, run.children, entry);
  if (entry.end == run_end::failed && !entry.of_child) {
    entry.printed_last =
        sim::printable(run.errors.last().empty() ? run.printed.last() : run.errors.last());
  }
  runs.push_back(std::move(entry));
}

void check_report::add_compared(checked_finding f, const schedule& which) {
  if (std::ranges::any_of(findings, [&](const checked_finding& known) {
        return known.of_comparison && known.code == f.code && known.where == f.where &&
               known.other == f.other;
      })) {
    return;
  }
  f.of_comparison = true;
  f.count = f.schedules = 1;
  f.replay = to_string(replay{which, program});
  findings.push_back(std::move(f));
  last_run_.push_back(runs.size() - 1);
}

void check_report::add_witness(const schedule& which, const program_run& run) {
  // Turns that could not be followed are not what showed it.
  if (run.report.is_null() || run.report.contains(sim::in_report::unfollowed)) {
    return;
  }
  for (const auto& f : run.report.at(sim::in_report::findings)) {
    if (const auto it = by_place_.find(key_of(finding_of(f))); it != by_place_.end()) {
      auto& known = findings[it->second];
      if (auto by = witness_of(f, which); by.simpler_than(known.shown)) {
        show(known, std::move(by));
      }
    }
  }
}

bool check_report::compared_again(const std::string& code) {
  const auto known = std::ranges::find_if(
      findings, [&](const auto& f) { return f.of_comparison && f.code == code; });
  if (known == findings.end()) {
    return false;
  }
  ++known->count;
  ++known->schedules;
  return true;
}

// Which of two racing accesses comes first differs from run to run. Two calls of one line
// ("cudaFree: …", "cudaMalloc: …") are two findings.
check_report::key check_report::key_of(const checked_finding& f) {
  auto first = line_of(f.where);
  auto second = line_of(f.other);
  if (!f.other.empty() && second < first) {
    std::swap(first, second);
  }
  // Who waits where when nobody can go on differs from run to run: one deadlock for each kernel.
  if (waits_for_ever(f.code) && !f.where.empty()) {
    first = f.where.back().file + ' ' + f.where.back().function;
  }
  return {f.code,
          first,
          second,
          f.other.empty() ? f.message.substr(0, f.message.find(':') + 1) : "",
          f.known,
          f.note};
}

void check_report::show(checked_finding& f, witness by) const {
  f.shown = std::move(by);
  f.replay = to_string(replay{f.shown.which, program});
}

void check_report::judge_by_results() {
  const std::string differing = tilesim::code(finding_kind::schedule_dependent);
  if (std::ranges::find(findings, differing, &checked_finding::code) == findings.end()) {
    return;
  }
  for (auto& f : findings) {
    if (f.note && f.if_results_differ) {
      f.note = false;
      f.details.push_back(fmt::format("results differ between schedules [{}]", differing));
    }
  }
}

void check_report::prefer_default() {
  for (auto& f : findings) {
    if (f.by_default && f.shown.which.how != strategy::turns) {
      show(f, *f.by_default);
    }
  }
}

void check_report::merge(const nlohmann::json& f, const schedule& which, maker made_by) {
  auto found = finding_of(f);
  auto by = witness_of(f, which);
  if (made_by == maker::child) {
    by = {.which = which};
    found.of_child = true;
    found.details.emplace_back(in_a_child);
  }
  const auto [it, is_new] = by_place_.try_emplace(key_of(found), findings.size());
  if (is_new) {
    found.schedules = 1;
    if (which == schedule{} && !found.of_child) {
      found.by_default = by;
    }
    show(found, std::move(by));
    findings.push_back(std::move(found));
    last_run_.push_back(runs.size());
    return;
  }
  auto& known = findings[it->second];
  if (known.of_child && !found.of_child) {
    known.of_child = false;
    known.details = std::move(found.details);
  }
  known.if_results_differ = known.if_results_differ || found.if_results_differ;
  known.count += found.count;
  add_variants(known.variants, found.variants);
  if (closeness_of(found) > closeness_of(known)) {
    told_as(known, found);
  }
  if (by.simpler_than(known.shown)) {
    show(known, std::move(by));
  }
  if (last_run_[it->second] != runs.size()) {
    ++known.schedules;
  }
  last_run_[it->second] = runs.size();
}

selector::closeness check_report::closeness_of(const checked_finding& f) const {
  return wanted ? wanted->closeness_of(f.code, f.where, f.other) : selector::closeness::none;
}

std::string check_report::subject() const {
  return (of_library ? "tilesim::check " : "tilesim check ") + command;
}

std::string check_report::how_to_repeat() const {
  constexpr unsigned usual_depth = 3;
  if (replayed) {
    return {};
  }
  if (of_library) {
    return fmt::format("check_options::schedules = {}, seed = {}{}{}",
                       planned,
                       seed,
                       depth == usual_depth ? "" : fmt::format(", depth = {}", depth),
                       weak ? "" : ", model = \"sc\"");
  }
  command_line options{"--schedules", std::to_string(planned), "--seed", std::to_string(seed)};
  if (preemptions) {
    options = {"--preemptions", std::to_string(*preemptions)};
  }
  if (!weak) {
    options.insert(options.end(), {"--model", "sc"});
  }
  if (depth != usual_depth) {
    options.insert(options.end(), {"--depth", std::to_string(depth)});
  }
  if (!input.empty()) {
    options.insert(options.end(), {"--input", input});
  }
  if (!suppress.empty()) {
    options.insert(options.end(), {"--suppress", suppress});
  }
  if (strict) {
    options.emplace_back("--strict");
  }
  return fmt::format("tilesim check {} {}", to_string(options), command);
}

/// What the program has read.
std::string check_report::input_words() const {
  return input.empty() ? "" : to_string(command_line{"--input", input}) + " ";
}

std::string check_report::how_to_replay(const std::string& string) const {
  return of_library ? fmt::format("check_options::replay = \"{}\"", string)
                    : fmt::format("tilesim check --replay {} {}{}", string, input_words(), command);
}

std::string check_report::name_of(const checked_finding& f) const {
  const bool by_columns = wanted && std::ranges::any_of(wanted->places, [](const auto& place) {
                            return place.column != 0;
                          });
  return by_columns ? name_finding(f.code, f.where, f.other, name_with::columns)
                    : name_among(findings, f);
}

std::string check_report::how_to_step(const checked_finding& f) const {
  if (f.of_child || (of_library && (check_number == 0 || words.empty()))) {
    return {};
  }
  if (of_library) {
    command_line step{"tilesim", "step", "--program", words[0], "--check"};
    step.insert(step.end(),
                {std::to_string(check_number), "--replay", f.replay, "--finding", name_of(f)});
    if (words.size() > 1) {
      step.emplace_back("--");
      step.insert(step.end(), words.begin() + 1, words.end());
    }
    return to_string(step);
  }
  return fmt::format("tilesim step {} {}{}",
                     to_string(command_line{"--replay", f.replay, "--finding", name_of(f)}),
                     input_words(),
                     command);
}

std::uint64_t check_report::operations() const {
  return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0}, [](auto n, const auto& r) {
    return n + r.operations;
  });
}

std::uint64_t check_report::judged() const {
  return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0}, [](auto n, const auto& r) {
    return n + r.judged;
  });
}

std::size_t check_report::defects() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [](auto& f) { return !f.note && f.suppressed_by.empty(); }));
}

std::size_t check_report::notes() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [](auto& f) { return f.note && f.suppressed_by.empty(); }));
}

std::size_t check_report::suppressed() const {
  return findings.size() - defects() - notes();
}

std::size_t check_report::count(run_end end) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(runs, [end](auto& r) { return r.end == end; }));
}

std::size_t check_report::weak_runs() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(runs, [](auto& r) { return r.which.is_weak(); }));
}

int check_report::exit_code() const {
  if (defects() > 0 || (strict && notes() > 0)) {
    return exit_findings;
  }
  if (count(run_end::failed) > 0) {
    return exit_program;
  }
  if (runs.size() < planned || !limits.empty() || judged() == 0) {
    return exit_incomplete;
  }
  return exit_clean;
}

const char* check_report::verdict() const {
  switch (exit_code()) {
  case exit_findings:
    return "findings";
  case exit_program:
    return "program failed";
  case exit_incomplete:
    return judged() == 0 ? "nothing checked" : "incomplete";
  default:
    return "clean";
  }
}

} // namespace tilesim::tools
