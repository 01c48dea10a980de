// The agent: decides before every operation whether to stop, and serves while it stands.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/agent.hpp"

#include "sim/contract/formats.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/shared_page.hpp"
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

/// How far to go.
struct goal {
  enum class what : std::uint8_t {
    run,      ///< to a breakpoint, a changed value, a finding or the end
    step,     ///< `left` operations of one thread
    next,     ///< to another line of one thread
    finish,   ///< to the end of one thread
    until,    ///< one thread comes to a line, or to an operation
    position, ///< to where `position` operations have begun
    scan,     ///< the same, noting the last place before where a breakpoint would stop
  };
  what kind = what::run;
  std::uint64_t thread = never; ///< its number
  std::uint64_t left = 0;
  std::uint64_t position = never;
  std::string file;
  unsigned line = 0;
  std::string operation;
  bool notes = false;   ///< of `run`: findings that are notes count, too
  bool through = false; ///< of `scan`: a breakpoint at `position` itself counts, too
};

/// At a position, another thread goes on.
struct directive {
  std::uint64_t at = 0;
  std::uint64_t thread = never; ///< one that has started
  waiting_block block{};        ///< else one that has not
};

json to_json(const finding& f) {
  return {{"code", code(f.kind)},
          {"level", f.severity == finding::level::defect ? "error" : "note"},
          {"message", f.message},
          {"details", f.details},
          {"remedy", f.remedy},
          {"where", frames_json<json>(f.where)},
          {"other", frames_json<json>(f.other)},
          {"count", f.count}};
}

/// Whether the line of the user's source may perform an operation, and which is the next that may.
json operations_at(const std::string& file, unsigned line) {
  json reply = {{"known", false}, {"here", false}};
  for (const auto& [path, lines] : code_of_program().lines) {
    if (!ends_with_path(path, file)) {
      continue;
    }
    reply["known"] = true;
    const auto from = lines.lower_bound(line);
    if (from != lines.end() && *from == line) {
      reply["here"] = true;
    } else if (from != lines.end()) {
      reply["next"] = *from;
    }
  }
  return reply;
}

/// What return addresses stand for: all processes of a session have the same.
json places_of(const json& request) {
  json list = json::array();
  for (const json& address : request.at("addresses")) {
    const auto* site = reinterpret_cast<const void*>(address.get<std::uintptr_t>());
    list.push_back(frames_json<json>(resolve(site)));
  }
  return {{"event", "reply"}, {"frames", std::move(list)}};
}

/// What it is about to begin; empty where it was interrupted between two operations.
std::string_view next_operation_of(const sim_thread& t) {
  return t.next_operation != nullptr ? t.next_operation : "";
}

/// Why a request cannot be answered: a sentence for the person.
class refusal : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class agent final : public run_control, public watcher, public standing_environment {
public:
  agent(context& c, std::string path, int shared);

  /// Stops for the first time.
  void begin() {
    if (checkpoint() == side::original) {
      serve({{"reason", "loaded"}});
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
  [[nodiscard]] json why_stop(sim_thread& t);
  [[nodiscard]] bool found_a_defect();
  [[nodiscard]] json breaks(sim_thread& t);
  /// `t`: who has performed the last operation and runs still, if it is known. `begins`: it comes
  /// to its first operation now.
  void look_at_watches(sim_thread* t, bool begins = false);
  void tell_gone(const sim_thread& t, const std::vector<unsigned>& watches);
  [[nodiscard]] json told_changes(const sim_thread* t);
  void add_changes(json& why);
  void plan();

  // What an operation did.
  [[nodiscard]] value captured_now(std::uintptr_t address, std::size_t bytes);
  void capture_raw(const memory_event& e);
  void finish_raw();

  // While it stands.
  void serve(json why);
  [[nodiscard]] json stop_message(json why);
  [[nodiscard]] json thread_json(const sim_thread& t) const;
  /// False: "go".
  bool answer(const json& request);
  json reply_to(const std::string& what, const json& request);
  void go(const json& request);

  // Answers to requests: see reply_to.
  json set(const json& request);
  json evaluate(const json& request);
  json writer(const json& request);
  json locals(const json& request);
  json frames(const json& request);
  json blocks(const json& request);
  json buffer_list(const json& request);
  json switch_to(const json& request);
  json history(const json& request);
  json back(const json& request);
  json waiting(const json& request);
  json memory_bytes(const json& request);
  json findings(const json& request);
  json schedule(const json& request);
  json kernels_and_functions(const json& request);
  json has_operation(const json& request);
  json line(const json& request);

  [[nodiscard]] const launch_state& wanted_launch(const json& request) const;
  [[nodiscard]] const sim_thread* started_thread(const launch_state& launch,
                                                 std::uint64_t block,
                                                 std::optional<std::uint64_t> thread) const;
  void check_start(const launch_state& launch, std::uint64_t block) const;
  void direct(const directive& wanted);
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
  std::vector<directive> directives_; ///< in the order in which they were given
  std::uint64_t steered_at_ = never;  ///< the position at which the last one was carried out
  json last_hit_;                     ///< of a scan
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
  if (stops_.has_watches() && goal_.kind != goal::what::position) {
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
    if (json why = why_stop(t); !why.is_null()) {
      here_ = &t;
      serve(std::move(why));
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
  if (t.number == goal_.thread && goal_.left != 0) {
    --goal_.left;
  }
  capturing_ = (goal_.kind == goal::what::step && t.number == goal_.thread && goal_.left == 0) ||
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
  if (goal_.kind == goal::what::scan || begun_ <= newest_checkpoint_ || begun_ == steered_at_ ||
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
    serve({{"reason", "resumed"}});
  }
  last_checkpoint_ = steady_clock::now();
  return which;
}

void agent::plan() {
  every_ = new_findings_ ||
           (goal_.kind != goal::what::run && goal_.kind != goal::what::position &&
            goal_.kind != goal::what::scan) ||
           (!stops_.empty() && goal_.kind != goal::what::position);
  next_event_ = begun_ + operations_between_looks;
  if (goal_.kind == goal::what::position || goal_.kind == goal::what::scan) {
    next_event_ = std::min(next_event_, goal_.position);
  }
  for (const directive& d : directives_) {
    if (d.at > begun_) {
      next_event_ = std::min(next_event_, d.at);
    }
  }
}

json agent::why_stop(sim_thread& t) {
  if (interrupt_requested()) {
    interrupt_forgotten();
    return {{"reason", "interrupt"}};
  }
  if (goal_.kind == goal::what::position || goal_.kind == goal::what::scan) {
    const bool arrives = begun_ >= goal_.position;
    if (goal_.kind == goal::what::scan && (!arrives || goal_.through)) {
      here_ = &t;
      if (json hit = breaks(t); !hit.is_null()) {
        hit["position"] = begun_;
        last_hit_ = std::move(hit);
      }
      here_ = nullptr;
    }
    if (arrives) {
      json why = {{"reason", "position"}};
      if (!last_hit_.is_null()) {
        why["hit"] = last_hit_;
      }
      stops_.forget_values(); // from here on, changes count
      changes_.clear();
      return why;
    }
    return nullptr;
  }
  if (found_a_defect()) {
    return {{"reason", "finding"}};
  }
  here_ = &t;
  json hit = stops_.empty() ? json() : breaks(t);
  here_ = nullptr;
  const bool mine = t.number == goal_.thread;
  switch (goal_.kind) {
  case goal::what::step:
    if (goal_.thread == never || (mine && goal_.left == 0)) {
      return hit.is_null() ? json{{"reason", "step"}} : hit;
    }
    break;
  case goal::what::next:
    if (goal_.thread == never || (mine && stops_.comes_to(t, t.next_site, "", 0))) {
      return hit.is_null() ? json{{"reason", "step"}} : hit;
    }
    break;
  case goal::what::until:
    if ((mine || goal_.thread == never) &&
        (goal_.operation.empty() || answers_to(t.next_operation, goal_.operation)) &&
        (goal_.line == 0 || stops_.comes_to(t, t.next_site, goal_.file, goal_.line))) {
      return hit.is_null() ? json{{"reason", "until"}} : hit;
    }
    break;
  default:
    break;
  }
  if (goal_thread_ended_) {
    if (hit.is_null()) {
      hit = {{"reason", "block ended"}};
    }
    hit["ended"] = ended_thread_;
  }
  return hit;
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
  if (goal_.kind == goal::what::scan && !changes_.empty() && begun_ != 0 &&
      !is_before_operations(changes_.back())) {
    // Before the operation that made it.
    const std::uint64_t by = changes_.back().operation;
    last_hit_ = {{"reason", "watch"},
                 {"watches", told_changes(nullptr)},
                 {"position", by != 0 ? by - 1 : begun_ - 1}};
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

json agent::told_changes(const sim_thread* t) {
  json list = json::array();
  std::vector<untold_change> kept;
  for (untold_change& c : std::exchange(changes_, {})) {
    if (t != nullptr && !is_told_at(c, *t)) {
      kept.push_back(std::move(c));
      continue;
    }
    list.push_back({{"id", c.what.id}, {"after", step::to_json(c.what.after, buffers_)}});
    if (c.what.before) {
      list.back()["before"] = step::to_json(*c.what.before, buffers_);
    }
    if (!is_before_operations(c)) {
      list.back()["operation"] = c.operation;
    }
  }
  changes_ = std::move(kept);
  return list;
}

json agent::breaks(sim_thread& t) {
  frames_known_ = false;
  static_cast<void>(enter(nullptr));
  json why;
  if (threads_[t.number].values_known != values_known_to_ && stops_.has_watches()) {
    look_at_watches(&t); // its variables, before its next operation changes them
  }
  if (has_change_for(t)) {
    why = {{"reason", "watch"}, {"watches", told_changes(&t)}};
  }
  const std::vector<reached_breakpoint> reached =
      stops_.at(t, t.next_site, t.next_operation, *this);
  for (const reached_breakpoint& r : reached) {
    if (!r.trouble.empty() && goal_.kind == goal::what::scan) {
      continue; // going back, it does not hold
    }
    why["breakpoints"].push_back(r.id);
    if (!r.trouble.empty()) {
      why["troubles"].push_back({{"id", r.id}, {"why", r.trouble}});
    }
  }
  if (why.contains("breakpoints") && !why.contains("reason")) {
    why["reason"] = "breakpoint";
  }
  return why;
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
  if (t.number == goal_.thread && goal_.kind != goal::what::run) {
    goal_thread_ended_ = true;
    every_ = true;
    ended_thread_ = fmt::format("{} of {}", t.name(), t.launch->kernel.name);
  }
  // What its last operation did may be the last of all: nobody may come by before the end.
  if (goal_.kind != goal::what::position && goal_.kind != goal::what::scan && found_a_defect()) {
    serve({{"reason", "finding"},
           {"ended", fmt::format("{} of {}", t.name(), t.launch->kernel.name)}});
  }
  if (!stops_.empty() && goal_.kind != goal::what::position) {
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
  if (goal_.kind == goal::what::scan) {
    return;
  }
  json gone = json::array();
  for (const unsigned id : watches) {
    gone.push_back({{"id", id}, {"gone", true}});
  }
  if (!gone.empty()) {
    serve({{"reason", "watch"},
           {"watches", std::move(gone)},
           {"ended", fmt::format("{} of {}", t.name(), t.launch->kernel.name)}});
  }
}

/// Of what has been done since the last operation began: where no other comes, nobody would ask.
void agent::add_changes(json& why) {
  if (!stops_.has_watches() || goal_.kind == goal::what::scan ||
      goal_.kind == goal::what::position) {
    return;
  }
  look_at_watches(here_);
  if (!changes_.empty()) {
    why["watches"] = told_changes(nullptr);
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
  json why = {{"reason", word(how)}, {"status", status}};
  if (how != run_end::ended) {
    add_changes(why);
  } else if (!changes_.empty() && goal_.kind != goal::what::scan &&
             goal_.kind != goal::what::position) {
    serve({{"reason", "watch"}, {"watches", told_changes(nullptr)}});
  }
  if (goal_.kind == goal::what::scan && !last_hit_.is_null()) {
    why["hit"] = last_hit_;
  }
  serve(std::move(why));
  here_ = nullptr;
}

bool agent::interrupted_in_host(const void* site) {
  interrupt_forgotten();
  json why = {{"reason", "interrupt"}, {"host", frames_json<json>(resolve(site))}};
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

void agent::serve(json why) {
  std::fflush(nullptr);
  switching_ = false;
  goal_thread_ended_ = false;
  frames_known_ = false;
  frame_ = 0;
  link_.send(stop_message(std::move(why)));
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

json agent::thread_json(const sim_thread& t) const {
  json j = {{"number", t.number},
            {"launch", t.launch->id},
            {"kernel", t.launch->kernel.name},
            {"block", {t.block.x, t.block.y, t.block.z}},
            {"linear", t.linear_block()},
            {"name", t.name()},
            {"operations", t.operations}};
  if (t.launch->threads_per_block != 1) {
    j["thread"] = {t.thread.x, t.thread.y, t.thread.z};
  }
  return j;
}

json agent::stop_message(json why) {
  why["event"] = "stop";
  why["pid"] = getpid();
  why["position"] = begun_;
  why["checkpoints"] = std::exchange(checkpoints_made_, 0);
  why["journal_bytes"] = journal_.bytes();
  why["writers_bytes"] = writers_.bytes() + (threads_.capacity() * sizeof(identity));
  if (here_ != nullptr) {
    why["thread"] = thread_json(*here_);
    why["next"] = {{"operation", next_operation_of(*here_)},
                   {"number", begun_ + 1},
                   {"frames", frames_json<json>(resolve(here_->next_site))}};
  }
  if (last_) {
    why["last"] = step::to_json(*last_, buffers_);
    why["last"]["frames"] = frames_json<json>(resolve(last_->site));
    last_.reset();
  }
  const auto& all = context_.found.all().findings;
  json fresh = json::array();
  for (; told_findings_ < all.size(); ++told_findings_) {
    fresh.push_back(to_json(all[told_findings_]));
    fresh.back()["operation"] = told_findings_ < found_at_.size() ? found_at_[told_findings_] : 0;
  }
  if (!fresh.empty()) {
    why["findings"] = std::move(fresh);
  }
  new_findings_ = false;
  return why;
}

bool agent::answer(const json& request) {
  const std::string what = request.value("do", "");
  if (what == "go") {
    go(request);
    return false;
  }
  if (what == "quit") {
    _exit(0);
  }
  json reply;
  try {
    reply = reply_to(what, request);
  } catch (const expression_error& e) {
    reply = {{"error", e.what()}, {"column", e.column()}};
  } catch (const refusal& e) {
    reply = {{"error", e.what()}};
  } catch (const json::exception& e) {
    reply = {{"error", e.what()}};
  }
  reply["event"] = "reply";
  link_.send(reply);
  return !switching_;
}

json agent::reply_to(const std::string& what, const json& request) {
  using answering = json (agent::*)(const json& request);
  // No object that exit() destroys: the program's end is answered for, too.
  static constexpr std::array<std::pair<std::string_view, answering>, 17> answers = {{
      {"set", &agent::set},
      {"evaluate", &agent::evaluate},
      {"writer", &agent::writer},
      {"locals", &agent::locals},
      {"frames", &agent::frames},
      {"blocks", &agent::blocks},
      {"buffers", &agent::buffer_list},
      {"switch", &agent::switch_to},
      {"history", &agent::history},
      {"back", &agent::back},
      {"waiting", &agent::waiting},
      {"memory", &agent::memory_bytes},
      {"findings", &agent::findings},
      {"schedule", &agent::schedule},
      {"kernels", &agent::kernels_and_functions},
      {"check operation", &agent::has_operation},
      {"line", &agent::line},
  }};
  const auto* const answer =
      std::ranges::find(answers, what, &std::pair<std::string_view, answering>::first);
  if (answer == answers.end()) {
    return {{"error", fmt::format("unknown request '{}'", what)}};
  }
  return (this->*answer->second)(request);
}

json agent::set(const json& request) {
  stops_.set(request);
  ++values_known_to_;
  look_at_watches(here_); // what is new counts from now on
  if (request.contains("directives")) {
    directives_.clear();
    for (const json& d : request.at("directives")) {
      directive one{.at = d.at("at")};
      if (d.contains("thread")) {
        one.thread = d.at("thread");
      } else {
        one.block = {d.at("launch"), d.at("block")};
      }
      directives_.push_back(one);
    }
  }
  stop_at_findings_ = request.value("stop_at_findings", stop_at_findings_);
  if (request.contains("journal_bytes")) {
    journal_.bound(request.at("journal_bytes"));
  }
  return json::object();
}

json agent::locals(const json& request) {
  use_frame(request.value("frame", std::size_t{0}));
  json list = json::array();
  if (frame_ < frames_.size()) {
    for (const variable& v : step::variables(frames_[frame_])) {
      list.push_back(
          {{"name", v.name},
           {"type", v.type},
           {"parameter", v.parameter},
           {"line", v.line},
           {"value", step::to_json(v.now, buffers_, request.value("most", most_captured))}});
    }
  }
  return {{"locals", std::move(list)}};
}

json agent::frames(const json& /*request*/) {
  use_frame(frame_);
  json list = json::array();
  for (const frame_registers& f : frames_) {
    list.push_back(frames_json<json>(resolve(f.pc)));
  }
  // Behind the kernel stands its launch, which no frame on the block's stack shows.
  if (here_ != nullptr && !frames_.empty()) {
    std::vector<source_frame> launch = resolve(here_->launch->site);
    if (!launch.empty()) {
      launch.front().function = "operator()";
      list.push_back(frames_json<json>(launch));
    }
  }
  return {{"frames", std::move(list)}};
}

json agent::findings(const json& /*request*/) {
  json list = json::array();
  for (const finding& f : context_.found.all().findings) {
    list.push_back(to_json(f));
  }
  return {{"findings", std::move(list)}};
}

json agent::schedule(const json& /*request*/) {
  const auto unfollowed = context_.exec->desk().strategy->unfollowed(ending_);
  return {{"schedule", context_.exec->desk().strategy->describe()},
          {"turns", turns_lost_ ? "" : to_string(turns_)},
          {"seed", context_.opts.seed},
          {"fill", context_.opts.fill.value_or(context_.opts.seed)},
          {"unfollowed", unfollowed ? json(*unfollowed) : json()},
          {"position", begun_}};
}

json agent::has_operation(const json& request) {
  check_operation(request.at("name"));
  return json::object();
}

json agent::line(const json& request) {
  return operations_at(request.at("file"), request.at("line"));
}

json agent::kernels_and_functions(const json& /*request*/) {
  std::set<std::string> kernels;
  std::set<std::string> functions;
  for (const user_function& f : code_of_program().functions) {
    (f.is_kernel ? kernels : functions).insert(f.name);
  }
  // Those that a macro of the program's declares are known once they have been launched.
  for (const launch_state* l : context_.exec->launches()) {
    kernels.insert(l->kernel.name);
  }
  return {{"kernels", kernels}, {"functions", functions}};
}

void agent::go(const json& request) {
  // No object that ends before the program does: it is asked at the very end, too.
  static constexpr std::array<std::pair<std::string_view, goal::what>, 7> kinds = {
      {{"run", goal::what::run},
       {"step", goal::what::step},
       {"next", goal::what::next},
       {"finish", goal::what::finish},
       {"until", goal::what::until},
       {"position", goal::what::position},
       {"scan", goal::what::scan}}};
  goal_ = goal{};
  const std::string how = request.value("how", "run");
  const auto* const kind =
      std::ranges::find(kinds, std::string_view(how), [](const auto& row) { return row.first; });
  goal_.kind = kind == kinds.end() ? goal::what::run : kind->second;
  goal_.thread = here_ != nullptr ? here_->number : never;
  goal_.left = request.value("count", std::uint64_t{1});
  goal_.position = request.value("position", never);
  goal_.file = request.value("file", "");
  goal_.line = request.value("line", 0U);
  goal_.operation = request.value("op", "");
  goal_.notes = request.value("notes", false);
  goal_.through = request.value("through", false);
  newest_checkpoint_ = request.value("newest_checkpoint", newest_checkpoint_);
  goal_thread_ended_ = false;
  last_hit_ = nullptr;
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

json agent::evaluate(const json& request) {
  used_local_ = looked_up_ = false;
  use_frame(request.value("frame", std::size_t{0}));
  const expression e(request.at("expression").get<std::string>());
  const value v = e.evaluate(*this);
  std::optional<char> format;
  if (request.contains("format")) {
    format = request.at("format").get<std::string>().at(0);
  }
  json reply = {
      {"value", step::to_json(v, buffers_, request.value("most", most_captured), format)}};
  if (const auto frame = entered()) {
    reply["frame"] = to_json(*frame);
    reply["frame"]["name"] = here_->name();
  }
  reply["constant"] = !looked_up_;
  if (const auto writer = last_writer(v)) {
    reply["writer"] = *writer;
    reply["nameless"] = nameless(v);
    if (v.type.kind != element::ptr && v.members.empty()) {
      const allocation* a = context_.mem.find(reinterpret_cast<const void*>(*v.address));
      reply["place"] = to_json(watched_place{v, a->kind == memory_kind::device});
    }
  }
  return reply;
}

/// Of memory alone: which operation has written it last, also where it has been freed since.
json agent::writer(const json& request) {
  used_local_ = false;
  use_frame(0);
  value v;
  freed_read_.emplace();
  try {
    v = expression(request.at("expression").get<std::string>()).evaluate(*this);
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
  return known ? json{{"writer", *by}} : json::object();
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

json agent::blocks(const json& request) {
  const std::size_t most = request.value("most", std::size_t{1000});
  json list = json::array();
  std::vector<execution::thread_view> alive = context_.exec->threads();
  std::ranges::sort(alive, {}, [](const execution::thread_view& w) { return w.thread->number; });
  for (const auto& [thread, sleeps] : alive) {
    if (list.size() == most) {
      break;
    }
    json one = thread_json(*thread);
    one["current"] = thread == here_;
    one["state"] = sleeps ? "waits" : "stands";
    if (thread->next_site != nullptr) {
      one["operation"] = next_operation_of(*thread);
      one["place"] = place(thread->next_site);
      one["frames"] = frames_json<json>(resolve(thread->next_site));
    }
    json cells = json::array();
    if (sleeps) {
      for (const watched_cell& c : thread->spin.watched()) {
        cells.push_back({{"place", buffers_.describe(c.address)}, {"value", c.value}});
      }
      one["for"] = std::move(cells);
    }
    list.push_back(std::move(one));
  }
  json launches = json::array();
  for (const launch_state* l : context_.exec->launches()) {
    launches.push_back({{"launch", l->id},
                        {"kernel", l->kernel.name},
                        {"grid", {l->config.grid.x, l->config.grid.y, l->config.grid.z}},
                        {"threads", l->threads()},
                        {"started", l->started},
                        {"ended", l->ended},
                        {"place", place(l->site)}});
  }
  return {{"blocks", std::move(list)}, {"alive", alive.size()}, {"launches", std::move(launches)}};
}

json agent::buffer_list(const json& /*request*/) {
  json list = json::array();
  for (const buffer* b : buffers_.all()) {
    list.push_back({{"name", b->name},
                    {"address", b->memory->begin},
                    {"bytes", b->memory->size},
                    {"count", b->count()},
                    {"type", b->element ? element_word(*b->element) : ""},
                    {"kind", sim::name(b->memory->kind)},
                    {"live", b->memory->live},
                    {"place", place_and_helper(b->memory->site)}});
  }
  return {{"buffers", std::move(list)}};
}

/// Another thread goes on from here; what was planned for later is another run's.
void agent::direct(const directive& wanted) {
  directives_ = {wanted};
  goal_ = {.kind = goal::what::position, .position = begun_};
  switching_ = every_ = true;
}

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw refusal(why);
}

/// The block that "block" names, by its number or by x, y and z.
std::uint64_t wanted_block(const launch_state& launch, const json& request) {
  const dim3& grid = launch.config.grid;
  const json& given = request.at("block");
  if (!given.is_array()) {
    const std::uint64_t block = given;
    if (block >= launch.blocks) {
      refuse(fmt::format("block {} is outside the grid of {} blocks", block, launch.blocks));
    }
    return block;
  }
  const std::uint64_t x = given.at(0);
  const std::uint64_t y = given.at(1);
  const std::uint64_t z = given.at(2);
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

/// The thread of its block that "thread" names, by its number or by x, y and z; none: whichever
/// can go on.
std::optional<std::uint64_t> wanted_thread(const launch_state& launch, const json& request) {
  if (!request.contains("thread")) {
    return launch.threads_per_block == 1 ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  const dim3& threads = launch.config.block;
  const json& given = request.at("thread");
  if (!given.is_array()) {
    return given.get<std::uint64_t>();
  }
  return given.at(0).get<std::uint64_t>() +
         (threads.x * (given.at(1).get<std::uint64_t>() +
                       (std::uint64_t{threads.y} * given.at(2).get<std::uint64_t>())));
}

bool waits(const execution::thread_view& w) {
  return w.sleeps && !w.thread->spin.may_go_on(w.thread->owner->exec->desk().changes);
}

} // namespace

const launch_state& agent::wanted_launch(const json& request) const {
  if (!request.contains("launch")) {
    return *here_->launch;
  }
  const std::uint64_t id = request.at("launch");
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

json agent::switch_to(const json& request) {
  if (ending_) {
    return {{"error", "the run is over: no block goes on"}};
  }
  if (here_ == nullptr) {
    return {{"error", "no kernel runs: there is no block to go to"}};
  }
  const launch_state& launch = wanted_launch(request);
  const std::uint64_t block = wanted_block(launch, request);
  if (const sim_thread* t = started_thread(launch, block, wanted_thread(launch, request))) {
    direct({.at = begun_, .thread = t->number, .block = {}});
    return {{"directive", {{"at", begun_}, {"thread", t->number}, {"block", block}}}};
  }
  check_start(launch, block);
  direct({.at = begun_, .thread = never, .block = {launch.id, block}});
  return {{"directive", {{"at", begun_}, {"launch", launch.id}, {"block", block}}}};
}

/// Where those that wait now began to: before the first poll. They sleep, or have slept until
/// everyone did and have been let poll on.
json agent::waiting(const json& /*request*/) {
  json positions = json::array();
  for (const execution::thread_view& w : context_.exec->threads()) {
    if (w.thread->spin.began() != 0) {
      positions.push_back(w.thread->spin.began() - 1);
    }
  }
  return {{"positions", std::move(positions)}};
}

/// The position before operations of one thread. What the journal has forgotten is "forgotten": the
/// stepper comes there again, and asks for the rest.
json agent::back(const json& request) {
  if (here_ == nullptr && !request.contains("thread")) {
    return {{"position", begun_ == 0 ? 0 : begun_ - 1}};
  }
  // An operation under way when tilesim ends the program counts as begun.
  const std::string how = request.value("how", "step");
  std::uint64_t left = request.value("count", std::uint64_t{1});
  const bool goes_on = request.contains("thread");
  const std::uint64_t start = goes_on ? request.at("start").get<std::uint64_t>() : begun_;
  const std::uint64_t thread = goes_on ? request.at("thread").get<std::uint64_t>() : here_->number;
  const auto* next_site =
      reinterpret_cast<const void*>(goes_on ? request.at("next_site").get<std::uintptr_t>()
                                            : reinterpret_cast<std::uintptr_t>(here_->next_site));
  const auto* line_site =
      reinterpret_cast<const void*>(request.value("line_site", std::uintptr_t{0}));
  std::uint64_t found = request.value("found", start);
  if (how == "begin" && threads_[thread].first != never) {
    found = threads_[thread].first;
  }
  std::uint64_t n = how == "begin" ? 0 : goes_on ? begun_ : here_->run_operation;
  if (how == "step" && !goes_on && here_->spin.suspected() && here_->spin.began() != 0 &&
      here_->spin.began() <= n) {
    // It has polled and polled: all that in one step.
    n = here_->spin.began() - 1;
    found = n;
    if (--left == 0) {
      return {{"position", found}};
    }
  }
  for (; n > threads_[thread].first; --n) {
    const auto e = journal_.find(n);
    if (!e) {
      return {{"forgotten", n},
              {"rest",
               {{"how", how},
                {"count", left},
                {"start", start},
                {"thread", thread},
                {"next_site", reinterpret_cast<std::uintptr_t>(next_site)},
                {"line_site", reinterpret_cast<std::uintptr_t>(line_site)},
                {"found", found}}}};
    }
    if (e->thread != thread) {
      continue;
    }
    if (how == "line") {
      // All operations of one line before this one.
      if (line_site == nullptr) {
        if (!stops_.same_line(e->site, next_site) || found != start) {
          line_site = e->site;
        }
      } else if (!stops_.same_line(e->site, line_site)) {
        break;
      }
      found = n - 1;
      continue;
    }
    found = n - 1;
    if (--left == 0) {
      break;
    }
  }
  if (found == start) {
    if (start == 0) {
      return {{"error", "nothing has happened yet: there is nothing to take back"}};
    }
    --found; // this thread begins here: back to the one that ran before
  }
  return {{"position", found}};
}

namespace {

/// Each whole unit of "unit" bytes in the form that "format" names.
json texts_of_units(const std::vector<std::uint8_t>& bytes, const json& request) {
  const std::size_t unit = request.at("unit");
  const char format = request.at("format").get<std::string>().at(0);
  json texts = json::array();
  for (std::size_t at = 0; at + unit <= bytes.size(); at += unit) {
    texts.push_back(formatted(std::span(bytes).subspan(at, unit), format));
  }
  return texts;
}

} // namespace

json agent::memory_bytes(const json& request) {
  use_frame(request.value("frame", std::size_t{0}));
  const value v = expression(request.at("expression").get<std::string>()).evaluate(*this);
  if (!v.missing.empty()) {
    throw expression_error(
        fmt::format("{} is {}", request.at("expression").get<std::string>(), v.missing), 0);
  }
  std::uintptr_t address = 0;
  if (v.shape.empty() && !v.bytes.empty() &&
      (v.type.kind == element::ptr || (!v.address && is_integer(v.type.kind)))) {
    std::memcpy(&address, v.bytes.data(), std::min(v.bytes.size(), sizeof address));
  } else if (v.address) {
    address = *v.address;
  } else {
    return {{"error", "that is no place in memory: a pointer, a buffer or a variable is wanted"}};
  }
  json cells = json::array();
  json unwritten = json::array(); // offsets
  const std::size_t bytes = request.value("bytes", std::size_t{64});
  for (std::size_t i = 0; i < bytes; ++i) {
    std::uint8_t cell = 0;
    if (!read(address + i, 1, &cell)) {
      break;
    }
    if (written_.first_unwritten(address + i, 1)) {
      unwritten.push_back(i);
    }
    cells.push_back(cell);
  }
  if (cells.empty()) {
    return {{"error", fmt::format("the program has no memory at {:#x}", address)}};
  }
  json reply = {{"address", address}, {"unwritten", std::move(unwritten)}};
  if (request.contains("format")) {
    reply["texts"] = texts_of_units(cells.get<std::vector<std::uint8_t>>(), request);
  }
  reply["bytes"] = std::move(cells);
  return reply;
}

json agent::history(const json& request) {
  json list = json::array();
  const std::uint64_t first = request.at("first");
  const std::uint64_t last = request.at("last");
  for (std::uint64_t n = std::max<std::uint64_t>(first, 1); n <= last && n <= begun_; ++n) {
    if (const auto e = journal_.find(n)) {
      list.push_back({{"number", n},
                      {"operation", e->operation},
                      {"thread", e->thread},
                      {"launch", threads_[e->thread].launch},
                      {"block", threads_[e->thread].block},
                      {"by", threads_[e->thread].name},
                      {"frames", frames_json<json>(resolve(e->site))}});
    }
  }
  return {{"history", std::move(list)}};
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
