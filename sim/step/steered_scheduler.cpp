// Steering: single choices, and round robin between them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/steered_scheduler.hpp"

#include <algorithm>

namespace tilesim::sim::step {

void steered_scheduler::started_blocks::add(std::uint64_t b) {
  beyond.insert(b);
  while (beyond.erase(next) != 0) {
    ++next;
  }
}

void steered_scheduler::take_over() {
  if (!std::exchange(taken_over_, true)) {
    base_ = make_round_robin();
  }
}

void steered_scheduler::choose(thread_number t) {
  take_over();
  thread_ = t;
}

void steered_scheduler::choose(waiting_block b) {
  take_over();
  block_ = b;
}

bool steered_scheduler::has_started(waiting_block b) const {
  const auto it = started_.find(b.launch);
  return it != started_.end() && it->second.contains(b.block);
}

std::size_t steered_scheduler::pick(std::span<const thread_number> runnable, bool can_start) {
  if (const auto wanted = std::exchange(thread_, std::nullopt)) {
    const auto it = std::find(runnable.begin(), runnable.end(), *wanted);
    if (it != runnable.end()) {
      return static_cast<std::size_t>(it - runnable.begin());
    }
  }
  if (block_ && can_start) {
    return runnable.size();
  }
  block_.reset();
  return base_->pick(runnable, can_start);
}

std::uint64_t
steered_scheduler::block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) {
  started_blocks& started = started_[launch];
  const auto wanted = std::exchange(block_, std::nullopt);
  if (!taken_over_) {
    started.last = base_->block(launch, nth, count);
  } else if (nth != started.last_nth) {
    started.last = wanted && wanted->launch == launch && !started.contains(wanted->block)
                       ? wanted->block
                       : started.next;
  }
  started.last_nth = nth;
  started.add(started.last);
  return started.last;
}

} // namespace tilesim::sim::step
