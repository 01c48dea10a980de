// The allocation registry: bounds, death, guards, limits.
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/allocations.hpp"

#include <cstring>
#include <support/catch.hpp>

using namespace tilesim::sim;

namespace {
constexpr std::size_t mebibyte = 1 << 20;
}

TEST_CASE("allocations are aligned, apart and found") {
  allocations m(mebibyte);
  void* a = m.allocate(memory_kind::device, 100, nullptr);
  void* b = m.allocate(memory_kind::managed, 1000, nullptr);
  REQUIRE(a != nullptr);
  REQUIRE(b != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(a) % 256 == 0);
  REQUIRE(m.find(a) != nullptr);
  CHECK(m.find(a)->size == 100);
  CHECK(m.find(a)->id == 1);
  CHECK(m.find(static_cast<char*>(a) + 99) == m.find(a));
  CHECK(m.find(static_cast<char*>(a) + 100) == nullptr);
  CHECK(m.find(static_cast<char*>(a) - 1) == nullptr);
  CHECK(m.find(b)->kind == memory_kind::managed);
  CHECK(m.used() == 1100);
}

// Opening and closing a large allocation costs a call per huge page instead of one per page.
TEST_CASE("large allocations begin on a huge page, and end at their guard") {
  allocations m(64 * mebibyte);
  REQUIRE(m.allocate(memory_kind::device, 100, nullptr) != nullptr);
  auto* a = static_cast<char*>(m.allocate(memory_kind::device, 5 * mebibyte, nullptr));
  auto* b = static_cast<char*>(m.allocate(memory_kind::device, 2 * mebibyte, nullptr));
  auto* c = static_cast<char*>(m.allocate(memory_kind::device, 100, nullptr));
  REQUIRE(a != nullptr);
  REQUIRE(c != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(a) % (2 * mebibyte) == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(b) % (2 * mebibyte) == 0);
  CHECK(b >= a + 5 * mebibyte + 4096);
  CHECK(c >= b + 2 * mebibyte + 4096);
  m.open();
  std::memset(a, 1, 5 * mebibyte);
  std::memset(b, 1, 2 * mebibyte);
  m.close();
  CHECK(m.find(a + 5 * mebibyte - 1)->begin == reinterpret_cast<std::uintptr_t>(a));
}

TEST_CASE("the nearest allocation explains a miss") {
  allocations m(mebibyte);
  auto* a = static_cast<char*>(m.allocate(memory_kind::device, 100, nullptr));
  const auto at = reinterpret_cast<std::uintptr_t>(a);
  REQUIRE(m.nearest(at + 104) != nullptr);
  CHECK(m.nearest(at + 104)->begin == at);
  CHECK(m.nearest(at - 8)->begin == at);
  CHECK(m.nearest(1) == nullptr);
}

TEST_CASE("freed memory keeps its name and is not used again") {
  allocations m(mebibyte);
  void* a = m.allocate(memory_kind::device, 4096, nullptr);
  CHECK(m.release(a, &m));
  CHECK_FALSE(m.release(a, nullptr)); // twice
  REQUIRE(m.find(a) != nullptr);
  CHECK_FALSE(m.find(a)->live);
  CHECK(m.find(a)->freed_site == &m);
  CHECK(m.allocate(memory_kind::device, 4096, nullptr) != a);
  CHECK(m.used() == 4096);
}

TEST_CASE("release wants the beginning of a live allocation") {
  allocations m(mebibyte);
  auto* a = static_cast<char*>(m.allocate(memory_kind::device, 64, nullptr));
  int local = 0;
  CHECK_FALSE(m.release(a + 4, nullptr));
  CHECK_FALSE(m.release(&local, nullptr));
  CHECK(m.release(a, nullptr));
}

TEST_CASE("capacity bounds device and managed memory, not host memory") {
  allocations m(mebibyte);
  CHECK(m.allocate(memory_kind::device, 2 * mebibyte, nullptr) == nullptr);
  CHECK(m.allocate(memory_kind::device, mebibyte, nullptr) != nullptr);
  CHECK(m.allocate(memory_kind::managed, 1, nullptr) == nullptr);
  CHECK(m.allocate(memory_kind::pinned, mebibyte, nullptr) != nullptr);
  CHECK(m.allocate(memory_kind::device, ~std::size_t{0}, nullptr) == nullptr);
}

TEST_CASE("device memory opens and closes, nested") {
  allocations m(mebibyte);
  auto* a = static_cast<char*>(m.allocate(memory_kind::device, 64, nullptr));
  m.open();
  m.open();
  a[0] = 1;
  m.close();
  a[63] = 2; // still open
  CHECK(a[0] + a[63] == 3);
  auto* late = static_cast<char*>(m.allocate(memory_kind::device, 64, nullptr));
  late[0] = 4; // allocated while open
  m.close();
  auto* both = static_cast<char*>(m.allocate(memory_kind::managed, 64, nullptr));
  std::memset(both, 0, 64); // the host may touch managed memory at any time
}

TEST_CASE("the nearest memory of the program's own explains a miss, if it is near") {
  allocations m(mebibyte);
  alignas(64) static char mine[256];
  const auto at = reinterpret_cast<std::uintptr_t>(mine);
  CHECK(m.nearest(at + 260) == nullptr);
  REQUIRE(m.register_range(mine, 64, nullptr, memory_kind::lent));
  REQUIRE(m.register_range(mine + 192, 64, nullptr));
  CHECK(m.nearest(at + 70) == m.find(mine));
  CHECK(m.nearest(at + 180) == m.find(mine + 192));
  CHECK(m.nearest(at - 1) == m.find(mine));
  CHECK(m.nearest(at + 256) == m.find(mine + 192));
  CHECK(m.nearest(at + 2 * mebibyte) == nullptr);
  CHECK(m.find(mine)->kind == memory_kind::lent);
  CHECK(m.release(mine, nullptr));
  CHECK(m.find(mine) == nullptr);
}

TEST_CASE("registered memory is the program's own and may not overlap") {
  allocations m(mebibyte);
  char mine[256];
  CHECK(m.register_range(mine, 256, nullptr));
  CHECK_FALSE(m.register_range(mine + 128, 256, nullptr));
  REQUIRE(m.find(mine + 255) != nullptr);
  CHECK(m.find(mine)->kind == memory_kind::registered);
  CHECK(m.release(mine, nullptr));
  CHECK(m.find(mine) == nullptr);
}
