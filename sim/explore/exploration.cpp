// Explores the launches of the process's program.
//
// A process explores what is submitted when its host waits, and makes a child for each final
// memory, in which the host goes on. A child that comes to launches again does the same, and so on:
// what the last ones come to are the leaves, which go up to the first process, whose report they
// are.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/exploration.hpp"

#include "sim/contract/child.hpp"
#include "sim/contract/exploration.hpp"
#include "sim/contract/exploration_progress.hpp"
#include "sim/contract/exploration_report.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/execution/lone_runs.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/explore/exploring_engine.hpp"
#include "sim/explore/host_code.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/observed.hpp"
#include "sim/explore/order.hpp"
#include "sim/explore/part_messages.hpp"
#include "sim/explore/reached_end.hpp"
#include "sim/explore/rounds.hpp"
#include "sim/explore/told_states.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/watch/report_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

/// What a state takes until it is told, here and by the command: the time that was asked for is for
/// all of it.
constexpr double seconds_to_tell = 15e-6;

class exploration final : public launch_taker {
public:
  exploration(context& c, exploration_order order)
      : context_(c)
      , order_(std::move(order))
      , progress_(order_.progress)
      , begun_(steady_clock::now())
      , tells_all_(order_.shards > 1) {
    auto engine = std::make_unique<exploring_engine>();
    engine_ = engine.get();
    c.exec->use(std::move(engine));
    take_launches(c, *this);
  }

  void take(lone_runs& threads) override;
  void meets(sim_thread& t, const void* site, const gathering& where) override {
    engine_->meets(t, site, where);
  }
  void exchanges(sim_thread& t,
                 const void* site,
                 std::uint64_t point,
                 std::uint32_t own,
                 std::span<exchanged> with) override {
    engine_->exchange_values(t, site, point, own, with);
  }
  void refuses(sim_thread& t, const std::string& what) override { engine_->refuse(t, what); }
  void go_on() override;
  void tell_returned(std::string_view bytes) {
    returned_.clear();
    for (const char c : bytes) {
      returned_ += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
  }

private:
  [[nodiscard]] bool out_of_time() const {
    const std::chrono::duration<double> gone = steady_clock::now() - begun_;
    const double to_tell = seconds_to_tell * static_cast<double>(progress_->states);
    return order_.seconds > 0 && gone.count() + to_tell > order_.seconds;
  }
  /// Whoever is told so stops.
  [[nodiscard]] bool expired() const {
    const bool is = interrupted != 0 || interrupt_requested() || out_of_time();
    if (is) {
      (result_ < 0 ? progress_->telling : progress_->deeper_telling) = true;
    }
    return is;
  }
  void stop_expired(const std::string& where) {
    const char* const what = out_of_time() ? in_exploration::why_time : in_exploration::why_pressed;
    stop(where.empty() ? what : fmt::format("{}, and {}", what, where));
  }
  void stop(std::string why) {
    if (why_incomplete_.empty() && !why.empty()) {
      why_incomplete_ = std::move(why);
    }
  }
  void explore(lone_runs& threads,
               sharing& shared,
               const std::function<void(kernel_threads*)>& serve,
               const std::function<bool()>& expired);
  void explore(kernel_threads& all);
  void begin(const lone_runs& threads);
  void note_interrupts();
  void stop_exploring(const over& o);
  [[noreturn]] void answer(const message& what) const;
  void keep(const rounds& of);
  void follow(const final_memory& state);
  void collect(const final_memory& state,
               const std::string& printed,
               int status,
               const std::string& told);
  void add_leaf(const final_memory& state,
                const std::string& printed,
                int status,
                const std::string& how,
                const std::string& returned = {});
  void tell_from_host(const char* how);
  [[noreturn]] void finish();
  [[nodiscard]] std::optional<schedule> behind(const std::optional<schedule>& s) const;

  context& context_;
  exploration_order order_;
  progress_page progress_;
  steady_clock::time_point begun_;
  bool tells_all_; ///< buffers that no state has written, too: other shards' states may
  exploring_engine* engine_ = nullptr;

  // Of the launches under way.
  std::vector<final_memory> states_;
  std::optional<found_ends> reached_; ///< the end that somebody wants, if it has been found
  std::vector<explored_finding> findings_;
  std::vector<observed> buffers_;
  std::set<std::string> names_; ///< of all that there were

  // Of all.
  std::uint64_t executions_ = 0;
  std::uint64_t buffered_ = 0;
  json again_ = none_again();
  /// The same of what children explore. What other launches read tells executions apart.
  std::optional<json> later_again_;
  std::uint64_t stuck_ = 0;
  bool reduced_ = false;   ///< additions in other orders are not counted
  bool symmetric_ = false; ///< executions with blocks that are alike in other parts are left out
  bool beyond_ = false;    ///< executions with more stale reads than the bound are left out
  std::uint64_t stopped_ = 0;
  json share_ = nullptr; ///< of what there is to try, where it was stopped meanwhile; else null
  double explored_share_ = 0;
  std::string longest_; ///< the longest run, where no execution has come to its end
  json known_;          ///< of a shard: what it has come to know of the threads
  std::size_t threads_ = 0;
  std::string why_incomplete_;
  std::vector<std::string> leaves_; ///< as JSON: there may be a million
  json told_findings_ = json::array();

  // Of a child.
  struct known_to_parent {
    std::vector<std::string> leaves;
    json told_findings;
    std::vector<final_memory> states;
    std::vector<explored_finding> findings;
  };
  std::deque<known_to_parent> left_; ///< of all parents
  int result_ = -1;
  struct sigaction interrupts_before_ {};
  std::string returned_;                                              ///< in hexadecimal
  std::optional<schedule> before_ = schedule{.how = strategy::turns}; ///< so far
};

void exploration::take(lone_runs& threads) {
  run_desk& desk = context_.exec->desk();
  if (desk.judge != nullptr && !desk.judge->is_wanted()) {
    return;
  }
  desk.explores = true;
  {
    auto made = std::make_unique<step_counter>();
    step_counter* const counter = made.get();
    std::unique_ptr<scheduler> counted = std::move(made);
    std::swap(desk.strategy, counted);
    findings scratch;
    scratch.quiet = true;
    scratch.known = context_.found.known;
    scratch.leave = [] { execution::leave(); };
    std::swap(context_.found, scratch);
    const auto end_expected = std::exchange(desk.end_expected, ~std::uint64_t{0});
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    begin(threads);
    sharing shared(!order_.reduction, order_.shards == 1, launch_numbers(threads));
    const auto looks = [&] {
      pthread_sigmask(SIG_SETMASK, &mask, nullptr); // a thread may have left a handler
      return expired();
    };
    const auto serve = [&](kernel_threads* all) {
      engine_->serve(all);
      counter->serve(all);
    };
    reached_ = reach_end(context_, threads, serve, looks, order_.seconds / 2);
    if (!reached_) {
      explore(threads, shared, serve, looks);
    }
    engine_->past().add(context_, threads, shared);
    stop(engine_->past().take_told());
    stop(take_unproven_deadlocks(context_, threads, findings_));
    reduced_ = reduced_ || shared.some_sums();
    serve(nullptr);
    desk.end_expected = end_expected;
    std::swap(context_.found, scratch);
    std::swap(desk.strategy, counted);
  }
  note_interrupts();
  buffers_ = buffers_of(context_, states_, order_.observe, tells_all_, names_);
}

/// As often as it has to begin anew.
void exploration::explore(lone_runs& threads,
                          sharing& shared,
                          const std::function<void(kernel_threads*)>& serve,
                          const std::function<bool()>& expired) {
  bool alike = false;
  for (;;) {
    try {
      kernel_threads all(context_, threads, shared, expired);
      serve(&all);
      all.scout();
      alike = all.some_alike();
      explore(all);
      break;
    } catch (const begin_anew&) { // so it does
    } catch (const memmodel::explore::not_explored& n) {
      if (!order_.task.empty()) {
        answer({{in_answer::failed, n.what}});
      }
      stop(n.what);
      break;
    } catch (const over& o) {
      stop_exploring(o);
      break;
    }
  }
  symmetric_ = symmetric_ || (order_.symmetry && alike);
}

void exploration::begin(const lone_runs& threads) {
  threads_ = std::max(threads_, threads.count());
  order_.symmetry = order_.symmetry && order_.shards == 1;
  if (result_ < 0) {
    progress_->phase = exploration_phase::launches;
  }
}

/// How much there is is known where nothing else is left out, and each thread comes to an end.
void exploration::stop_exploring(const over& o) {
  if (why_incomplete_.empty() && o.where.empty() && order_.samples == 0) {
    share_ = explored_share_;
  }
  stop_expired(o.where.empty() ? longest_ : o.where);
}

/// From now on Ctrl-C is looked for between one thing and the next.
void exploration::note_interrupts() {
  if (context_.exec->desk().judge != nullptr) { // the process is not the exploration's
    return;
  }
  struct sigaction note {};
  note.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &note, &interrupts_before_);
}

/// To the machine that wanted the part explored.
void exploration::answer(const message& what) const {
  const std::vector<std::uint8_t> bytes = message::to_cbor(what);
  leave_with({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, order_.report);
}

/// What it comes to counts also where it is not all, unless all begins anew.
void exploration::explore(kernel_threads& all) {
  // Who follows a state of another exploration's tells nobody how far it is.
  rounds of(
      context_, all, order_, [&] { return expired(); }, result_ < 0 ? &*progress_ : nullptr);
  if (!order_.task.empty()) {
    answer(of.explore_task());
  }
  try {
    of.run();
  } catch (const begin_anew&) {
    throw;
  } catch (...) {
    keep(of);
    longest_ = executions_ == 0 ? all.longest_run() : "";
    throw;
  }
  keep(of);
}

void exploration::keep(const rounds& of) {
  tally all = of.result();
  states_ = std::move(all.states);
  findings_ = std::move(all.findings);
  stopped_ = all.stopped;
  again_ = again_of(all);
  explored_share_ = all.share;
  executions_ = all.executions + of.buffered();
  buffered_ = of.buffered();
  stuck_ = all.stuck;
  beyond_ = all.beyond;
  if (order_.shards > 1) {
    known_ = of.known();
  }
}

// --- The host's code behind launches.

/// The schedule of all launches so far, and of these.
std::optional<schedule> exploration::behind(const std::optional<schedule>& s) const {
  if (!before_ || !s) {
    return {};
  }
  schedule out = *before_;
  out.turns.insert(out.turns.end(), s->turns.begin(), s->turns.end());
  out.stale.insert(out.stale.end(), s->stale.begin(), s->stale.end());
  out.launches_wait |= s->launches_wait;
  return out;
}

void exploration::go_on() {
  if (end_judge* const judge = context_.exec->desk().judge) {
    if (judge->is_wanted()) {
      const bool whole = why_incomplete_.empty() && stopped_ == 0;
      judge->judge(reached_ ? *reached_ : ends_of(states_, executions_, whole));
    }
    return;
  }
  if (result_ < 0) {
    progress_->phase = exploration_phase::behind;
    progress_->states = states_.size();
  }
  const pid_t parent = getpid();
  for (auto state = states_.begin(); state != states_.end(); ++state) {
    if (expired()) {
      stop_expired({});
      const scoped_access open(context_.mem);
      std::for_each(state, states_.end(), [&](const final_memory& left) {
        add_leaf(left, "", 0, in_exploration::how_not_run);
      });
      break;
    }
    std::fflush(nullptr);
    progress_->deeper_telling = false;
    const int printed = memfd_create("printed", MFD_CLOEXEC);
    const int told = memfd_create("told", MFD_CLOEXEC);
    const pid_t child = printed < 0 || told < 0 ? -1 : fork();
    if (child < 0) {
      stop(fmt::format("no process for the host's code: {}", std::strerror(errno)));
      break;
    }
    if (child == 0) {
      end_with_parent(parent);
      sigaction(SIGINT, &interrupts_before_, nullptr);
      dup2(printed, STDOUT_FILENO);
      dup2(printed, STDERR_FILENO);
      close(printed);
      result_ = told;
      follow(*state);
      return;
    }
    const std::optional<int> status = await_host_code(
        child, [&] { return expired(); }, [&] { return progress_->deeper_telling.load(); });
    if (status) {
      collect(*state, contents(printed), *status, contents(told));
    } else {
      stop_expired("host code has not come to its end");
      add_leaf(*state, "", 0, in_exploration::how_not_run);
    }
    close(printed);
    close(told);
    progress_->followed += result_ < 0 ? 1U : 0U;
  }
  finish();
}

/// In a child: the host is to go on with that memory.
void exploration::follow(const final_memory& state) {
  set_memory(context_, state);
  context_.exec->desk().explores = false;
  before_ = behind(state.by.shown());
  // To free what the parent knows would copy each of its pages, for each state anew.
  left_.push_back({.leaves = std::exchange(leaves_, {}),
                   .told_findings = std::exchange(told_findings_, json::array()),
                   .states = std::exchange(states_, {}),
                   .findings = std::exchange(findings_, {})});
  why_incomplete_.clear();
  executions_ = buffered_ = stuck_ = 0;
  again_ = none_again();
  later_again_.reset();
  stopped_ = 0;
  beyond_ = symmetric_ = false;
  known_ = nullptr;
  order_.cluster.clear();
  order_.shards = 1; // what follows from a shard's state is that shard's
  tells_all_ = false;
  context_.found.tell = [this, process = getpid(), then = context_.found.tell](const char* how) {
    if (process == getpid()) {
      tell_from_host(how);
    }
    if (then) {
      then(how);
    }
  };
}

/// In a child whose host code comes to its end, or is stopped.
void exploration::tell_from_host(const char* how) {
  json told{{in_exploration::how, how},
            {in_exploration::returned, returned_},
            {in_exploration::findings, json::array()}};
  told[in_exploration::why] = engine_->past().take_told();
  for (const finding& f : context_.found.all().findings) {
    told[in_exploration::findings].push_back(to_json(f));
  }
  write_anew(result_, json_text(told));
}

void exploration::collect(const final_memory& state,
                          const std::string& printed,
                          int status,
                          const std::string& told) {
  json j = read_ordered_json(told);
  const auto times = [&](json& x) {
    const auto each = x.at(in_exploration::executions).get<std::uint64_t>();
    x[in_exploration::executions] = each * state.by.all();
    x[in_exploration::names] = names_of(state.by, each);
  };
  if (j.is_object() && j.contains(in_exploration::leaves)) { // it has explored launches of its own
    for (json& leaf : j[in_exploration::leaves]) {
      times(leaf);
      leaf[in_exploration::printed] = printable_text(state.printed + printed) +
                                      leaf.at(in_exploration::printed).get<std::string>();
      leaves_.push_back(json_text(leaf));
    }
    for (json& f : j[in_exploration::findings]) {
      times(f);
      unite_finding(told_findings_, f);
    }
    times(j[in_exploration::again]);
    later_again_ = both_again(later_again_.value_or(none_again()), j[in_exploration::again]);
    if (!j.at(in_exploration::complete).get<bool>()) {
      stop(j.at(in_exploration::why));
    }
    for (const json& name : j.at(in_exploration::buffers)) {
      names_.insert(name.get<std::string>());
    }
    stopped_ += j.at(in_exploration::stopped).get<std::uint64_t>() * state.by.all();
    reduced_ = reduced_ || j.at(in_exploration::reduced).get<bool>();
    symmetric_ = symmetric_ || j.at(in_exploration::symmetric).get<bool>();
    beyond_ = beyond_ || j.at(in_exploration::beyond).get<bool>();
    return;
  }
  add_leaf(state,
           printed,
           WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
           j.is_object() ? j.value(in_exploration::how, in_report::how_ended)
                         : in_report::how_ended,
           j.is_object() ? j.value(in_exploration::returned, "") : "");
  if (j.is_object() && j.contains(in_exploration::findings)) {
    stop(j.value(in_exploration::why, ""));
    for (json& f : j[in_exploration::findings]) {
      f[in_exploration::executions] = state.by.all();
      f[in_exploration::names] = names_of(state.by, 1);
      f[in_exploration::picture] = state.picture;
      f[in_exploration::schedule] = text_or_null(behind(state.by.shown()));
      unite_finding(told_findings_, f);
    }
  }
}

void exploration::add_leaf(const final_memory& state,
                           const std::string& printed,
                           int status,
                           const std::string& how,
                           const std::string& returned) {
  const scoped_access open(context_.mem);
  leaves_.push_back(
      json_text(json{{in_exploration::values, values_of(buffers_, state)},
                     {in_exploration::printed, printable_text(state.printed + printed)},
                     {in_exploration::status, status},
                     {in_exploration::how, how},
                     {in_exploration::returned, returned},
                     {in_exploration::executions, state.by.all()},
                     {in_exploration::names, names_of(state.by, 1)},
                     {in_exploration::buffered, state.by.count == 0},
                     {in_exploration::picture, state.picture},
                     {in_exploration::schedule, text_or_null(behind(state.by.shown()))}}));
}

void exploration::finish() {
  for (const explored_finding& f : findings_) {
    json told = f.what;
    told[in_exploration::executions] = f.by.all();
    told[in_exploration::names] = names_of(f.by, 1);
    told[in_exploration::picture] = f.picture;
    told[in_exploration::schedule] = text_or_null(behind(f.by.shown()));
    unite_finding(told_findings_, told);
  }
  const std::chrono::duration<double> gone = steady_clock::now() - begun_;
  const json report{{in_exploration::complete, why_incomplete_.empty()},
                    {in_exploration::why, printable_text(why_incomplete_)},
                    {in_exploration::share, share_},
                    {in_exploration::executions, executions_},
                    {in_exploration::buffered, buffered_},
                    {in_exploration::blocked, stuck_},
                    {in_exploration::reduced, reduced_},
                    {in_exploration::symmetric, symmetric_},
                    {in_exploration::beyond, beyond_},
                    {in_exploration::stopped, stopped_},
                    {in_exploration::again, later_again_.value_or(again_)},
                    {in_exploration::threads, threads_},
                    {in_exploration::seconds, gone.count()},
                    {in_exploration::buffers, names_},
                    {in_exploration::known, known_},
                    {in_exploration::findings, told_findings_}};
  std::string text = json_text(report);
  text.pop_back();
  text += fmt::format(",\"{}\":[{}]}}", in_exploration::leaves, fmt::join(leaves_, ","));
  if (result_ >= 0) {
    write_anew(result_, text);
  }
  leave_with(text, result_ >= 0 ? std::string() : order_.report);
}

exploration* explored = nullptr; // as long as the process

} // namespace

void attach(context& c) {
  if (auto order = order_from_environment()) {
    explored = new exploration(c, std::move(*order));
  }
}

void tell_returned(std::string_view bytes) {
  if (explored != nullptr) {
    explored->tell_returned(bytes);
  }
}

} // namespace tilesim::sim::exploring
