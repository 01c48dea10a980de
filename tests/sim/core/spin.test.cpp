// Spin loops are recognised by what they see, not by how often they ask.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/spin.hpp"

#include <optional>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

struct cells {
  int a = 0;
  int b = 0;

  static watched_cell seen(const int& cell) {
    return {reinterpret_cast<std::uintptr_t>(&cell), static_cast<unsigned>(cell), sizeof(int)};
  }
};

const void* site(int n) {
  static const char places[64]{};
  return &places[n];
}

/// A thread whose state is a number.
struct state final : own_state {
  mutable unsigned asked = 0;
  std::optional<std::uint64_t> now;

  [[nodiscard]] std::optional<std::uint64_t> hash() const override {
    ++asked;
    return now;
  }
};

struct poller {
  spin_detector spin;
  state own;
  std::uint64_t changes = 0;
  std::uint64_t operations = 0;

  /// Of more than a few cells.
  bool polls_many(int at, const int& first, std::size_t elements) {
    return spin.polled({.site = site(at),
                        .cells = nullptr,
                        .count = 0,
                        .at = reinterpret_cast<std::uintptr_t>(&first),
                        .elements = elements,
                        .operation = ++operations},
                       changes,
                       own);
  }

  bool polls(int at, const int& cell) {
    const watched_cell seen = cells::seen(cell);
    return spin.polled(
        {.site = site(at), .cells = &seen, .count = 1, .operation = ++operations}, changes, own);
  }
};

} // namespace

TEST_CASE("the same place seeing the same value again is a spin") {
  cells memory;
  poller p;
  CHECK_FALSE(p.polls(0, memory.a)); // first time: new
  CHECK_FALSE(p.polls(0, memory.a)); // patience
  CHECK(p.polls(0, memory.a));
  CHECK_FALSE(p.spin.may_go_on(p.changes));
  CHECK_FALSE(p.spin.waits_for_ever(p.changes)); // its state is not known
  CHECK(p.spin.began() == 1);
  memory.a = 1;
  CHECK(p.spin.may_go_on(p.changes));
}

TEST_CASE("a wait begins with the first of the polls that go round") {
  poller p;
  SECTION("of more places than are remembered one by one") {
    int memory[40]{};
    int other = 0;
    p.own.now = 7;
    p.polls(1, other);
    bool sleeps = false;
    for (int i = 0; !sleeps; ++i) {
      REQUIRE(p.operations < 2000);
      sleeps = p.polls(0, memory[i % 40]);
    }
    CHECK(p.spin.began() == 2);
  }
  SECTION("of many cells at once, woken by changes elsewhere") {
    int memory[64]{};
    int other = 0;
    p.polls(1, other);
    p.own.now = 7;
    for (int sleeps = 0; sleeps < 9; ++sleeps) { // for longer than polls are remembered
      while (!p.polls_many(0, memory[0], 64)) {
        REQUIRE(p.operations < 10'000);
      }
      CHECK(p.spin.began() == 2);
      CHECK_FALSE(p.spin.may_go_on(p.changes));
      ++p.changes;
      CHECK(p.spin.may_go_on(p.changes));
      p.spin.wake(false);
    }
  }
  SECTION("woken by a value that is not yet the awaited one") {
    cells memory;
    p.polls(1, memory.b);
    for (int value = 0; value < 3; ++value) {
      memory.a = value;
      p.spin.wake(false);
      while (!p.polls(0, memory.a)) {
      }
      CHECK(p.spin.began() == 2);
    }
  }
  SECTION("and not with those of a wait before") {
    cells memory;
    while (!p.polls(0, memory.a)) {
    }
    memory.a = 1;
    p.spin.wake(false);
    p.polls(0, memory.a);
    const std::uint64_t first = p.operations + 1;
    SECTION("for another place") {
      while (!p.polls(0, memory.b)) {
      }
    }
    SECTION("that ended in a change of memory") {
      p.spin.progressed();
      while (!p.polls(0, memory.a)) {
      }
    }
    CHECK(p.spin.began() == first);
  }
}

TEST_CASE("a thread in the same state waits for ever, until memory changes") {
  cells memory;
  poller p;
  p.own.now = 7;
  while (!p.polls(0, memory.a)) {
    REQUIRE(p.operations < 4);
  }
  CHECK(p.spin.waits_for_ever(p.changes));
  CHECK_FALSE(p.spin.waits_for_ever(p.changes + 1));
}

TEST_CASE("a thread whose state changes may end by itself") {
  cells memory;
  poller p;
  for (int i = 0; i < 2000; ++i) {
    p.own.now = static_cast<std::uint64_t>(i);
    if (p.polls(0, memory.a)) {
      CHECK_FALSE(p.spin.waits_for_ever(p.changes));
      p.spin.wake(true, 1U << 20U);
    }
  }
  CHECK(p.own.asked < 1000); // it takes microseconds
}

TEST_CASE("a state that settles down, or comes back after a while, is seen") {
  cells memory;
  const int settles = GENERATE(0, 5, 100);
  const int period = GENERATE(1, 3, 8);
  CAPTURE(settles, period);
  poller p;
  int sleeps = 0;
  for (int i = 0; i < 20'000 && !p.spin.waits_for_ever(p.changes); ++i) {
    p.own.now = static_cast<std::uint64_t>(i < settles ? 1000 + i : i % period);
    if (p.polls(0, memory.a) && !p.spin.waits_for_ever(p.changes)) {
      ++sleeps;
      p.spin.wake(true, 1U << 20U);
    }
  }
  CHECK(p.spin.waits_for_ever(p.changes));
  CHECK(sleeps < 5);
}

TEST_CASE("a round of very many places is seen to come back") {
  std::vector<int> memory(100);
  poller p;
  std::size_t i = 0;
  do {
    REQUIRE(i < 2000);
    p.own.now = i % memory.size();
  } while (!p.polls(0, memory[i++ % memory.size()]));
  CHECK(p.spin.waits_for_ever(p.changes));
  CHECK(p.spin.watched().size() == memory.size());
}

TEST_CASE("a thread that computes with what it reads is seldom asked for its state") {
  std::vector<int> memory(200);
  poller p;
  for (int round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < memory.size(); ++i) {
      p.own.now = p.operations;
      CHECK_FALSE(p.polls(0, memory[i]));
      CHECK_FALSE(p.polls(1, memory[0])); // again and again
    }
    p.spin.progressed();
    ++p.changes;
  }
  CHECK(p.own.asked < 50 * memory.size() / 10);
}

TEST_CASE("a random value or a time makes the state say nothing") {
  cells memory;
  poller p;
  p.own.now = 7;
  for (int i = 0; i < 100; ++i) {
    if (p.polls(0, memory.a)) {
      CHECK_FALSE(p.spin.waits_for_ever(p.changes));
      p.spin.wake(true, 1U << 20U);
    }
    p.spin.asked_the_time();
  }
  CHECK(p.spin.asks_the_time());
}

TEST_CASE("a changed value is not a spin") {
  cells memory;
  poller p;
  for (int i = 0; i < 20; ++i) {
    memory.a = i;
    CHECK_FALSE(p.polls(0, memory.a));
  }
}

TEST_CASE("a thread that changes memory between polls does not sleep") {
  cells memory;
  poller p;
  p.own.now = 7;
  for (int i = 0; i < 20; ++i) {
    CHECK_FALSE(p.polls(0, memory.a));
    p.spin.progressed();
  }
}

TEST_CASE("a loop that polls two places waits for either") {
  cells memory;
  poller p;
  bool asleep = false;
  for (int i = 0; i < 8 && !asleep; ++i) {
    asleep = p.polls(0, memory.a) || p.polls(1, memory.b);
  }
  REQUIRE(asleep);
  CHECK(p.spin.watched().size() == 2);
  memory.b = 1;
  CHECK(p.spin.may_go_on(p.changes));
}

TEST_CASE("patience grows while everyone sleeps, and ends") {
  constexpr std::uint64_t most = 1U << 20U;
  cells memory;
  poller p;
  unsigned polls = 0;
  unsigned sleeps = 0;
  while (!p.spin.exhausted(most)) {
    while (!p.polls(0, memory.a)) {
      ++polls;
    }
    ++sleeps;
    p.spin.wake(true, most);
  }
  CHECK(sleeps < 10);   // an end is found soon
  CHECK(polls > 9'000); // a loop that counts to thousands ends by itself
  CHECK(p.spin.began() == 1);
}
