// Making the process's simulator, and ending it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/engines/detect_engine.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/signals.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/process/outside.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/leaks.hpp"
#include "sim/trace/tracer.hpp"
#include "sim/watch/report_json.hpp"
#include "sim/watch/statistics.hpp"

#include <tilesim/detail/checked_run.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

context* process_context = nullptr;

/// The part of the schedule that led to a finding and belongs to the launches of its threads: those
/// that it speaks of, or the running one.
finding_history history_of(const scheduler& strategy, const finding_text& f) {
  constexpr std::size_t most_turns = 256; // a longer text is of no use
  std::optional<turn_history> until_sleep;
  if (f.asleep) {
    until_sleep = strategy.history_until_sleep();
  }
  const turn_history* all = until_sleep ? &*until_sleep : strategy.history();
  if (all == nullptr || all->turns.empty()) {
    return {};
  }
  std::vector<turn> parties = f.parties;
  if (parties.empty() && execution::current() != nullptr) {
    parties.push_back({all->turns.back().launch, all->turns.back().thread, {}});
  }
  std::set<std::uint64_t> launches;
  for (const turn& t : parties) {
    launches.insert(t.launch);
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> threads;
  std::vector<turn> turns;
  for (const turn& t : all->turns) {
    if (launches.empty() || launches.contains(t.launch)) {
      threads.emplace(t.launch, t.thread);
      turns.push_back(t);
    }
  }
  return {.blocks = threads.size(),
          .turns = turns.size(),
          .schedule = turns.size() <= most_turns ? to_string(turns) : "",
          .parties = to_string(parties)};
}

/// A program that ends with 0 although there are findings must not look clean.
void at_exit(int status, void* /*unused*/) {
  const library_section inside;
  if (process_context == nullptr) {
    return;
  }
  judge_other_threads(*process_context);
  for (const auto& o : process_context->exec->state().observers) {
    o->end();
  }
  if (status == 0 && process_context->opts.races) {
    report_leaks(*process_context);
  }
  if (run_control* control = process_context->exec->state().control) {
    control->ending("ended", status);
  }
  const report& all = process_context->found.all();
  if (process_context->found.tell) {
    process_context->found.tell("ended");
  }
  if (process_context->opts.quiet) {
    return;
  }
  if (const auto what = process_context->exec->state().strategy->unfollowed(true)) {
    std::fflush(nullptr);
    print_error("tilesim: the replay could not follow {}\n", *what);
  }
  if (all.findings.empty()) {
    return;
  }
  std::fflush(nullptr);
  process_context->found.print_summary();
  if (status == 0 && !all.clean()) {
    std::fflush(nullptr);
    _exit(exit_with_findings);
  }
}

// Never destroyed: kernels may be suspended, and findings are told at the very end.
void make_process_context() {
  process_context = new context(options_from_environment());
  install_signal_handlers();
}

// Registered when the library is loaded, so it runs after the program's own handlers.
[[gnu::constructor]] void register_at_exit() {
  const library_section inside;
  on_exit(at_exit, nullptr);
}

} // namespace

context::context(options o)
    : opts(std::move(o))
    , others(std::make_unique<other_threads>())
    , counts(opts.counts.empty() ? &own_counts : shared_counts(opts.counts))
    , mem(opts.device_memory)
    , exec(std::make_unique<execution>(*this)) {
  if (opts.races) {
    exec->state().engine = make_detect_engine(*this);
  }
  exec->state().unspecified = draws(opts.fill.value_or(opts.seed), opts.vary);
  if (!opts.trail.empty() || !opts.against.empty()) {
    exec->state().trail = std::make_unique<control_trail>(*this, opts.trail, opts.against);
    found.stopping = [this](const void* site, finding_kind kind) {
      if (control_trail* const t = exec->state().following) {
        t->stops(site, kind);
      }
    };
  }
  exec->state().order = rng(~opts.seed);
  if (!opts.report.empty()) {
    found.tell = [this, process = getpid()](const char* how) {
      if (process != getpid()) {
        return; // a process that the program has started: the report is not its own
      }
      if (exec->state().following != nullptr && how != std::string_view("running")) {
        exec->state().following->write();
      }
      write_report(
          opts.report,
          found.all(),
          {.how = how,
           .schedule = exec->state().strategy->describe(),
           .unfollowed = exec->state().strategy->unfollowed(how == std::string_view("ended")),
           .operations = exec->operations(),
           .steps = exec->state().steps,
           .made = exec->state().made,
           .outside = what_it_did_outside(),
           .judged = exec->state().engine->judged(),
           .history = exec->state().strategy->history(),
           .choices = exec->state().strategy->choices(),
           .copies = &copied,
           .drawn = &exec->state().unspecified});
    };
    found.tell("running");
  }
  found.quiet = opts.quiet;
  found.known = opts.known;
  if (opts.record) {
    found.history = [this](const finding_text& f) {
      return history_of(*exec->state().strategy, f);
    };
  }
  // For whoever holds runs against each other, or one in their hands, more is known.
  if (!opts.quiet && opts.report.empty()) {
    exec->state().own_spread = std::make_unique<spread>(*this);
  }
  if (opts.stats) {
    exec->state().observers.push_back(
        make_statistics([this] { return exec->state().engine->statistics(); }));
  }
  if (!opts.trace.empty()) {
    trace::attach(*this);
  }
}

context::~context() {
  forget_names(*this);
}

context* context::existing() noexcept {
  return process_context;
}

context& context::current() {
  static const bool made = [] {
    if (process_context == nullptr) {
      make_process_context();
    }
    return true;
  }();
  static_cast<void>(made);
  return *process_context;
}

} // namespace tilesim::sim

namespace tilesim::detail {

void begin_checked_run(const char* options) {
  const sim::library_section inside;
  sim::forget_what_it_did_outside();
  setenv("TILESIM_OPTIONS", options, 1); // of this process, which was forked for the run
  sim::make_process_context();
}

void end_checked_run() {
  sim::at_exit(0, nullptr);
}

} // namespace tilesim::detail
