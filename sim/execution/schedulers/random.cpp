// Random: the order of blocks and the places where they change, drawn from a seed. Bursts: how
// often they change is drawn, too.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/scheduler.hpp"
#include "sim/execution/schedulers/shuffled_blocks.hpp"
#include "sim/ops/rng.hpp"

#include <fmt/format.h>

namespace tilesim::sim {

namespace {

// How many threads take part in the interleaving at once: enough for every pattern of a few blocks,
// few enough that stacks stay cheap.
constexpr std::size_t window = 16;

class random_scheduler final : public scheduler {
public:
  /// Before one in `rarity` accesses threads change.
  random_scheduler(const char* name, std::uint64_t seed, std::uint64_t rarity, bool at_once)
      : name_(name)
      , seed_(seed)
      , rarity_(rarity)
      , at_once_(at_once)
      , draw_(seed)
      , order_(seed) {}

  std::size_t pick(std::span<const thread_number> threads, bool can_start) override {
    return *pick_among(threads.size(), can_start);
  }
  std::optional<std::size_t> pick_among(std::size_t runnable, bool can_start) override {
    if (can_start && (runnable == 0 || (runnable < window && draw_.below(2) == 0))) {
      return runnable;
    }
    return draw_.below(runnable);
  }

  bool preempt() override { return draw_.below(rarity_) == 0; }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    return order_.block(launch, nth, count);
  }

  bool wakes_at_once() const override { return at_once_; }

  std::string describe() const override { return fmt::format("{}, seed {}", name_, seed_); }

private:
  const char* name_;
  std::uint64_t seed_;
  std::uint64_t rarity_;
  bool at_once_; ///< who waited may go on in the turn behind that which brought it about
  rng draw_;
  shuffled_blocks order_;
};

} // namespace

std::unique_ptr<scheduler> make_random(std::uint64_t seed) {
  return std::make_unique<random_scheduler>("random", seed, 4, false);
}

std::unique_ptr<scheduler> make_bursts(std::uint64_t seed) {
  // From runs in which threads change at every other access to those in which one makes a thousand.
  constexpr std::uint64_t lengths = 10;
  rng draw(~seed);
  return std::make_unique<random_scheduler>(
      "bursts", seed, std::uint64_t{2} << draw.below(lengths), true);
}

} // namespace tilesim::sim
