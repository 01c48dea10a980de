// Switches that a person has made: at a position, another thread goes on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/core/thread.hpp"
#include "sim/step/steered_scheduler.hpp"
#include "sim/step/turn_recorder.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilesim::sim::step {

class steering {
public:
  /// Takes a strategy's place.
  explicit steering(std::unique_ptr<scheduler>& strategy);

  /// Those that are to come, in the order in which they were given.
  void set(const std::vector<protocol::directive>& all);
  /// One is made; what was planned for later is another run's.
  void make(const protocol::directive& one);
  /// Carries out the next one of this position. True: another thread than `t` goes on.
  bool carry_out(const sim_thread& t, std::uint64_t position);
  /// The next position behind this one that has some; `never` if there is none.
  [[nodiscard]] std::uint64_t next_behind(std::uint64_t position) const;
  /// Where the last one was carried out.
  [[nodiscard]] std::uint64_t carried_out_at() const noexcept { return carried_out_at_; }

  [[nodiscard]] bool has_started(const waiting_block& b) const { return strategy_->has_started(b); }

private:
  steered_scheduler* strategy_;
  std::vector<protocol::directive> to_come_;
  std::uint64_t carried_out_at_ = never;
};

} // namespace tilesim::sim::step
