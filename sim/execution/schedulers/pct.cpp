// Probabilistic concurrency testing: strict priorities, lowered at a few places drawn from a seed.
//
// Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees
// of finding bugs, ASPLOS 2010. Threads that have not started stand in the order in which they will
// start, which is shuffled: a random priority each, and only blocks that were lowered or wait are
// alive besides the running one.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/scheduler.hpp"
#include "sim/execution/schedulers/shuffled_blocks.hpp"
#include "sim/ops/rng.hpp"

#include <fmt/format.h>

#include <map>

namespace tilesim::sim {

namespace {

// A thread that goes on for so long may wait in a way that is not recognised as waiting; strict
// priorities would starve who it waits for.
constexpr std::uint64_t turn_accesses = 1U << 16U;

class pct final : public scheduler {
public:
  pct(std::uint64_t seed, unsigned depth, std::uint64_t steps, bool at_once)
      : seed_(seed)
      , depth_(depth)
      , steps_(steps)
      , at_once_(at_once)
      , order_(seed) {
    rng draw(seed);
    for (unsigned i = 1; i < depth; ++i) {
      changes_[1 + draw.below(steps)] = i; // two at one step: one change less
    }
  }

  std::size_t pick(std::span<const thread_number> runnable, bool can_start) override {
    std::size_t best = runnable.size();
    for (const thread_number n : runnable) {
      // Back without having been asked to make way: it ran out of time.
      if (n == running_ && !asked_) {
        yielded(running_);
      }
    }
    for (std::size_t i = 0; i < runnable.size(); ++i) {
      if (best == runnable.size() || above(runnable[i], runnable[best])) {
        best = i;
      }
    }
    if (can_start && (best == runnable.size() || above(started_, runnable[best]))) {
      best = runnable.size();
    }
    running_ = best == runnable.size() ? started_++ : runnable[best];
    asked_ = false;
    accesses_ = 0;
    return best;
  }

  bool preempt() override {
    const auto change = changes_.find(++step_);
    if (change != changes_.end()) {
      lowered_[running_] = change->second;
    } else if (++accesses_ >= turn_accesses) {
      yielded(running_);
    } else {
      return false;
    }
    asked_ = true;
    return true;
  }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    return order_.block(launch, nth, count);
  }

  bool wakes_at_once() const override { return at_once_; }

  std::string describe() const override {
    return fmt::format("pct, depth {} over {} steps, seed {}", depth_, steps_, seed_);
  }

private:
  /// Who was never lowered is above all that were; among themselves the first to start is highest.
  [[nodiscard]] bool above(thread_number a, thread_number b) const {
    const auto lowered_a = lowered_.find(a);
    const auto lowered_b = lowered_.find(b);
    if (lowered_a == lowered_.end() || lowered_b == lowered_.end()) {
      return lowered_a == lowered_b ? a < b : lowered_a == lowered_.end();
    }
    return lowered_a->second > lowered_b->second;
  }

  void yielded(thread_number t) { lowered_[t] = lowest_--; }

  std::uint64_t seed_;
  unsigned depth_;
  std::uint64_t steps_;
  bool at_once_;
  shuffled_blocks order_;
  std::map<std::uint64_t, std::int64_t> changes_; ///< at which step, to which priority
  std::map<thread_number, std::int64_t> lowered_;
  std::int64_t lowest_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t accesses_ = 0; ///< of the running thread in this turn
  thread_number started_ = 0;  ///< how many have started: the next one's number
  thread_number running_ = ~thread_number{0};
  bool asked_ = false; ///< preempt() has told the running thread to make way
};

} // namespace

std::unique_ptr<scheduler>
make_pct(std::uint64_t seed, unsigned depth, std::uint64_t steps, bool at_once) {
  return std::make_unique<pct>(seed, depth, steps, at_once);
}

} // namespace tilesim::sim
