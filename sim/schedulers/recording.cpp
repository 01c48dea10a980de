// Recording: another strategy's decisions, and the turns that they were.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/scheduler.hpp"
#include "sim/schedulers/thread_names.hpp"

#include <unordered_map>
#include <utility>

namespace tilesim::sim {

namespace {

// A history of more turns is of no use to a person, and costs memory in long runs.
constexpr std::size_t most_turns = 1U << 16U;

class recording final : public scheduler {
public:
  explicit recording(std::unique_ptr<scheduler> strategy)
      : strategy_(std::move(strategy)) {}

  void begin(std::uint64_t launch, std::uint64_t blocks, std::uint64_t threads_per_block) override {
    names_.begin(launch, threads_per_block);
    strategy_->begin(launch, blocks, threads_per_block);
  }

  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    const std::size_t choice = strategy_->pick(runnable, can_start);
    if (lost_) {
      return choice;
    }
    if (choice == runnable.size()) {
      leave(names_.started());
    } else if (runnable[choice] == running_) {
      turns_.back().until.reset(); // it made way, and goes on at once
    } else {
      leave(runnable[choice]);
      made_ = std::exchange(left_[running_], {});
      left_.erase(running_);
      open();
    }
    return choice;
  }

  bool preempt() override { return ask(false); }
  bool preempt_raw() override { return ask(true); }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    const std::uint64_t index = strategy_->block(launch, nth, count);
    if (lost_) {
      return index;
    }
    names_.start(launch, nth, [index] { return index; });
    open();
    return index;
  }

  bool wakes_at_once() const override { return strategy_->wakes_at_once(); }

  std::string describe() const override { return strategy_->describe(); }

  const std::vector<turn>* history() const override { return lost_ ? nullptr : &turns_; }

private:
  struct counts {
    std::uint64_t operations = 0;
    std::uint64_t raw = 0;
  };

  bool ask(bool raw) {
    const bool halt = raw ? strategy_->preempt_raw() : strategy_->preempt();
    if (halt && !lost_) {
      turns_.back().until = memory_point{made_.operations, {}};
      if (raw) {
        turns_.back().until->raw = made_.raw;
      }
    }
    made_.operations += raw ? 0 : 1;
    made_.raw = raw ? made_.raw + 1 : 0;
    return halt;
  }

  /// Another thread runs from now on.
  void leave(thread_number next) {
    if (running_ != nobody) {
      left_[running_] = made_; // it may have ended, which nobody tells
    }
    running_ = next;
    made_ = {};
  }

  void open() {
    turns_.push_back({names_[running_].first, names_[running_].second, {}});
    if (turns_.size() > most_turns) {
      lost_ = true;
      turns_ = {};
      left_ = {};
    }
  }

  static constexpr thread_number nobody = ~thread_number{0};

  std::unique_ptr<scheduler> strategy_;
  thread_names names_;
  std::vector<turn> turns_;
  bool lost_ = false; ///< too many turns: only the other strategy counts
  thread_number running_ = nobody;
  counts made_;                                    ///< by the running thread
  std::unordered_map<thread_number, counts> left_; ///< what the others had made
};

} // namespace

std::unique_ptr<scheduler> make_recording(std::unique_ptr<scheduler> strategy) {
  return std::make_unique<recording>(std::move(strategy));
}

} // namespace tilesim::sim
