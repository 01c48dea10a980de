// Fibers: left and re-entered, many at once, exceptions inside.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/fiber.hpp"

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
