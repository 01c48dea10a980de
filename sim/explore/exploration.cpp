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
#include "sim/contract/exploration_report.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/execution/lone_runs.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/explore/exploring_engine.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/observed.hpp"
#include "sim/explore/order.hpp"
#include "sim/explore/part_messages.hpp"
#include "sim/explore/rounds.hpp"
#include "sim/explore/told_states.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/report_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <map>
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

class exploration final : public launch_taker {
public:
  exploration(context& c, exploration_order order)
      : context_(c)
      , order_(std::move(order))
      , begun_(steady_clock::now())
      , tells_all_(order_.shards > 1) {
    auto engine = std::make_unique<exploring_engine>();
    engine_ = engine.get();
    c.exec->use(std::move(engine));
    take_launches(c, *this);
  }

  void take(lone_runs& threads) override;
  void
  meets(sim_thread& t, const void* site, std::uint64_t point, std::uint32_t expected) override {
    engine_->meets(t, site, point, expected);
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
  [[nodiscard]] bool expired() const {
    const std::chrono::duration<double> gone = steady_clock::now() - begun_;
    return interrupted != 0 || interrupt_requested() ||
           (order_.seconds > 0 && gone.count() > order_.seconds);
  }
  void stop(std::string why) {
    if (why_incomplete_.empty() && !why.empty()) {
      why_incomplete_ = std::move(why);
    }
  }
  void explore(kernel_threads& all);
  [[noreturn]] void answer(const message& what) const;
  void keep(const rounds& of);
  void name_buffers();
  [[nodiscard]] json values_of(const final_memory& state);
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
  void add_finding(const json& f);
  void tell_from_host(const char* how);
  [[noreturn]] void finish();
  [[nodiscard]] std::optional<schedule> behind(const std::optional<schedule>& s) const;

  context& context_;
  exploration_order order_;
  steady_clock::time_point begun_;
  bool tells_all_; ///< buffers that no state has written, too: other shards' states may
  exploring_engine* engine_ = nullptr;

  // Of the launches under way.
  std::vector<final_memory> states_;
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
  double share_ = 0;
  json known_; ///< of a shard: what it has come to know of the threads
  std::size_t threads_ = 0;
  std::string why_incomplete_;
  json leaves_ = json::array();
  json told_findings_ = json::array();

  // Of a child.
  struct known_to_parent {
    json leaves;
    json told_findings;
    std::vector<final_memory> states;
    std::vector<explored_finding> findings;
  };
  std::deque<known_to_parent> left_; ///< of all parents
  int result_ = -1;
  std::string returned_;                                              ///< in hexadecimal
  std::optional<schedule> before_ = schedule{.how = strategy::turns}; ///< so far
};

void exploration::take(lone_runs& threads) {
  run_desk& desk = context_.exec->desk();
  if (desk.judge != nullptr && !desk.judge->is_wanted()) {
    return;
  }
  desk.explores = true;
  step_counter* counter = nullptr;
  {
    auto made = std::make_unique<step_counter>();
    counter = made.get();
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
    threads_ = std::max(threads_, threads.count());
    sharing shared(!order_.reduction, order_.shards == 1, launch_numbers(threads));
    order_.symmetry = order_.symmetry && order_.shards == 1;
    bool alike = false;
    for (;;) {
      try {
        kernel_threads all(context_, threads, shared, [&] {
          pthread_sigmask(SIG_SETMASK, &mask, nullptr); // a thread may have left a handler
          return expired();
        });
        engine_->serve(&all);
        counter->serve(&all);
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
      } catch (const over&) {
        stop(interrupted != 0 || interrupt_requested() ? "interrupted" : "the time is over");
        break;
      }
    }
    engine_->past().add(context_, threads, shared);
    stop(engine_->past().take_told());
    stop(take_unproven_deadlocks(context_, threads, findings_));
    reduced_ = reduced_ || shared.some_sums();
    symmetric_ = symmetric_ || (order_.symmetry && alike);
    engine_->serve(nullptr);
    desk.end_expected = end_expected;
    std::swap(context_.found, scratch);
    std::swap(desk.strategy, counted);
  }
  name_buffers();
}

/// To the machine that wanted the part explored.
void exploration::answer(const message& what) const {
  const std::vector<std::uint8_t> bytes = message::to_cbor(what);
  const int file = open(order_.report.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  static_cast<void>(write_whole(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  close(file);
  std::fflush(nullptr);
  _exit(0);
}

/// What it comes to counts also where it is not all, unless all begins anew.
void exploration::explore(kernel_threads& all) {
  rounds of(context_, all, order_, [&] { return expired(); });
  if (!order_.task.empty()) {
    answer(of.explore_task());
  }
  try {
    of.run();
  } catch (const begin_anew&) {
    throw;
  } catch (...) {
    keep(of);
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
  share_ = all.share;
  executions_ = all.executions + of.buffered();
  buffered_ = of.buffered();
  stuck_ = all.stuck;
  beyond_ = all.beyond;
  if (order_.shards > 1) {
    known_ = of.known();
  }
}

// --- What memory holds.

void exploration::name_buffers() {
  buffers_.clear();
  std::set<std::uintptr_t> written;
  for (const final_memory& s : states_) {
    for (const auto& [at, byte] : s.bytes) {
      written.insert(at);
    }
  }
  const sim::step::buffers all(context_);
  const auto wanted = [&](const std::string& name) {
    names_.insert(name);
    return order_.observe.empty() ||
           std::ranges::find(order_.observe, name) != order_.observe.end();
  };
  for (const sim::step::buffer* b : all.all()) {
    const allocation& a = *b->memory;
    const auto first = written.lower_bound(a.begin);
    const bool some = first != written.end() && *first < a.end();
    const bool named = a.live && wanted(b->name) && !order_.observe.empty();
    const bool any = some || tells_all_;
    if (a.live && (named || (order_.observe.empty() && any))) {
      const std::size_t bytes = b->element ? size_of(b->element->kind) : a.size % 4 == 0 ? 4 : 1;
      buffers_.push_back({b->name, a.begin, a.size / bytes, bytes, b->element});
    }
    written.erase(first, written.lower_bound(a.end()));
  }
  // Variables of the program.
  while (!written.empty()) {
    const std::uintptr_t begin = *written.begin() & ~std::uintptr_t{3};
    const std::string name = describe_element(context_, begin);
    written.erase(written.begin(), written.lower_bound(begin + 4));
    if (wanted(name)) {
      buffers_.push_back({name, begin, 1, 4, {}});
    }
  }
}

json exploration::values_of(const final_memory& state) {
  json out = json::object();
  for (const observed& o : buffers_) {
    std::vector<std::uint8_t> bytes(o.count * o.bytes);
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(o.begin), bytes.size());
    for (auto b =
             std::ranges::lower_bound(state.bytes, o.begin, {}, &memory_bytes::value_type::first);
         b != state.bytes.end() && b->first < o.begin + bytes.size();
         ++b) {
      bytes[b->first - o.begin] = b->second;
    }
    json& values = out[o.name] = json::array();
    for (std::size_t i = 0; i < o.count; ++i) {
      values.push_back(element_value(o, &bytes[i * o.bytes]));
    }
  }
  return out;
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
      judge->judge(ends_of(states_, executions_, why_incomplete_.empty() && stopped_ == 0));
    }
    return;
  }
  struct sigaction note {};
  struct sigaction before {};
  note.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &note, &before);
  for (const final_memory& state : states_) {
    if (expired()) {
      stop("the time is over");
      add_leaf(state, "", 0, in_exploration::how_not_run);
      continue;
    }
    std::fflush(nullptr);
    const int printed = memfd_create("printed", MFD_CLOEXEC);
    const int told = memfd_create("told", MFD_CLOEXEC);
    const pid_t child = printed < 0 || told < 0 ? -1 : fork();
    if (child < 0) {
      stop(fmt::format("no process for the host's code: {}", std::strerror(errno)));
      break;
    }
    if (child == 0) {
      sigaction(SIGINT, &before, nullptr);
      dup2(printed, STDOUT_FILENO);
      dup2(printed, STDERR_FILENO);
      close(printed);
      result_ = told;
      follow(state);
      return;
    }
    const int status = status_at_end(child);
    collect(state, contents(printed), status, contents(told));
    close(printed);
    close(told);
  }
  finish();
}

/// In a child: the host is to go on with that memory.
void exploration::follow(const final_memory& state) {
  set_memory(context_, state);
  context_.exec->desk().explores = false;
  before_ = behind(state.by.shown());
  // To free what the parent knows would copy each of its pages, for each state anew.
  left_.push_back({.leaves = std::exchange(leaves_, json::array()),
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
  static_cast<void>(ftruncate(result_, 0));
  lseek(result_, 0, SEEK_SET);
  static_cast<void>(write_whole(result_, json_text(told)));
}

void exploration::add_finding(const json& f) {
  const auto same = std::ranges::find_if(told_findings_, [&](const json& g) {
    const bool alike = g.at(in_report::where) == f.at(in_report::where) &&
                       g.at(in_report::other) == f.at(in_report::other);
    const bool turned = g.at(in_report::where) == f.at(in_report::other) &&
                        g.at(in_report::other) == f.at(in_report::where);
    return g.at(in_report::code) == f.at(in_report::code) &&
           (alike || (turned && !f.at(in_report::other).empty())) &&
           (!f.at(in_report::where).empty() ||
            g.at(in_report::message) == f.at(in_report::message));
  });
  if (same == told_findings_.end()) {
    told_findings_.push_back(f);
    return;
  }
  (*same)[in_exploration::executions] = same->at(in_exploration::executions).get<std::uint64_t>() +
                                        f.at(in_exploration::executions).get<std::uint64_t>();
  for (const json& names : f.at(in_exploration::names)) {
    (*same)[in_exploration::names].push_back(names);
  }
  if (same->at(in_exploration::schedule).is_null()) {
    (*same)[in_exploration::schedule] = f.at(in_exploration::schedule);
  }
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
      leaf[in_exploration::printed] =
          printable_text(printed) + leaf.at(in_exploration::printed).get<std::string>();
      leaves_.push_back(leaf);
    }
    for (json& f : j[in_exploration::findings]) {
      times(f);
      add_finding(f);
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
      add_finding(f);
    }
  }
}

void exploration::add_leaf(const final_memory& state,
                           const std::string& printed,
                           int status,
                           const std::string& how,
                           const std::string& returned) {
  const scoped_access open(context_.mem);
  leaves_.push_back({{in_exploration::values, values_of(state)},
                     {in_exploration::printed, printable_text(printed)},
                     {in_exploration::status, status},
                     {in_exploration::how, how},
                     {in_exploration::returned, returned},
                     {in_exploration::executions, state.by.all()},
                     {in_exploration::names, names_of(state.by, 1)},
                     {in_exploration::buffered, state.by.count == 0},
                     {in_exploration::picture, state.picture},
                     {in_exploration::schedule, text_or_null(behind(state.by.shown()))}});
}

void exploration::finish() {
  for (const explored_finding& f : findings_) {
    json told = f.what;
    told[in_exploration::executions] = f.by.all();
    told[in_exploration::names] = names_of(f.by, 1);
    told[in_exploration::picture] = f.picture;
    told[in_exploration::schedule] = text_or_null(behind(f.by.shown()));
    add_finding(told);
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
                    {in_exploration::leaves, leaves_},
                    {in_exploration::findings, told_findings_}};
  const std::string text = json_text(report);
  if (result_ >= 0) {
    static_cast<void>(ftruncate(result_, 0));
    lseek(result_, 0, SEEK_SET);
    static_cast<void>(write_whole(result_, text));
  } else {
    const int file = open(order_.report.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    static_cast<void>(write_whole(file, text));
    close(file);
  }
  std::fflush(nullptr);
  _exit(0);
}

} // namespace

namespace {

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
