// Making the process's simulator, and ending it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"

#include "memmodel/assertion.hpp"
#include "sim/access/host_threads.hpp"
#include "sim/compare/launch_comparer.hpp"
#include "sim/contract/child_reports.hpp"
#include "sim/contract/environment.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/options_text.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/contract/standard_streams.hpp"
#include "sim/contraction/fused_sums.hpp"
#include "sim/core/ends.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/kernel_source.hpp"
#include "sim/core/run_here.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/engines/detect_engine.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/spread.hpp"
#include "sim/explore/exploration.hpp"
#include "sim/interpreter/kernels_of_files.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/process/outside.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/host_polls.hpp"
#include "sim/runtime/leaks.hpp"
#include "sim/trace/tracer.hpp"
#include "sim/watch/definedness.hpp"
#include "sim/watch/first_launch.hpp"
#include "sim/watch/host_copy_hashes.hpp"
#include "sim/watch/reloads.hpp"
#include "sim/watch/report_json.hpp"
#include "sim/watch/statistics.hpp"

#include <tilesim/detail/checked_run.hpp>

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <set>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

std::atomic<context*> current_context = nullptr;

/// Of runs of this process that were left [context::begin_anew]: never destroyed, as the last one.
std::vector<const context*>& left_contexts() {
  static auto& all = *new std::vector<const context*>;
  return all;
}

/// The part of the schedule that led to a finding and belongs to the launches of its threads: those
/// that it speaks of, or the running one.
finding_history turns_until(const scheduler& strategy, const finding_text& f) {
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

finding_history history_of(const context& c, const finding_text& f) {
  finding_history history = turns_until(*c.exec->desk().strategy, f);
  history.stale = c.exec->memory().stale_reads();
  return history;
}

/// What of a replay has not happened, the first of it.
std::optional<std::string> unfollowed(const context& c, bool over) {
  auto turns = c.exec->desk().strategy->unfollowed(over);
  return turns ? turns : c.exec->memory().unfollowed(over);
}

constexpr std::size_t most_stale_told = 8; ///< with a finding, or with a run

void tell_end(const context& c, run_end how, int status) {
  c.exec->watchers().tell_first_to_last([&](watcher& w) { w.run_ends(how, status); });
}

} // namespace

// A program that ends with 0 although there are findings must not look clean.
int end_run(context& c, int status) {
  judge_other_threads(c);
  // What a process that forks another one has not freed yet it may free itself.
  if (status == 0 && (c.opts.races || c.opts.leaks) && !c.told.child) {
    report_leaks(c);
  }
  tell_end(c, run_end::ended, status);
  if (c.found.tell) {
    c.found.tell(in_report::how_ended);
  }
  const report& all = c.found.all();
  if (!c.opts.quiet) {
    if (const auto what = unfollowed(c, true)) {
      std::fflush(nullptr);
      print_error("tilesim: the replay could not follow {}\n", *what);
    }
    if (!all.findings.empty()) {
      std::fflush(nullptr);
      c.found.print_summary();
    }
  }
  return status == 0 && !c.opts.quiet && !all.clean() ? exit_with_findings : status;
}

namespace {

/// They were told of their end when they were left.
int end_left_runs(int status) {
  for (const context* const c : left_contexts()) {
    if (c->found.stopped_at() == nullptr) { // else it has been told
      c->found.print_summary();
    }
    status = status == 0 && !c->opts.quiet && !c->found.all().clean() ? exit_with_findings : status;
  }
  return status;
}

void at_exit(int status, void* /*unused*/) {
  const library_section inside;
  context* const c = context::existing();
  if (c == nullptr) {
    return;
  }
  const int ends_with = c->told_status(end_run(*c, end_left_runs(status)));
  if (ends_with != status) {
    std::fflush(nullptr);
    _exit(ends_with);
  }
}

/// Whoever holds runs against each other has a trail; in one run values are followed by twins.
void follow_unspecified_values(context& c) {
  run_desk& run = c.exec->desk();
  if (!c.opts.trail.empty() || !c.opts.against.empty()) {
    run.trail_to_come = std::make_unique<control_trail>(c, c.opts.trail, c.opts.against);
    c.found.stopping = [&run](const void* site, finding_kind kind) {
      if (run.following != nullptr) {
        run.following->stops(site, kind);
      }
    };
  }
  // For whoever holds runs against each other, or one in their hands, more is known: there the
  // twins are asked where a finding's operands come from.
  const bool tells = !c.opts.quiet && c.opts.report.empty();
  if (tells || run.trail_to_come != nullptr) {
    run.spread_to_come = std::make_unique<spread>(tells);
  }
}

/// The report, for whoever started the run.
void tell_report(const context& c, std::string_view how) {
  const run_desk& run = c.exec->desk();
  if (run.following != nullptr && how != in_report::how_running && !c.told.child) {
    run.following->write();
  }
  write_report(c.told.path,
               c.found.all(),
               {.how = std::string(how),
                .schedule = run.strategy->describe(),
                .unfollowed = unfollowed(c, how == in_report::how_ended),
                .operations = run.operations,
                .steps = run.steps,
                .made = run.made,
                .outside = what_it_did_outside(),
                .judged = c.exec->memory().judged(),
                .before = c.told.before,
                .history = run.strategy->history(),
                .choices = run.strategy->choices(),
                .copies = &c.copied,
                .drawn = &run.unspecified,
                .stale = c.exec->memory().stale_reads(),
                .stale_reads = how == in_report::how_running
                                   ? std::vector<stale_read>{}
                                   : c.exec->memory().explained_stale_reads(most_stale_told)});
}

/// What findings are to do with the run: they know no other room.
void connect_findings(context& c) {
  c.found.quiet = c.opts.quiet;
  c.found.known = c.opts.known;
  c.found.leave = [&c] {
    c.leave({.how = run_end::stopped, .status = c.told_status(exit_stopped)});
  };
  c.found.noticed = [&c](const void* site, const finding_text& text) {
    c.exec->watchers().tell([&](watcher& w) { w.finding_added(site, text); });
  };
  c.found.tell = [&c](const char* how) {
    // A process that the program has started has a report of its own, or none.
    if (!c.told.path.empty() && c.told.process == getpid()) {
      tell_report(c, how);
    }
    for (const run_end end : {run_end::stopped, run_end::interrupted}) {
      if (how == std::string_view(word(end))) {
        tell_end(c, end, 0);
      }
    }
  };
  c.found.tell(in_report::how_running);
  c.found.stale = [&c] { return c.exec->memory().explained_stale_reads(most_stale_told); };
  if (c.opts.record) {
    c.found.history = [&c](const finding_text& f) { return history_of(c, f); };
  }
}

/// For an assertion that fails.
void tell_what_runs(std::FILE* to) {
  const sim_thread* const t = execution::current();
  if (t == nullptr) {
    std::fputs("  in host code\n", to);
    return;
  }
  const std::string text = fmt::format("  in operation {} of {} of {}, at {}\n",
                                       t->operations,
                                       t->name(),
                                       t->launch->kernel.name,
                                       t->site != nullptr ? place(t->site) : "its beginning");
  std::fputs(text.c_str(), to);
}

// Never destroyed: kernels may be suspended, and findings are told at the very end.
void make_process_context() {
  options o = options_from_environment();
  const bool child = o.reader != 0 && std::cmp_not_equal(getppid(), o.reader);
  if (child) {
    o.report = child_report_path(o.report);
    o.counts = child_counts_path(o.report);
    // The first process's.
    o.trail.clear();
    o.against.clear();
    o.trace.clear();
    o.feed.clear();
  }
  if (o.reader != 0 && !child) { // whoever reads what it tells may be killed
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  auto* const made = new context(std::move(o));
  made->told.child = child;
  if (child) {
    note_deaths();
  }
  exploring::attach(*made);
  context::make_current(made);
  static_cast<void>(new signal_handlers);
}

/// In a process that the program has forked: its report is its own, and told of from its first
/// launch on, as it may be about to become another program.
void report_as_child(context& c) {
  const run_desk& run = c.exec->desk();
  c.told = {.path = child_report_path(c.opts.report),
            .process = getpid(),
            .child = true,
            .before = {.operations = run.operations,
                       .judged = c.exec->memory().judged(),
                       .made = run.made,
                       .steps = run.steps}};
  c.counts = &c.own_counts; // the page is its parent's
  note_deaths();
  c.exec->attach(make_first_launch([&c] {
    c.counts = shared_counts(child_counts_path(c.told.path));
    c.found.tell(in_report::how_running);
  }));
}

/// In a process that the program has forked: what was found before is the parent's to tell, and
/// what is found from now on is told on standard error, where nobody reads a report of it.
void forget_the_parents_findings() {
  context* const c = context::existing();
  if (in_library() || c == nullptr || c->exec->is_steered()) {
    return; // tilesim's own fork: a copy of the run
  }
  c->found.forget();
  c->found.quiet = c->found.quiet && !c->opts.report.empty();
  left_contexts().clear();
  if (c->opts.reader != 0 && !c->opts.report.empty()) {
    report_as_child(*c);
  }
}

// Registered when the library is loaded, so it runs after the program's own handlers.
[[gnu::constructor]] void register_at_exit() {
  const library_section inside;
  fill_if_closed(STDERR_FILENO, O_RDONLY | O_CLOEXEC); // where findings are told
  on_exit(at_exit, nullptr);
  pthread_atfork(nullptr, nullptr, forget_the_parents_findings);
}

} // namespace

static_assert(assertions::exit_code == exit_internal);

context::context(options o)
    : ends(&process_ends())
    , opts(std::move(o))
    , others(std::make_unique<other_threads>(&let_work_go_on))
    , counts(opts.counts.empty() ? &own_counts : shared_counts(opts.counts))
    , told{.path = opts.report, .process = getpid(), .before = {}}
    , mem(opts.device_memory)
    , exec(std::make_unique<execution>(*this)) {
  auto choices = make_read_choices(opts);
  if (opts.races || choices != nullptr) {
    exec->use(make_detect_engine(*this, std::move(choices)));
  }
  if (opts.races) {
    exec->attach(std::make_unique<definedness>(*this, true));
  }
  assertions::tell_what_runs = &tell_what_runs;
  run_desk& run = exec->desk();
  run.unspecified = draws(opts.fill.value_or(opts.seed), opts.vary);
  follow_unspecified_values(*this);
  if (!opts.report.empty()) {
    exec->attach(make_host_copy_hashes(copied));
  }
  connect_findings(*this);
  if (opts.stats) {
    exec->attach(make_statistics([this] { return exec->memory().statistics(); }));
  }
  if (opts.reports(finding_kind::reloaded_value)) {
    exec->attach(make_reload_notes(*this));
  }
  if (!opts.trace.empty()) {
    trace::attach(*this);
  }
  if (!opts.modules.empty()) {
    tile_kernels = interpreter::make_kernels_of_files(opts.modules);
  }
  if (!opts.contract.empty()) {
    contraction::attach(*this);
  }
  if (!opts.feed.empty()) {
    compare::attach(*this);
  }
}

context::~context() {
  forget_names(*this);
}

void context::leave(const run_outcome& outcome) const noexcept {
  if (ends->process_goes_on() && execution::current() != nullptr) {
    exec->leave_run(outcome); // which comes back here, on the host's stack
  }
  ends->leave(outcome);
  std::abort(); // it does not return
}

int context::told_status(int status) const noexcept {
  return opts.report.empty() && error_lost ? exit_unavailable : status;
}

context* context::existing() noexcept {
  return current_context.load(std::memory_order_acquire);
}

context* context::make_current(context* c) noexcept {
  return current_context.exchange(c, std::memory_order_acq_rel);
}

bool context::begin_anew() {
  context& left = current();
  const options& o = left.opts;
  if (!o.report.empty() || !o.trace.empty() || !o.feed.empty() || !o.trail.empty() ||
      !o.against.empty()) {
    return false;
  }
  left_contexts().push_back(&left);
  make_current(new context(o));
  return true;
}

context& context::current() {
  if (existing() == nullptr) {
    static std::mutex making; // two host threads may ask first
    const std::lock_guard lock(making);
    if (existing() == nullptr) {
      make_process_context();
    }
  }
  return *existing();
}

} // namespace tilesim::sim

namespace tilesim::detail {

void begin_checked_run(const char* options) {
  const sim::library_section inside;
  sim::forget_what_it_did_outside();
  setenv(sim::options_variable, options, 1); // of this process, which was forked for the run
  sim::make_process_context();
}

void end_checked_run() {
  sim::at_exit(0, nullptr);
}

void tell_returned(const char* bytes, unsigned long count) {
  sim::exploring::tell_returned({bytes, count});
}

} // namespace tilesim::detail
