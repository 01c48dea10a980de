// Random: the order of blocks and the places where they change, drawn from a seed.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/rng.hpp"
#include "sim/scheduler.hpp"

#include <fmt/format.h>

#include <numeric>

namespace tilesim::sim {

namespace {

// How many threads take part in the interleaving at once: enough for every pattern of a few blocks,
// few enough that stacks stay cheap.
constexpr std::size_t window = 16;

class random_scheduler final : public scheduler {
public:
  explicit random_scheduler(std::uint64_t seed)
      : seed_(seed)
      , draw_(seed) {}

  std::size_t pick(std::size_t runnable, bool can_start) override {
    if (can_start && (runnable == 0 || (runnable < window && draw_.below(2) == 0))) {
      return runnable;
    }
    return draw_.below(runnable);
  }

  bool preempt() override { return draw_.below(4) == 0; }

  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) override {
    if (launch != launch_) {
      // An affine permutation: every block once, no table. Drawn from the seed and the launch, so
      // that launches which run side by side keep theirs.
      launch_ = launch;
      rng draw(seed_ ^ (launch * 0x9e3779b97f4a7c15U));
      offset_ = draw.below(count);
      do {
        stride_ = 1 + draw.below(count);
      } while (std::gcd(stride_, count) != 1);
    }
    __extension__ using wide = unsigned __int128; // the product may pass 2^64
    return static_cast<std::uint64_t>((static_cast<wide>(nth) * stride_ + offset_) % count);
  }

  std::string describe() const override { return fmt::format("random, seed {}", seed_); }

private:
  std::uint64_t seed_;
  rng draw_;
  std::uint64_t launch_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t stride_ = 1;
};

} // namespace

std::unique_ptr<scheduler> make_random(std::uint64_t seed) {
  return std::make_unique<random_scheduler>(seed);
}

} // namespace tilesim::sim
