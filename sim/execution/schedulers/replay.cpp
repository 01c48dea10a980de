// Replay: turns that somebody wrote down, then round robin.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/contract/counted.hpp"
#include "sim/core/scheduler.hpp"
#include "sim/execution/schedulers/thread_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace tilesim::sim {

namespace {

/// In a turn that goes on until its thread waits or ends.
constexpr std::uint64_t turn_accesses = 1U << 16U;

class replay_scheduler final : public scheduler {
public:
  replay_scheduler(std::vector<turn> turns, std::unique_ptr<scheduler> behind)
      : turns_(std::move(turns))
      , behind_(std::move(behind)) {}

  void begin(std::uint64_t launch, std::uint64_t blocks, std::uint64_t threads_per_block) override {
    names_.begin(launch, threads_per_block);
    blocks_[launch] = blocks;
  }

  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    passing_ = false;
    const bool was_in_turn = std::exchange(in_turn_, false);
    while (at_ < turns_.size() && turns_[at_].launch <= names_.last_launch()) {
      const std::size_t choice = wanted(runnable, can_start);
      if (choice <= runnable.size()) {
        in_turn_ = true;
        return chosen(runnable, choice);
      }
      // A turn without an end is over when its thread waits or ends: so it was meant.
      if (!unfollowed_ && (!was_in_turn || at_ != taken_ || turns_[at_].until)) {
        unfollowed_ = {at_, why_nobody(can_start)};
      }
      ++at_;
    }
    return chosen(runnable, behind_->pick(runnable, can_start));
  }

  bool preempt() override { return ask(step_kind::memory); }
  bool preempt_raw() override { return ask(step_kind::raw); }
  bool preempt_compute() override { return ask(step_kind::compute); }

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

  std::optional<std::string> unfollowed(bool over) const override {
    if (unfollowed_) {
      return told(unfollowed_->first, unfollowed_->second);
    }
    if (!over || at_ == turns_.size()) {
      return {};
    }
    if (!in_turn_) {
      return told(at_, "the run ended before");
    }
    if (turns_[at_].until) {
      return told(at_, name(turns_[at_]) + " did not come there");
    }
    return at_ + 1 == turns_.size() ? std::nullopt
                                    : std::optional(told(at_ + 1, "the run ended before"));
  }

  bool wakes_at_once() const override { return at_ < turns_.size(); }

  std::string describe() const override { return fmt::format("turns {}", to_string(turns_)); }

private:
  struct counts {
    std::uint64_t operations = 0; ///< on memory
    std::uint64_t raw = 0;        ///< since the last of them
    std::uint64_t all = 0;        ///< operations; known to those who ask before each
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
    TILESIM_ASSERT(choice <= runnable.size(), choice, runnable.size());
    running_ = choice == runnable.size() ? names_.started() : runnable[choice];
    taken_ = at_;
    accesses_ = 0;
    return choice;
  }

  /// "block 3", "block 3 of launch 2", "thread 7 of launch 2": as turns name it.
  [[nodiscard]] std::string name(const turn& t) const {
    const bool threads = names_.begun(t.launch) && names_.threads_per_block(t.launch) != 1;
    return fmt::format("{} {}{}",
                       threads ? "thread" : "block",
                       t.thread,
                       names_.last_launch() > 1 ? fmt::format(" of launch {}", t.launch) : "");
  }

  /// Why the current turn's thread cannot run.
  [[nodiscard]] std::string why_nobody(bool can_start) const {
    const turn& t = turns_[at_];
    if (!names_.begun(t.launch)) {
      return fmt::format("launch {} has no blocks", t.launch);
    }
    const std::uint64_t threads = blocks_.at(t.launch) * names_.threads_per_block(t.launch);
    if (t.thread >= threads) {
      return fmt::format(
          "launch {} has {}",
          t.launch,
          counted(threads, names_.threads_per_block(t.launch) == 1 ? "block" : "thread"));
    }
    const auto number = numbers_.find(name_of(t));
    if (number == numbers_.end()) {
      return name(t) + (can_start ? " could not start yet" : " was not there to start");
    }
    const auto c = counts_.find(number->second);
    if (c == counts_.end()) {
      return name(t) + " has ended before";
    }
    return fmt::format(
        "{} waits, after {}", name(t), counted(c->second.operations, "memory operation"));
  }

  [[nodiscard]] std::string told(std::size_t index, const std::string& why) const {
    return fmt::format("switch {}, {}: {}", index + 1, to_string({turns_[index]}), why);
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

  bool ask(step_kind kind) {
    counts& c = counts_[running_];
    const bool halt = in_turn_ ? turn_is_over(c, kind) : behind_->preempt_before(kind) || passing_;
    if (halt && in_turn_) {
      ++at_;
      in_turn_ = false;
    }
    c.all += kind == step_kind::raw ? 0 : 1;
    if (kind != step_kind::compute) {
      c.operations += kind == step_kind::raw ? 0 : 1;
      c.raw = kind == step_kind::raw ? c.raw + 1 : 0;
    }
    return halt;
  }

  [[nodiscard]] bool turn_is_over(const counts& c, step_kind kind) {
    if (stands_at_the_end(c, kind)) {
      return true;
    }
    accesses_ += kind == step_kind::compute ? 0 : 1;
    const auto& until = turns_[at_].until;
    // A thread that polls without being seen to wait would keep the others away.
    if (accesses_ < turn_accesses || (until && (kind != step_kind::raw || until->raw))) {
      return false;
    }
    if (until && !unfollowed_) {
      unfollowed_ = {at_, fmt::format("{} has made {} accesses", name(turns_[at_]), accesses_)};
    }
    return true;
  }

  [[nodiscard]] bool stands_at_the_end(const counts& c, step_kind kind) const {
    const auto& until = turns_[at_].until;
    if (!until) {
      return false;
    }
    if (until->any) {
      return kind != step_kind::raw && c.all >= until->operations;
    }
    if (kind == step_kind::compute) {
      return false;
    }
    if (kind == step_kind::memory) {
      return c.operations >= until->operations;
    }
    return until->raw && (c.operations > until->operations ||
                          (c.operations == until->operations && c.raw >= *until->raw));
  }

  std::vector<turn> turns_;
  std::unique_ptr<scheduler> behind_;
  std::size_t at_ = 0;                                            ///< the current turn
  std::size_t taken_ = 0;                                         ///< the turn of the last choice
  std::uint64_t accesses_ = 0;                                    ///< since then
  std::optional<std::pair<std::size_t, std::string>> unfollowed_; ///< the first turn, and why
  bool in_turn_ = false;                                          ///< its thread runs
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
  return make_replay(std::move(turns), make_round_robin());
}

std::unique_ptr<scheduler> make_replay(std::vector<turn> turns, std::unique_ptr<scheduler> behind) {
  return std::make_unique<replay_scheduler>(std::move(turns), std::move(behind));
}

} // namespace tilesim::sim
