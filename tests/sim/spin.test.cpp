// Spin loops are recognised by what they see, not by how often they ask.
// SPDX-License-Identifier: Apache-2.0
#include "sim/spin.hpp"

#include <support/catch.hpp>

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
  static const char places[8]{};
  return &places[n];
}

} // namespace

TEST_CASE("the same place seeing the same value again is a spin") {
  cells memory;
  spin_detector spin;
  const watched_cell a = cells::seen(memory.a);
  CHECK_FALSE(spin.polled(site(0), &a, 1)); // first time: new
  CHECK_FALSE(spin.polled(site(0), &a, 1)); // patience
  CHECK(spin.polled(site(0), &a, 1));
  CHECK_FALSE(spin.value_changed());
  memory.a = 1;
  CHECK(spin.value_changed());
}

TEST_CASE("a changed value is not a spin") {
  cells memory;
  spin_detector spin;
  for (int i = 0; i < 20; ++i) {
    memory.a = i;
    const watched_cell a = cells::seen(memory.a);
    CHECK_FALSE(spin.polled(site(0), &a, 1));
  }
}

TEST_CASE("a thread that changes memory between polls does not sleep") {
  cells memory;
  spin_detector spin;
  const watched_cell a = cells::seen(memory.a);
  for (int i = 0; i < 20; ++i) {
    CHECK_FALSE(spin.polled(site(0), &a, 1));
    spin.progressed();
  }
}

TEST_CASE("a loop that polls two places waits for either") {
  cells memory;
  spin_detector spin;
  const watched_cell a = cells::seen(memory.a);
  const watched_cell b = cells::seen(memory.b);
  bool asleep = false;
  for (int i = 0; i < 8 && !asleep; ++i) {
    asleep = spin.polled(site(0), &a, 1) || spin.polled(site(1), &b, 1);
  }
  REQUIRE(asleep);
  CHECK(spin.watched().size() == 2);
  memory.b = 1;
  CHECK(spin.value_changed());
}

TEST_CASE("patience grows while everyone sleeps, and ends") {
  cells memory;
  spin_detector spin;
  const watched_cell a = cells::seen(memory.a);
  unsigned polls = 0;
  unsigned sleeps = 0;
  while (!spin.exhausted()) {
    while (!spin.polled(site(0), &a, 1)) {
      ++polls;
    }
    ++sleeps;
    spin.wake(true);
  }
  CHECK(sleeps < 10);   // a deadlock is found soon
  CHECK(polls > 9'000); // a loop that counts to thousands ends by itself
}
