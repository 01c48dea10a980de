// Replay: turns that somebody wrote down, then round robin.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/scheduler.hpp"
#include "sim/schedulers/thread_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace tilesim::sim {

namespace {

class replay_scheduler final : public scheduler {
public:
  explicit replay_scheduler(std::vector<turn> turns)
      : turns_(std::move(turns))
      , behind_(make_round_robin()) {}

  void begin(std::uint64_t launch, std::uint64_t blocks, std::uint64_t threads_per_block) override {
    names_.begin(launch, threads_per_block);
    blocks_[launch] = blocks;
  }

  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    passing_ = false;
    in_turn_ = false;
    while (at_ < turns_.size() && turns_[at_].launch <= names_.last_launch()) {
      const std::size_t choice = wanted(runnable, can_start);
      if (choice <= runnable.size()) {
        in_turn_ = true;
        return chosen(runnable, choice);
      }
      ++at_;
    }
    return chosen(runnable, behind_->pick(runnable, can_start));
  }

  bool preempt() override { return ask(false); }
  bool preempt_raw() override { return ask(true); }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t /*count*/) override {
    const std::uint64_t index =
        names_.start(launch, nth, [this, launch] { return next_block(launch); });
    numbers_[names_[running_]] = running_;
    // Another one had to start first: it makes way before it accesses anything.
    if (at_ < turns_.size() && in_turn_ && names_[running_] != name_of(turns_[at_])) {
      passing_ = true;
      in_turn_ = false;
    }
    return index;
  }

  void ended(thread_number thread) override { counts_.erase(thread); }

  bool wakes_at_once() const override { return at_ < turns_.size(); }

  std::string describe() const override { return fmt::format("turns {}", to_string(turns_)); }

private:
  struct counts {
    std::uint64_t operations = 0;
    std::uint64_t raw = 0;
  };

  [[nodiscard]] static thread_names::name name_of(const turn& t) { return {t.launch, t.thread}; }

  /// Who has to run for the current turn; more than runnable.size(): nobody can.
  [[nodiscard]] std::size_t wanted(std::span<const thread_number> runnable, bool can_start) {
    const turn& t = turns_[at_];
    const std::size_t nobody = runnable.size() + 1;
    if (!names_.begun(t.launch) ||
        t.thread / names_.threads_per_block(t.launch) >= blocks_[t.launch]) {
      return nobody;
    }
    if (const auto number = numbers_.find(name_of(t)); number != numbers_.end()) {
      const auto it = std::ranges::find(runnable, number->second);
      return it == runnable.end() ? nobody : static_cast<std::size_t>(it - runnable.begin());
    }
    return can_start ? runnable.size() : nobody;
  }

  std::size_t chosen(std::span<const thread_number> runnable, std::size_t choice) {
    running_ = choice == runnable.size() ? names_.started() : runnable[choice];
    return choice;
  }

  /// The block that the current turn wants, or the first that has not started.
  std::uint64_t next_block(std::uint64_t launch) {
    std::set<std::uint64_t>& early = started_early_[launch];
    if (at_ < turns_.size() && in_turn_ && turns_[at_].launch == launch) {
      const std::uint64_t block = turns_[at_].thread / names_.threads_per_block(launch);
      if (block >= next_[launch] && early.insert(block).second) {
        return block;
      }
    }
    std::uint64_t& next = next_[launch];
    while (early.erase(next) != 0) {
      ++next;
    }
    return next++;
  }

  bool ask(bool raw) {
    counts& c = counts_[running_];
    bool halt = passing_ || (in_turn_ && stands_at_the_end(c, raw));
    halt = (raw ? behind_->preempt_raw() : behind_->preempt()) || halt;
    if (halt && in_turn_) {
      ++at_;
      in_turn_ = false;
    }
    c.operations += raw ? 0 : 1;
    c.raw = raw ? c.raw + 1 : 0;
    return halt;
  }

  [[nodiscard]] bool stands_at_the_end(const counts& c, bool raw) const {
    const auto& until = turns_[at_].until;
    if (!until) {
      return false;
    }
    if (!raw) {
      return c.operations >= until->operations;
    }
    return until->raw && (c.operations > until->operations ||
                          (c.operations == until->operations && c.raw >= *until->raw));
  }

  std::vector<turn> turns_;
  std::unique_ptr<scheduler> behind_;
  std::size_t at_ = 0;   ///< the current turn
  bool in_turn_ = false; ///< its thread runs
  bool passing_ = false; ///< a thread runs that only had to start before the wanted one
  thread_number running_ = 0;
  thread_names names_;
  std::map<thread_names::name, thread_number> numbers_;
  std::map<std::uint64_t, std::uint64_t> blocks_;                  ///< how many, by launch
  std::map<std::uint64_t, std::uint64_t> next_;                    ///< block in order, by launch
  std::map<std::uint64_t, std::set<std::uint64_t>> started_early_; ///< blocks out of order
  std::unordered_map<thread_number, counts> counts_;
};

} // namespace

std::unique_ptr<scheduler> make_replay(std::vector<turn> turns) {
  return std::make_unique<replay_scheduler>(std::move(turns));
}

} // namespace tilesim::sim
