// Steering: single choices over another strategy's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/steered_scheduler.hpp"

#include <algorithm>

namespace tilesim::sim::step {

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

std::uint64_t steered_scheduler::place(const places& moved, std::uint64_t nth) {
  const auto it = moved.find(nth);
  return it == moved.end() ? nth : it->second;
}

std::uint64_t
steered_scheduler::block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) {
  const auto wanted = std::exchange(block_, std::nullopt);
  if (wanted && wanted->launch == launch) {
    places& moved = moved_[launch];
    for (std::uint64_t later = nth; later < count; ++later) {
      if (base_->block(launch, place(moved, later), count) == wanted->block) {
        const std::uint64_t here = place(moved, nth);
        moved[nth] = place(moved, later);
        moved[later] = here;
        break;
      }
    }
  }
  const auto it = moved_.find(launch);
  return base_->block(launch, it == moved_.end() ? nth : place(it->second, nth), count);
}

} // namespace tilesim::sim::step
