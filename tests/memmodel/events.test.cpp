// Events: scopes, overlap, strength; how an execution says where bytes come from.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/hand_built.hpp"
#include "support/catch.hpp"

using namespace tilesim::memmodel;

TEST_CASE("scopes hold threads by their place, from the block to the system  [PTX, scope]") {
  struct row {
    const char* what;
    place a, b;
    bool of_cta, of_cluster, of_gpu; // the system holds everyone
  };
  const row r = GENERATE(values<row>({
      {"the same block", cta(0), cta(0), true, true, true},
      {"two blocks of one gpu, no clusters", cta(0), cta(1), false, false, true},
      {"two blocks of one cluster", in_cluster(0, 0), in_cluster(0, 1), false, true, true},
      {"blocks of one number in two clusters",
       in_cluster(0, 0),
       in_cluster(1, 0),
       false,
       false,
       true},
      {"blocks of one number on two gpus", cta(0, 0), cta(0, 1), false, false, false},
      {"clusters of one number on two gpus", place{0, 5, 0}, place{1, 5, 0}, false, false, false},
      {"a block and the host", cta(0), on_host, false, false, false},
      {"the host's threads", on_host, on_host, true, true, true},
  }));
  CAPTURE(r.what);
  for (const auto& [a, b] : {std::pair{r.a, r.b}, std::pair{r.b, r.a}}) {
    CHECK(includes(scope::cta, a, b) == r.of_cta);
    CHECK(includes(scope::cluster, a, b) == r.of_cluster);
    CHECK(includes(scope::gpu, a, b) == r.of_gpu);
    CHECK(includes(scope::sys, a, b));
  }
}

TEST_CASE("ranges overlap when they share a byte  [PTX, overlap]") {
  CHECK(overlap({8, 4}, {8, 4}));
  CHECK(overlap({8, 4}, {11, 1}));
  CHECK(overlap({8, 1}, {4, 8}));
  CHECK_FALSE(overlap({8, 4}, {12, 4}));
  CHECK_FALSE(overlap({8, 4}, {4, 4}));
  CHECK_FALSE(overlap({8, 4}, {8, 0}));
}

TEST_CASE("what is strong, releases and acquires  [PTX, operation types]") {
  struct row {
    event_kind kind;
    memory_order order;
    bool strong, releases, acquires;
  };
  using enum memory_order;
  const row r = GENERATE(values<row>({
      {event_kind::read, weak, false, false, false},
      {event_kind::read, relaxed, true, false, false},
      {event_kind::read, acquire, true, false, true},
      {event_kind::write, weak, false, false, false},
      {event_kind::write, relaxed, true, false, false},
      {event_kind::write, release, true, true, false},
      {event_kind::fence, acquire, true, false, true},
      {event_kind::fence, release, true, true, false},
      {event_kind::fence, acq_rel, true, true, true},
      {event_kind::fence, sc, true, true, true}, // seq_cst operations are compiled to it
      {event_kind::barrier, weak, false, false, false},
  }));
  event e;
  e.thread = 0;
  e.kind = r.kind;
  e.order = r.order;
  CAPTURE(int(r.kind), int(r.order));
  CHECK(e.strong() == r.strong);
  CHECK(e.releases() == r.releases);
  CHECK(e.acquires() == r.acquires);
  CHECK(e.is_sc_fence() == (r.kind == event_kind::fence && r.order == sc));
}

TEST_CASE("a read takes its bytes where they were chosen from") {
  hand_built h({cta(0)});
  const event_id low = h.write(0, weak, x_low, 0x44332211);
  const event_id high = h.write(0, weak, x_high, 0x88776655);
  const event_id r = h.read(0, weak, x);
  h.rf(low, r);
  h.rf(high, r);
  h.judge();
  execution e = h.what();
  CHECK(e.source[r][0] == low);
  CHECK(e.source[r][3] == low);
  CHECK(e.source[r][4] == high);
  CHECK(e.source[r][7] == high);
  CHECK(e.rf(low, r));
  CHECK(e.rf(high, r));
  CHECK(e.byte_of(low, x.address + 1) == 0x22);
  CHECK(e.byte_of(high, x.address + 7) == 0x88);
  e.forget_source(r);
  CHECK(e.rf.empty());
  CHECK(e.source[r][0] == no_event);
}
