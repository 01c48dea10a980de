// A strategy with somebody at the wheel: follows another one, but for single choices.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/scheduler.hpp"

#include <optional>
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
  void choose(thread_number t) { thread_ = t; }
  /// The next pick starts this block, if its launch is the one whose blocks start then and the
  /// block has not started. It changes places with the block that would have started.
  void choose(waiting_block b) { block_ = b; }

  [[nodiscard]] std::size_t pick(std::span<const thread_number> runnable, bool can_start) override;
  [[nodiscard]] bool preempt() override { return base_->preempt(); }
  [[nodiscard]] std::uint64_t
  block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override;
  [[nodiscard]] std::string describe() const override { return base_->describe(); }

private:
  using places = std::unordered_map<std::uint64_t, std::uint64_t>;
  [[nodiscard]] static std::uint64_t place(const places& moved, std::uint64_t nth);

  std::unique_ptr<scheduler> base_;
  std::optional<thread_number> thread_;
  std::optional<waiting_block> block_;
  std::unordered_map<std::uint64_t, places> moved_; ///< by launch: who starts in whose place
};

} // namespace tilesim::sim::step
