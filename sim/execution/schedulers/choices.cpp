// Choosing: turns that somebody wrote down, then no preemption, and a list of everything that could
// have been chosen instead. Who takes each once, with few preemptions, has seen every schedule that
// has no more of them.
//
// Musuvathi and Qadeer: Iterative context bounding for systematic testing of multithreaded
// programs, PLDI 2007. Where a thread waits or ends another goes on for nothing; a switch before an
// access of a thread that could go on is a preemption.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/scheduler.hpp"
#include "sim/execution/schedulers/thread_names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tilesim::sim {

namespace {

/// The oldest that may go on, and everyone until it waits or ends.
class running_on final : public scheduler {
public:
  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    accesses_ = 0;
    // One alone may be that which has just made way: it stands behind the others.
    return runnable.size() < 2 && can_start ? runnable.size() : 0;
  }

  bool preempt() override { return ++accesses_ % turn_accesses == 0; }

  std::uint64_t
  block(std::uint64_t /*launch*/, std::uint64_t nth, std::uint64_t /*count*/) override {
    return nth;
  }

  std::string describe() const override { return "no preemption"; }

private:
  // A thread may poll without being seen to wait.
  static constexpr std::uint64_t turn_accesses = 1U << 16U;
  std::uint64_t accesses_ = 0;
};

// More places than that are of no use: each is a run.
constexpr std::size_t most_preemptions = 1U << 20U;

class choosing final : public scheduler {
public:
  explicit choosing(std::vector<turn> turns)
      : strategy_(make_recording(make_replay(std::move(turns), std::make_unique<running_on>()))) {}

  void begin(std::uint64_t launch, std::uint64_t blocks, std::uint64_t threads_per_block) override {
    launches_[launch] = {.threads = blocks * threads_per_block, .started = {}};
    names_.begin(launch, threads_per_block);
    strategy_->begin(launch, blocks, threads_per_block);
  }

  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    const std::size_t choice = strategy_->pick(runnable, can_start);
    instead_.clear();
    for (std::size_t i = 0; i < runnable.size(); ++i) {
      if (i != choice && runnable[i] != preempted_) {
        instead_.push_back(turn_of(runnable[i]));
      }
    }
    if (can_start) {
      add_unstarted();
    }
    preempted_.reset();
    first_ = true;
    if (choice < runnable.size()) {
      chosen(runnable[choice]);
    }
    return choice;
  }

  bool preempt() override { return ask(step_kind::memory); }
  bool preempt_raw() override { return ask(step_kind::raw); }
  bool preempt_compute() override { return ask(step_kind::compute); }
  void made_way(step_kind kind) override { strategy_->made_way(kind); }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    const std::uint64_t index = strategy_->block(launch, nth, count);
    const thread_number number = names_.started();
    names_.start(launch, nth, [index] { return index; });
    launches_.at(launch).started.insert(names_[number].second);
    ++alive_;
    const turn started = turn_of(number);
    std::erase(instead_, started);
    chosen(number);
    return index;
  }

  void ended(thread_number thread) override {
    TILESIM_ASSERT(alive_ != 0, thread);
    --alive_;
    positions_.erase(thread);
    strategy_->ended(thread);
  }

  bool wakes_at_once() const override { return true; }
  std::string describe() const override { return strategy_->describe(); }
  const turn_history* history() const override { return strategy_->history(); }

  // What is chosen behind that is who polls for nothing.
  void all_sleep() override {
    told_.complete = false;
    stalled_ = true;
    strategy_->all_sleep();
  }

  std::optional<turn_history> history_until_sleep() const override {
    return strategy_->history_until_sleep();
  }

  std::optional<std::string> unfollowed(bool over) const override {
    return strategy_->unfollowed(over);
  }

  const run_choices* choices() const override { return &told_; }

private:
  struct begun_launch {
    std::uint64_t threads = 0;
    std::set<std::uint64_t> started;
  };

  [[nodiscard]] turn turn_of(thread_number n) const {
    return {names_[n].first, names_[n].second, {}};
  }

  /// Threads of the first launch that has some to start.
  void add_unstarted() {
    for (const auto& [launch, l] : launches_) {
      for (std::uint64_t t = 0; t < l.threads && l.started.size() < l.threads; ++t) {
        if (!l.started.contains(t)) {
          instead_.push_back({launch, t, {}});
        }
      }
      if (l.started.size() < l.threads) {
        return;
      }
    }
  }

  [[nodiscard]] bool somebody_else() const {
    return alive_ > 1 || std::ranges::any_of(launches_, [](const auto& l) {
             return l.second.started.size() < l.second.threads;
           });
  }

  void chosen(thread_number number) {
    running_ = number;
    others_ = somebody_else();
    const turn_history* const history = strategy_->history();
    if (history == nullptr || !history->complete) {
      told_.complete = false;
      stalled_ = true;
      return;
    }
    // One that made way and went on at once has its turn still.
    if (!stalled_ && history->turns.size() > told_.instead.size()) {
      told_.instead.push_back(instead_);
      told_.preemptions.emplace_back();
    }
  }

  bool ask(step_kind kind) {
    turn_point& at = positions_[running_];
    const bool halt = strategy_->preempt_before(kind);
    if (!halt && !first_ && others_ && !stalled_ && kind != step_kind::compute) {
      turn_point p{.operations = at.operations, .raw = {}};
      if (kind == step_kind::raw) {
        p.raw = at.raw.value_or(0);
      }
      told_.preemptions.back().push_back(p);
      if (++preemptions_ == most_preemptions) {
        told_.complete = false;
        stalled_ = true;
      }
    }
    if (kind != step_kind::compute) {
      first_ = false;
      at.operations += kind == step_kind::raw ? 0 : 1;
      at.raw = kind == step_kind::raw ? at.raw.value_or(0) + 1 : 0;
    }
    if (halt) {
      preempted_ = running_;
    }
    return halt;
  }

  std::unique_ptr<scheduler> strategy_;
  run_choices told_;
  std::map<std::uint64_t, begun_launch> launches_;
  thread_names names_;
  std::unordered_map<thread_number, turn_point> positions_; ///< where each stands
  std::vector<turn> instead_;                               ///< of the present turn
  std::optional<thread_number> preempted_;
  thread_number running_ = 0;
  std::uint64_t alive_ = 0;
  std::size_t preemptions_ = 0; ///< that have been told
  bool first_ = true;           ///< the turn has made no access
  bool others_ = false;         ///< somebody else might go on
  bool stalled_ = false;        ///< nothing more is told
};

} // namespace

std::unique_ptr<scheduler> make_choosing(std::vector<turn> turns) {
  return std::make_unique<choosing>(std::move(turns));
}

} // namespace tilesim::sim
