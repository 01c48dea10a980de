// The fixed generator: recorded replay strings, seeds and programs of the fuzzer depend on its
// bits. SPDX-License-Identifier: Apache-2.0
#include "sim/contract/rng.hpp"

#include <cstdint>
#include <support/catch.hpp>

using tilesim::sim::rng;

TEST_CASE("rng: SplitMix64's sequence, entered anywhere") {
  // The published sequence of seed 1234567.
  rng draw(1234567);
  CHECK(draw() == 6457827717110365317U);
  CHECK(draw() == 3203168211198807973U);
  CHECK(draw() == 9817491932198370423U);

  constexpr std::uint64_t seed = 0xfedcba9876543210U;
  rng other(seed);
  for (std::uint64_t n = 0; n < 100; ++n) {
    const std::uint64_t z = rng::nth_unfolded(seed, n);
    CHECK(rng::nth(seed, n) == (z ^ (z >> 31U)));
    CHECK(other() == rng::nth(seed, n));
  }
}
