// What the elements of one operation acquire together is the join of all.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/acquisitions.hpp"

#include "sim/ops/rng.hpp"

#include <algorithm>
#include <cstdint>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;
using namespace tilesim::sim::detect;

TEST_CASE("acquisitions give the join of all, place by place, and begin anew", "[detect]") {
  rng draw(7);
  acquisitions all;
  for (unsigned round = 0; round < 50; ++round) {
    constexpr std::size_t agents = 300;
    const auto count = 1 + draw.below(40);
    const auto places = 1 + draw.below(9);
    std::vector<operation_id> expected(agents, 0);
    CHECK(all.empty());
    for (std::uint64_t i = 0; i < count; ++i) {
      knowledge known;
      for (std::uint64_t k = draw.below(20) + 1; k > 0; --k) {
        const auto agent = static_cast<agent_id>(draw.below(agents));
        const auto last = static_cast<operation_id>(1 + draw.below(9));
        known = known.with(agent, last);
        expected[agent] = std::max(expected[agent], last);
      }
      all.add(8 * draw.below(places), known);
      CHECK(!all.empty());
    }
    const knowledge together = all.take();
    for (agent_id a = 0; a < agents; ++a) {
      REQUIRE(together.happened.at(a) == expected[a]);
    }
  }
  CHECK(all.take().empty());
}
