// Which places are shared: what is accessed as one is shared as one.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sharing.hpp"

#include "support/catch.hpp"

#include <cstdint>

using namespace tilesim::sim::exploring;

namespace {

constexpr std::uintptr_t at = 0x1000;

} // namespace

TEST_CASE("sharing: who accesses the upper half of a number shares all of it") {
  sharing s(false, false, {0, 0});
  CHECK(!s.touch(0, at, 8, true, 8));
  CHECK(s.touch(1, at + 4, 4, false, 4));
  CHECK(s.changed());
  CHECK(s.is_shared(at, 8));
  CHECK(!s.is_shared(at, 4)); // by the store alone, so far
  s.begin_anew();
  CHECK(s.touch(0, at, 8, true, 8));
  CHECK(s.changed()); // what the block reads of the lower half is a choice, too
  CHECK(s.is_shared(at));
}

TEST_CASE("sharing: neighbours within eight bytes are no one's but their own") {
  sharing s(false, false, {0, 0});
  CHECK(!s.touch(0, at, 4, true, 4));
  CHECK(!s.touch(1, at + 4, 4, true, 4));
  CHECK(!s.touch(0, at, 4, false, 4));
  CHECK(!s.changed());
}

TEST_CASE("sharing: what may be taken apart is cut where another access begins") {
  sharing s(false, false, {0, 0});
  CHECK(!s.touch(0, at, 12, true, 0));
  CHECK(s.piece(at, 8) == 8);
  CHECK(s.touch(1, at + 4, 12, false, 0));
  CHECK(s.piece(at, 8) == 4);
  CHECK(s.piece(at + 8, 8) == 4); // the first one ends within
  CHECK(!s.is_shared(at, 4));
  CHECK(s.is_shared(at + 4, 4));
}
