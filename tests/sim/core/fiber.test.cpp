// Fibers: left and re-entered, many at once, exceptions inside.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/fiber.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

struct job {
  fiber* self = nullptr;
  int steps = 0;
  bool caught = false;
};

void count_to_three(void* argument) {
  auto& j = *static_cast<job*>(argument);
  for (int i = 0; i < 3; ++i) {
    ++j.steps;
    j.self->suspend();
  }
  for (;;) {
    j.self->suspend();
  }
}

void throw_inside(void* argument) {
  auto& j = *static_cast<job*>(argument);
  try {
    j.self->suspend();
    throw std::runtime_error("inside");
  } catch (const std::runtime_error&) {
    j.caught = true;
  }
  for (;;) {
    j.self->suspend();
  }
}

} // namespace

TEST_CASE("a fiber goes on where it was left") {
  stack_pool pool(1 << 16);
  job j;
  fiber f(pool.take(), count_to_three, &j);
  j.self = &f;
  for (int i = 1; i <= 3; ++i) {
    f.resume();
    CHECK(j.steps == i);
  }
}

TEST_CASE("fibers keep apart") {
  stack_pool pool(1 << 16);
  constexpr std::size_t count = 100;
  std::vector<job> jobs(count);
  std::vector<std::unique_ptr<fiber>> fibers;
  for (job& j : jobs) {
    fibers.push_back(std::make_unique<fiber>(pool.take(), count_to_three, &j));
    j.self = fibers.back().get();
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i % 4; ++k) {
      fibers[i]->resume();
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(jobs[i].steps == static_cast<int>(i % 4));
  }
}

TEST_CASE("an exception inside a fiber is caught there") {
  stack_pool pool(1 << 18);
  job j;
  fiber f(pool.take(), throw_inside, &j);
  j.self = &f;
  f.resume();
  f.resume();
  CHECK(j.caught);
}

namespace {

/// Fibers that pass control on to the next one, round and round.
struct runner {
  fiber* self = nullptr;
  runner* next = nullptr;
  std::vector<int>* order = nullptr;
  int number = 0;
  int laps = 0;
  bool whole = true; ///< what lies on the stack and in registers is as it was left
};

void run_laps(void* argument) {
  auto& r = *static_cast<runner*>(argument);
  alignas(16) volatile double on_stack[2] = {r.number + 0.5, 0};
  const bool aligned = reinterpret_cast<std::uintptr_t>(on_stack) % 16 == 0;
  // More than registers that calls preserve.
  long a = r.number, b = a * 3, c = a * 5, d = a * 7, e = a * 11, f = a * 13, g = a * 17;
  for (int lap = 0; lap < r.laps; ++lap) {
    r.order->push_back(r.number);
    r.self->pass_to(*r.next->self);
    a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7;
    const long l = lap + 1;
    const long n = r.number;
    r.whole = r.whole && aligned && on_stack[0] == r.number + 0.5 && a == n + l &&
              b == n * 3 + 2 * l && c == n * 5 + 3 * l && d == n * 7 + 4 * l &&
              e == n * 11 + 5 * l && f == n * 13 + 6 * l && g == n * 17 + 7 * l;
  }
  for (;;) {
    r.self->suspend();
  }
}

} // namespace

TEST_CASE("fibers pass control on, and whoever resumed the first goes on behind the last") {
  if (!fiber::can_pass()) {
    return; // sanitizers follow resume() and suspend() alone
  }
  stack_pool pool(1 << 16);
  constexpr std::size_t count = 5;
  constexpr int laps = 4;
  std::vector<int> order;
  std::vector<runner> runners(count);
  std::vector<std::unique_ptr<fiber>> fibers;
  for (std::size_t i = 0; i < count; ++i) {
    fibers.push_back(std::make_unique<fiber>(pool.take(), run_laps, &runners[i]));
    runners[i] = {fibers[i].get(), &runners[(i + 1) % count], &order, static_cast<int>(i), laps};
  }
  fibers[2]->resume();
  REQUIRE(order.size() == count * laps);
  for (std::size_t i = 0; i < order.size(); ++i) {
    CHECK(order[i] == static_cast<int>((i + 2) % count));
  }
  CHECK(runners[2].whole);
  fibers[3]->resume(); // it was left in its last lap, too
  CHECK(runners[3].whole);
}

TEST_CASE("a stack knows its own addresses and its guard") {
  stack_pool pool(1 << 16);
  const stack_memory s = pool.take();
  REQUIRE(s.low != 0);
  CHECK(s.contains(s.low));
  CHECK(s.contains(s.high - 1));
  CHECK_FALSE(s.contains(s.high));
  CHECK(s.overflowed_at(s.low - 1));
  CHECK_FALSE(s.overflowed_at(s.low));
  pool.give_back(s);
  CHECK(pool.take().low == s.low);
}

TEST_CASE("stacks of a pool begin at different places of a cache") {
  constexpr std::size_t bytes = 1 << 20;
  constexpr std::uintptr_t cache = 1 << 15;
  stack_pool pool(bytes);
  std::set<std::uintptr_t> lines;
  for (int i = 0; i < 32; ++i) {
    const stack_memory stack = pool.take();
    CHECK(stack.bytes == bytes);
    CHECK(stack.high % 64 == 0);
    CHECK(stack.high <= stack.low + bytes);
    CHECK(stack.high > stack.low + bytes - bytes / 16);
    lines.insert(stack.high % cache / 64);
  }
  CHECK(lines.size() > 16);
}
