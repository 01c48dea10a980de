// Schedulers: deterministic, fair enough, every block once.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/scheduler.hpp"

#include <numeric>
#include <set>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

/// The numbers of `count` threads that can go on.
std::vector<thread_number> threads(std::size_t count) {
  std::vector<thread_number> numbers(count);
  std::iota(numbers.begin(), numbers.end(), thread_number{0});
  return numbers;
}

} // namespace

TEST_CASE("round robin starts blocks in order and lets them run on") {
  const auto s = make_round_robin();
  for (std::uint64_t i = 0; i < 10; ++i) {
    CHECK(s->block(1, i, 10) == i);
    CHECK_FALSE(s->preempt());
  }
  CHECK(s->pick(threads(0), true) == 0);
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
    (s->pick(threads(3), true) == 3 ? started : resumed)++;
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
      result.push_back(s->pick(threads(5), true));
      result.push_back(s->preempt() ? 1 : 0);
    }
    return result;
  };
  CHECK(decisions(1) == decisions(1));
  CHECK(decisions(1) != decisions(2));
}

TEST_CASE("pct runs the first to start until it waits or is lowered") {
  const auto s = make_pct(1, 1, 1000); // depth 1: no change
  CHECK(s->pick({}, true) == 0);
  for (int i = 0; i < 5000; ++i) {
    CHECK_FALSE(s->preempt());
  }
  // Thread 0 waits: the next one starts. It comes back: it goes on first, before any start.
  CHECK(s->pick({}, true) == 0);
  CHECK(s->pick(std::vector<thread_number>{1, 0}, true) == 1);
}

TEST_CASE("pct changes at depth - 1 steps of the expected ones") {
  const auto depth = GENERATE(1U, 2U, 3U, 6U);
  constexpr std::uint64_t steps = 5000;
  std::set<std::uint64_t> first_changes;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto s = make_pct(seed, depth, steps);
    std::vector<thread_number> alive;
    unsigned changes = 0;
    thread_number running = 0;
    thread_number started = 0;
    for (std::uint64_t step = 0; step < 3 * steps; ++step) {
      if (step == 0 || s->preempt()) {
        if (step != 0) {
          first_changes.insert(changes == 0 ? step : *first_changes.begin());
          ++changes;
          CHECK(step <= steps);
          alive.push_back(running);
        }
        const std::size_t choice = s->pick(alive, true);
        CHECK(choice == alive.size()); // who was lowered is below all that have not started
        running = started++;
      }
    }
    CHECK(changes <= depth - 1);
    CHECK((changes == depth - 1 || depth > 2)); // two of several may fall on one step
  }
  CHECK((depth == 1 || first_changes.size() > 25)); // the seed decides where
}

TEST_CASE("pct resumes lowered threads by the priorities of their changes") {
  // With three changes all orders of the lowered threads come up.
  std::set<std::vector<thread_number>> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto s = make_pct(seed, 4, 100);
    std::vector<thread_number> alive;
    static_cast<void>(s->pick(alive, true));
    thread_number running = 0;
    for (int step = 0; step < 100; ++step) {
      if (s->preempt()) {
        alive.push_back(running);
        REQUIRE(s->pick(alive, true) == alive.size());
        ++running;
      }
    }
    if (alive.size() != 3) {
      continue;
    }
    std::vector<thread_number> order;
    while (!alive.empty()) {
      const std::size_t choice = s->pick(alive, false); // the running one waits for ever
      order.push_back(alive[choice]);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(choice));
    }
    orders.insert(order);
  }
  CHECK(orders.size() == 6);
}

TEST_CASE("pct lets others run when a thread does not end or ran out of time") {
  const auto s = make_pct(3, 1, 10);
  CHECK(s->pick({}, true) == 0);
  bool preempted = false;
  for (int i = 0; i < 100'000 && !preempted; ++i) {
    preempted = s->preempt();
  }
  CHECK(preempted);
  CHECK(s->pick(threads(1), true) == 1); // thread 1 starts
  // It comes back without having been told to make way: the clock has ended its turn.
  CHECK(s->pick(threads(2), false) == 0);
  CHECK(s->pick(threads(2), false) == 1);
}

TEST_CASE("pct starts every block once, and says what it is") {
  const auto s = make_pct(42, 3, 16);
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 100; ++i) {
    seen.insert(s->block(1, i, 100));
  }
  CHECK(seen.size() == 100);
  CHECK(*seen.rbegin() == 99);
  CHECK(s->describe() == "pct, depth 3 over 16 steps, seed 42");
}
