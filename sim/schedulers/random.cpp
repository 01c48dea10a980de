// Random: the order of blocks and the places where they change, drawn from a seed.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/rng.hpp"
#include "sim/scheduler.hpp"
#include "sim/schedulers/shuffled_blocks.hpp"

#include <fmt/format.h>

namespace tilesim::sim {

namespace {

// How many threads take part in the interleaving at once: enough for every pattern of a few blocks,
// few enough that stacks stay cheap.
constexpr std::size_t window = 16;

class random_scheduler final : public scheduler {
public:
  explicit random_scheduler(std::uint64_t seed)
      : seed_(seed)
      , draw_(seed)
      , order_(seed) {}

  std::size_t pick(std::span<const thread_number> threads, bool can_start) override {
    const std::size_t runnable = threads.size();
    if (can_start && (runnable == 0 || (runnable < window && draw_.below(2) == 0))) {
      return runnable;
    }
    return draw_.below(runnable);
  }

  bool preempt() override { return draw_.below(4) == 0; }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    return order_.block(launch, nth, count);
  }

  std::string describe() const override { return fmt::format("random, seed {}", seed_); }

private:
  std::uint64_t seed_;
  rng draw_;
  shuffled_blocks order_;
};

} // namespace

std::unique_ptr<scheduler> make_random(std::uint64_t seed) {
  return std::make_unique<random_scheduler>(seed);
}

} // namespace tilesim::sim
