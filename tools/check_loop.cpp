// Schedule after schedule: runs, comparisons, shorter schedules.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check_loop.hpp"

#include "tools/check_compare.hpp"
#include "tools/check_minimise.hpp"
#include "tools/check_schedule.hpp"
#include "tools/replay.hpp"
#include "tools/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace tilesim::driver {
namespace {

using std::chrono::steady_clock;

class checker {
public:
  checker(const check_settings& settings, run_request request, check_report report)
      : settings_(settings)
      , simulator_(request.options)
      , request_(std::move(request))
      , report_(std::move(report)) {
    report_.planned = settings.replay.empty() ? settings.schedules : 1;
    if (settings.input)
      input_ = {*settings.input, true};
    else
      input_.ended = request_.body != nullptr; // which is given no input
    if (!simulator_.contains("idle_ops"))
      simulator_["idle_ops"] = patience;
    simulator_["races"] = true;
    simulator_["quiet"] = true;
    simulator_["repeatable"] = true;
    simulator_["record"] = true;
  }

  check_report run() {
    const interrupt_watch watch;
    if (settings_.show_progress)
      line_.emplace("tilesim: checking");
    if (settings_.timeout > 0)
      deadline_ = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                            std::chrono::duration<double>(settings_.timeout));
    const auto begun = steady_clock::now();
    for (std::size_t i = 0; i < report_.planned && go_on(); ++i)
      run_schedule(i);
    // A run that was cut short has not shown what it would have.
    if (report_.limits.empty() && report_.count(run_end::cancelled) > 0)
      report_.limits.push_back(
          fmt::format("interrupted in the last of {} schedules", report_.planned));
    if (!settings_.replay.empty() && report_.findings.empty() &&
        report_.count(run_end::failed) == 0 && report_.runs.size() == report_.planned)
      report_.remarks.emplace_back("the replayed schedule shows no finding");
    if (settings_.replay.empty() && !settings_.keep_schedules &&
        report_.runs.size() == report_.planned)
      shorten(steady_clock::now() - begun);
    report_.prefer_default();
    line_.reset();
    return std::move(report_);
  }

private:
  bool go_on() {
    if (interrupt_watch::requested()) {
      stopped_early("interrupted");
      return false;
    }
    if (deadline_ && steady_clock::now() > *deadline_) {
      stopped_early(fmt::format("--timeout of {} seconds reached", settings_.timeout));
      return false;
    }
    return true;
  }

  /// Looks for shorter schedules; takes about as long as the check itself has taken at most.
  void shorten(steady_clock::duration checked_for) {
    const auto until = steady_clock::now() + std::max<steady_clock::duration>(checked_for, least);
    // A run may take long under an unlucky schedule.
    const auto one = 4 * checked_for / static_cast<int>(report_.runs.size()) + least;
    const auto over = [&] {
      return interrupt_watch::requested() || steady_clock::now() > until ||
             (deadline_ && steady_clock::now() > *deadline_);
    };
    const auto run = [&](const schedule& which, polling polls) {
      if (over())
        return false;
      auto deadline = steady_clock::now() + one;
      if (deadline_)
        deadline = std::min(deadline, *deadline_);
      request_.show = false;
      if (polls == polling::brief)
        simulator_["polls"] = brief_polls;
      report_.add_witness(which,
                          run_program(which,
                                      deadline,
                                      "tilesim: looking for shorter schedules that show the "
                                      "findings"));
      simulator_.erase("polls");
      return !over();
    };
    minimise(report_, simulator_.value("order", "fixed") == "random", run);
  }

  void stopped_early(const std::string& why) {
    report_.limits.push_back(
        fmt::format("{} after {} of {} schedules", why, report_.runs.size(), report_.planned));
  }

  void run_schedule(std::size_t index) {
    const auto which = chosen(index);
    auto run = run_program(which, index == 0 && settings_.show_first);
    if (index == 0 && !run.report.is_null())
      steps_ = run.report.at("steps").get<std::uint64_t>();
    report_.add(which, run);
    if (which == schedule{}) {
      first_ = std::move(run);
      return;
    }
    if (index == 0) // of a replay, whose finding may be a difference
      first_ = run_program({}, false);
    if (comparing_)
      compare_with_first(which, run);
  }

  /// A result that differs from the first run's is explained by more runs: does the program differ
  /// by itself, by the unspecified values alone, or by the schedule?
  void compare_with_first(const schedule& which, const program_run& run) {
    const auto differs = compare(first_, run);
    if (!differs)
      return;
    const schedule first_schedule;
    if (!noted_all() && compare(first_, run_program(first_schedule, false))) {
      comparing_ = false;
      report_.remarks.push_back("results were not compared: two runs under the same schedule "
                                "differ, as of a program that "
                                "prints times");
      return;
    }
    auto same_fill = which;
    same_fill.fill = first_schedule.fill;
    auto other_fill = first_schedule;
    other_fill.fill = which.fill;
    const bool by_schedule =
        same_fill == which || compare(first_, run_program(same_fill, false)).has_value();
    const auto by_fill = other_fill == first_schedule
                             ? std::nullopt
                             : compare(first_, run_program(other_fill, false));
    // What only both together change depends on each.
    if (by_schedule || !by_fill)
      note(finding_kind::schedule_dependent, "the schedule", *differs, which);
    if (by_fill)
      note(finding_kind::unspecified_dependent, "an unspecified value", *by_fill, other_fill);
  }

  /// One note of each kind: which results differ from which is not the check's question.
  void note(finding_kind kind, const char* on, const difference& d, const schedule& which) {
    if (report_.note_again(code(kind)))
      return;
    checked_finding n;
    n.code = code(kind);
    n.message = fmt::format("the result depends on {}: {}", on, d.what);
    n.details = {fmt::format("under {}, as against round-robin", describe(which))};
    n.remedy = kind == finding_kind::schedule_dependent
                   ? "nothing, where each of the results is right, as of an atomic sum in floating "
                     "point; else order what the result depends on"
                   : "give the elements that are masked out a value of their own (padding)";
    n.where = d.where;
    n.replay = to_string(replay{which, report_.program});
    report_.add_note(std::move(n));
  }

  [[nodiscard]] bool noted_all() const {
    const auto noted = [&](finding_kind kind) {
      return std::ranges::any_of(report_.findings, [&](auto& f) { return f.code == code(kind); });
    };
    return noted(finding_kind::schedule_dependent) && noted(finding_kind::unspecified_dependent);
  }

  [[nodiscard]] schedule chosen(std::size_t index) const {
    if (settings_.replay.empty())
      return nth_schedule(index, settings_.seed, settings_.depth, steps_);
    return read_replay(settings_.replay, report_.program).which;
  }

  program_run run_program(const schedule& which, bool show) {
    request_.show = show;
    return run_program(which,
                       deadline_,
                       fmt::format("tilesim: checking, schedule {} of {}",
                                   report_.runs.size() + 1,
                                   report_.planned));
  }

  program_run run_program(const schedule& which,
                          std::optional<steady_clock::time_point> deadline,
                          const std::string& now) {
    request_.options = simulator_;
    set_options(which, request_.options);
    if (deadline) {
      const std::chrono::duration<double> left = *deadline - steady_clock::now();
      request_.options["timeout"] = std::max(0.01, left.count());
    }
    request_.deadline = deadline;
    const auto tick = [&] {
      if (line_ && !request_.show)
        line_->tick(now);
    };
    tick();
    return run_checked(request_, input_, tick);
  }

  static constexpr std::chrono::seconds least{2};
  static constexpr unsigned brief_polls = 1024;
  static constexpr std::uint64_t patience = 20'000'000; ///< operations without a block's end

  const check_settings& settings_;
  nlohmann::json simulator_;
  run_request request_;
  std::optional<progress> line_;
  recorded_input input_;
  check_report report_;
  std::uint64_t steps_ = 0; ///< memory operations of the first run
  program_run first_;
  bool comparing_ = true;
  std::optional<steady_clock::time_point> deadline_;
};

} // namespace

check_report run_check(const check_settings& settings, run_request request, check_report report) {
  return checker(settings, std::move(request), std::move(report)).run();
}

} // namespace tilesim::driver
