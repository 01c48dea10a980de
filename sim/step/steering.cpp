// Making switches again where they were made.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/steering.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim::step {

steering::steering(std::unique_ptr<scheduler>& strategy) {
  auto steered = std::make_unique<steered_scheduler>(std::move(strategy));
  strategy_ = steered.get();
  strategy = std::move(steered);
}

void steering::set(const std::vector<protocol::directive>& all) {
  to_come_ = all;
}

void steering::make(const protocol::directive& one) {
  to_come_.assign(1, one);
}

bool steering::carry_out(const sim_thread& t, std::uint64_t position) {
  const auto d = std::ranges::find(to_come_, position, &protocol::directive::at);
  if (d == to_come_.end()) {
    return false;
  }
  const protocol::directive wanted = *d;
  to_come_.erase(d); // carried out; the stepper knows all of them
  carried_out_at_ = position;
  if (wanted.thread == t.number) {
    return false;
  }
  if (wanted.thread) {
    strategy_->choose(*wanted.thread);
  } else {
    strategy_->choose(waiting_block{wanted.launch.value_or(0), wanted.block});
  }
  return true;
}

std::uint64_t steering::next_behind(std::uint64_t position) const {
  std::uint64_t next = never;
  for (const protocol::directive& d : to_come_) {
    if (d.at > position) {
      next = std::min(next, d.at);
    }
  }
  return next;
}

} // namespace tilesim::sim::step
