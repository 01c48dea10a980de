// Round robin: the schedule of `run`. A block runs to its end unless it waits or takes very long,
// so few are alive.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/scheduler.hpp"

#include <map>

namespace tilesim::sim {

namespace {

class round_robin final : public scheduler {
public:
  std::size_t pick(std::span<const thread_number> threads, bool can_start) override {
    const std::size_t runnable = threads.size();
    // Threads that waited and may go on come first, in turn: they hold stacks. Every other turn a
    // new block starts, so that a block which waits for one not yet started is not starved.
    // A block of threads begins when no others can go on: they may meet, and hold stacks till then.
    const std::uint64_t turns_per_start = runnable < many_alive ? 2 : 16;
    begins_turn();
    if (begins_block() && runnable != 0) {
      return 0;
    }
    return (can_start && (++turns_ % turns_per_start == 0 || runnable == 0)) ? runnable : 0;
  }

  // A block that is busy for this long may be waiting in a way that is not recognised as waiting
  // (it writes while it polls): let others run, too.
  bool preempt() override { return ++accesses_ % turn_accesses == 0; }

  void begin(std::uint64_t launch, std::uint64_t /*blocks*/, std::uint64_t threads) override {
    if (threads > 1) {
      threads_[launch] = threads;
    }
  }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t /*count*/) override {
    if (!threads_.empty()) {
      note_start(launch, nth);
    }
    return nth;
  }

  void have_started(std::uint64_t threads) override { started_ += threads; }

  std::string describe() const override { return "round-robin"; }

private:
  static constexpr std::uint64_t turn_accesses = 1U << 16U;
  static constexpr std::size_t many_alive = 128;

  /// The thread that starts next is the first of a block of several, as far as starts were told.
  [[nodiscard]] bool begins_block() const {
    return threads_per_block_ > 1 && started_ == threads_per_block_;
  }
  void note_start(std::uint64_t launch, std::uint64_t nth) {
    if (launch != launch_ || nth != nth_) {
      const auto known = threads_.find(launch);
      threads_per_block_ = known == threads_.end() ? 1 : known->second;
      launch_ = launch;
      nth_ = nth;
      started_ = 0;
    }
    ++started_;
  }

  std::map<std::uint64_t, std::uint64_t> threads_; ///< to a block, by launch, of those with several
  std::uint64_t launch_ = 0;                       ///< of which a thread started last,
  std::uint64_t nth_ = 0;                          ///< in this block,
  std::uint64_t threads_per_block_ = 1;
  std::uint64_t started_ = 0; ///< as one of so many
  std::uint64_t turns_ = 0;
};

} // namespace

std::unique_ptr<scheduler> make_round_robin() {
  return std::make_unique<round_robin>();
}

} // namespace tilesim::sim
