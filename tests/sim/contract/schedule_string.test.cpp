// Schedules and replay strings: written, read back, refused.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/schedule_string.hpp"

#include <limits>
#include <string>
#include <support/catch.hpp>

using namespace tilesim::sim;

namespace {

const std::string program = "0123456789abcdef";
constexpr auto most = std::numeric_limits<std::uint64_t>::max();

schedule with_turns(std::vector<turn> turns) {
  schedule s;
  s.how = strategy::turns;
  s.turns = std::move(turns);
  return s;
}

schedule weak(schedule s) {
  s.weak = true;
  return s;
}

schedule with_stale(schedule s, std::vector<stale_choice> reads) {
  s.stale = std::move(reads);
  return s;
}

schedule overlapping(schedule s) {
  s.launches_wait = true;
  return s;
}

turn until(std::uint64_t launch, std::uint64_t thread, std::uint64_t operations) {
  return {launch, thread, turn_point{operations, {}}};
}

} // namespace

TEST_CASE("turns are written with what is not as before") {
  struct row {
    std::vector<turn> turns;
    const char* text;
  };
  const auto [turns, text] =
      GENERATE(values<row>({{{{1, 3, {}}}, "3"},
                            {{until(1, 3, 5), {1, 977, {}}, {1, 3, {}}}, "3@5,977,3"},
                            {{until(2, 3, 5), {2, 4, {}}, {1, 0, {}}}, "2.3@5,4,1.0"},
                            {{{1, 0, turn_point{0, 0}}}, "0@0+0"},
                            {{{2, 3, turn_point{17, {}, true}}, {2, 3, {}}}, "2.3:17,3"},
                            {{{1, most, turn_point{7, 2}}}, "18446744073709551615@7+2"}}));
  CHECK(to_string(turns) == text);
  CHECK(parse_turns(text) == turns);
}

TEST_CASE("schedules are read back and describe themselves") {
  struct row {
    schedule s;
    const char* text;
    const char* description;
  };
  const auto [s, text, description] = GENERATE(
      values<row>({{{}, "rr", "round-robin"},
                   {{strategy::round_robin, 0, 31}, "rr_0_1f", "round-robin, fill 31"},
                   {{strategy::random, 255, 255}, "random_ff", "random, seed 255"},
                   {{strategy::pct, 1, 0, 3, 12}, "pct3x12_1_0", "pct of depth 3, seed 1, fill 0"},
                   {{strategy::pct, 1, 1, 3, 12, {}, true}, "pct3x12w_1", "pct of depth 3, seed 1"},
                   {{strategy::bursts, 31, 31}, "bursts_1f", "bursts, seed 31"},
                   {with_turns({until(1, 3, 5), {1, 0, {}}}), "3@5,0", "turns 3@5,0"},
                   {weak({strategy::random, 255, 255}), "random_ff_w", "weak random, seed 255"},
                   {weak({}), "rr_w", "weak round-robin"},
                   {with_stale(with_turns({{1, 0, {}}, {1, 1, {}}}), {{1, 1, 0, 1}}),
                    "0,1_r1@0:1",
                    "turns 0,1, stale read 1@0:1"},
                   {overlapping(with_turns({until(1, 0, 1), {2, 0, {}}, {1, 0, {}}})),
                    "0@1,2.0,1.0_l",
                    "turns 0@1,2.0,1.0, launches wait for the host"},
                   {overlapping(weak({strategy::random, 255, 255})),
                    "random_ff_w_l",
                    "weak random, seed 255, launches wait for the host"},
                   {with_stale({strategy::random, 1, 31}, {{2, 7, 3, 2}, {2, 8, 0, 1}}),
                    "random_1_1f_r2.7@3:2,8@0:1",
                    "random, seed 1, fill 31, stale reads 2.7@3:2,8@0:1"}}));
  CHECK(to_string(s) == text);
  CHECK(parse_schedule(text) == s);
  CHECK(describe(s) == description);
}

TEST_CASE("replay strings of seeds have at most 64 characters") {
  for (const auto& s : {schedule{},
                        schedule{strategy::random, most, most - 1},
                        schedule{strategy::pct, most, most - 1, 99, 40}}) {
    const auto text = to_string(replay{s, program});
    CAPTURE(text);
    CHECK(text.size() <= 64);
    const auto back = parse_replay(text);
    REQUIRE(back);
    CHECK(back->which == s);
    CHECK(back->program == program);
  }
  CHECK(to_string(replay{{strategy::pct, 0x8e3f, 0x8e3f, 3, 12}, program}) ==
        "2-pct3x12_8e3f-" + program);
}

TEST_CASE("a saved schedule says where the stepper stood") {
  const replay saved{with_turns({{1, 3, turn_point{17, {}, true}}, {1, 0, {}}}), program, 43};
  CHECK(to_string(saved) == "2-3:17,0-" + program + "-43");
  const auto back = parse_replay(to_string(saved));
  REQUIRE(back);
  CHECK(back->which == saved.which);
  CHECK(back->position == saved.position);
}

TEST_CASE("what is no replay string is not taken for one") {
  for (const std::string text : {"",
                                 "2",
                                 "2-rr",
                                 "1-rr-0-0-0123456789abcdef",
                                 "1-rr-0123456789abcdef",
                                 "2-rr-0123456789abcde",
                                 "2-rr-0123456789abcdeg",
                                 "2-rr_x-0123456789abcdef",
                                 "2-rr_-0123456789abcdef",
                                 "2-rr_1_2_3-0123456789abcdef",
                                 "2-rr_10000000000000000-0123456789abcdef",
                                 "2-pct-0123456789abcdef",
                                 "2-pct0x3-0123456789abcdef",
                                 "2-pct3x41-0123456789abcdef",
                                 "2-pct3x4x5-0123456789abcdef",
                                 "2-best-0123456789abcdef",
                                 "2--0123456789abcdef",
                                 "2-3@-0123456789abcdef",
                                 "2-@5-0123456789abcdef",
                                 "2-3@5,-0123456789abcdef",
                                 "2-3@5+-0123456789abcdef",
                                 "2-3+5-0123456789abcdef",
                                 "2-0.3-0123456789abcdef",
                                 "2-.3-0123456789abcdef",
                                 "2-3@5@6-0123456789abcdef",
                                 "2-3:-0123456789abcdef",
                                 "2-3:5+1-0123456789abcdef",
                                 "2-3:5@6-0123456789abcdef",
                                 "2-w-0123456789abcdef",
                                 "2-rr_w_1-0123456789abcdef",
                                 "2-rr_r-0123456789abcdef",
                                 "2-rr_r1@2-0123456789abcdef",
                                 "2-rr_r1@2:0-0123456789abcdef",
                                 "2-rr_r0.1@2:1-0123456789abcdef",
                                 "2-rr-0123456789abcdef-",
                                 "2-rr-0123456789abcdef-x",
                                 "2-rr-0123456789abcdef-0-0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_replay(text));
  }
}
