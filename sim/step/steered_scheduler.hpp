// A strategy with somebody at the wheel: follows another one until the person chooses.
//
// From the first choice on it is round robin, with more choices where the person makes them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/scheduler.hpp"

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tilesim::sim::step {

/// A block that has not started.
struct waiting_block {
  std::uint64_t launch;
  std::uint64_t block; ///< linear, x fastest
};

class steered_scheduler final : public scheduler {
public:
  explicit steered_scheduler(std::unique_ptr<scheduler> base)
      : base_(std::move(base)) {}

  /// The next pick is this thread, if it can go on then.
  void choose(thread_number t);
  /// The next pick starts this block, if its launch is the one whose blocks start then and the
  /// block has not started.
  void choose(waiting_block b);

  /// Has the block of this launch started?
  [[nodiscard]] bool has_started(waiting_block b) const;

  void begin(std::uint64_t launch, std::uint64_t blocks, std::uint64_t threads_per_block) override {
    base_->begin(launch, blocks, threads_per_block);
  }
  [[nodiscard]] std::size_t pick(std::span<const thread_number> runnable, bool can_start) override;
  void ended(thread_number thread) override { base_->ended(thread); }
  [[nodiscard]] bool preempt() override { return base_->preempt(); }
  [[nodiscard]] bool preempt_raw() override { return base_->preempt_raw(); }
  [[nodiscard]] bool preempt_compute() override { return base_->preempt_compute(); }
  void made_way(step_kind kind) override { base_->made_way(kind); }
  [[nodiscard]] std::uint64_t
  block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override;
  [[nodiscard]] bool wakes_at_once() const override {
    return thread_.has_value() || base_->wakes_at_once();
  }
  [[nodiscard]] std::string describe() const override { return base_->describe(); }
  [[nodiscard]] std::optional<std::string> unfollowed(bool over) const override {
    return base_->unfollowed(over);
  }

private:
  /// Blocks of a launch that have started: all below `next`, and those in `beyond`.
  struct started_blocks {
    std::uint64_t next = 0;
    std::set<std::uint64_t> beyond;
    std::uint64_t last_nth = ~std::uint64_t{0};
    std::uint64_t last = 0; ///< the block that started as the last_nth

    [[nodiscard]] bool contains(std::uint64_t b) const { return b < next || beyond.contains(b); }
    void add(std::uint64_t b);
  };

  void take_over();

  std::unique_ptr<scheduler> base_;
  bool taken_over_ = false;
  std::optional<thread_number> thread_;
  std::optional<waiting_block> block_;
  std::unordered_map<std::uint64_t, started_blocks> started_; ///< by launch
};

} // namespace tilesim::sim::step
