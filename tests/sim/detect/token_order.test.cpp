// The order by tokens, against a table of who waits for whom.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/token_order.hpp"

#include "sim/ops/rng.hpp"

#include <algorithm>
#include <cstdint>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace tilesim;
using sim::detect::token;
using sim::detect::token_order;

/// By token: which it has waited for, itself included.
using table = std::vector<std::vector<bool>>;

void add_row(table& waits, token fresh, const std::vector<token>& after) {
  if (fresh >= waits.size()) {
    for (auto& row : waits) {
      row.resize(fresh + 1);
    }
    waits.resize(fresh + 1, std::vector<bool>(fresh + 1));
  }
  for (const token t : after) {
    for (token k = 1; k < fresh; ++k) {
      waits[fresh][k] = waits[fresh][k] || waits[t][k];
    }
  }
  waits[fresh][fresh] = fresh != 0;
}

/// What a step waits for: the last, an old one, some of them, or nothing.
std::vector<token> drawn(sim::rng& r, const std::vector<token>& made) {
  std::vector<token> after;
  const auto several = r.below(4);
  for (std::uint64_t i = 0; i < several && !made.empty(); ++i) {
    const auto back =
        r.below(3) == 0 ? r.below(made.size()) : r.below(std::min<std::size_t>(3, made.size()));
    after.push_back(made[made.size() - 1 - back]);
  }
  return after;
}

} // namespace

TEST_CASE("who waits for whom is what tokens say, through joins and chains") {
  sim::rng r(2036);
  std::size_t ordered = 0;
  std::size_t unordered = 0;
  for (int graph = 0; graph < 300; ++graph) {
    token_order order;
    table waits(1, std::vector<bool>(1));
    std::vector<token> made;
    for (int i = 0; i < 60; ++i) {
      std::vector<token> after = drawn(r, made);
      after.insert(after.begin(), r.below(4) == 0 ? 1 : 0, token{0}); // waits for nothing
      const bool joins = r.below(3) == 0;
      const token t = joins ? order.join(after) : order.operation(after);
      if (t == waits.size()) { // a join may be one of them
        add_row(waits, t, after);
      }
      if (t != 0) {
        made.push_back(t);
      }
    }
    for (token a = 1; a < waits.size(); ++a) {
      for (token b = 1; b < waits.size(); ++b) {
        INFO("graph " << graph << ", " << a << " and " << b);
        REQUIRE(order.reaches(a, b) == waits[b][a]);
        (waits[b][a] ? ordered : unordered) += 1;
      }
    }
  }
  CHECK(ordered > 10000);
  CHECK(unordered > 10000);
}

TEST_CASE("a join of one is that one, and of nothing is nothing") {
  token_order order;
  const token a = order.operation({});
  const token nothing[] = {0, 0};
  const token one[] = {0, a, a};
  CHECK(order.join({}) == 0);
  CHECK(order.join(nothing) == 0);
  CHECK(order.join(one) == a);
}

// A block that reads many tiles and then writes each: every write asks for one of all those reads.
TEST_CASE("much that is joined is asked for straight away") {
  token_order order;
  std::vector<token> loads;
  token last = 0;
  constexpr int many = 20000;
  for (int i = 0; i < many; ++i) {
    loads.push_back(order.operation({}));
    const token both[] = {last, loads.back()};
    last = order.join(both);
  }
  std::size_t reached = 0;
  for (const token load : loads) {
    const token after[] = {last};
    last = order.operation(after);
    reached += order.reaches(load, last) ? 1U : 0U;
  }
  CHECK(reached == many);
}
