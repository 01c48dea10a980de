// The allocation registry: bounds, death, guards, limits.
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/allocations.hpp"

#include <algorithm>
#include <cstring>
#include <future>
#include <initializer_list>
#include <support/catch.hpp>
#include <support/readable.hpp>
#include <thread>
#include <vector>

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
  allocations m(mebibyte, GENERATE(closing::best, closing::by_page));
  auto* a = static_cast<char*>(m.allocate(memory_kind::device, 64, nullptr));
  m.open();
  m.open();
  a[0] = 1;
  m.close();
  a[63] = 2; // still open
  CHECK(a[0] + a[63] == 3);
  auto* late = static_cast<char*>(m.allocate(memory_kind::device, 64, nullptr));
  late[0] = 4; // allocated while open
  CHECK(is_readable(a));
  m.close();
  CHECK_FALSE(is_readable(a));
  CHECK_FALSE(is_readable(late));
  auto* both = static_cast<char*>(m.allocate(memory_kind::managed, 64, nullptr));
  std::memset(both, 0, 64); // the host may touch managed memory at any time
}

namespace {

/// Allocates, fills and frees memory of these sizes, as a run of a program does.
std::vector<const void*>
one_run(std::initializer_list<std::size_t> sizes, memory_kind kind, closing how = closing::best) {
  allocations m(64 * mebibyte, how);
  std::vector<char*> all;
  for (const std::size_t bytes : sizes) {
    all.push_back(static_cast<char*>(m.allocate(kind, bytes, nullptr)));
    REQUIRE(all.back() != nullptr);
  }
  m.open();
  auto size = sizes.begin();
  for (char* const p : all) {
    CHECK(std::all_of(p, p + *size, [](char c) { return c == 0; })); // whoever was here before
    std::memset(p, 7, *size++);
  }
  m.close();
  for (char* const p : all) {
    CHECK(is_readable(p) == (kind != memory_kind::device));
    CHECK(m.release(p, nullptr));
    CHECK_FALSE(is_readable(p)); // kept or not
    m.open();
    CHECK_FALSE(is_readable(p)); // to kernels, too
    m.close();
  }
  return {all.begin(), all.end()};
}

} // namespace

// A run in this process takes over the address space of the one before, and a few of its pages.
TEST_CASE("runs one after the other find empty memory, at the same addresses") {
  const std::initializer_list<std::size_t> sizes = {100, 5000, 3 * mebibyte, 4096};
  const auto kind = GENERATE(memory_kind::device, memory_kind::managed, memory_kind::pinned);
  const auto first = one_run(sizes, kind);
  CHECK(one_run(sizes, kind) == first);
  CHECK(one_run(sizes, kind) == first);
  // Others, which lie across where those have lain.
  CHECK(one_run({5000, 100, 100, 3 * mebibyte, 9000}, kind).size() == 5);
  CHECK(one_run({3 * mebibyte, 100}, kind).size() == 2);
  CHECK(one_run({}, kind).empty());
  for (const closing how : {closing::best, closing::by_page, closing::best}) {
    CHECK(one_run(sizes, memory_kind::device, how) == first);
    CHECK(one_run(sizes, memory_kind::managed, how) == first);
  }
}

TEST_CASE("what a run has freed last is closed to the kernels of the next") {
  const auto how = GENERATE(closing::best, closing::by_page);
  const auto* const last = [how] {
    allocations m(mebibyte, how);
    void* const one = m.allocate(memory_kind::device, 4, nullptr);
    void* const two = m.allocate(memory_kind::device, 4, nullptr);
    m.open();
    std::memset(two, 1, 4);
    m.close();
    CHECK((m.release(one, nullptr) && m.release(two, nullptr)));
    return two;
  }();
  allocations m(mebibyte, how);
  const void* const one = m.allocate(memory_kind::device, 4, nullptr);
  m.open();
  CHECK(is_readable(one));
  CHECK_FALSE(is_readable(last)); // not allocated yet
  m.close();
  CHECK(m.allocate(memory_kind::device, 4, nullptr) == last);
  m.open();
  CHECK(*static_cast<const int*>(last) == 0);
  m.close();
}

TEST_CASE("memory that one thread has opened is closed to another, and is freed under it") {
  allocations m(mebibyte);
  auto* const p = static_cast<char*>(m.allocate(memory_kind::device, 1, nullptr));
  auto* const q = static_cast<char*>(m.allocate(memory_kind::device, 1, nullptr));
  if (!m.find(p)->keyed) {
    WARN("skipped: this machine has no protection keys: memory is open to all threads at once");
    return;
  }
  std::promise<void> opened;
  bool seen = true;
  std::thread other([&] { // of before: one that begins has open what its maker has
    opened.get_future().wait();
    seen = is_readable(p);
    m.open();
    seen = seen || p[0] != 1;
    m.close();
    seen = seen || is_readable(p);
  });
  m.open();
  p[0] = 1;
  opened.set_value();
  other.join();
  CHECK_FALSE(seen);
  CHECK(m.release(q, nullptr));
  CHECK_FALSE(is_readable(q)); // at once, although kernels run
  CHECK(is_readable(p));
  m.close();
}

// More than is kept for the next run.
TEST_CASE("runs one after the other of very many small allocations find empty memory") {
  for (int run = 0; run < 3; ++run) {
    allocations m(64 * mebibyte);
    for (int i = 0; i < 400; ++i) {
      auto* const p = static_cast<char*>(m.allocate(memory_kind::device, 4096, nullptr));
      REQUIRE(p != nullptr);
      m.open();
      CHECK((p[0] == 0 && p[4095] == 0));
      p[0] = p[4095] = 1;
      m.close();
      CHECK((run == 2 || m.release(p, nullptr))); // the last one's live to its end
    }
  }
  CHECK(one_run({100, 100}, memory_kind::device).size() == 2);
}

// The system permits some 65 000 mappings to a process.
TEST_CASE("more allocations live at once than could have mappings of their own") {
  allocations m(1024 * mebibyte, GENERATE(closing::best, closing::by_page));
  std::vector<int*> all(50'000);
  for (int*& p : all) {
    p = static_cast<int*>(m.allocate(memory_kind::device, sizeof *p, nullptr));
    REQUIRE(p != nullptr);
  }
  m.open();
  for (int* const p : all) {
    *p += 1;
  }
  m.close();
  CHECK_FALSE(is_readable(all.front()));
  CHECK_FALSE(is_readable(all.back()));
  CHECK((m.find(all[20'000]) != m.find(all[20'001]) &&
         m.find(all[20'000])->contains(reinterpret_cast<std::uintptr_t>(all[20'000]))));
  CHECK(m.release(all[20'000], nullptr));
  m.open();
  CHECK_FALSE(is_readable(all[20'000]));
  CHECK(*all[20'001] == 1);
  m.close();
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
