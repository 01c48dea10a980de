// A turn ends where another thread runs; one that only stood there has made none.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/turn_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::sim::step {

bool turn_recorder::comes(const sim_thread& t) {
  const bool is_new = !knows(t.number);
  if (is_new) {
    threads_.resize(std::max<std::size_t>(threads_.size(), t.number + 1));
    threads_[t.number] = {.launch = t.launch->id,
                          .block = t.linear_block(),
                          .linear = t.linear_thread(),
                          .name = fmt::format("{} of {}", t.name(), t.launch->kernel.name)};
  }
  threads_[t.number].stands = true;
  threads_[t.number].next = t.next_kind;
  return is_new;
}

void turn_recorder::take_turn(const sim_thread& t, bool comes) {
  if (t.number == turn_of_) {
    return;
  }
  if (turn_of_ < threads_.size() && threads_[turn_of_].stands && !turns_.empty()) {
    turns_.back().until = threads_[turn_of_].point(); // it was made to wait
    if (!moved_) {
      turns_.pop_back(); // whoever only stood there changes nothing
    }
  }
  turn_of_ = t.number;
  moved_ = comes;
  const known_thread& who = threads_[t.number];
  if (!turns_.empty() && turns_.back().launch == who.launch && turns_.back().thread == who.linear) {
    turns_.back().until.reset();
    moved_ = true; // before
  } else if (turns_.size() < most_turns) {
    turns_.push_back({who.launch, who.linear, {}});
  } else {
    lost_ = true;
  }
}

void turn_recorder::begins(const sim_thread& t, step_kind kind) {
  known_thread& who = threads_[t.number];
  who.stands = false;
  moved_ = true;
  who.progress.make(kind);
}

} // namespace tilesim::sim::step
