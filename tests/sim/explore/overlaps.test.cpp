// Work that has been explored, copied and filled: what later work meets of it, and what is kept.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/overlaps.hpp"

#include "sim/explore/sharing.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

using namespace tilesim::sim;
using namespace tilesim::sim::exploring;

namespace {

past_work
copy_of(std::uint32_t lane, std::uint32_t number, std::uintptr_t from, std::uintptr_t to) {
  past_work w;
  w.order.lane = lane;
  w.order.number = number;
  w.by = "cudaMemcpyAsync";
  w.read.add(from, from + 4);
  w.written.add(to, to + 4);
  return w;
}

/// What each launch is told to access.
std::map<std::uintptr_t, bool> touched_by(const sharing& s, std::size_t launch) {
  std::map<std::uintptr_t, bool> out;
  s.for_each_touched(launch,
                     [&](std::uintptr_t at, std::size_t, bool written) { out[at] = written; });
  return out;
}

} // namespace

TEST_CASE("overlaps: work meets what nothing orders before it, of any lane") {
  past_works past;
  past.add(copy_of(1, 1, 0x100, 0x200));
  past.add(copy_of(1, 2, 0x100, 0x300));
  past.add(copy_of(2, 1, 0x100, 0x400));
  // Two reads are no meeting; a read of what is written is, and a write of what is read.
  CHECK_FALSE(past.meets(copy_of(3, 1, 0x100, 0x500)));
  REQUIRE(past.meets(copy_of(3, 1, 0x300, 0x500)));
  CHECK(past.meets(copy_of(3, 1, 0x300, 0x500))->with->order.number == 2);
  CHECK(past.meets(copy_of(3, 1, 0x500, 0x100)));
  // Of its own lane all comes before it,
  CHECK_FALSE(past.meets(copy_of(1, 3, 0x300, 0x200)));
  // and of another what it is ordered behind.
  past_work behind = copy_of(3, 1, 0x200, 0x500);
  behind.order.know(1, 1);
  CHECK_FALSE(past.meets(behind));
  behind = copy_of(3, 1, 0x300, 0x500);
  behind.order.know(1, 1);
  CHECK(past.meets(behind));
}

TEST_CASE("overlaps: rows of one copy are one work; what is freed meets nobody") {
  past_works past;
  past.add(copy_of(1, 1, 0x100, 0x200));
  past.add(copy_of(1, 1, 0x110, 0x210));
  CHECK(past.size() == 1);
  CHECK(past.meets(copy_of(2, 1, 0x210, 0x500)));
  past.freed(0x200, 0x20);
  CHECK_FALSE(past.meets(copy_of(2, 1, 0x210, 0x500)));
  past.freed(0x100, 0x20);
  CHECK(past.size() == 0);
}

TEST_CASE("overlaps: what everything later is ordered behind is kept no longer") {
  past_works past;
  for (std::uint32_t n = 1; n <= 100; ++n) {
    past.add(copy_of(1, n, 0x100, 0x200 + (4 * n)));
    past.add(copy_of(2, n, 0x100, 0x1000 + (4 * n)));
  }
  past.forget([](const work_order& o) { return o.lane == 1 && o.number <= 90; });
  CHECK(past.size() == 110);
  CHECK_FALSE(past.meets(copy_of(3, 1, 0x200 + (4 * 90), 0x50)));
  CHECK(past.meets(copy_of(3, 1, 0x200 + (4 * 91), 0x50)));
  CHECK(past.meets(copy_of(3, 1, 0x1004, 0x50)));
}

TEST_CASE("sharing: of however many launches each is told by itself, also to other processes") {
  constexpr std::size_t launches = 70;
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < launches; ++n) {
    numbers.push_back(n);
  }
  sharing own(false, true, numbers);
  for (std::size_t n = 0; n < launches; ++n) {
    own.touch(n, 0x1000 + (16 * n), 4, n % 2 == 0, 4);
    own.touch(n, 0x8000, 4, false, 4);
  }
  sharing other(false, true, numbers);
  other.learn(own.take_news());
  sharing third(false, true, numbers);
  third.learn(own.all_known());
  for (std::size_t n = 0; n < launches; ++n) {
    CAPTURE(n);
    const std::map<std::uintptr_t, bool> wanted{{0x1000 + (16 * n), n % 2 == 0}, {0x8000, false}};
    CHECK(touched_by(own, n) == wanted);
    CHECK(touched_by(other, n) == wanted);
    CHECK(touched_by(third, n) == wanted);
  }
  // A write behind a read is news.
  own.touch(launches - 1, 0x8000, 4, true, 4);
  other.learn(own.take_news());
  CHECK(touched_by(other, launches - 1).at(0x8000));
}
