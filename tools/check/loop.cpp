// Schedule after schedule: runs, comparisons, shorter schedules.
//
// One file in spite of its length: one class, of which every step reads what the ones before have
// found.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/loop.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/report_members.hpp"
#include "tools/build/start.hpp"
#include "tools/check/ahead.hpp"
#include "tools/check/compare.hpp"
#include "tools/check/minimise.hpp"
#include "tools/check/schedule.hpp"
#include "tools/check/systematic.hpp"
#include "tools/check/unspecified.hpp"
#include "tools/check/weak.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/replay.hpp"
#include "tools/cli/resources.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/cli/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

using std::chrono::steady_clock;

/// What a run tells of what could have been chosen. [sim/contract/report_members.hpp]
chosen_run chosen_run_of(const program_run& run) {
  chosen_run told;
  if (run.report.is_null() || !run.report.contains(sim::in_report::choices)) {
    return told;
  }
  const auto turns = [](const std::string& text) {
    return text.empty() ? std::vector<sim::turn>{} : sim::parse_turns(text).value();
  };
  told.turns = turns(run.report.at(sim::in_report::turns));
  for (const auto& c : run.report.at(sim::in_report::choices)) {
    told.instead.push_back(turns(c.at(sim::in_report::instead)));
    auto& points = told.preemptions.emplace_back();
    for (const auto& p : c.at(sim::in_report::preemptions)) {
      if (p.is_array()) {
        points.push_back({p.at(0).get<std::uint64_t>(), p.at(1).get<std::uint64_t>()});
      } else {
        points.push_back({.operations = p.get<std::uint64_t>()});
      }
    }
  }
  // Who waits for nobody may have polled in any order.
  const auto& findings = run.report.at(sim::in_report::findings);
  told.complete = run.report.at(sim::in_report::choices_complete).get<bool>() ||
                  std::ranges::any_of(findings, [](const auto& f) {
                    return f.at(sim::in_report::code) == code(finding_kind::deadlock);
                  });
  return told;
}

/// What is left of a search in the settings' file, or a new one. Throws failure (usage).
systematic_search begun_search(const check_settings& settings, const std::string& program) {
  systematic_search fresh(*settings.preemptions);
  if (settings.resume.empty()) {
    return fresh;
  }
  const auto text = read_file(settings.resume);
  if (!text) {
    return fresh;
  }
  const auto json = sim::parse_json(*text);
  auto search = json.is_object() && json.contains("search")
                    ? systematic_search::from(json.at("search"))
                    : std::nullopt;
  if (!search || json.value("program", "") != program ||
      json.value("preemptions", 0U) != *settings.preemptions) {
    throw failure(
        exit_usage,
        fmt::format("{}: holds no search of this program with --preemptions {}; remove it "
                    "to begin anew",
                    settings.resume,
                    *settings.preemptions));
  }
  return *std::move(search);
}

/// The other way; nothing is kept of a search that has come to its end.
void keep_search(const check_settings& settings,
                 const std::string& program,
                 const systematic_search& search) {
  if (settings.resume.empty()) {
    return;
  }
  if (search.known() == 0) {
    std::error_code none;
    std::filesystem::remove(settings.resume, none);
    return;
  }
  const nlohmann::json json{
      {"program", program}, {"preemptions", *settings.preemptions}, {"search", search.state()}};
  write_output(settings.resume, sim::json_text(json) + '\n');
}

class checker {
public:
  checker(const check_settings& settings, run_request request, check_report report)
      : settings_(settings)
      , simulator_(request.options)
      , ahead_(std::move(request),
               input_of(settings, request.body != nullptr || request.body_here != nullptr))
      , report_(std::move(report)) {
    report_.planned = settings.replay.empty() ? settings.schedules : 1;
    report_.preemptions = settings.preemptions;
    report_.seed = settings.seed;
    report_.depth = settings.depth;
    report_.weak = settings.weak;
    report_.replayed = !settings.replay.empty();
    if (!simulator_.contains("idle_ops"_option)) {
      simulator_["idle_ops"_option] = patience;
    }
    simulator_["races"_option] = true;
    simulator_["quiet"_option] = true;
    simulator_["repeatable"_option] = true;
    simulator_["record"_option] = true;
  }

  check_report run() {
    const interrupt_watch watch;
    if (settings_.show_progress) {
      line_.emplace("tilesim: checking");
    }
    if (settings_.timeout > 0) {
      deadline_ = deadline_in(settings_.timeout);
    }
    begun_ = steady_clock::now();
    until_ = begun_ + std::chrono::duration_cast<steady_clock::duration>(
                          std::chrono::duration<double>(settings_.seconds));
    if (settings_.preemptions) {
      run_all();
    } else {
      for (index_ = 0; wants_more() && go_on(); ++index_) {
        run_schedule(chosen(index_));
        if (const auto enough = leaves_out_rest()) {
          leave_out_rest(*enough);
          break;
        }
      }
    }
    report_.planned = std::max(report_.planned, report_.runs.size());
    judge_weak_differences();
    report_.judge_by_results();
    // A run that was cut short has not shown what it would have.
    if (report_.limits.empty() && report_.count(run_end::cancelled) > 0) {
      report_.limits.push_back(
          fmt::format("interrupted in the last of {} schedules", report_.planned));
    }
    if (report_.replayed && report_.findings.empty() && report_.count(run_end::failed) == 0 &&
        report_.runs.size() == report_.planned) {
      report_.remarks.emplace_back("the replayed schedule shows no finding");
    }
    if (!report_.replayed && !settings_.keep_schedules && report_.runs.size() == report_.planned) {
      shorten(steady_clock::now() - begun_);
    }
    report_.prefer_default();
    line_.reset();
    return std::move(report_);
  }

private:
  static recorded_input input_of(const check_settings& settings, bool of_body) {
    // A body is given none; a program, unless a file is named, this process's own.
    return settings.input ? recorded_input{*settings.input, true} : recorded_input{"", of_body};
  }

  /// The runs that were asked for, and those that have begun while there was time.
  [[nodiscard]] bool wants_more() const {
    if (index_ < report_.planned) {
      return true;
    }
    if (settings_.seconds <= 0 || report_.replayed || time_is_over()) {
      return false;
    }
    return steady_clock::now() < until_ || ahead_.begun(wanted(index_));
  }

  /// A run that does not come to an end takes a quarter of a million operations and more to be told
  /// so: where there is one, nobody who has not asked for it waits for as many as else there are at
  /// least. Says what it was that was enough; nothing: it is not.
  [[nodiscard]] std::optional<std::string> leaves_out_rest() const {
    if (report_.replayed || time_is_over() || interrupt_watch::requested() || !any_endless()) {
      return {};
    }
    if (settings_.fewer_if_endless && steady_clock::now() > until_) {
      return fmt::format("{} s", settings_.seconds);
    }
    if (settings_.operations_if_endless != 0 && made_ >= settings_.operations_if_endless &&
        steady_clock::now() >= until_) {
      return fmt::format("{} operations", settings_.operations_if_endless);
    }
    return {};
  }

  [[nodiscard]] bool any_endless() const {
    return std::ranges::any_of(report_.runs, &checked_run::endless);
  }

  void leave_out_rest(const std::string& enough) {
    if (report_.runs.size() >= report_.planned) {
      return;
    }
    report_.remarks.push_back(
        fmt::format("not all of {} schedules were run, since some do not come to an end: after {} "
                    "no more were begun; {} runs them all",
                    report_.planned,
                    enough,
                    settings_.to_run_all));
    report_.planned = report_.runs.size();
  }

  [[nodiscard]] bool time_is_over() const { return deadline_ && steady_clock::now() > *deadline_; }

  bool go_on() {
    if (interrupt_watch::requested()) {
      stopped_early("interrupted");
      return false;
    }
    if (time_is_over()) {
      stopped_early(fmt::format("--timeout of {} seconds reached", settings_.timeout));
      return false;
    }
    return true;
  }

  /// Looks for shorter schedules. What it finds follows from what the check has found: what bounds
  /// it is counted in runs and operations, and as a rule takes as long as the check has taken.
  void shorten(steady_clock::duration checked_for) {
    ahead_.expect({});
    auto simulator = simulator_;
    auto& patient = simulator["idle_ops"_option];
    const auto patience_of_run = 4 * most_made_ + least_made;
    if (patient.is_null() || patient == 0 || patient.get<std::uint64_t>() > patience_of_run) {
      patient = patience_of_run;
    }
    // For programs whose time goes where nothing is counted.
    const auto until =
        steady_clock::now() + std::max<steady_clock::duration>(3 * checked_for, least);
    std::size_t runs = std::max(least_runs, report_.runs.size());
    // Of runs that do not come to an end, one tells what many do.
    std::uint64_t operations =
        std::max(least_made, any_endless() ? endless_runs * most_made_ : made_);
    const auto wanted = [&](const schedule& which, polling polls) {
      wanted_run run{.which = which, .options = simulator, .deadline = until};
      if (deadline_) {
        run.deadline = std::min(*deadline_, until);
      }
      if (polls == polling::brief) {
        run.options["polls"_option] = brief_polls;
      }
      return run;
    };
    const auto perform = [&](const schedule& which, polling polls) {
      if (runs == 0 || operations == 0 || interrupt_watch::requested() || time_is_over()) {
        return false;
      }
      if (steady_clock::now() > until) {
        report_.remarks.emplace_back(
            "looking for shorter schedules took too long: those that are told may not be the "
            "shortest, and others on another machine");
        return false;
      }
      const auto run = take(wanted(which, polls),
                            "tilesim: looking for shorter schedules that show the findings");
      report_.add_witness(which, run);
      --runs;
      operations -= std::min(operations, made_by(run));
      return true;
    };
    const auto expect = [&](const std::vector<schedule>& next, polling polls) {
      ahead_.expect([&wanted, next, polls](std::size_t n) {
        return n < next.size() ? std::optional(wanted(next[n], polls)) : std::nullopt;
      });
    };
    minimise(report_, {perform, expect});
    ahead_.expect({});
  }

  void stopped_early(const std::string& why) {
    report_.limits.push_back(
        fmt::format("{} after {} of {} schedules", why, report_.runs.size(), report_.planned));
  }

  void run_schedule(const schedule& which) {
    auto run = index_ == 0 ? run_with_trail(which, settings_.show_first) : run_program(which);
    if (index_ > 0 && index_ >= settings_.schedules && time_is_over()) {
      return; // it was one too many
    }
    if (index_ == 0) {
      if (const std::string missing = missing_package(run.status, run.errors.last());
          !missing.empty()) {
        throw printed_failure(exit_unavailable, settings_.show_first ? "" : missing);
      }
      learn_from_first(run);
    }
    most_made_ = std::max(most_made_, made_by(run));
    made_ += made_by(run);
    take_up(which, std::move(run));
  }

  void take_up(const schedule& which, program_run run) {
    report_.add(which, run);
    judge_unspecified(which, run, index_ == 0);
    if (which == schedule{}) {
      first_ = std::move(run);
      return;
    }
    if (index_ == 0) { // of a replay, whose finding may be a difference
      first_ = run_program({});
    }
    if (comparing_) {
      compare_with_first(which, run);
    }
  }

  /// Every schedule with so many preemptions, behind the first.
  void run_all() {
    auto& search = search_.emplace(begun_search(settings_, report_.program));
    report_.planned = 1;
    if (!go_on()) {
      return;
    }
    run_schedule({});
    ahead_.expect([this](std::size_t n) { return beginning(n + 1); });
    while (auto next = beginning(0)) {
      report_.planned = report_.runs.size() + 1;
      if (enough() || !go_on()) {
        break;
      }
      auto run = take(*next,
                      fmt::format("tilesim: checking, schedule {}, {}, {} more known",
                                  report_.runs.size() + 1,
                                  counted(search.level(), "preemption"),
                                  search.known()));
      if (interrupt_watch::requested() || time_is_over()) {
        continue;
      }
      ++index_;
      auto told = chosen_run_of(run);
      if (!search.take(told)) {
        continue;
      }
      schedule which{.how = strategy::turns};
      which.turns = std::move(told.turns);
      most_made_ = std::max(most_made_, made_by(run));
      made_ += made_by(run);
      take_up(which, std::move(run));
    }
    ahead_.expect({});
    report_.planned = report_.runs.size();
    tell_how_far();
  }

  [[nodiscard]] bool enough() const {
    return (settings_.schedules > 0 && report_.runs.size() >= settings_.schedules) ||
           (settings_.seconds > 0 && steady_clock::now() > until_);
  }

  [[nodiscard]] std::optional<wanted_run> beginning(std::size_t n) const {
    auto turns = search_->upcoming(n);
    if (!turns) {
      return {};
    }
    wanted_run run{.which = {.how = strategy::turns}, .options = simulator_, .deadline = deadline_};
    run.which.turns = std::move(*turns);
    run.options["choices"_option] = true;
    return run;
  }

  void tell_how_far() {
    const auto& search = *search_;
    const auto preemptions = "at most " + counted(*settings_.preemptions, "preemption");
    if (search.known() == 0 && search.complete()) {
      report_.remarks.push_back(fmt::format("complete: every schedule with {} at memory operations "
                                            "was run, {} of them",
                                            preemptions,
                                            search.made()));
    } else if (search.known() == 0) {
      report_.limits.push_back(fmt::format("not every schedule with {} was run: in some, blocks "
                                           "that all wait poll on and give up by themselves, or "
                                           "make very many turns",
                                           preemptions));
    } else {
      report_.limits.push_back(
          fmt::format("not every schedule with {} was run: {} were, {}, and {} more are known{}",
                      preemptions,
                      search.made(),
                      search.level() == 0 ? "not all without one"
                                          : fmt::format("all with fewer than {}", search.level()),
                      search.known(),
                      settings_.resume.empty() ? ": --resume=FILE keeps what is left to do"
                                               : fmt::format(": {} holds them", settings_.resume)));
    }
    keep_search(settings_, report_.program, search);
  }

  /// How the others are run.
  void learn_from_first(const program_run& run) {
    if (!run.report.is_null()) {
      steps_ = run.report.at(sim::in_report::steps).get<std::uint64_t>();
    }
    auto jobs = settings_.jobs == 0 ? usable_processors() : settings_.jobs;
    const std::string outside = run.report.is_null() ? "" : run.report.at(sim::in_report::outside);
    if (!outside.empty()) {
      jobs = 1;
      if (!report_.replayed && (settings_.schedules != 1 || settings_.seconds > 0)) {
        report_.remarks.push_back(
            fmt::format("the schedules were run one at a time: the program {}", outside));
      }
    }
    if (run.memory > 0) {
      jobs = std::min(jobs, static_cast<std::size_t>(available_memory() / run.memory));
    }
    ahead_.set_jobs(std::max(jobs, std::size_t{1}));
    if (!report_.replayed && !settings_.preemptions) {
      ahead_.expect([this](std::size_t n) { return upcoming(n); });
    }
  }

  /// The nth schedule behind the one that the check has come to.
  [[nodiscard]] std::optional<wanted_run> upcoming(std::size_t n) const {
    const auto index = index_ + 1 + n;
    if (leaves_out_rest()) {
      return {};
    }
    const bool more = index < settings_.schedules ||
                      (settings_.seconds > 0 && steady_clock::now() < until_ && !time_is_over());
    return more ? std::optional(wanted(index)) : std::nullopt;
  }

  [[nodiscard]] static std::uint64_t made_by(const program_run& run) {
    return run.report.is_null() ? 0 : run.report.at(sim::in_report::made).get<std::uint64_t>();
  }

  /// A result that differs from the first run's is explained by more runs: does the program differ
  /// by itself, by the unspecified values alone, or by the schedule?
  void compare_with_first(const schedule& which, const program_run& run) {
    const auto differs = compare(first_, run);
    if (!differs) {
      return;
    }
    if (auto weak = weak_difference_of(which, run, *differs)) {
      weak_differences_.push_back(std::move(*weak));
      return;
    }
    const schedule first_schedule;
    if (!knows(finding_kind::schedule_dependent) && compare(first_, run_program(first_schedule))) {
      differs_by_itself();
      return;
    }
    auto same_fill = which;
    same_fill.fill = first_schedule.fill;
    auto other_fill = first_schedule;
    other_fill.fill = which.fill;
    const bool by_schedule =
        same_fill == which || compare(first_, run_program(same_fill)).has_value();
    const bool by_fill =
        other_fill != first_schedule && compare(first_, run_program(other_fill)).has_value();
    // What only both together change depends on each.
    if (by_schedule || !by_fill) {
      differs_by_schedule_ = true;
      differs_by_status_ = differs_by_status_ || run.status != first_.status;
      note_schedule(*differs, which);
    }
    if (same_fill == which || knows(finding_kind::unspecified_dependent)) {
      return; // told by the run that has drawn
    }
    // The usual other values make no difference, those of this run do.
    if (by_fill) {
      explain_fill(first_schedule, which.fill);
    } else if (!by_schedule) {
      explain_fill(same_fill, which.fill);
    }
    if (!by_schedule) {
      note_order(*differs);
    }
  }

  /// What no unspecified value explains depends on the orders of combining, where these are drawn.
  void note_order(const difference& d) {
    if (simulator_.value("order"_option, "fixed") == "random" &&
        !knows(finding_kind::unspecified_dependent) && !std::exchange(order_noted_, true)) {
      report_.remarks.push_back(fmt::format("the result depends on the order in which numbers are "
                                            "combined, which each schedule draws anew: {}",
                                            d.what));
    }
  }

  // --- Results of weak schedules: judged when it is known what the others show.

  [[nodiscard]] std::optional<weak_difference> weak_difference_of(const schedule& which,
                                                                  const program_run& run,
                                                                  const difference& differs) const {
    auto stale = stale_choices_of(run.report.at(sim::in_report::stale));
    if (stale.empty()) {
      return {};
    }
    const bool by_status = run.status != first_.status;
    return weak_difference{.which = which,
                           .what = by_status ? status_difference(run) : differs,
                           .stale = std::move(stale),
                           .told = stale_reads_of(run.report.at(sim::in_report::stale_reads)),
                           .by_status = by_status};
  }

  /// A status that no sequentially consistent schedule has shown is a finding; another result where
  /// these agree.
  void judge_weak_differences() {
    const auto finding = std::ranges::find_if(weak_differences_, [this](const auto& d) {
      return comparing_ && (d.by_status ? !differs_by_status_ : !differs_by_schedule_);
    });
    for (auto d = weak_differences_.begin(); d != weak_differences_.end(); ++d) {
      if (d == finding && !interrupt_watch::requested() && !time_is_over() && is_weak(*d)) {
        tell_weak(*d);
      } else if (finding == weak_differences_.end()) {
        note_schedule(d->what, d->which);
      }
    }
  }

  /// Whether the stale reads are what it takes: not other values for what is unspecified, nor the
  /// schedule.
  [[nodiscard]] bool is_weak(const weak_difference& d) {
    schedule other_fill;
    other_fill.fill = d.which.fill;
    if (compare(first_, run_program({}))) {
      differs_by_itself();
      return false;
    }
    return !differs_likewise(d.which.sequential(), d) && !differs_likewise(other_fill, d);
  }

  [[nodiscard]] std::optional<weak_difference> differs_likewise(const schedule& which,
                                                                const weak_difference& as) {
    if (interrupt_watch::requested() || time_is_over()) {
      return {};
    }
    const auto run = take(wanted(which), "tilesim: looking for the stale reads that it takes");
    const auto differs = compare(first_, run);
    if (!differs || run.report.contains(sim::in_report::unfollowed) ||
        (as.by_status && run.status == first_.status)) {
      return {};
    }
    return weak_difference{.which = which,
                           .what = as.by_status ? status_difference(run) : *differs,
                           .stale = stale_choices_of(run.report.at(sim::in_report::stale)),
                           .told = stale_reads_of(run.report.at(sim::in_report::stale_reads)),
                           .by_status = as.by_status};
  }

  [[nodiscard]] difference status_difference(const program_run& run) const {
    return {fmt::format("the program ends with status {} instead of {}", run.status, first_.status),
            {}};
  }

  void tell_weak(const weak_difference& d) {
    ahead_.expect({});
    auto least_of = settings_.keep_schedules
                        ? d
                        : with_fewest_stale_reads(d, [this](const auto& which, const auto& as) {
                            return differs_likewise(which, as);
                          });
    const auto which = least_of.which;
    report_.add_compared(weak_finding(least_of, report_.runs.size() - report_.weak_runs()), which);
    for (const auto& other : weak_differences_) {
      if (&other != &d && other.by_status == d.by_status) {
        report_.compared_again(code(finding_kind::weak_dependent));
      }
    }
  }

  /// One note: which results differ from which is not the check's question.
  void note_schedule(const difference& d, const schedule& which) {
    constexpr auto kind = finding_kind::schedule_dependent;
    if (report_.compared_again(code(kind))) {
      return;
    }
    checked_finding n;
    n.code = code(kind);
    n.note = true;
    n.message = fmt::format("the result depends on the schedule: {}", d.what);
    n.details = {fmt::format("under {}, as against round-robin", describe(which))};
    n.remedy =
        "nothing, where each of the results is right, as of an atomic sum in floating "
        "point; else order what the result depends on (in code of a warp by __syncwarp(): its "
        "lanes do not run in step)";
    n.where = d.where;
    report_.add_compared(std::move(n), which);
  }

  /// Looks for what depends on unspecified values: in the first run, and wherever a place draws
  /// that has not drawn before.
  void judge_unspecified(const schedule& which, const program_run& run, bool has_trail) {
    bool is_new = false;
    for (auto& place : places_that_draw(run)) {
      is_new = judged_places_.insert(std::move(place)).second || is_new;
    }
    if (!is_new || !comparing_) {
      return;
    }
    if (has_trail) {
      find_unspecified(which, run, {});
    } else {
      explain_fill(which, {});
    }
  }

  void explain_fill(const schedule& which, std::optional<std::uint64_t> fill) {
    find_unspecified(which, run_with_trail(which), fill);
  }

  void find_unspecified(const schedule& which,
                        const program_run& run,
                        std::optional<std::uint64_t> fill) {
    if (run.report.is_null() || run.killed || run.report.at(sim::in_report::drawn).empty()) {
      return;
    }
    // It left by _exit(), or by a signal.
    if (!std::filesystem::exists(trail_->path())) {
      if (!std::exchange(left_unjudged_, true)) {
        report_.remarks.emplace_back("what depends on unspecified values was not looked for in "
                                     "runs that did not come to exit()");
      }
      return;
    }
    const auto over = [this] { return interrupt_watch::requested() || time_is_over(); };
    const auto again = [&](const nlohmann::json& more) {
      auto other = wanted(which);
      other.options.update(more);
      // With another value it may not end; what ends takes no longer than all runs so far.
      const auto now = steady_clock::now();
      const auto patient = now + 4 * (now - begun_) + least;
      other.deadline = deadline_ ? std::min(*deadline_, patient) : patient;
      return take(other, "tilesim: looking for what depends on unspecified values");
    };
    auto answer = find_dependences(
        {.first = run, .trail = trail_->path(), .run = again, .over = over, .seed = fill});
    if (!answer.steady) {
      differs_by_itself();
    }
    for (auto& f : answer.findings) {
      report_.add_compared(std::move(f), which);
    }
  }

  void differs_by_itself() {
    if (std::exchange(comparing_, false)) {
      report_.remarks.emplace_back("results were not compared: two runs under the same schedule "
                                   "differ, as of a program that prints times");
    }
  }

  [[nodiscard]] bool knows(finding_kind kind) const {
    return std::ranges::any_of(report_.findings, [&](auto& f) { return f.code == code(kind); });
  }

  [[nodiscard]] schedule chosen(std::size_t index) const {
    if (settings_.replay.empty()) {
      return nth_schedule(index,
                          {.seed = settings_.seed,
                           .depth = settings_.depth,
                           .steps = steps_,
                           .weak = settings_.weak});
    }
    return read_replay(settings_.replay, report_.program).which;
  }

  [[nodiscard]] wanted_run wanted(std::size_t index) const { return wanted(chosen(index)); }

  [[nodiscard]] wanted_run wanted(const schedule& which) const {
    return {.which = which, .options = simulator_, .deadline = deadline_};
  }

  program_run run_program(const schedule& which) { return take(wanted(which), now_checking()); }

  /// A run that is judged by what it does from the first unspecified value on.
  program_run run_with_trail(const schedule& which, bool show = false) {
    if (!trail_) {
      trail_.emplace();
    }
    std::error_code none;
    std::filesystem::remove(trail_->path(), none);
    auto run = wanted(which);
    run.options["trail"_option] = sim::printable(trail_->path());
    run.show = show;
    return take(run, now_checking());
  }

  [[nodiscard]] std::string now_checking() const {
    return settings_.seconds > 0 ? fmt::format("tilesim: checking, schedule {}", number_of_run())
                                 : fmt::format("tilesim: checking, schedule {} of {}",
                                               number_of_run(),
                                               report_.planned);
  }

  [[nodiscard]] std::size_t number_of_run() const { return report_.runs.size() + 1; }

  program_run take(const wanted_run& run, const std::string& now) {
    const auto tick = [&] {
      if (line_ && !run.show) {
        line_->tick(now);
      }
    };
    tick();
    return ahead_.get(run, tick);
  }

  // Of the search for shorter schedules; the first, of other unspecified values, too.
  static constexpr std::chrono::seconds least{10};
  static constexpr std::size_t least_runs = 64;
  static constexpr std::uint64_t least_made = 4'000'000;
  static constexpr std::uint64_t endless_runs = 4;
  static constexpr unsigned brief_polls = 1024;
  static constexpr std::uint64_t patience = 20'000'000; ///< operations without a block's end

  const check_settings& settings_;
  nlohmann::json simulator_;
  run_ahead ahead_;
  std::optional<progress> line_;
  check_report report_;
  std::size_t index_ = 0; ///< of the schedule that the check has come to
  std::optional<systematic_search> search_;
  std::uint64_t steps_ = 0;     ///< memory operations of the first run
  std::uint64_t made_ = 0;      ///< operations and raw accesses of all runs
  std::uint64_t most_made_ = 0; ///< of one of them
  program_run first_;
  bool comparing_ = true;
  std::vector<weak_difference> weak_differences_;
  bool differs_by_schedule_ = false;    ///< some sequentially consistent schedule's result does,
  bool differs_by_status_ = false;      ///< and its status
  std::optional<trail_file> trail_;     ///< of the run whose unspecified values are judged
  std::set<std::string> judged_places_; ///< that draw them
  bool order_noted_ = false;            ///< that it depends on orders of combining
  bool left_unjudged_ = false;          ///< a run had no trail, which is told
  steady_clock::time_point begun_;
  std::optional<steady_clock::time_point> deadline_;
  steady_clock::time_point until_; ///< no further schedules are begun
};

} // namespace

check_report run_check(const check_settings& settings, run_request request, check_report report) {
  return checker(settings, std::move(request), std::move(report)).run();
}

} // namespace tilesim::tools
