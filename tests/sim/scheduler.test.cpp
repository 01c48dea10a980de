// Schedulers: deterministic, fair enough, every block once.
// SPDX-License-Identifier: Apache-2.0
#include "sim/scheduler.hpp"

#include <set>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

TEST_CASE("round robin starts blocks in order and lets them run on") {
  const auto s = make_round_robin();
  for (std::uint64_t i = 0; i < 10; ++i) {
    CHECK(s->block(1, i, 10) == i);
    CHECK_FALSE(s->preempt());
  }
  CHECK(s->pick(0, true) == 0);
  CHECK(s->describe() == "round-robin");
}

TEST_CASE("round robin takes the turn from a block that never waits") {
  const auto s = make_round_robin();
  bool preempted = false;
  for (int i = 0; i < 100'000; ++i) {
    preempted = preempted || s->preempt();
  }
  CHECK(preempted);
}

TEST_CASE("round robin starves neither who waited nor who has not started") {
  const auto s = make_round_robin();
  int started = 0;
  int resumed = 0;
  for (int i = 0; i < 10; ++i) {
    (s->pick(3, true) == 3 ? started : resumed)++;
  }
  CHECK(started == 5);
  CHECK(resumed == 5);
}

TEST_CASE("random starts every block once, in an order of its own") {
  const auto count = GENERATE(1, 2, 7, 64, 1000);
  const auto s = make_random(42);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < count; ++i) {
    seen.insert(s->block(1, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(count)));
  }
  CHECK(seen.size() == static_cast<std::size_t>(count));
  CHECK(*seen.rbegin() == static_cast<std::uint64_t>(count) - 1);
}

TEST_CASE("two launches side by side keep their orders") {
  const auto s = make_random(7);
  std::set<std::uint64_t> first;
  std::set<std::uint64_t> second;
  for (std::uint64_t i = 0; i < 16; ++i) {
    first.insert(s->block(1, i, 16));
    second.insert(s->block(2, i, 16));
  }
  CHECK(first.size() == 16);
  CHECK(second.size() == 16);
}

TEST_CASE("the same seed decides the same, another seed differently") {
  const auto decisions = [](std::uint64_t seed) {
    const auto s = make_random(seed);
    std::vector<std::uint64_t> result;
    for (int i = 0; i < 50; ++i) {
      result.push_back(s->pick(5, true));
      result.push_back(s->preempt() ? 1 : 0);
    }
    return result;
  };
  CHECK(decisions(1) == decisions(1));
  CHECK(decisions(1) != decisions(2));
}
