// What threads of the host access that do not use the runtime: kept in order, joined where they go
// on; and what they share with those that do.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/host_threads.hpp"

#include <tilesim/detail/atomic_access.hpp>

#include <support/catch.hpp>
#include <thread>
#include <vector>

using tilesim::sim::host_access;
using tilesim::sim::other_threads;

namespace {

constexpr int here = 0;
constexpr int there = 0;

host_access read(const int& site, std::uintptr_t at, std::size_t bytes) {
  return {&site, at, bytes, true, false};
}
host_access write(const int& site, std::uintptr_t at, std::size_t bytes) {
  return {&site, at, bytes, false, true};
}

} // namespace

TEST_CASE("accesses that go on are one", "[sim]") {
  other_threads others;
  CHECK_FALSE(others.waiting());
  for (std::uintptr_t i = 0; i < 100; ++i) {
    others.accesses(read(here, 1000 + (4 * i), 4));
    others.accesses(write(there, 2000 + (8 * i), 8));
  }
  others.accesses(read(here, 1000, 4)); // once more
  CHECK(others.waiting());
  const std::vector<host_access> all = others.take();
  REQUIRE(all.size() == 2);
  CHECK((all[0].address == 1000 && all[0].bytes == 400 && all[0].reads && !all[0].writes));
  CHECK((all[1].address == 2000 && all[1].bytes == 800 && all[1].writes && !all[1].reads));
  CHECK_FALSE(others.waiting());
  CHECK(others.take().empty());
}

TEST_CASE("others are kept apart", "[sim]") {
  other_threads others;
  others.accesses(read(here, 1000, 4));
  others.accesses(write(here, 1004, 4)); // another kind
  others.accesses(read(there, 1004, 4)); // another place
  others.accesses(read(here, 1008, 4));  // a gap
  others.accesses(read(here, 996, 4));   // before
  CHECK(others.take().size() == 5);
}

TEST_CASE("behind an order that nobody sees nothing is kept", "[sim]") {
  other_threads others;
  others.lose_order();
  others.accesses(read(here, 1000, 4));
  CHECK_FALSE(others.waiting());
}

TEST_CASE("several threads at once lose nothing", "[sim]") {
  other_threads others;
  std::vector<std::thread> threads;
  for (std::uintptr_t t = 0; t < 4; ++t) {
    threads.emplace_back([&others, t] {
      for (std::uintptr_t i = 0; i < 1000; ++i) {
        others.accesses(read(here, (t + 1) * 1'000'000 + (16 * i), 4)); // never joined
      }
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  CHECK(others.take().size() == 4000);
}

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's name
__extension__ using wide = unsigned __int128;
extern "C" wide tilesim_hook___tsan_atomic128_fetch_add(volatile wide* p, wide value, int order);
// NOLINTEND(bugprone-reserved-identifier)

TEST_CASE("16 bytes are one object to std::atomic and to cuda::atomic_ref", "[sim]") {
  namespace detail = tilesim::detail;
  constexpr unsigned times = 200'000;
  constexpr wide one = (wide{1} << 64) + 1; // both halves count
  wide cell = 0;
  std::thread by_hook([&cell] {
    for (unsigned i = 0; i < times; ++i) {
      tilesim_hook___tsan_atomic128_fetch_add(&cell, one, __ATOMIC_RELAXED);
    }
  });
  for (unsigned i = 0; i < times; ++i) {
    wide old = 0;
    detail::change_atomically(
        &cell,
        sizeof cell,
        {[](void* p, const void* by) { *static_cast<wide*>(p) += *static_cast<const wide*>(by); },
         &one},
        &old,
        detail::order::relaxed,
        detail::scope::system);
  }
  by_hook.join();
  CHECK((cell == 2 * times * one));
}
