// Data races, row by row.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/hand_built.hpp"
#include "support/catch.hpp"

using namespace tilesim::memmodel;

namespace {

enum class accesses { write_write, write_read, read_read };

struct row {
  const char* what;
  accesses kinds;
  place first, second;
  strength a, b;
  byte_range bytes_a, bytes_b;
  std::optional<race_reason> reason; ///< none: no race
  bool mixed;
};

} // namespace

TEST_CASE("races: two accesses that nothing orders  [PTX, data races]") {
  using enum accesses;
  using reason = race_reason;
  const row r = GENERATE(values<row>({
      {"weak, weak", write_write, cta(0), cta(1), weak, weak, x, x, reason::weak, false},
      {"weak write, weak read, one block",
       write_read,
       cta(0),
       cta(0),
       weak,
       weak,
       x,
       x,
       reason::weak,
       false},
      {"weak write, strong read", write_read, cta(0), cta(1), weak, rlx, x, x, reason::weak, false},
      {"strong write, weak read", write_read, cta(0), cta(1), rlx, weak, x, x, reason::weak, false},
      {"strong, strong", write_write, cta(0), cta(1), rlx, rlx, x, x, std::nullopt, false},
      {"strong, the first scope too narrow",
       write_read,
       cta(0),
       cta(1),
       at(rlx, scope::cta),
       rlx,
       x,
       x,
       reason::scope,
       false},
      {"strong, the second scope too narrow",
       write_read,
       cta(0),
       cta(1),
       rlx,
       at(rlx, scope::cta),
       x,
       x,
       reason::scope,
       false},
      {"strong, narrow scopes, one block",
       write_read,
       cta(0),
       cta(0),
       at(rlx, scope::cta),
       at(rlx, scope::cta),
       x,
       x,
       std::nullopt,
       false},
      {"gpu scopes of two gpus",
       write_write,
       cta(0, 0),
       cta(0, 1),
       rlx,
       rlx,
       x,
       x,
       reason::scope,
       false},
      {"two reads", read_read, cta(0), cta(1), weak, weak, x, x, std::nullopt, false},
      {"two places", write_write, cta(0), cta(1), weak, weak, x, y, std::nullopt, false},
      {"neighbours", write_write, cta(0), cta(1), weak, weak, x_low, x_high, std::nullopt, false},
      {"partial overlap, weak",
       write_read,
       cta(0),
       cta(1),
       weak,
       weak,
       x,
       x_low,
       reason::weak,
       true},
      {"partial overlap, strong",
       write_read,
       cta(0),
       cta(1),
       rlx,
       rlx,
       x,
       x_high,
       reason::overlap,
       true},
      {"partial overlap and a narrow scope",
       write_read,
       cta(0),
       cta(1),
       at(rlx, scope::cta),
       rlx,
       x,
       x_high,
       reason::scope,
       true},
  }));
  CAPTURE(r.what);
  hand_built h({r.first, r.second});
  const event_id a = r.kinds == read_read ? h.read(0, r.a, r.bytes_a) : h.write(0, r.a, r.bytes_a);
  const event_id b =
      r.kinds == write_write ? h.write(1, r.b, r.bytes_b) : h.read(1, r.b, r.bytes_b);
  const relations& judged = h.judge();
  CHECK(races(judged)(a, b) == r.reason.has_value());
  CHECK(races(judged)(b, a) == r.reason.has_value());
  const auto found = find_race(judged);
  REQUIRE(found.has_value() == r.reason.has_value());
  if (found) {
    CHECK(found->first == a);
    CHECK(found->second == b);
    CHECK(found->reason == *r.reason);
    CHECK(found->mixed_size == r.mixed);
  }
}

TEST_CASE("races: what causality orders does not race, whatever its strength and size") {
  struct ordered {
    const char* what;
    bool message;
    byte_range read;
    bool race;
  };
  const ordered r = GENERATE(values<ordered>({
      {"by a message", true, x, false},
      {"by a message, a part of it", true, x_high, false},
      {"by a message that was not seen", false, x, true},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(y);
  const event_id w = h.write(0, weak, x);
  const event_id flag = h.write(0, rel, y);
  const event_id seen = h.read(1, acq, y);
  const event_id read = h.read(1, weak, r.read);
  h.rf(r.message ? flag : i, seen);
  CHECK(races(h.judge())(w, read) == r.race);
}

TEST_CASE("races: an observation excuses what follows it") {
  hand_built h({cta(0), cta(1)});
  const event_id w = h.write(0, rlx, x);
  const event_id seen = h.read(1, rlx, x);
  const event_id read = h.read(1, weak, x);
  h.rf(w, seen);
  h.rf(w, read);
  CHECK(races(h.judge()).empty());
  CHECK(h.judge().cause(w, read));
}

TEST_CASE("races: an atomic is one operation: who has observed it comes after its read, too") {
  const bool observes = GENERATE(true, false); // the counter's last one sets it back, or the first
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const auto [r0, w0] = h.atomic(0, rlx, rlx, x);
  const auto [r1, w1] = h.atomic(1, rlx, rlx, x);
  const event_id back = h.write(1, weak, x);
  h.rf(observes ? i : w1, r0);
  h.rf(observes ? w0 : i, r1);
  const relation all = races(h.judge());
  CHECK(all(w0, back) == !observes);
  CHECK(all(r0, back) == !observes);
  CHECK_FALSE(all(r1, back));
}

TEST_CASE("races: accesses of one thread do not race; elements of one instruction do") {
  hand_built h({cta(0)});
  const event_id a = h.write(0, weak, x);
  const event_id b = h.another_element(a, x);
  const event_id c = h.read(0, weak, x_low);
  const relation all = races(h.judge());
  CHECK(all(a, b));
  CHECK_FALSE(all(a, c));
  CHECK_FALSE(all(b, c));
}

TEST_CASE("races: two atomics race if their scopes do not hold each other") {
  for (const bool narrow : {false, true}) {
    hand_built h({cta(0), cta(1)});
    const strength s = narrow ? at(rlx, scope::cta) : rlx;
    h.atomic(0, s, s, x);
    h.atomic(1, rlx, rlx, x);
    CHECK(find_race(h.judge()).has_value() == narrow);
  }
}

TEST_CASE("races: initial writes never race") {
  hand_built h({cta(0)});
  h.init(x);
  h.write(0, weak, x_low);
  h.read(0, weak, x_high);
  CHECK(races(h.judge()).empty());
}

TEST_CASE("races: a race of different sizes is found before others") {
  hand_built h({cta(0), cta(1)});
  h.write(0, weak, y);
  h.write(1, weak, y);
  const event_id a = h.write(0, weak, x);
  const event_id b = h.read(1, weak, x_low);
  const auto found = find_race(h.judge());
  REQUIRE(found);
  CHECK(found->first == a);
  CHECK(found->second == b);
  CHECK(found->mixed_size);
}
