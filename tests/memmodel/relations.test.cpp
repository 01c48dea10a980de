// The derived relations, clause by clause, on executions built by hand.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/hand_built.hpp"
#include "support/catch.hpp"

using namespace tilesim::memmodel;

namespace {

using edge = std::pair<event_id, event_id>;
using edges = std::vector<edge>;

struct two_events {
  const char* what;
  place first, second;
  strength a, b;
  byte_range bytes_a, bytes_b;
  bool related;
};

} // namespace

TEST_CASE("morally strong: operations of two threads  [PTX, morally strong operations]") {
  const two_events r = GENERATE(values<two_events>({
      {"both strong, scopes hold each other", cta(0), cta(1), rlx, rlx, x, x, true},
      {"the first is weak", cta(0), cta(1), weak, rlx, x, x, false},
      {"the second is weak", cta(0), cta(1), rlx, weak, x, x, false},
      {"both are weak", cta(0), cta(0), weak, weak, x, x, false},
      {"the first scope is too narrow", cta(0), cta(1), at(rlx, scope::cta), rlx, x, x, false},
      {"the second scope is too narrow", cta(0), cta(1), rlx, at(rlx, scope::cta), x, x, false},
      {"narrow scopes of one block",
       cta(0),
       cta(0),
       at(rlx, scope::cta),
       at(rlx, scope::cta),
       x,
       x,
       true},
      {"different scopes of one block",
       cta(0),
       cta(0),
       at(rlx, scope::cta),
       at(rlx, scope::sys),
       x,
       x,
       true},
      {"cluster scope within the cluster",
       in_cluster(0, 0),
       in_cluster(0, 1),
       at(rlx, scope::cluster),
       rlx,
       x,
       x,
       true},
      {"cluster scope across clusters",
       in_cluster(0, 0),
       in_cluster(1, 1),
       at(rlx, scope::cluster),
       rlx,
       x,
       x,
       false},
      {"gpu scope across gpus", cta(0, 0), cta(0, 1), rlx, at(rlx, scope::sys), x, x, false},
      {"system scope across gpus",
       cta(0, 0),
       cta(0, 1),
       at(rlx, scope::sys),
       at(rlx, scope::sys),
       x,
       x,
       true},
      {"partial overlap", cta(0), cta(1), rlx, rlx, x, x_low, false},
      {"no overlap", cta(0), cta(1), rlx, rlx, x, y, false},
      {"orders do not matter", cta(0), cta(1), rel, rlx, x, x, true},
  }));
  CAPTURE(r.what);
  hand_built h({r.first, r.second});
  const event_id a = h.write(0, r.a, r.bytes_a);
  const event_id b = h.read(1, r.b, r.bytes_b);
  const relation& ms = h.judge().ms;
  CHECK(ms(a, b) == r.related);
  CHECK(ms(b, a) == r.related);
  CHECK_FALSE(ms(a, a));
}

TEST_CASE("morally strong: operations of one thread are, whatever their strength  [PTX, morally "
          "strong operations]") {
  hand_built h({cta(0)});
  const event_id w = h.write(0, weak, x);
  const event_id r = h.read(0, weak, x);
  const event_id low = h.read(0, rlx, x_low);
  CHECK(h.judge().ms(w, r));
  CHECK(h.judge().ms(r, w));
  CHECK_FALSE(h.judge().ms(w, low)); // not with partial overlap
}

TEST_CASE(
    "morally strong: elements of one instruction only as operations of two threads would be") {
  hand_built h({cta(0)});
  const event_id a = h.write(0, weak, x);
  const event_id b = h.another_element(a, x);
  CHECK_FALSE(h.judge().ms(a, b));
  hand_built strong({cta(0)});
  const event_id c = strong.write(0, at(rlx, scope::cta), x);
  const event_id d = strong.another_element(c, x);
  CHECK(strong.judge().ms(c, d));
}

TEST_CASE(
    "morally strong: fences have no place, so overlap is not asked; initial writes never are") {
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id f = h.fence(0, acq_rel);
  const event_id g = h.fence(1, at(sc_gpu, scope::cta));
  const event_id w = h.write(1, rlx, x);
  const relation& ms = h.judge().ms;
  CHECK(ms(f, w));
  CHECK(ms(w, f));
  CHECK_FALSE(ms(f, g)); // g's scope does not hold the other block
  for (const event_id e : {f, g, w}) {
    CHECK_FALSE(ms(i, e));
    CHECK_FALSE(ms(e, i));
  }
}

TEST_CASE("release patterns, each clause  [PTX, release patterns]") {
  struct row {
    const char* what;
    strength first; // an operation on `where`, or a fence
    bool fence;
    byte_range where;
    strength then;
    bool itself, pattern;
  };
  const row r = GENERATE(values<row>({
      {"a release, and a strong write after it", rel, false, x, rlx, true, true},
      {"a relaxed write begins none", rlx, false, x, rlx, false, false},
      {"a release of another location", rel, false, y, rlx, true, false},
      {"the write after it is weak", rel, false, x, weak, true, false},
      {"a release fence, and a strong write after it",
       {memory_order::release, scope::gpu},
       true,
       {},
       rlx,
       false,
       true},
      {"an acq_rel fence", acq_rel, true, {}, rlx, false, true},
      {"a fence.sc", sc_gpu, true, {}, rlx, false, true},
      {"an acquire fence begins none",
       {memory_order::acquire, scope::gpu},
       true,
       {},
       rlx,
       false,
       false},
      {"a fence, and a weak write", acq_rel, true, {}, weak, false, false},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1)});
  const event_id before = h.write(0, rlx, x);
  const event_id first = r.fence ? h.fence(0, r.first) : h.write(0, r.first, r.where);
  const event_id then = h.write(0, r.then, x);
  const event_id elsewhere = h.write(1, rlx, x);
  const relation& release = h.judge().release;
  CHECK(release(first, first) == r.itself);
  CHECK(release(first, then) == r.pattern);
  CHECK_FALSE(release(first, before));    // program order counts
  CHECK_FALSE(release(first, elsewhere)); // and the thread
}

TEST_CASE("acquire patterns, each clause  [PTX, acquire patterns]") {
  struct row {
    const char* what;
    strength before;
    strength last; // an operation on `where`, or a fence
    bool fence;
    byte_range where;
    bool pattern, itself;
  };
  const row r = GENERATE(values<row>({
      {"an acquire, and a strong read before it", rlx, acq, false, x, true, true},
      {"a relaxed read ends none", rlx, rlx, false, x, false, false},
      {"an acquire of another location", rlx, acq, false, y, false, true},
      {"the read before it is weak", weak, acq, false, x, false, true},
      {"an acquire fence, and a strong read before it",
       rlx,
       {memory_order::acquire, scope::gpu},
       true,
       {},
       true,
       false},
      {"an acq_rel fence", rlx, acq_rel, true, {}, true, false},
      {"a fence.sc", rlx, sc_gpu, true, {}, true, false},
      {"a release fence ends none",
       rlx,
       {memory_order::release, scope::gpu},
       true,
       {},
       false,
       false},
      {"a fence, and a weak read", weak, acq_rel, true, {}, false, false},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1)});
  const event_id before = h.read(0, r.before, x);
  const event_id last = r.fence ? h.fence(0, r.last) : h.read(0, r.last, r.where);
  const event_id after = h.read(0, rlx, x);
  const event_id elsewhere = h.read(1, rlx, x);
  const relation& acquire = h.judge().acquire;
  CHECK(acquire(before, last) == r.pattern);
  CHECK(acquire(last, last) == r.itself);
  CHECK_FALSE(acquire(after, last));
  CHECK_FALSE(acquire(elsewhere, last));
}

TEST_CASE("acquire patterns: the read of a red begins none, that of an atom does  [PTX, 8.11.1]") {
  for (const bool reduction : {false, true}) {
    hand_built h({cta(0)});
    const auto [r, w] = h.atomic(0, rlx, rlx, x, reduction);
    const event_id f = h.fence(0, acq_rel);
    CHECK(h.judge().acquire(r, f) == !reduction);
    CHECK_FALSE(h.judge().acquire(w, f));
    CHECK_FALSE(h.judge().release(f, w));
  }
}

TEST_CASE("observation order: morally strong reads-from, passed on by read-modify-writes  [PTX, "
          "observation order]") {
  struct row {
    const char* what;
    strength first, middle, last;
    bool to_middle, to_last;
  };
  const row r = GENERATE(values<row>({
      {"all links hold", rlx, rlx, rlx, true, true},
      {"a weak source", weak, rlx, rlx, false, false},
      {"a source of narrow scope", at(rlx, scope::cta), rlx, rlx, false, false},
      {"a middle of narrow scope", rlx, at(rlx, scope::cta), rlx, false, false},
      {"a weak last read", rlx, rlx, weak, true, false},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1), cta(2)});
  const event_id w = h.write(0, r.first, x);
  const auto [mr, mw] = h.atomic(1, r.middle, r.middle, x);
  const event_id last = h.read(2, r.last, x);
  h.rf(w, mr);
  h.rf(mw, last);
  const relation& obs = h.judge().obs;
  CHECK(obs(w, mr) == r.to_middle);
  CHECK(obs(w, last) == r.to_last);
  CHECK_FALSE(obs(w, mw)); // it ends at reads
}

TEST_CASE("observation order: a load and a store pass nothing on") {
  hand_built h({cta(0), cta(1), cta(2)});
  const event_id w = h.write(0, rlx, x);
  const event_id r = h.read(1, rlx, x);
  const event_id v = h.write(1, rlx, x);
  const event_id last = h.read(2, rlx, x);
  h.rf(w, r);
  h.rf(v, last);
  h.data(r, v);
  CHECK(pairs_of(h.judge().obs) == edges{{w, r}, {v, last}});
}

TEST_CASE(
    "synchronization: every link and the two ends must be morally strong  [PTX, synchronizes]") {
  struct row {
    const char* what;
    place third;
    strength release, middle, acquire;
    bool synchronizes;
  };
  const row r = GENERATE(values<row>({
      {"gpu scope all along", cta(1), rel, rlx, acq, true},
      {"the release reaches the middle only", cta(1), at(rel, scope::cta), rlx, acq, false},
      {"all in one block, narrow scopes",
       cta(0),
       at(rel, scope::cta),
       at(rlx, scope::cta),
       at(acq, scope::cta),
       true},
      {"the acquire does not reach back", cta(1), rel, rlx, at(acq, scope::cta), false},
      {"a relaxed beginning", cta(1), rlx, rlx, acq, false},
      {"a relaxed end", cta(1), rel, rlx, rlx, false},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(0), r.third});
  const event_id w = h.write(0, r.release, x);
  const auto [mr, mw] = h.atomic(1, r.middle, r.middle, x);
  const event_id last = h.read(2, r.acquire, x);
  h.rf(w, mr);
  h.rf(mw, last);
  const relations& judged = h.judge();
  CHECK(judged.pattern(w, last) == r.synchronizes);
  CHECK(judged.base(w, last) == r.synchronizes);
}

TEST_CASE("synchronization runs from the fence before the write to the fence after the read") {
  hand_built h({cta(0), cta(1)});
  const event_id f = h.fence(0, acq_rel);
  const event_id w = h.write(0, rlx, x);
  const event_id r = h.read(1, rlx, x);
  const event_id g = h.fence(1, acq_rel);
  h.rf(w, r);
  CHECK(pairs_of(h.judge().sync) == edges{{f, g}});
}

TEST_CASE("barrier edges: arrivals before waits of the same completion by another thread  [PTX, "
          "barriers]") {
  hand_built h({cta(0), cta(0), cta(0)});
  const event_id a1 = h.barrier(0, 1, true);
  const event_id a2 = h.barrier(1, 1, true);
  const event_id arrive = h.barrier(2, 1, false);
  const event_id again = h.barrier(0, 2, true); // the next completion
  const event_id late = h.barrier(1, 2, true, /*late=*/true);
  const event_id alone = h.barrier(2, 0, true); // never completed
  const relation& edges_of = h.judge().barrier;
  CHECK(edges_of(a1, a2));
  CHECK(edges_of(a2, a1));
  CHECK(edges_of(arrive, a1));
  CHECK_FALSE(edges_of(a1, arrive)); // who arrives waits for nobody
  CHECK_FALSE(edges_of(a1, again));
  CHECK_FALSE(edges_of(a2, again));
  CHECK(edges_of(again, late));
  CHECK_FALSE(edges_of(late, again)); // nothing follows from who comes late
  CHECK_FALSE(edges_of(alone, alone));
  for (const event_id e : {a1, a2, arrive, again, late}) {
    CHECK_FALSE(edges_of(e, alone));
    CHECK_FALSE(edges_of(alone, e));
    CHECK_FALSE(edges_of(e, e));
  }
}

TEST_CASE("barrier edges: API order is among them, and orders weak accesses of two launches  [PTX, "
          "causality order]") {
  hand_built h({cta(0), cta(0)});
  const event_id w = h.write(0, weak, x);
  const event_id r = h.read(1, weak, x);
  CHECK_FALSE(races(h.judge()).empty());
  h.api(w, r);
  const relations& judged = h.judge();
  CHECK(judged.barrier(w, r));
  CHECK(judged.cause(w, r));
  CHECK(races(judged).empty());
}

TEST_CASE("causality: base causality between overlapping operations, after an observation  [PTX, "
          "causality order]") {
  hand_built h({cta(0), cta(1)});
  const event_id w = h.write(0, rlx, x);
  const event_id r = h.read(1, rlx, x);
  const event_id s = h.write(1, rlx, y);
  const event_id t = h.read(1, weak, x);
  h.rf(w, r);
  const relations& judged = h.judge();
  CHECK(judged.cause(r, t));       // program order, same place
  CHECK(judged.cause(w, t));       // observed by r
  CHECK_FALSE(judged.cause(w, r)); // an observation alone is none
  CHECK_FALSE(judged.cause(r, s)); // not between different places
  CHECK_FALSE(judged.cause(w, s));
}

TEST_CASE("causality is not transitive: an observation stands at its beginning only") {
  hand_built h({cta(0), cta(1)});
  const event_id a = h.read(0, weak, x);
  const event_id b = h.write(0, rlx, x);
  const event_id c = h.read(1, rlx, x);
  const event_id d = h.write(1, rlx, x);
  h.rf(b, c);
  const relation& cause = h.judge().cause;
  CHECK(cause(a, b));
  CHECK(cause(b, d));
  CHECK_FALSE(cause(a, d));
}

TEST_CASE("causality holds where places overlap in part") {
  hand_built h({cta(0)});
  const event_id a = h.write(0, weak, x);
  const event_id b = h.read(0, weak, x_high);
  CHECK(h.judge().cause(a, b));
}

TEST_CASE("coherence: initial writes first, causality included, closed; writes that race are "
          "unordered  [PTX, coherence order]") {
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id j = h.init(y);
  const event_id a = h.write(0, weak, x);
  const event_id b = h.write(0, weak, x);
  const event_id c = h.write(1, weak, x);
  CHECK(pairs_of(h.judge().co) == edges{{i, a}, {i, b}, {i, c}, {a, b}});
  h.co(b, c);
  CHECK(pairs_of(h.judge().co) == edges{{i, a}, {i, b}, {i, c}, {a, b}, {a, c}, {b, c}});
  CHECK_FALSE(h.judge().co(j, a));
}

TEST_CASE(
    "from-read: the writes after the one that was read, byte by byte  [PTX, communication order]") {
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id low = h.write(0, weak, x_low);
  const event_id high = h.write(0, weak, x_high);
  const event_id r = h.read(1, weak, x);
  for (std::uint32_t byte = 0; byte < 4; ++byte) {
    h.rf_byte(low, r, byte);
  }
  for (std::uint32_t byte = 4; byte < 8; ++byte) {
    h.rf_byte(i, r, byte);
  }
  const relations& judged = h.judge();
  CHECK(pairs_of(judged.fr) == edges{{r, high}}); // the low half was seen, the high one was not
  CHECK(judged.com == (judged.x->rf | judged.co | judged.fr));
}
