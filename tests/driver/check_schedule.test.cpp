// Schedules of a check and replay strings.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check_schedule.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <support/catch.hpp>

using namespace tilesim::driver;

namespace {

const std::string program = "0123456789abcdef";

} // namespace

TEST_CASE("the first schedule of a check is that of run", "[driver]") {
  const auto first = nth_schedule(0, 99, 3, 1000);
  CHECK(first == schedule{});
  nlohmann::json options;
  set_options(first, options);
  CHECK(options.dump() == R"({"fill":0,"schedule":"round-robin","seed":0})");
}

TEST_CASE("the others differ by index and seed and repeat", "[driver]") {
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 1; i < 100; ++i) {
    const auto s = nth_schedule(i, 7, 4, 1000);
    CHECK(s == nth_schedule(i, 7, 4, 1000));
    CHECK(s.how == (i % 2 == 1 ? strategy::random : strategy::pct));
    CHECK(s.fill == s.seed);
    seeds.insert(s.seed);
    seeds.insert(nth_schedule(i, 8, 4, 1000).seed);
  }
  CHECK(seeds.size() == 2 * 99);
}

TEST_CASE("pct is told a power of two of the first run's steps", "[driver]") {
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
  set_options(nth_schedule(2, 0, 5, steps), options);
  CHECK(options.at("schedule").get<std::string>() == "pct");
  CHECK(options.at("depth").get<unsigned>() == 5);
  CHECK(options.at("steps").get<std::uint64_t>() == told);
}

TEST_CASE("replay strings are read back and have at most 64 characters", "[driver]") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  for (const auto& s : {schedule{},
                        schedule{strategy::random, 12, 34, 0, 0},
                        schedule{strategy::random, most, most, 0, 0},
                        schedule{strategy::pct, most, most, 99, 40},
                        schedule{strategy::pct, 0, 1, 1, 0}}) {
    const auto text = to_string({s, program});
    CAPTURE(text);
    CHECK(text.size() <= 64);
    const auto back = parse_replay(text);
    REQUIRE(back);
    CHECK(back->which == s);
    CHECK(back->program == program);
  }
  CHECK(to_string({{strategy::pct, 0x8e3f, 0x12, 3, 12}, program}) ==
        "1-pct3x12-8e3f-12-" + program);
}

TEST_CASE("what is no replay string is not taken for one", "[driver]") {
  for (const std::string text : {"",
                                 "1",
                                 "1-rr-0-0",
                                 "2-rr-0-0-0123456789abcdef",
                                 "1-rr-0-0-0123456789abcde",
                                 "1-rr-0-0-0123456789abcdeg",
                                 "1-rr-0-x-0123456789abcdef",
                                 "1-rr-0--0123456789abcdef",
                                 "1-pct-0-0-0123456789abcdef",
                                 "1-pct0x3-0-0-0123456789abcdef",
                                 "1-pct3x41-0-0-0123456789abcdef",
                                 "1-pct3x4x5-0-0-0123456789abcdef",
                                 "1-best-0-0-0123456789abcdef",
                                 "1-rr-10000000000000000-0-0123456789abcdef",
                                 "1-rr-0-0-0123456789abcdef-0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_replay(text));
  }
}
