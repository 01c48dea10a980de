// What `tilesim explore` asks of the program, written and read.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exploration.hpp"

#include <support/catch.hpp>

using namespace tilesim;

namespace {

sim::exploration_order none_as_by_default() {
  return {.sequential = true,
          .load_buffering = false,
          .reduction = false,
          .symmetry = false,
          .bound = 2,
          .samples = 3,
          .seed = 4,
          .jobs = 5,
          .shard = 6,
          .shards = 7,
          .known = "known\xff.json",
          .cluster = "socket",
          .task = "task",
          .pictures = true,
          .seconds = 1.5,
          .observe = {"a", "b"},
          .report = "report",
          .progress = "page"};
}

} // namespace

TEST_CASE("exploration: every member of an order is written and read") {
  const std::string text = sim::to_text(none_as_by_default());
  CHECK(
      text ==
      R"({"bound":2,"cluster":"socket","jobs":5,"known":"known\\xff.json",)"
      R"("load_buffering":false,"observe":["a","b"],"pictures":true,"progress":"page",)"
      R"("reduction":false,"report":"report","samples":3,"seconds":1.5,"seed":4,"sequential":true,"shard":6,)"
      R"("shards":7,"symmetry":false,"task":"task"})");
  const sim::exploration_order read = sim::exploration_from_text(text);
  CHECK(sim::to_text(read) == text);
  CHECK(read.known == "known\xff.json");
  CHECK(read.bound == 2U);
  CHECK(read.observe == std::vector<std::string>{"a", "b"});
}

TEST_CASE("exploration: without a bound") {
  const std::string text = sim::to_text(sim::exploration_order{});
  CHECK(text.find(R"("bound":null)") != std::string::npos);
  CHECK(sim::exploration_from_text(text).bound == std::nullopt);
}

TEST_CASE("exploration: an order that cannot be read is none") {
  CHECK_THROWS_AS(sim::exploration_from_text("{"), sim::unreadable_order);
  CHECK_THROWS_AS(sim::exploration_from_text("[]"), sim::unreadable_order);
  CHECK_THROWS_AS(sim::exploration_from_text(R"({"sequential": true})"), sim::unreadable_order);
  CHECK_THROWS_AS(sim::exploration_from_text(R"({"sequential": 1})"), sim::unreadable_order);
}
