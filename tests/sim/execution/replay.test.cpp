// The replay scheduler: turns are kept, and what a recording wrote down happens again.
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/hooks.hpp"
#include "sim/core/context.hpp"
#include "sim/execution/run_desk.hpp"

#include <tilesim/detail/thread_index.hpp>

#include <array>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

/// An operation that accesses no memory.
void iota() {
  std::array<int, 4> values{};
  static constexpr std::array<unsigned, 1> four{4};
  static constexpr machine::tile_type tile{
      element::i32, element::i32, 4, false, false, 1, 4, four.data()};
  machine::rearrange(machine::opcode::iota, {&tile, values.data()}, nullptr, 0);
}

options with_turns(const char* turns) {
  options o;
  o.repeatable = true;
  o.schedule = "turns";
  o.turns = parse_turns(turns).value();
  return o;
}

options recorded(const char* schedule, std::uint64_t seed) {
  options o;
  o.repeatable = true;
  o.record = true;
  o.schedule = schedule;
  o.seed = seed;
  o.steps = 32;
  return o;
}

int* make_ints(context& c, std::size_t count) {
  return static_cast<int*>(c.mem.allocate(memory_kind::managed, count * sizeof(int), nullptr));
}

/// The linear index of the running thread in its launch.
unsigned self() {
  const dim3& block = detail::block_dim;
  return (detail::block_index.x * block.x) + detail::thread_index.x;
}

/// What threads did, in order: "0 0 1 " is thread 0 twice, then thread 1.
void note(std::string& log) {
  log += std::to_string(self()) + ' ';
}

/// Blocks that make three stores each.
std::string three_stores(context& c) {
  int* cells = make_ints(c, 64);
  std::string log;
  c.exec->finish(submit(c, dim3(3), dim3(1), kernel_kind::tile, [&, cells] {
    for (int i = 0; i < 3; ++i) {
      store(cells + self(), i);
      note(log);
    }
  }));
  return log;
}

/// Two blocks of three threads that make three raw accesses each.
std::string three_raw_accesses(context& c) {
  int* cells = make_ints(c, 64);
  std::string log;
  c.exec->finish(submit(c, dim3(2), dim3(3), kernel_kind::simt, [&, cells] {
    for (int i = 0; i < 3; ++i) {
      raw_access(cells + self(), sizeof(int), access_kind::write, nullptr);
      note(log);
    }
  }));
  return log;
}

std::string three_stores(const char* turns) {
  context c(with_turns(turns));
  return three_stores(c);
}

std::string history(context& c) {
  const turn_history* h = c.exec->desk().strategy->history();
  return h == nullptr ? "too much" : (h->complete ? "" : "at last ") + to_string(h->turns);
}

/// Blocks that pass a token on, each waiting for its number, with a raw access and a store between.
std::string pass_token(context& c) {
  int* token = make_ints(c, 1);
  int* raw = make_ints(c, 1);
  std::string log;
  *token = 0;
  *raw = 0;
  c.exec->finish(submit(c, dim3(4), dim3(1), kernel_kind::tile, [&, token, raw] {
    for (int round = 0; round < 3; ++round) {
      const int wanted = (round * 4) + static_cast<int>(self());
      while (load(token) != wanted) {
        note(log);
      }
      for (int i = 0; i < 2; ++i) {
        raw_access(raw, sizeof(int), access_kind::write, nullptr);
        *raw += 1;
        note(log);
      }
      store(token, wanted + 1);
    }
  }));
  return log;
}

} // namespace

TEST_CASE("turns run to their points, then round robin") {
  struct row {
    const char* turns;
    const char* log;
  };
  const auto [turns, log] = GENERATE(values<row>({{"0", "0 0 0 1 1 1 2 2 2 "},
                                                  {"2", "2 2 2 0 0 0 1 1 1 "},
                                                  {"1@2,2", "1 1 2 2 2 1 0 0 0 "},
                                                  {"1@0,2@1,1", "2 1 1 1 2 2 0 0 0 "},
                                                  {"0@1,1@1,0@2,1@2,0,1", "0 1 0 1 0 1 2 2 2 "},
                                                  // Who has ended is skipped, and who is unknown.
                                                  {"2,2@1,99,1", "2 2 2 1 1 1 0 0 0 "}}));
  CAPTURE(turns);
  CHECK(three_stores(turns) == log);
}

TEST_CASE("turns of a launch that is still to come wait for it") {
  context c(with_turns("1,2.2,1,3.1"));
  CHECK(three_stores(c) == "1 1 1 0 0 0 2 2 2 ");
  CHECK(three_stores(c) == "2 2 2 1 1 1 0 0 0 ");
  CHECK(three_stores(c) == "1 1 1 0 0 0 2 2 2 ");
}

TEST_CASE("a thread of a block runs first although others of it have to start before") {
  context c(with_turns("4@0+2,1,4"));
  // Blocks of three threads: 4 is the second of block 1.
  CHECK(three_raw_accesses(c).starts_with("4 4 1 1 1 4 "));
}

TEST_CASE("turns end between raw accesses") {
  const auto accesses = [](const char* turns) {
    context c(with_turns(turns));
    int* cells = make_ints(c, 4);
    std::string log;
    c.exec->finish(submit(c, dim3(2), dim3(1), kernel_kind::tile, [&, cells] {
      store(cells, 1);
      note(log);
      for (int i = 0; i < 3; ++i) {
        raw_access(cells + 1, sizeof(int), access_kind::write, nullptr);
        note(log);
      }
      store(cells, 2);
      note(log);
    }));
    return log;
  };
  CHECK(accesses("0@1,1") == "0 0 0 0 1 1 1 1 1 0 "); // raw accesses are not counted
  CHECK(accesses("0@1+0,1") == "0 1 1 1 1 1 0 0 0 0 ");
  CHECK(accesses("0@1+2,1") == "0 0 0 1 1 1 1 1 0 0 ");
  CHECK(accesses("0@1+9,1") ==
        "0 0 0 0 1 1 1 1 1 0 "); // there are fewer: before the next operation
}

TEST_CASE("turns end before operations that access no memory") {
  const auto run = [](const char* turns) {
    context c(with_turns(turns));
    int* cells = make_ints(c, 4);
    std::string log;
    c.exec->finish(submit(c, dim3(2), dim3(1), kernel_kind::tile, [&, cells] {
      iota();
      note(log);
      store(cells, 1);
      note(log);
      iota();
      note(log);
      iota();
      note(log);
    }));
    return log;
  };
  CHECK(run("0:0,1") == "1 1 1 1 0 0 0 0 ");
  CHECK(run("0:1,1:1,0") == "0 1 0 0 0 1 1 1 "); // an access is an operation, too
  CHECK(run("0:3,1:2,0:4,1") == "0 0 0 1 1 0 1 1 ");
  CHECK(run("0@0,1:3,0") == "0 1 1 1 0 0 0 1 ");
}

TEST_CASE("a turn is cut short by nothing that happened in those before") {
  // 50 000 accesses each: a block alone is made to wait behind 65 536.
  context c(with_turns("0@40000,1@40000,0@50000,1,0"));
  int* cells = make_ints(c, 2);
  std::string log;
  c.exec->finish(submit(c, dim3(2), dim3(1), kernel_kind::tile, [&, cells] {
    for (int i = 0; i <= 50'000; ++i) {
      store(cells + self(), i);
      if (i % 10'000 == 9'999) {
        note(log);
      }
    }
  }));
  CHECK(log == "0 0 0 0 1 1 1 1 0 1 ");
  CHECK_FALSE(c.exec->desk().strategy->unfollowed(true));
}

TEST_CASE("what of a replay could not be followed is told") {
  struct row {
    const char* turns;
    const char* told;
  };
  const auto [turns, told] = GENERATE(values<row>({
      {"0", ""},
      {"1@2,2,1", ""},
      {"2,2@1,1", "switch 2, 2@1: block 2 has ended before"},
      {"99@1,0", "switch 1, 99@1: launch 1 has 3 blocks"},
      {"0@1,1@7,2", "switch 2, 1@7: block 1 has ended before"},
      {"0,2.0", "switch 2, 2.0: the run ended before"},
      {"0,1,2@9", "switch 3, 2@9: block 2 did not come there"},
      {"2:2,1:9", "switch 2, 1:9: block 1 has ended before"},
  }));
  CAPTURE(turns);
  context c(with_turns(turns));
  three_stores(c);
  CHECK(c.exec->desk().strategy->unfollowed(true).value_or("") == told);
}

TEST_CASE("a block that waits where it should go on is told") {
  context c(with_turns("1@30,0"));
  pass_token(c);
  const auto told = c.exec->desk().strategy->unfollowed(true).value_or("");
  CHECK(told.starts_with("switch 1, 1@30: block 1 waits, after "));
}

TEST_CASE("a recorded run happens again") {
  const auto* schedule = GENERATE("round-robin", "random", "pct");
  const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{20}));
  CAPTURE(schedule, seed);
  context first(recorded(schedule, seed));
  const std::string stores = three_stores(first);
  const std::string token = pass_token(first);
  const std::string threads = three_raw_accesses(first);
  const std::string turns = history(first);
  REQUIRE(turns.find(' ') == std::string::npos);
  CAPTURE(turns);

  options o = with_turns(turns.c_str());
  o.record = true;
  context again(o);
  CHECK(three_stores(again) == stores);
  CHECK(pass_token(again) == token);
  CHECK(three_raw_accesses(again) == threads);
  CHECK(history(again) == turns);
  CHECK_FALSE(again.exec->desk().strategy->unfollowed(true));
}

TEST_CASE("a history that nobody could read is dropped, until the next launch") {
  context c(recorded("round-robin", 0));
  int* cell = make_ints(c, 1);
  c.exec->finish(submit(c, dim3(70'000), dim3(1), kernel_kind::tile, [cell] { store(cell, 1); }));
  CHECK(history(c) == "too much");
  CHECK(three_stores(c) == "0 0 0 1 1 1 2 2 2 ");
  CHECK(history(c) == "at last 2.0,1,2");
}
