// Recording: another strategy's decisions, and the turns that they were.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/scheduler.hpp"
#include "sim/core/turn_progress.hpp"

#include <optional>
#include <unordered_map>
#include <utility>

namespace tilesim::sim {

namespace {

class recording final : public scheduler {
public:
  explicit recording(std::unique_ptr<scheduler> strategy)
      : strategy_(std::move(strategy)) {}

  void begin(std::uint64_t launch, std::uint64_t blocks, std::uint64_t threads_per_block) override {
    threads_per_block_[launch] = threads_per_block;
    if (full_) {
      full_ = false;
      sleep_.reset();
      history_ = {.turns = {}, .complete = false};
    }
    strategy_->begin(launch, blocks, threads_per_block);
  }

  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    const std::size_t choice = strategy_->pick(runnable, can_start);
    TILESIM_ASSERT(
        choice < runnable.size() + (can_start ? 1U : 0U), choice, runnable.size(), can_start);
    if (choice == runnable.size()) {
      running_ = started_; // block() tells who it is
    } else {
      picked(runnable[choice]);
    }
    return choice;
  }
  std::optional<std::size_t> pick_among(std::size_t runnable, bool can_start) override {
    const std::optional<std::size_t> choice = strategy_->pick_among(runnable, can_start);
    if (choice == runnable) {
      running_ = started_;
    }
    return choice;
  }
  void picked(thread_number thread) override {
    if (thread == running_ && !full_ && !history_.turns.empty()) {
      history_.turns.back().until.reset(); // it made way, and goes on at once
    } else {
      running_ = thread;
      open();
    }
  }

  bool preempt() override { return ask(step_kind::memory); }
  bool preempt_raw() override { return ask(step_kind::raw); }
  bool preempt_compute() override { return ask(step_kind::compute); }

  void made_way(step_kind kind) override {
    strategy_->made_way(kind);
    if (full_ || history_.turns.empty()) {
      return;
    }
    const thread& t = *current_; // which counts that access already
    turn_point& until = history_.turns.back().until.emplace();
    if (kind == step_kind::raw) {
      until = {.operations = t.progress.memory_operations, .raw = t.progress.raw_accesses - 1};
    } else {
      until = {.operations = t.progress.memory_operations - 1};
    }
  }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    const std::uint64_t index = strategy_->block(launch, nth, count);
    if (launch != starting_.first || nth != starting_.second) {
      starting_ = {launch, nth};
      starting_thread_ = 0;
    }
    alive_[started_++] = {
        .launch = launch,
        .thread = (index * threads_per_block_.at(launch)) + starting_thread_++,
        .progress = {},
    };
    open();
    return index;
  }

  void ended(thread_number number) override {
    TILESIM_ASSERT(alive_.contains(number), number);
    alive_.erase(number);
    strategy_->ended(number);
  }

  bool wakes_at_once() const override { return strategy_->wakes_at_once(); }

  std::string describe() const override { return strategy_->describe(); }

  const turn_history* history() const override { return full_ ? nullptr : &history_; }

  void all_sleep() override {
    sleep_ = full_ ? std::nullopt : std::optional(history_.turns.size());
  }

  // The turn that was the last one then has ended by sleep, whatever came of it later.
  std::optional<turn_history> history_until_sleep() const override {
    if (!sleep_ || *sleep_ == 0) {
      return {};
    }
    turn_history h = history_;
    h.turns.resize(*sleep_);
    h.turns.back().until.reset();
    return h;
  }

  std::optional<std::string> unfollowed(bool over) const override {
    return strategy_->unfollowed(over);
  }

private:
  struct thread {
    std::uint64_t launch = 0;
    std::uint64_t thread = 0;
    turn_progress progress; ///< its operations are known to those who ask before each
  };

  bool ask(step_kind kind) {
    const bool halt = strategy_->preempt_before(kind);
    TILESIM_ASSERT(current_ != nullptr, running_);
    thread& t = *current_;
    if (halt && !full_ && !history_.turns.empty()) {
      history_.turns.back().until = t.progress.before(kind);
    }
    t.progress.make(kind);
    return halt;
  }

  void open() {
    current_ = &alive_.at(running_);
    if (full_) {
      return;
    }
    if (history_.turns.size() == most_turns) {
      full_ = true;
      history_.turns.resize(sleep_.value_or(0));
      return;
    }
    history_.turns.push_back({current_->launch, current_->thread, {}});
  }

  std::unique_ptr<scheduler> strategy_;
  turn_history history_;
  bool full_ = false;                ///< until the next launch begins
  std::optional<std::size_t> sleep_; ///< how many turns there were when everyone slept
  thread_number running_ = ~thread_number{0};
  thread* current_ = nullptr; ///< the running one: asked before every access
  thread_number started_ = 0; ///< the number of the next one to start
  std::unordered_map<thread_number, thread> alive_;
  std::unordered_map<std::uint64_t, std::uint64_t> threads_per_block_; ///< by launch
  std::pair<std::uint64_t, std::uint64_t> starting_{0, 0};             ///< launch and nth block
  std::uint64_t starting_thread_ = 0; ///< of that block: the next one to start
};

} // namespace

std::unique_ptr<scheduler> make_recording(std::unique_ptr<scheduler> strategy) {
  return std::make_unique<recording>(std::move(strategy));
}

} // namespace tilesim::sim
