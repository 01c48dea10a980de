// Schedules of a check.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/schedule.hpp"

#include "tools/cli/schedule_options.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <support/catch.hpp>

using namespace tilesim::tools;

TEST_CASE("the first schedule of a check is that of run", "[tools]") {
  const auto first = nth_schedule(0, {.seed = 99, .depth = 3, .steps = 1000});
  CHECK(first == schedule{});
  nlohmann::json options;
  set_options(first, options);
  CHECK(options.dump() == R"({"fill":0,"schedule":"round-robin","seed":0})");
}

TEST_CASE("the others differ by index and seed and repeat", "[tools]") {
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 1; i < 100; ++i) {
    const auto s = nth_schedule(i, {.seed = 7, .depth = 4, .steps = 1000});
    CHECK(s == nth_schedule(i, {.seed = 7, .depth = 4, .steps = 1000}));
    CHECK(s.how == (i % 2 == 0 ? strategy::pct : i % 4 == 1 ? strategy::random : strategy::bursts));
    if (s.how == strategy::pct) {
      CHECK(s.depth == (s.is_weak() ? 1 : std::array{4U, 62U, 99U}.at((i / 2 - 1) % 3)));
    }
    CHECK(s.fill == s.seed);
    seeds.insert(s.seed);
    seeds.insert(nth_schedule(i, {.seed = 8, .depth = 4, .steps = 1000}).seed);
  }
  CHECK(seeds.size() == 2 * 99);
}

TEST_CASE("a third of the schedules from the eighth on is weak, unless none is to be", "[tools]") {
  std::set<strategy> kinds;
  for (std::size_t i = 0; i < 100; ++i) {
    const auto s = nth_schedule(i, {.seed = 7, .depth = 3, .steps = 1000});
    CHECK(s.is_weak() == (i >= 7 && i % 3 == 1));
    if (s.is_weak()) {
      kinds.insert(s.how);
    }
    CHECK_FALSE(nth_schedule(i, {.seed = 7, .depth = 3, .steps = 1000, .weak = false}).is_weak());
  }
  CHECK(kinds == std::set{strategy::random, strategy::bursts, strategy::pct});
}

TEST_CASE("stale reads reach the simulator as text", "[tools]") {
  nlohmann::json options;
  set_options(tilesim::sim::parse_schedule("0,1_r1@0:1,2.3@4:2").value(), options);
  CHECK(options.dump() ==
        R"({"fill":0,"schedule":"turns","seed":0,"stale":"1@0:1,2.3@4:2","turns":"0,1"})");
  options = {};
  set_options(tilesim::sim::parse_schedule("rr_w").value(), options);
  CHECK(options.dump() == R"({"fill":0,"schedule":"round-robin","seed":0,"weak":true})");
}

TEST_CASE("pct is told a power of two of the first run's steps", "[tools]") {
  struct row {
    std::uint64_t steps;
    std::uint64_t told;
  };
  const auto [steps, told] = GENERATE(values<row>({{0, 1},
                                                   {1, 1},
                                                   {2, 2},
                                                   {3, 4},
                                                   {1024, 1024},
                                                   {1025, 2048},
                                                   {~std::uint64_t{0}, std::uint64_t{1} << 40U}}));
  nlohmann::json options;
  set_options(nth_schedule(2, {.seed = 0, .depth = 5, .steps = steps}), options);
  CHECK(options.at("schedule").get<std::string>() == "pct");
  CHECK(options.at("depth").get<unsigned>() == 5);
  CHECK(options.at("steps").get<std::uint64_t>() == told);
}

TEST_CASE("turns reach the simulator as text", "[tools]") {
  nlohmann::json options;
  set_options(tilesim::sim::parse_schedule("3@5,0_1f").value(), options);
  CHECK(options.dump() == R"({"fill":31,"schedule":"turns","seed":31,"turns":"3@5,0"})");
}
