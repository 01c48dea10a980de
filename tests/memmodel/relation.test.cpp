// The algebra of relations, against sets of pairs.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/relation.hpp"

#include "support/catch.hpp"

#include <random>
#include <set>

using namespace tilesim::memmodel;

namespace {

using pair = std::pair<event_id, event_id>;
using pair_set = std::set<pair>;

pair_set as_set(const relation& r) {
  pair_set out;
  r.for_each([&](event_id a, event_id b) { out.emplace(a, b); });
  return out;
}

relation as_relation(std::size_t n, const pair_set& pairs) {
  relation out(n);
  for (const auto& [a, b] : pairs) {
    out.add(a, b);
  }
  return out;
}

pair_set random_pairs(std::mt19937& random, std::size_t n, std::size_t count) {
  pair_set out;
  for (std::size_t i = 0; n != 0 && i < count; ++i) {
    const auto a = static_cast<event_id>(random() % n);
    out.emplace(a, static_cast<event_id>(random() % n));
  }
  return out;
}

pair_set composed(const pair_set& r, const pair_set& s) {
  pair_set out;
  for (const auto& [a, b] : r) {
    for (const auto& [c, d] : s) {
      if (b == c) {
        out.emplace(a, d);
      }
    }
  }
  return out;
}

pair_set closed(pair_set r) {
  for (std::size_t before = 0; before != r.size();) {
    before = r.size();
    r.merge(composed(r, r));
  }
  return r;
}

} // namespace

TEST_CASE(
    "relations are sets of pairs: union, intersection, difference, composition, inverse, closure") {
  // Around the width of a word, where bit matrices go wrong.
  const std::size_t n = GENERATE(values<std::size_t>({0, 1, 2, 7, 63, 64, 65, 128, 130}));
  std::mt19937 random(static_cast<unsigned>(n));
  CAPTURE(n);
  for (int i = 0; i < 20; ++i) {
    const pair_set p = random_pairs(random, n, n);
    const pair_set q = random_pairs(random, n, n);
    const relation r = as_relation(n, p);
    const relation s = as_relation(n, q);
    REQUIRE(as_set(r) == p);
    CHECK(r.size() == n);
    CHECK(r.count() == p.size());
    CHECK(r.empty() == p.empty());

    pair_set both, either = p, only;
    either.insert(q.begin(), q.end());
    pair_set swapped;
    for (const auto& [a, b] : p) {
      (q.contains({a, b}) ? both : only).emplace(a, b);
      swapped.emplace(b, a);
    }
    CHECK(as_set(r | s) == either);
    CHECK(as_set(r & s) == both);
    CHECK(as_set(r - s) == only);
    CHECK(as_set(r.inverse()) == swapped);
    CHECK(as_set(r.then(s)) == composed(p, q));
    CHECK(as_set(r.closure()) == closed(p));
    CHECK((r == s) == (p == q));
  }
}

TEST_CASE("relations say whether they hold a pair, and name one") {
  relation r(70);
  CHECK_FALSE(r.some());
  CHECK_FALSE(r.reflexive_point());
  r.add(3, 69);
  CHECK(r(3, 69));
  CHECK_FALSE(r(69, 3));
  CHECK_FALSE(r(3, 68));
  CHECK(r.some() == pair(3, 69));
  r.add(65, 65);
  CHECK(r.reflexive_point() == event_id{65});
  r.remove(3, 69);
  CHECK_FALSE(r(3, 69));
  CHECK(r.some() == pair(65, 65));
  r.remove(65, 65);
  CHECK(r.empty());
}

TEST_CASE("a closure finds a cycle, and only a cycle") {
  relation r(66);
  for (event_id a = 0; a + 1 < 66; ++a) {
    r.add(a, a + 1);
  }
  CHECK_FALSE(r.closure().reflexive_point());
  CHECK(r.closure()(0, 65));
  r.add(65, 40);
  CHECK(r.closure().reflexive_point() == event_id{40});
}
