// Which bytes have been written: held against a flag for every byte.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/written.hpp"

#include "sim/ops/rng.hpp"

#include <algorithm>
#include <map>
#include <support/catch.hpp>

using namespace tilesim::sim;

namespace {

std::uintptr_t allocate(allocations& m, memory_kind kind, std::size_t size) {
  return reinterpret_cast<std::uintptr_t>(m.allocate(kind, size, nullptr));
}

} // namespace

TEST_CASE("bytes count as written after writes and copies of written ones") {
  allocations m(std::size_t{1} << 20);
  const block_memories shared;
  written_memory w(m, shared);
  constexpr std::size_t size = 300;
  const std::uintptr_t a[] = {allocate(m, memory_kind::device, size),
                              allocate(m, memory_kind::device, size)};
  std::map<std::uintptr_t, bool> written;
  rng r(3);
  const auto range = [&](std::uintptr_t& at, std::size_t& bytes) {
    bytes = 1 + r.below(140);
    at = a[r.below(2)] + r.below(size - bytes + 1);
  };
  for (int turn = 0; turn < 3000; ++turn) {
    if (turn % 100 == 0) { // begins anew
      w.forget(a[0]);
      w.forget(a[1]);
      written.clear();
    }
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
    range(at, bytes);
    if (turn % 3 == 0) {
      w.write(at, std::min<std::size_t>(bytes, 9));
      for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 9); ++i) {
        written[at + i] = true;
      }
    } else if (turn % 3 == 1) {
      std::uintptr_t from = a[r.below(2)];
      from += r.below(size - bytes + 1);
      w.copy(at, from, bytes);
      const auto before = written;
      for (std::size_t i = 0; i < bytes; ++i) {
        written[at + i] = before.contains(from + i) && before.at(from + i);
      }
    }
    range(at, bytes);
    std::uintptr_t first = at;
    while (first < at + bytes && written[first]) {
      ++first;
    }
    bool none = true;
    for (std::size_t i = 0; i < bytes; ++i) {
      none = none && !written[at + i];
    }
    const auto missing = w.first_unwritten(at, bytes);
    REQUIRE(missing.has_value() == (first != at + bytes));
    REQUIRE(missing.value_or(first) == first);
    REQUIRE(w.all_unwritten(at, bytes) == none);
  }
}

TEST_CASE("only device memory is followed, from its allocation to its end") {
  allocations m(std::size_t{1} << 20);
  const block_memories shared;
  written_memory w(m, shared);
  const std::uintptr_t managed = allocate(m, memory_kind::managed, 16);
  const std::uintptr_t device = allocate(m, memory_kind::device, 16);
  const int local = 0;
  CHECK_FALSE(w.follows(managed));
  CHECK_FALSE(w.first_unwritten(managed, 16));
  CHECK_FALSE(w.first_unwritten(reinterpret_cast<std::uintptr_t>(&local), 4));
  CHECK(w.follows(device));
  CHECK(w.first_unwritten(device, 16) == device);
  w.copy(device, managed, 16); // what is not followed counts as written
  CHECK_FALSE(w.first_unwritten(device, 16));
  w.forget(device);
  CHECK(w.all_unwritten(device, 16));
}

TEST_CASE("memory that has changed though nothing is known to have written it counts as written") {
  allocations m(std::size_t{1} << 20);
  const block_memories shared;
  written_memory w(m, shared);
  const std::uintptr_t a = allocate(m, memory_kind::device, 300);
  const scoped_access open(m);
  auto* const bytes = reinterpret_cast<unsigned char*>(a);
  bytes[100] = 7;
  w.write(a + 100, 1);
  CHECK_FALSE(w.written_unseen(a + 4)); // the one that has changed has been written
  CHECK(w.first_unwritten(a, 300) == a);
  bytes[299] = 1;
  CHECK(w.written_unseen(a + 4));
  CHECK_FALSE(w.first_unwritten(a, 300));
  CHECK_FALSE(w.written_unseen(a + 4));                                // it has been said
  CHECK_FALSE(w.written_unseen(reinterpret_cast<std::uintptr_t>(&w))); // no memory of a device

  const std::uintptr_t of_host = allocate(m, memory_kind::managed, 16);
  *reinterpret_cast<unsigned char*>(of_host) = 1;
  CHECK_FALSE(w.written_unseen(of_host)); // not followed
}
