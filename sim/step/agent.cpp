// The agent: decides before every operation whether to stop, and serves while it stands.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/agent.hpp"

#include "sim/contract/formats.hpp"
#include "sim/contract/shared_page.hpp"
#include "sim/contract/step_protocol_json.hpp"
#include "sim/core/context.hpp"
#include "sim/core/control.hpp"
#include "sim/debug_info/code_lines.hpp"
#include "sim/debug_info/headline.hpp"
#include "sim/debug_info/locals.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signals.hpp"
#include "sim/expressions/element_word.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/naming/unwind.hpp"
#include "sim/step/checkpoint.hpp"
#include "sim/step/link.hpp"
#include "sim/step/steered_scheduler.hpp"
#include "sim/watch/buffers.hpp"
#include "sim/watch/capture.hpp"
#include "sim/watch/definedness.hpp"
#include "sim/watch/journal.hpp"
#include "sim/watch/stops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim::step {

namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
/// Going back costs at most about this much of a run, more where checkpoints had to go.
constexpr auto between_checkpoints = std::chrono::milliseconds(120);
constexpr std::uint64_t operations_between_looks = 256;
/// A schedule of more turns is of no use to a person.
constexpr std::size_t most_turns = std::size_t{1} << 16;

using protocol::stop_reason;
using protocol::way;

/// How far to go.
struct goal : protocol::go {
  std::uint64_t thread = never; ///< its number
};

/// At a position, another thread goes on.
struct directive {
  std::uint64_t at = 0;
  std::uint64_t thread = never; ///< one that has started
  waiting_block block{};        ///< else one that has not
};

protocol::finding message_of(const finding& f) {
  return {.code = code(f.kind),
          .level = f.severity == finding::level::defect ? "error" : "note",
          .message = f.message,
          .details = f.details,
          .remedy = f.remedy,
          .where = f.where,
          .other = f.other,
          .count = f.count,
          .operation = 0};
}

/// Whether the line of the user's source may perform an operation, and which is the next that may.
protocol::line_known operations_at(const std::string& file, unsigned line) {
  protocol::line_known found;
  for (const auto& [path, lines] : code_of_program().lines) {
    if (!ends_with_path(path, file)) {
      continue;
    }
    found.known = true;
    const auto from = lines.lower_bound(line);
    if (from != lines.end() && *from == line) {
      found.here = true;
    } else if (from != lines.end()) {
      found.next = *from;
    }
  }
  return found;
}

/// What return addresses stand for: all processes of a session have the same.
protocol::place_list places_of(const protocol::places& request) {
  protocol::place_list list;
  for (const std::uintptr_t address : request.addresses) {
    list.frames.push_back(resolve(reinterpret_cast<const void*>(address)));
  }
  return list;
}

/// What it is about to begin; empty where it was interrupted between two operations.
std::string next_operation_of(const sim_thread& t) {
  return t.next_operation != nullptr ? t.next_operation : "";
}

/// Why a request cannot be answered: a sentence for the person.
class refusal : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

protocol::stop why_of(stop_reason reason) {
  protocol::stop why;
  why.reason = reason;
  return why;
}

class agent final : public run_control, public watcher, public standing_environment {
public:
  agent(context& c, std::string path, int shared);

  /// Stops for the first time.
  void begin() {
    if (checkpoint() == side::original) {
      serve(why_of(stop_reason::loaded));
    }
  }

  // --- run_control
  void hold(sim_thread& t) override;
  bool interrupted_in_host(const void* site) override;
  void dies(int signal, std::span<const void* const> frames) noexcept override;

  // --- watcher
  void before_access(const sim_thread& t, std::uintptr_t address, std::size_t bytes) override;
  void left_unspecified(std::size_t element) override;
  void thread_ends(const sim_thread& t) override;
  void operation(const operation_event& e) override;
  void memory(const memory_event& e) override;
  void host_access(const host_event& e) override;
  void copied(const copy_event& e) override;
  void finding_added() override;
  void run_ends(run_end how, int status) override;

  // --- environment
  std::optional<value> lookup(std::string_view name) override;
  std::string similar(std::string_view name) override { return buffers_.parts_of(name); }
  bool read(std::uintptr_t address, std::size_t bytes, void* to) override;
  void annotate(value& v) override { mark_unwritten(v, written_); }
  // --- standing_environment
  bool enter(const frame_key* frame) override;
  std::optional<frame_key> entered() override;

private:
  // Before an operation.
  void get_to_know(const sim_thread& t);
  void count(const sim_thread& t, step_kind kind);
  void pass_over(const sim_thread& t);
  void take_turn(const sim_thread& t, bool comes);
  bool steer(sim_thread& t);
  void look_at_the_clock();
  side checkpoint();
  [[nodiscard]] std::optional<protocol::stop> why_stop(sim_thread& t);
  [[nodiscard]] protocol::stop why_arrived();
  [[nodiscard]] std::optional<stop_reason> goal_reached(const sim_thread& t);
  [[nodiscard]] bool found_a_defect();
  [[nodiscard]] std::optional<protocol::reached> breaks(sim_thread& t);
  /// `t`: who has performed the last operation and runs still, if it is known. `begins`: it comes
  /// to its first operation now.
  void look_at_watches(sim_thread* t, bool begins = false);
  void tell_gone(const sim_thread& t, const std::vector<unsigned>& watches);
  [[nodiscard]] std::vector<protocol::change> told_changes(const sim_thread* t);
  void add_changes(protocol::stop& why);
  void plan();

  // What an operation did.
  [[nodiscard]] value captured_now(std::uintptr_t address, std::size_t bytes);
  void capture_raw(const memory_event& e);
  void finish_raw();

  // While it stands.
  void serve(protocol::stop why);
  void complete(protocol::stop& why);
  /// False: "go".
  bool answer(const json& request);
  json reply_to(const std::string& what, const json& request);
  template <class Request, auto method>
  json reply_with(const json& request) {
    return protocol::encode((this->*method)(protocol::decode<Request>(request)));
  }
  void go(const protocol::go& request);

  // Answers to requests: see reply_to.
  protocol::done set(const protocol::set& request);
  protocol::evaluated evaluate(const protocol::evaluate& request);
  protocol::written writer(const protocol::writer& request);
  protocol::local_list locals(const protocol::locals& request);
  protocol::frame_list frames(const protocol::calls& request);
  protocol::block_list blocks(const protocol::blocks& request);
  protocol::buffer_list buffer_list(const protocol::buffers& request);
  protocol::switched switch_to(const protocol::switch_to& request);
  protocol::past history(const protocol::history& request);
  protocol::place_back back(const protocol::back& request);
  protocol::wait_list waiting(const protocol::waiting& request);
  protocol::memory_piece memory_bytes(const protocol::memory& request);
  protocol::finding_list findings(const protocol::findings& request);
  protocol::schedule_now schedule(const protocol::schedule& request);
  protocol::names kernels_and_functions(const protocol::kernels& request);
  protocol::done has_operation(const protocol::check_operation& request);
  protocol::line_known line(const protocol::code_of_line& request);

  [[nodiscard]] const launch_state& wanted_launch(const protocol::switch_to& request) const;
  [[nodiscard]] const sim_thread* started_thread(const launch_state& launch,
                                                 std::uint64_t block,
                                                 std::optional<std::uint64_t> thread) const;
  void check_start(const launch_state& launch, std::uint64_t block) const;
  void direct(const directive& wanted);
  bool passes(protocol::back& rest, std::uint64_t n, const void* site);
  static protocol::place_back place_before(const protocol::back& rest);
  void use_frame(std::size_t number);
  [[nodiscard]] const void* standing_site();

  context& context_;
  steered_scheduler* steering_;
  link link_;
  shared_page* shared_ = nullptr;
  buffers buffers_;
  journal journal_;
  last_writers writers_;
  written_memory& written_;
  stops stops_;
  /// A change that has not been told yet.
  struct untold_change {
    seen_change what;
    std::uint64_t operation = 0; ///< after which it was seen; 0: the host has made it
  };
  std::vector<untold_change> changes_;
  /// A variable has got its value before the first operation of its thread.
  [[nodiscard]] static bool is_before_operations(const untold_change& c) {
    return c.what.frame.has_value() && c.operation == 0;
  }
  [[nodiscard]] bool is_told_at(const untold_change& c, const sim_thread& t) const;
  [[nodiscard]] bool has_change_for(const sim_thread& t) const;
  /// The operation that wrote the value's place in simulated memory last, 0 if the host did;
  /// nothing for other places.
  [[nodiscard]] std::optional<std::uint32_t> last_writer(const value& v) const;
  std::uint64_t values_known_to_ = 0; ///< counts up when watched values have to be seen anew

  /// Who a thread number was.
  struct identity {
    std::uint64_t launch = 0;
    std::uint64_t block = 0;  ///< linear
    std::uint64_t linear = 0; ///< in its launch
    std::string name;
    std::uint64_t first = never;         ///< the position before its first operation
    bool stands = false;                 ///< before an operation that it is about to begin
    step_kind next{};                    ///< of that kind
    std::uint64_t values_known = 0;      ///< its watched variables have been seen since
    std::uint64_t operations = 0;        ///< so far, without raw accesses
    std::uint64_t memory_operations = 0; ///< of those
    std::uint64_t raw_accesses = 0;      ///< since the last of these

    /// Where it stands.
    [[nodiscard]] turn_point point() const;
  };
  std::vector<identity> threads_; ///< by number
  std::uint64_t turn_of_ = never; ///< whose turn it is
  bool moved_ = false;            ///< it has, in this turn
  std::vector<turn> turns_;       ///< all so far, for a replay string
  bool turns_lost_ = false;

  std::uint64_t begun_ = 0;      ///< operations: the position
  std::uint64_t next_event_ = 0; ///< nothing can happen before this position,
  bool every_ = true;            ///< unless every operation has to be looked at
  goal goal_;
  bool goal_thread_ended_ = false;
  std::string ended_thread_;
  std::vector<directive> directives_;     ///< in the order in which they were given
  std::uint64_t steered_at_ = never;      ///< the position at which the last one was carried out
  std::optional<protocol::hit> last_hit_; ///< of a scan
  bool switching_ = false;
  bool ending_ = false;

  std::uint64_t newest_checkpoint_ = 0;
  std::uint64_t checkpoints_made_ = 0;
  steady_clock::time_point last_checkpoint_ = steady_clock::now();

  bool capturing_ = false;
  std::optional<captured_operation> last_;
  std::vector<captured_memory> memory_of_operation_;
  std::vector<std::size_t> unspecified_; ///< elements of the result of the operation under way
  std::optional<value> before_raw_;      ///< what was where the raw access under way goes
  bool raw_unfinished_ = false;          ///< what last_ has written is not there yet
  bool passed_over_ = false;             ///< the access under way is no step
  std::uintptr_t accessed_ = 0;          ///< the first address of the operation under way

  std::vector<std::uint64_t> found_at_; ///< of each finding: the operation under way; 0: none was
  std::size_t told_findings_ = 0;
  bool new_findings_ = false;
  bool stop_at_findings_ = true;

  sim_thread* here_ = nullptr;      ///< who stands
  const void* host_site_ = nullptr; ///< where host code has been interrupted and stands
  std::vector<frame_registers> frames_;
  bool frames_known_ = false;
  std::size_t frame_ = 0;
  bool used_local_ = false; ///< since a frame was entered, by an expression
  bool looked_up_ = false;  ///< an expression has asked for names or memory
  /// While an expression is asked for its place alone: what it has read of freed memory, as zeros.
  std::optional<std::vector<std::uintptr_t>> freed_read_;
};

agent::agent(context& c, std::string path, int shared)
    : context_(c)
    , link_(std::move(path))
    , buffers_(c)
    , journal_(0) // the stepper says how much before anything runs
    , written_(definedness_of(c).known()) {
  run_desk& run = c.exec->desk();
  auto steering = std::make_unique<steered_scheduler>(std::move(run.strategy));
  steering_ = steering.get();
  run.strategy = std::move(steering);
  c.exec->steer(*this);
  if (shared >= 0) {
    void* page = mmap(nullptr, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    shared_ = page == MAP_FAILED ? nullptr : static_cast<shared_page*>(page);
    close(shared);
  }
}

// --- Before an operation

void agent::hold(sim_thread& t) {
  finish_raw();
  const void* const site = t.next_site;
  const step_kind kind = t.next_kind;
  const bool begins = t.number >= threads_.size() || threads_[t.number].name.empty();
  if (begins) {
    get_to_know(t);
  }
  threads_[t.number].stands = true;
  threads_[t.number].next = kind;
  if (stops_.has_watches() && goal_.how != way::position) {
    look_at_watches(&t, begins); // before anybody else runs
    every_ = every_ || !changes_.empty();
  }
  take_turn(t, true);                   // also if it makes way at once: it has come here
  context_.exec->desk().make_way(kind); // as in a run without a stepper: once for each operation
  if (kind == step_kind::raw && !stops_.has_place(site)) {
    // Of tilesim's own headers, inlined into the kernel: no step of the program's.
    pass_over(t);
    return;
  }
  for (;;) {
    take_turn(t, false);
    if (!every_ && begun_ < next_event_ && !interrupt_requested()) {
      break;
    }
    look_at_the_clock(); // a checkpoint comes before the switch that was made there
    if (steer(t)) {
      execution::yield();
      continue;
    }
    if (auto why = why_stop(t)) {
      here_ = &t;
      serve(std::move(*why));
      here_ = nullptr;
      if (switching_) {
        continue;
      }
    }
    plan();
    break;
  }
  count(t, kind);
  passed_over_ = false;
  ++begun_;
  if (shared_ != nullptr) {
    shared_->position = begun_;
  }
  if (t.run_operation == 0) {
    threads_[t.number].first = begun_ - 1;
  }
  t.run_operation = begun_;
  journal_.add({site, t.next_operation, t.number});
  memory_of_operation_.clear();
  unspecified_.clear();
  accessed_ = 0;
  if (t.number == goal_.thread && goal_.count != 0) {
    --goal_.count;
  }
  capturing_ = (goal_.how == way::step && t.number == goal_.thread && goal_.count == 0) ||
               begun_ == goal_.position;
}

void agent::count(const sim_thread& t, step_kind kind) {
  identity& who = threads_[t.number];
  who.stands = false;
  moved_ = true;
  who.operations += kind == step_kind::raw ? 0 : 1;
  if (kind == step_kind::memory) {
    ++who.memory_operations;
    who.raw_accesses = 0;
  } else if (kind == step_kind::raw) {
    ++who.raw_accesses;
  }
}

void agent::pass_over(const sim_thread& t) {
  take_turn(t, false);
  count(t, step_kind::raw);
  passed_over_ = true;
}

void agent::get_to_know(const sim_thread& t) {
  threads_.resize(std::max<std::size_t>(threads_.size(), t.number + 1));
  threads_[t.number] = {.launch = t.launch->id,
                        .block = t.linear_block(),
                        .linear = t.linear_thread(),
                        .name = fmt::format("{} of {}", t.name(), t.launch->kernel.name)};
}

turn_point agent::identity::point() const {
  switch (next) {
  case step_kind::compute:
    return {.operations = operations, .any = true};
  case step_kind::memory:
    return {.operations = memory_operations};
  case step_kind::raw:
    return {.operations = memory_operations, .raw = raw_accesses};
  }
  return {};
}

/// The thread runs. It `comes` to its next operation, or it stood there before.
void agent::take_turn(const sim_thread& t, bool comes) {
  if (t.number == turn_of_) {
    return;
  }
  if (turn_of_ < threads_.size() && threads_[turn_of_].stands && !turns_.empty()) {
    turns_.back().until = threads_[turn_of_].point(); // it was made to wait
    if (!moved_) {
      turns_.pop_back(); // whoever only stood there changes nothing
    }
  }
  turn_of_ = t.number;
  moved_ = comes;
  const identity& who = threads_[t.number];
  if (!turns_.empty() && turns_.back().launch == who.launch && turns_.back().thread == who.linear) {
    turns_.back().until.reset();
    moved_ = true; // before
  } else if (turns_.size() < most_turns) {
    turns_.push_back({who.launch, who.linear, {}});
  } else {
    turns_lost_ = true;
  }
}

bool agent::steer(sim_thread& t) {
  const auto d = std::find_if(directives_.begin(), directives_.end(), [this](const directive& one) {
    return one.at == begun_;
  });
  if (d == directives_.end()) {
    return false;
  }
  const directive wanted = *d;
  directives_.erase(d); // carried out; the stepper knows all of them
  steered_at_ = begun_;
  if (wanted.thread == t.number) {
    return false;
  }
  if (wanted.thread != never) {
    steering_->choose(wanted.thread);
  } else {
    steering_->choose(wanted.block);
  }
  return true;
}

void agent::look_at_the_clock() {
  // Between two switches that were made at one position none is made: all of them belong behind it.
  if (goal_.how == way::scan || begun_ <= newest_checkpoint_ || begun_ == steered_at_ ||
      steady_clock::now() - last_checkpoint_ < between_checkpoints) {
    return;
  }
  checkpoint();
}

side agent::checkpoint() {
  newest_checkpoint_ = begun_;
  ++checkpoints_made_;
  const side which = make_checkpoint(link_, begun_, &places_of);
  if (which == side::resumed) {
    // Another life begins here: the stepper says what is to be done.
    checkpoints_made_ = 0;
    context_.exec->watchers().tell([](watcher& w) { w.resumed(); });
    stops_.forget_values(); // they may be older than this position
    changes_.clear();
    serve(why_of(stop_reason::resumed));
  }
  last_checkpoint_ = steady_clock::now();
  return which;
}

void agent::plan() {
  every_ = new_findings_ ||
           (goal_.how != way::run && goal_.how != way::position && goal_.how != way::scan) ||
           (!stops_.empty() && goal_.how != way::position);
  next_event_ = begun_ + operations_between_looks;
  if (goal_.how == way::position || goal_.how == way::scan) {
    next_event_ = std::min(next_event_, goal_.position);
  }
  for (const directive& d : directives_) {
    if (d.at > begun_) {
      next_event_ = std::min(next_event_, d.at);
    }
  }
}

/// It has come to the position that it was to go to.
protocol::stop agent::why_arrived() {
  protocol::stop why = why_of(stop_reason::position);
  why.hit = last_hit_;
  stops_.forget_values(); // from here on, changes count
  changes_.clear();
  return why;
}

std::optional<protocol::stop> agent::why_stop(sim_thread& t) {
  if (interrupt_requested()) {
    interrupt_forgotten();
    return why_of(stop_reason::interrupt);
  }
  if (goal_.how == way::position || goal_.how == way::scan) {
    const bool arrives = begun_ >= goal_.position;
    if (goal_.how == way::scan && (!arrives || goal_.through)) {
      here_ = &t;
      if (const auto hit = breaks(t)) {
        last_hit_ = protocol::hit{*hit, begun_};
      }
      here_ = nullptr;
    }
    return arrives ? std::optional(why_arrived()) : std::nullopt;
  }
  if (found_a_defect()) {
    return why_of(stop_reason::finding);
  }
  here_ = &t;
  const auto hit = stops_.empty() ? std::nullopt : breaks(t);
  here_ = nullptr;
  if (const auto done = goal_reached(t)) {
    return hit ? protocol::stop{*hit} : why_of(*done);
  }
  if (!hit && !goal_thread_ended_) {
    return std::nullopt;
  }
  protocol::stop why = hit ? protocol::stop{*hit} : why_of(stop_reason::block_ended);
  if (goal_thread_ended_) {
    why.ended = ended_thread_;
  }
  return why;
}

/// The thread that was to get somewhere is about to go on from there.
std::optional<stop_reason> agent::goal_reached(const sim_thread& t) {
  const bool mine = t.number == goal_.thread;
  const bool any = goal_.thread == never;
  switch (goal_.how) {
  case way::step:
    return any || (mine && goal_.count == 0) ? std::optional(stop_reason::step) : std::nullopt;
  case way::next:
    return any || (mine && stops_.comes_to(t, t.next_site, "", 0))
               ? std::optional(stop_reason::step)
               : std::nullopt;
  case way::until:
    return (mine || any) &&
                   (goal_.operation.empty() || answers_to(t.next_operation, goal_.operation)) &&
                   (goal_.line == 0 || stops_.comes_to(t, t.next_site, goal_.file, goal_.line))
               ? std::optional(stop_reason::until)
               : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool agent::found_a_defect() {
  const auto& all = context_.found.all().findings;
  return std::exchange(new_findings_, false) && stop_at_findings_ &&
         std::any_of(all.begin() + static_cast<std::ptrdiff_t>(told_findings_),
                     all.end(),
                     [this](const finding& f) {
                       return goal_.notes || f.severity == finding::level::defect;
                     });
}

void agent::look_at_watches(sim_thread* t, bool begins) {
  sim_thread* const stood = std::exchange(here_, t);
  frames_known_ = false;
  // What it has done since its variables were seen, or since it began.
  const bool is_followed =
      t != nullptr && (begins || threads_[t->number].values_known == values_known_to_);
  for (seen_change& c : stops_.changes(*this, is_followed)) {
    std::uint64_t by = c.frame && t != nullptr ? t->run_operation : begun_;
    if (!c.frame && c.after.address) {
      by = std::min<std::uint64_t>(by, last_writer(c.after).value_or(by));
    }
    changes_.push_back({std::move(c), by});
  }
  if (t != nullptr) {
    threads_[t->number].values_known = values_known_to_;
  }
  here_ = stood;
  frames_known_ = false;
  if (goal_.how == way::scan && !changes_.empty() && begun_ != 0 &&
      !is_before_operations(changes_.back())) {
    // Before the operation that made it.
    const std::uint64_t by = changes_.back().operation;
    last_hit_ = {{.reason = stop_reason::watch,
                  .breakpoints = {},
                  .troubles = {},
                  .watches = told_changes(nullptr)},
                 by != 0 ? by - 1 : begun_ - 1};
  }
}

bool agent::has_change_for(const sim_thread& t) const {
  return std::any_of(changes_.begin(), changes_.end(), [&t, this](const untold_change& c) {
    return is_told_at(c, t);
  });
}

/// Variables are told of where their thread stands.
bool agent::is_told_at(const untold_change& c, const sim_thread& t) const {
  const identity& who = threads_[t.number];
  return !c.what.frame ||
         (c.what.frame->launch == who.launch && c.what.frame->thread == who.linear);
}

std::vector<protocol::change> agent::told_changes(const sim_thread* t) {
  std::vector<protocol::change> list;
  std::vector<untold_change> kept;
  for (untold_change& c : std::exchange(changes_, {})) {
    if (t != nullptr && !is_told_at(c, *t)) {
      kept.push_back(std::move(c));
      continue;
    }
    protocol::change told{.id = c.what.id, .after = message_of(c.what.after, buffers_)};
    if (c.what.before) {
      told.before = message_of(*c.what.before, buffers_);
    }
    if (!is_before_operations(c)) {
      told.operation = c.operation;
    }
    list.push_back(std::move(told));
  }
  changes_ = std::move(kept);
  return list;
}

std::optional<protocol::reached> agent::breaks(sim_thread& t) {
  frames_known_ = false;
  static_cast<void>(enter(nullptr));
  protocol::reached why{.reason = stop_reason::breakpoint};
  if (threads_[t.number].values_known != values_known_to_ && stops_.has_watches()) {
    look_at_watches(&t); // its variables, before its next operation changes them
  }
  if (has_change_for(t)) {
    why.reason = stop_reason::watch;
    why.watches = told_changes(&t);
  }
  for (const reached_breakpoint& r : stops_.at(t, t.next_site, t.next_operation, *this)) {
    if (!r.trouble.empty() && goal_.how == way::scan) {
      continue; // going back, it does not hold
    }
    why.breakpoints.push_back(r.id);
    if (!r.trouble.empty()) {
      why.troubles.push_back({r.id, r.trouble});
    }
  }
  return why.watches.empty() && why.breakpoints.empty() ? std::nullopt : std::optional(why);
}

void agent::host_access(const host_event& e) {
  if (e.writes) {
    writers_.wrote(e.address, e.bytes, 0);
    stops_.wrote(e.address, e.bytes);
  }
}

void agent::copied(const copy_event& e) {
  e.each_row([&](const unsigned char* to_row, const unsigned char* /*from*/) {
    const auto to = reinterpret_cast<std::uintptr_t>(to_row);
    if (e.to_shared) {
      writers_.wrote(to, e.width, 0);
    }
    stops_.wrote(to, e.width);
  });
}

void agent::finding_added() {
  new_findings_ = every_ = true;
  found_at_.resize(context_.found.all().findings.size(),
                   execution::current() != nullptr ? begun_ : 0);
}

void agent::thread_ends(const sim_thread& t) {
  finish_raw();
  if (t.number == goal_.thread && goal_.how != way::run) {
    goal_thread_ended_ = true;
    every_ = true;
    ended_thread_ = fmt::format("{} of {}", t.name(), t.launch->kernel.name);
  }
  // What its last operation did may be the last of all: nobody may come by before the end.
  if (goal_.how != way::position && goal_.how != way::scan && found_a_defect()) {
    protocol::stop why = why_of(stop_reason::finding);
    why.ended = fmt::format("{} of {}", t.name(), t.launch->kernel.name);
    serve(std::move(why));
  }
  if (!stops_.empty() && goal_.how != way::position) {
    // Likewise for watched values: told at the next operation, or at the end, when their memory
    // may have been freed.
    look_at_watches(nullptr);
    const std::uint64_t launch = t.launch->id;
    const std::uint64_t thread = t.linear_thread();
    stops_.thread_ended(launch, thread);
    tell_gone(t, stops_.watches_of(launch, thread));
    every_ = every_ || !changes_.empty();
  }
}

/// Where a block ends, watches of its variables end.
void agent::tell_gone(const sim_thread& t, const std::vector<unsigned>& watches) {
  if (goal_.how == way::scan) {
    return;
  }
  protocol::stop why = why_of(stop_reason::watch);
  for (const unsigned id : watches) {
    why.watches.push_back({.id = id, .gone = true});
  }
  if (!why.watches.empty()) {
    why.ended = fmt::format("{} of {}", t.name(), t.launch->kernel.name);
    serve(std::move(why));
  }
}

/// Of what has been done since the last operation began: where no other comes, nobody would ask.
void agent::add_changes(protocol::stop& why) {
  if (!stops_.has_watches() || goal_.how == way::scan || goal_.how == way::position) {
    return;
  }
  look_at_watches(here_);
  if (!changes_.empty()) {
    why.watches = told_changes(nullptr);
  }
}

void agent::run_ends(run_end how, int status) {
  finish_raw();
  // A report that is made at the program's end is no new occasion.
  ending_ = true;
  here_ = execution::current();
  if (here_ != nullptr && how == run_end::interrupted) {
    here_->next_site = here_->site; // behind its last operation, before none
    here_->next_operation = nullptr;
  }
  protocol::stop why = why_of(how == run_end::ended     ? stop_reason::ended
                              : how == run_end::stopped ? stop_reason::stopped
                                                        : stop_reason::interrupted);
  why.status = status;
  if (how != run_end::ended) {
    add_changes(why);
  } else if (!changes_.empty() && goal_.how != way::scan && goal_.how != way::position) {
    protocol::stop changed = why_of(stop_reason::watch);
    changed.watches = told_changes(nullptr);
    serve(std::move(changed));
  }
  if (goal_.how == way::scan) {
    why.hit = last_hit_;
  }
  serve(std::move(why));
  here_ = nullptr;
}

bool agent::interrupted_in_host(const void* site) {
  interrupt_forgotten();
  protocol::stop why = why_of(stop_reason::interrupt);
  why.host = resolve(site);
  add_changes(why); // before the host's variables have names: they are not the kernels'
  host_site_ = site;
  serve(std::move(why));
  host_site_ = nullptr;
  return true;
}

void agent::dies(int signal, std::span<const void* const> frames) noexcept {
  if (shared_ == nullptr) {
    return;
  }
  crash_note& note = shared_->crash;
  note.count = static_cast<std::uint32_t>(std::min(frames.size(), note.frames.size()));
  for (std::uint32_t i = 0; i < note.count; ++i) {
    note.frames[i] = reinterpret_cast<std::uintptr_t>(frames[i]);
  }
  note.block = {};
  if (const sim_thread* t = execution::current()) {
    // One that has come to no operation yet has no name yet, and none can be made here.
    const bool known = t->number < threads_.size() && !threads_[t->number].name.empty();
    const std::string_view name =
        known ? std::string_view(threads_[t->number].name) : std::string_view("a block");
    name.copy(note.block.data(), note.block.size() - 1);
  }
  note.signal = signal;
}

// --- What an operation did

void agent::operation(const operation_event& e) {
  if (accessed_ != 0) {
    note_element_type(buffers_, accessed_, e);
  }
  if (!capturing_) {
    return;
  }
  captured_operation one;
  one.number = e.thread->run_operation;
  one.site = e.site;
  one.memory = std::move(memory_of_operation_);
  memory_of_operation_.clear();
  step::capture(one, e, unspecified_);
  last_ = std::move(one);
}

void agent::left_unspecified(std::size_t element) {
  if (capturing_) {
    unspecified_.push_back(element);
  }
}

value agent::captured_now(std::uintptr_t address, std::size_t bytes) {
  std::vector<std::uint8_t> cells(std::min(bytes, most_captured));
  std::memcpy(cells.data(), reinterpret_cast<const void*>(address), cells.size());
  value v = captured_bytes(buffers_, address, std::move(cells));
  v.address = address;
  mark_unwritten(v, written_);
  return v;
}

void agent::before_access(const sim_thread& /*t*/, std::uintptr_t address, std::size_t bytes) {
  before_raw_.reset();
  if (capturing_ && !passed_over_) {
    before_raw_ = captured_now(address, bytes);
  }
}

void agent::capture_raw(const memory_event& e) {
  captured_operation one;
  one.number = e.thread->run_operation;
  one.name = e.thread->next_operation;
  one.site = e.site;
  one.memory.push_back(step::capture(e, writers_, written_));
  value pointer;
  pointer.type.kind = element::ptr;
  pointer.bytes.resize(sizeof e.addresses[0]);
  std::memcpy(pointer.bytes.data(), &e.addresses[0], pointer.bytes.size());
  one.operands.push_back({"pointer", std::move(pointer)});
  if (e.writes) {
    // The access itself may still be to come: the compiler's hook is called before it.
    one.before = std::move(before_raw_);
    raw_unfinished_ = true;
  } else {
    one.result = captured_now(e.addresses[0], e.bytes);
  }
  before_raw_.reset();
  last_ = std::move(one);
}

void agent::finish_raw() {
  if (!std::exchange(raw_unfinished_, false) || !last_ || last_->memory.empty()) {
    return;
  }
  const captured_memory& m = last_->memory.front();
  const std::uintptr_t address = m.addresses.front();
  // Nobody has had the time to free it, but at the very end memory may be closed.
  std::vector<std::uint8_t> cells(std::min<std::size_t>(m.bytes, most_captured));
  if (read(address, cells.size(), cells.data())) {
    last_->after = captured_bytes(buffers_, address, std::move(cells));
  }
}

void agent::memory(const memory_event& e) {
  const bool raw = e.thread->next_kind == step_kind::raw;
  if (capturing_ && !passed_over_) {
    if (raw) {
      capture_raw(e);
    } else {
      memory_of_operation_.push_back(step::capture(e, writers_, written_));
    }
  }
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask != nullptr && e.mask[i] == 0) {
      continue;
    }
    if (accessed_ == 0 && !raw) {
      accessed_ = e.addresses[i];
    }
    if (!e.writes) {
      break;
    }
    writers_.wrote(e.addresses[i], e.bytes, static_cast<std::uint32_t>(e.thread->run_operation));
    stops_.wrote(e.addresses[i], e.bytes);
  }
}

// --- Names

/// The place whose frames can be walked; nullptr where nobody's that runs can.
const void* agent::standing_site() {
  if (host_site_ != nullptr) {
    return host_site_;
  }
  return here_ != nullptr && here_ == execution::current() ? here_->next_site : nullptr;
}

void agent::use_frame(std::size_t number) {
  if (!frames_known_) {
    const void* const site = standing_site();
    frames_ = site != nullptr ? walk_frames(site) : std::vector<frame_registers>{};
    frames_known_ = true;
  }
  frame_ = number;
}

bool agent::enter(const frame_key* frame) {
  used_local_ = false;
  if (frame == nullptr) {
    frame_ = 0;
    return true; // frames are walked when a name asks for them
  }
  if (here_ == nullptr || here_->launch->id != frame->launch ||
      here_->linear_thread() != frame->thread) {
    return false;
  }
  use_frame(0);
  if (frame->depth >= frames_.size()) {
    return false;
  }
  const std::size_t number = frames_.size() - 1 - frame->depth;
  if (function_at(frames_[number].pc) != frame->function) {
    return false; // another function has been called in its place
  }
  use_frame(number);
  return true;
}

std::optional<frame_key> agent::entered() {
  if (!used_local_ || here_ == nullptr || frame_ >= frames_.size()) {
    return std::nullopt;
  }
  return frame_key{.launch = here_->launch->id,
                   .thread = here_->linear_thread(),
                   .depth = frames_.size() - 1 - frame_,
                   .function = function_at(frames_[frame_].pc)};
}

namespace {

/// False: a kernel's variable that has the name of a buffer is something else, such as a pointer to
/// another buffer.
bool may_be_begin(const value& variable, const buffer& b) {
  if (variable.type.kind != element::ptr || !variable.shape.empty()) {
    return false;
  }
  std::uintptr_t to = 0;
  if (!variable.missing.empty() || variable.bytes.size() != sizeof to) {
    return true; // optimised out
  }
  std::memcpy(&to, variable.bytes.data(), sizeof to);
  return to == b.memory->begin;
}

} // namespace

std::optional<value> agent::lookup(std::string_view name) {
  looked_up_ = true;
  const auto number = [](std::uint64_t n) {
    value v;
    v.type = {.kind = element::i64, .is_unsigned = true, .pointee = {}, .spelling = {}};
    v.bytes.resize(sizeof n);
    std::memcpy(v.bytes.data(), &n, sizeof n);
    return v;
  };
  if (name == "$position") {
    return number(begun_);
  }
  if (here_ != nullptr && name == "$block") {
    return number(here_->linear_block());
  }
  if (here_ != nullptr && name == "$operations") {
    return number(here_->operations);
  }
  const buffer* b = buffers_.find(name);
  // Frames are walked only where a variable may come of it.
  const void* const innermost =
      frame_ == 0 && !frames_known_ ? innermost_place(standing_site()) : nullptr;
  if (innermost == nullptr || is_variable(innermost, name)) {
    use_frame(frame_);
    if (frame_ < frames_.size()) {
      auto v = variable_named(frames_[frame_], name);
      // A pointer to the begin of the buffer of its name: the buffer says more.
      if (v && (b == nullptr || !may_be_begin(v->now, *b))) {
        used_local_ = true;
        return std::move(v->now);
      }
    }
  }
  if (b == nullptr) {
    if (here_ == nullptr || here_->next_site == nullptr) {
      return std::nullopt;
    }
    auto global = global_variable(here_->next_site, std::string(name));
    return global ? std::optional(std::move(global->now)) : std::nullopt;
  }
  value v;
  v.type = b->element.value_or(
      value_type{.kind = element::i8, .is_unsigned = true, .pointee = {}, .spelling = "byte"});
  if (!b->memory->live && !freed_read_) {
    v.missing = fmt::format("freed at {}", place(b->memory->freed_site));
    return v;
  }
  v.shape = {b->count()};
  v.address = b->memory->begin;
  v.decays = true;
  return v;
}

bool agent::read(std::uintptr_t address, std::size_t bytes, void* to) {
  looked_up_ = true;
  if (freed_read_) {
    const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
    if (a != nullptr && !a->live && a->contains(address, bytes)) {
      std::memset(to, 0, bytes);
      freed_read_->push_back(address);
      return true;
    }
  }
  if (!accessible(context_, here_, address, 1) ||
      !accessible(context_, here_, address + bytes - 1, 1)) {
    return false;
  }
  const scoped_access open(context_.mem);
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return true;
}

// --- Standing

void agent::serve(protocol::stop why) {
  std::fflush(nullptr);
  switching_ = false;
  goal_thread_ended_ = false;
  frames_known_ = false;
  frame_ = 0;
  complete(why);
  link_.send(protocol::encode(why));
  for (;;) {
    const auto request = link_.receive();
    if (!request || !request->is_object()) {
      _exit(0); // nobody is there any more
    }
    if (!answer(*request)) {
      return;
    }
  }
}

namespace {

template <class Index>
protocol::coordinates three(const Index& at) {
  return {at.x, at.y, at.z};
}

protocol::thread message_of(const sim_thread& t) {
  protocol::thread told{.number = t.number,
                        .launch = t.launch->id,
                        .kernel = t.launch->kernel.name,
                        .block = three(t.block),
                        .linear = t.linear_block(),
                        .name = t.name(),
                        .operations = t.operations,
                        .in_block = {}};
  if (t.launch->threads_per_block != 1) {
    told.in_block = three(t.thread);
  }
  return told;
}

} // namespace

/// With what is to be said at every stop.
void agent::complete(protocol::stop& why) {
  why.pid = getpid();
  why.position = begun_;
  why.checkpoints = std::exchange(checkpoints_made_, 0);
  why.journal_bytes = journal_.bytes();
  why.writers_bytes = writers_.bytes() + (threads_.capacity() * sizeof(identity));
  if (here_ != nullptr) {
    why.thread = message_of(*here_);
    why.next = {.operation = next_operation_of(*here_),
                .number = begun_ + 1,
                .frames = resolve(here_->next_site)};
  }
  if (last_) {
    why.last = message_of(*last_, buffers_);
    why.last->frames = resolve(last_->site);
    last_.reset();
  }
  const auto& all = context_.found.all().findings;
  for (; told_findings_ < all.size(); ++told_findings_) {
    why.findings.push_back(message_of(all[told_findings_]));
    why.findings.back().operation =
        told_findings_ < found_at_.size() ? found_at_[told_findings_] : 0;
  }
  new_findings_ = false;
}

bool agent::answer(const json& request) {
  const std::string what = request.value("do", "");
  json reply;
  try {
    if (what == protocol::go::request) {
      go(protocol::decode<protocol::go>(request));
      return false;
    }
    reply = reply_to(what, request);
  } catch (const expression_error& e) {
    reply = protocol::encode(protocol::refusal{e.what(), e.column()});
  } catch (const refusal& e) {
    reply = protocol::encode(protocol::refusal{e.what(), {}});
  } catch (const json::exception& e) {
    reply = protocol::encode(protocol::refusal{e.what(), {}});
  }
  link_.reply(std::move(reply));
  return !switching_;
}

json agent::reply_to(const std::string& what, const json& request) {
  using answering = json (agent::*)(const json& request);
  // No object that exit() destroys: the program's end is answered for, too.
  static constexpr std::array<std::pair<std::string_view, answering>, 17> answers = {{
      {protocol::set::request, &agent::reply_with<protocol::set, &agent::set>},
      {protocol::evaluate::request, &agent::reply_with<protocol::evaluate, &agent::evaluate>},
      {protocol::writer::request, &agent::reply_with<protocol::writer, &agent::writer>},
      {protocol::locals::request, &agent::reply_with<protocol::locals, &agent::locals>},
      {protocol::calls::request, &agent::reply_with<protocol::calls, &agent::frames>},
      {protocol::blocks::request, &agent::reply_with<protocol::blocks, &agent::blocks>},
      {protocol::buffers::request, &agent::reply_with<protocol::buffers, &agent::buffer_list>},
      {protocol::switch_to::request, &agent::reply_with<protocol::switch_to, &agent::switch_to>},
      {protocol::history::request, &agent::reply_with<protocol::history, &agent::history>},
      {protocol::back::request, &agent::reply_with<protocol::back, &agent::back>},
      {protocol::waiting::request, &agent::reply_with<protocol::waiting, &agent::waiting>},
      {protocol::memory::request, &agent::reply_with<protocol::memory, &agent::memory_bytes>},
      {protocol::findings::request, &agent::reply_with<protocol::findings, &agent::findings>},
      {protocol::schedule::request, &agent::reply_with<protocol::schedule, &agent::schedule>},
      {protocol::kernels::request,
       &agent::reply_with<protocol::kernels, &agent::kernels_and_functions>},
      {protocol::check_operation::request,
       &agent::reply_with<protocol::check_operation, &agent::has_operation>},
      {protocol::code_of_line::request, &agent::reply_with<protocol::code_of_line, &agent::line>},
  }};
  const auto* const answer =
      std::ranges::find(answers, what, &std::pair<std::string_view, answering>::first);
  if (answer == answers.end()) {
    throw refusal(fmt::format("unknown request '{}'", what));
  }
  return (this->*answer->second)(request);
}

protocol::done agent::set(const protocol::set& request) {
  stops_.set(request.breakpoints, request.watches);
  ++values_known_to_;
  look_at_watches(here_); // what is new counts from now on
  directives_.clear();
  for (const protocol::directive& d : request.directives) {
    directives_.push_back(
        {.at = d.at, .thread = d.thread.value_or(never), .block = {d.launch.value_or(0), d.block}});
  }
  stop_at_findings_ = request.stop_at_findings;
  journal_.bound(request.journal_bytes);
  return {};
}

protocol::local_list agent::locals(const protocol::locals& request) {
  use_frame(request.frame);
  protocol::local_list list;
  if (frame_ < frames_.size()) {
    for (const variable& v : step::variables(frames_[frame_])) {
      list.locals.push_back(
          {.name = v.name,
           .type = v.type,
           .parameter = v.parameter,
           .line = v.line,
           .value = message_of(v.now, buffers_, request.most.value_or(most_captured))});
    }
  }
  return list;
}

protocol::frame_list agent::frames(const protocol::calls& /*request*/) {
  use_frame(frame_);
  protocol::frame_list list;
  for (const frame_registers& f : frames_) {
    list.frames.push_back(resolve(f.pc));
  }
  // Behind the kernel stands its launch, which no frame on the block's stack shows.
  if (here_ != nullptr && !frames_.empty()) {
    std::vector<source_frame> launch = resolve(here_->launch->site);
    if (!launch.empty()) {
      launch.front().function = "operator()";
      list.frames.push_back(std::move(launch));
    }
  }
  return list;
}

protocol::finding_list agent::findings(const protocol::findings& /*request*/) {
  protocol::finding_list list;
  for (const finding& f : context_.found.all().findings) {
    list.findings.push_back(message_of(f));
  }
  return list;
}

protocol::schedule_now agent::schedule(const protocol::schedule& /*request*/) {
  const scheduler& strategy = *context_.exec->desk().strategy;
  return {.schedule = strategy.describe(),
          .turns = turns_lost_ ? "" : to_string(turns_),
          .seed = context_.opts.seed,
          .fill = context_.opts.fill.value_or(context_.opts.seed),
          .unfollowed = strategy.unfollowed(ending_).value_or(""),
          .position = begun_};
}

protocol::done agent::has_operation(const protocol::check_operation& request) {
  check_operation(request.name);
  return {};
}

protocol::line_known agent::line(const protocol::code_of_line& request) {
  return operations_at(request.file, request.line);
}

protocol::names agent::kernels_and_functions(const protocol::kernels& /*request*/) {
  std::set<std::string> kernels;
  std::set<std::string> functions;
  for (const user_function& f : code_of_program().functions) {
    (f.is_kernel ? kernels : functions).insert(f.name);
  }
  // Those that a macro of the program's declares are known once they have been launched.
  for (const launch_state* l : context_.exec->launches()) {
    kernels.insert(l->kernel.name);
  }
  return {.kernels = {kernels.begin(), kernels.end()},
          .functions = {functions.begin(), functions.end()}};
}

void agent::go(const protocol::go& request) {
  goal_ = {request, here_ != nullptr ? here_->number : never};
  newest_checkpoint_ = request.newest_checkpoint;
  goal_thread_ended_ = false;
  last_hit_.reset();
  every_ = true;
}

namespace {

/// The type as expressions spell it, whatever name the program has given it.
std::string plain_type(element kind, bool is_unsigned) {
  switch (kind) {
  case element::i1:
    return "bool";
  case element::i8:
    return is_unsigned ? "uint8_t" : "int8_t";
  case element::i16:
    return is_unsigned ? "uint16_t" : "int16_t";
  case element::i32:
    return is_unsigned ? "uint32_t" : "int32_t";
  case element::i64:
    return is_unsigned ? "uint64_t" : "int64_t";
  case element::f32:
    return "float";
  case element::f64:
    return "double";
  case element::f16:
    return "__half";
  case element::bf16:
    return "__nv_bfloat16";
  case element::tf32:
    return "__nv_tf32";
  case element::f8e4m3:
    return "__nv_fp8_e4m3";
  case element::f8e5m2:
    return "__nv_fp8_e5m2";
  case element::ptr:
    return "char*"; // an address is an address
  }
  return "char";
}

/// Where the last of a value's bytes lies, if all of it has a place.
std::uintptr_t end_of(const value& v) {
  std::uintptr_t end = v.address.value_or(0);
  if (v.members.empty() && v.address) {
    const auto reach = static_cast<std::uintptr_t>(std::max<std::int64_t>(v.stride, 1));
    return end + (v.count() - 1) * reach * size_of(v.type.kind) + size_of(v.type.kind);
  }
  for (const auto& [name, member] : v.members) {
    end = std::max(end, end_of(member));
  }
  return end;
}

/// What lies in memory as an expression without names; an object of a class as its bytes.
std::string nameless(const value& v) {
  if (!v.members.empty()) {
    return fmt::format("((uint8_t*){:#x})[0:{}]", *v.address, end_of(v) - *v.address);
  }
  const std::string pointer =
      fmt::format("({}*){:#x}", plain_type(v.type.kind, v.type.is_unsigned), *v.address);
  return v.shape.empty() ? "*" + pointer
                         : fmt::format("({})[0:{}:{}]",
                                       pointer,
                                       static_cast<std::int64_t>(v.count()) * v.stride,
                                       v.stride);
}

} // namespace

protocol::evaluated agent::evaluate(const protocol::evaluate& request) {
  used_local_ = looked_up_ = false;
  use_frame(request.frame);
  const value v = expression(request.expression).evaluate(*this);
  protocol::evaluated reply;
  reply.value =
      message_of(v,
                 buffers_,
                 request.most.value_or(most_captured),
                 request.format.empty() ? std::nullopt : std::optional(request.format.front()));
  if (const auto frame = entered()) {
    reply.frame = message_of(*frame);
    reply.frame->name = here_->name();
  }
  reply.constant = !looked_up_;
  if (const auto writer = last_writer(v)) {
    reply.writer = *writer;
    reply.nameless = nameless(v);
    if (v.type.kind != element::ptr && v.members.empty()) {
      const allocation* a = context_.mem.find(reinterpret_cast<const void*>(*v.address));
      reply.place = message_of(watched_place{v, a->kind == memory_kind::device});
    }
  }
  return reply;
}

/// Of memory alone: which operation has written it last, also where it has been freed since.
protocol::written agent::writer(const protocol::writer& request) {
  used_local_ = false;
  use_frame(0);
  value v;
  freed_read_.emplace();
  try {
    v = expression(request.expression).evaluate(*this);
  } catch (const expression_error&) { // it has no value here: the run itself has to tell
  }
  const auto freed = *std::exchange(freed_read_, std::nullopt);
  const auto by = last_writer(v);
  // What has been freed may say what the value was, but not where it was.
  const bool known = by && !used_local_ && std::ranges::all_of(freed, [&v](std::uintptr_t read) {
                       return read >= *v.address &&
                              read < *v.address + (v.count() * static_cast<std::size_t>(v.stride) *
                                                   size_of(v.type.kind));
                     });
  return known ? protocol::written{*by} : protocol::written{};
}

std::optional<std::uint32_t> agent::last_writer(const value& v) const {
  if (!v.address || context_.mem.find(reinterpret_cast<const void*>(*v.address)) == nullptr) {
    return std::nullopt;
  }
  std::uint32_t writer = 0;
  const std::size_t size = size_of(v.type.kind);
  for (std::size_t i = 0; i < v.count(); ++i) {
    const std::uintptr_t cell =
        *v.address + (static_cast<std::uintptr_t>(static_cast<std::int64_t>(i) * v.stride) * size);
    for (std::size_t b = 0; b < size; ++b) {
      writer = std::max(writer, writers_.of(cell + b));
    }
  }
  return writer;
}

protocol::block_list agent::blocks(const protocol::blocks& request) {
  protocol::block_list list;
  std::vector<execution::thread_view> alive = context_.exec->threads();
  std::ranges::sort(alive, {}, [](const execution::thread_view& w) { return w.thread->number; });
  list.alive = alive.size();
  alive.resize(std::min(alive.size(), request.most));
  for (const auto& [thread, sleeps] : alive) {
    protocol::live_thread one{message_of(*thread)};
    one.current = thread == here_;
    one.state = sleeps ? "waits" : "stands";
    if (thread->next_site != nullptr) {
      one.operation = next_operation_of(*thread);
      one.place = place(thread->next_site);
      one.frames = resolve(thread->next_site);
    }
    if (sleeps) {
      for (const watched_cell& c : thread->spin.watched()) {
        one.waits_for.push_back({buffers_.describe(c.address), c.value});
      }
    }
    list.blocks.push_back(std::move(one));
  }
  for (const launch_state* l : context_.exec->launches()) {
    list.launches.push_back({.id = l->id,
                             .kernel = l->kernel.name,
                             .grid = three(l->config.grid),
                             .threads = l->threads(),
                             .started = l->started,
                             .ended = l->ended,
                             .place = place(l->site)});
  }
  return list;
}

protocol::buffer_list agent::buffer_list(const protocol::buffers& /*request*/) {
  protocol::buffer_list list;
  for (const buffer* b : buffers_.all()) {
    list.buffers.push_back({.name = b->name,
                            .address = b->memory->begin,
                            .bytes = b->memory->size,
                            .count = b->count(),
                            .type = b->element ? element_word(*b->element) : "",
                            .kind = sim::name(b->memory->kind),
                            .live = b->memory->live,
                            .place = place_and_helper(b->memory->site)});
  }
  return list;
}

/// Another thread goes on from here; what was planned for later is another run's.
void agent::direct(const directive& wanted) {
  directives_ = {wanted};
  goal_ = {};
  goal_.how = way::position;
  goal_.position = begun_;
  switching_ = every_ = true;
}

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw refusal(why);
}

/// The number of the block that is named.
std::uint64_t wanted_block(const launch_state& launch, const protocol::block_name& given) {
  const dim3& grid = launch.config.grid;
  if (const auto* const block = std::get_if<std::uint64_t>(&given)) {
    if (*block >= launch.blocks) {
      refuse(fmt::format("block {} is outside the grid of {} blocks", *block, launch.blocks));
    }
    return *block;
  }
  const auto [x, y, z] = std::get<protocol::coordinates>(given);
  if (x >= grid.x || y >= grid.y || z >= grid.z) {
    refuse(fmt::format("block ({},{},{}) is outside the grid of {}x{}x{} blocks",
                       x,
                       y,
                       z,
                       grid.x,
                       grid.y,
                       grid.z));
  }
  return x + (grid.x * (y + (grid.y * z)));
}

/// The number of the thread that is named in its block; none: whichever can go on.
std::optional<std::uint64_t> wanted_thread(const launch_state& launch,
                                           const std::optional<protocol::block_name>& given) {
  if (!given) {
    return launch.threads_per_block == 1 ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  if (const auto* const thread = std::get_if<std::uint64_t>(&*given)) {
    return *thread;
  }
  const dim3& threads = launch.config.block;
  const auto [x, y, z] = std::get<protocol::coordinates>(*given);
  return x + (threads.x * (y + (std::uint64_t{threads.y} * z)));
}

bool waits(const execution::thread_view& w) {
  return w.sleeps && !w.thread->spin.may_go_on(w.thread->owner->exec->desk().changes);
}

} // namespace

const launch_state& agent::wanted_launch(const protocol::switch_to& request) const {
  if (!request.launch) {
    return *here_->launch;
  }
  const std::uint64_t id = *request.launch;
  const auto running = context_.exec->launches();
  const auto it = std::ranges::find(running, id, &launch_state::id);
  if (it == running.end()) {
    refuse(fmt::format("launch {} does not run now", id));
  }
  return **it;
}

/// Of the threads of a block that have started, the one that is wanted; nullptr: none has started.
const sim_thread* agent::started_thread(const launch_state& launch,
                                        std::uint64_t block,
                                        std::optional<std::uint64_t> thread) const {
  bool started = false;
  for (const execution::thread_view& w : context_.exec->threads()) {
    const sim_thread& t = *w.thread;
    if (t.launch != &launch || t.linear_block() != block) {
      continue;
    }
    started = true;
    if (thread ? linear(t.thread, launch.config.block) != *thread : waits(w)) {
      continue;
    }
    if (waits(w)) {
      std::string for_what;
      for (const watched_cell& c : t.spin.watched()) {
        for_what += (for_what.empty() ? "" : ", ") + buffers_.describe(c.address);
      }
      refuse(fmt::format(
          "{} waits for {} to change; let another block run first", t.name(), for_what));
    }
    return &t;
  }
  if (started && !thread) {
    refuse(fmt::format("every thread of block {} that has started waits or has ended; block {} "
                       "thread N names one of its {} threads",
                       block,
                       block,
                       launch.threads_per_block));
  }
  if (started) {
    refuse(fmt::format("thread {} of block {} has ended or not started; 'info blocks' lists those "
                       "that are alive",
                       *thread,
                       block));
  }
  return nullptr;
}

/// Refuses a block that cannot start now.
void agent::check_start(const launch_state& launch, std::uint64_t block) const {
  if (steering_->has_started({launch.id, block})) {
    refuse(fmt::format("block {} of {} has ended", block, launch.kernel.name));
  }
  const auto running = context_.exec->launches();
  const auto first_to_start = std::ranges::find_if(
      running, [](const launch_state* l) { return l->started < l->threads(); });
  if (*first_to_start != &launch) {
    refuse(fmt::format("block {} of {} cannot start yet: the blocks of launch {}, {}, start first",
                       block,
                       launch.kernel.name,
                       (*first_to_start)->id,
                       (*first_to_start)->kernel.name));
  }
  if (const std::uint64_t begun = launch.started % launch.threads_per_block; begun != 0) {
    refuse(fmt::format("block {} of {} cannot start yet: of the block before, {} of {} threads "
                       "have not begun, and threads begin in order; 'info blocks' lists those "
                       "that have",
                       block,
                       launch.kernel.name,
                       launch.threads_per_block - begun,
                       launch.threads_per_block));
  }
}

protocol::switched agent::switch_to(const protocol::switch_to& request) {
  if (ending_) {
    refuse("the run is over: no block goes on");
  }
  if (here_ == nullptr) {
    refuse("no kernel runs: there is no block to go to");
  }
  const launch_state& launch = wanted_launch(request);
  const std::uint64_t block = wanted_block(launch, request.block);
  if (const sim_thread* t = started_thread(launch, block, wanted_thread(launch, request.thread))) {
    direct({.at = begun_, .thread = t->number, .block = {}});
    return {{.at = begun_, .thread = t->number, .launch = {}, .block = block}};
  }
  check_start(launch, block);
  direct({.at = begun_, .thread = never, .block = {launch.id, block}});
  return {{.at = begun_, .thread = {}, .launch = launch.id, .block = block}};
}

/// Where those that wait now began to: before the first poll. They sleep, or have slept until
/// everyone did and have been let poll on.
protocol::wait_list agent::waiting(const protocol::waiting& /*request*/) {
  protocol::wait_list list;
  for (const execution::thread_view& w : context_.exec->threads()) {
    if (w.thread->spin.began() != 0) {
      list.positions.push_back(w.thread->spin.began() - 1);
    }
  }
  return list;
}

/// The position before operations of one thread. What the journal has forgotten is "forgotten": the
/// stepper comes there again, and asks for the rest.
protocol::place_back agent::back(const protocol::back& request) {
  if (here_ == nullptr && !request.thread) {
    return {.position = begun_ == 0 ? 0 : begun_ - 1, .forgotten = 0, .rest = {}};
  }
  protocol::back rest = request;
  // An operation under way when tilesim ends the program counts as begun.
  std::uint64_t n = begun_;
  if (!request.thread) {
    rest.thread = here_->number;
    rest.start = rest.found = begun_;
    rest.next_site = reinterpret_cast<std::uintptr_t>(here_->next_site);
    n = here_->run_operation;
  }
  const std::uint64_t first = threads_[*rest.thread].first;
  if (rest.how == protocol::back_by::begin) {
    n = 0;
    if (first != never) {
      rest.found = first;
    }
  }
  if (rest.how == protocol::back_by::step && !request.thread && here_->spin.suspected() &&
      here_->spin.began() != 0 && here_->spin.began() <= n) {
    // It has polled and polled: all that in one step.
    n = here_->spin.began() - 1;
    rest.found = n;
    if (--rest.count == 0) {
      return {.position = n, .forgotten = 0, .rest = {}};
    }
  }
  for (; n > first; --n) {
    const auto e = journal_.find(n);
    if (!e) {
      return {.position = {}, .forgotten = n, .rest = rest};
    }
    if (e->thread == *rest.thread && passes(rest, n, e->site)) {
      break;
    }
  }
  return place_before(rest);
}

/// Takes operation `n` of the thread back, too. True: that was the last one.
bool agent::passes(protocol::back& rest, std::uint64_t n, const void* site) {
  if (rest.how != protocol::back_by::line) {
    rest.found = n - 1;
    return --rest.count == 0;
  }
  // All operations of one line before this one.
  const auto* const line_site = reinterpret_cast<const void*>(rest.line_site);
  const auto* const next_site = reinterpret_cast<const void*>(rest.next_site);
  if (line_site == nullptr) {
    if (!stops_.same_line(site, next_site) || rest.found != rest.start) {
      rest.line_site = reinterpret_cast<std::uintptr_t>(site);
    }
  } else if (!stops_.same_line(site, line_site)) {
    return true;
  }
  rest.found = n - 1;
  return false;
}

protocol::place_back agent::place_before(const protocol::back& rest) {
  if (rest.found != rest.start) {
    return {.position = rest.found, .forgotten = 0, .rest = {}};
  }
  if (rest.start == 0) {
    refuse("nothing has happened yet: there is nothing to take back");
  }
  // This thread begins here: back to the one that ran before.
  return {.position = rest.found - 1, .forgotten = 0, .rest = {}};
}

namespace {

/// Each whole unit of bytes in the form that a letter names.
std::vector<std::string>
texts_of_units(const std::vector<std::uint8_t>& bytes, std::size_t unit, char format) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + unit <= bytes.size(); at += unit) {
    texts.push_back(formatted(std::span(bytes).subspan(at, unit), format));
  }
  return texts;
}

/// Where memory is looked at that a value leads to.
std::uintptr_t address_in(const value& v) {
  std::uintptr_t address = 0;
  if (v.shape.empty() && !v.bytes.empty() &&
      (v.type.kind == element::ptr || (!v.address && is_integer(v.type.kind)))) {
    std::memcpy(&address, v.bytes.data(), std::min(v.bytes.size(), sizeof address));
    return address;
  }
  if (!v.address) {
    refuse("that is no place in memory: a pointer, a buffer or a variable is wanted");
  }
  return *v.address;
}

} // namespace

protocol::memory_piece agent::memory_bytes(const protocol::memory& request) {
  use_frame(request.frame);
  const value v = expression(request.expression).evaluate(*this);
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("{} is {}", request.expression, v.missing), 0);
  }
  protocol::memory_piece piece;
  piece.address = address_in(v);
  for (std::size_t i = 0; i < request.bytes; ++i) {
    std::uint8_t cell = 0;
    if (!read(piece.address + i, 1, &cell)) {
      break;
    }
    if (written_.first_unwritten(piece.address + i, 1)) {
      piece.unwritten.push_back(i);
    }
    piece.bytes.push_back(cell);
  }
  if (piece.bytes.empty()) {
    refuse(fmt::format("the program has no memory at {:#x}", piece.address));
  }
  if (!request.format.empty() && request.unit != 0) {
    piece.texts = texts_of_units(piece.bytes, request.unit, request.format.front());
  }
  return piece;
}

protocol::past agent::history(const protocol::history& request) {
  protocol::past list;
  for (std::uint64_t n = std::max<std::uint64_t>(request.first, 1);
       n <= request.last && n <= begun_;
       ++n) {
    if (const auto e = journal_.find(n)) {
      list.history.push_back({.number = n,
                              .operation = e->operation,
                              .thread = e->thread,
                              .launch = threads_[e->thread].launch,
                              .block = threads_[e->thread].block,
                              .by = threads_[e->thread].name,
                              .frames = resolve(e->site)});
    }
  }
  return list;
}

} // namespace

void attach() {
  const char* wanted = std::getenv("TILESIM_STEP");
  if (wanted == nullptr) {
    return;
  }
  // "socket;descriptor of a shared page"
  std::string path = wanted;
  int shared = -1;
  if (const std::size_t at = path.find(';'); at != std::string::npos) {
    shared = std::atoi(path.c_str() + at + 1);
    path.resize(at);
  }
  die_with_the_stepper();
  // What is printed is a person's to see: a line when it is whole, as in a terminal.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  unsetenv("TILESIM_STEP"); // programs that this one starts are not stepped
  auto made = std::make_unique<agent>(context::current(), std::move(path), shared);
  agent& it = *made;
  context::current().exec->attach(std::move(made)); // for the rest of the process's life
  tell_control_of_signals();
  it.begin();
}

} // namespace tilesim::sim::step
