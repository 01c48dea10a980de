// Each axiom broken by a small execution, with the chain that it shows; and the neighbour that
// holds.
//
// Events are numbered in the order in which an execution is built.
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/chains.hpp"
#include "memmodel/hand_built.hpp"
#include "support/catch.hpp"

#include <algorithm>

using namespace tilesim::memmodel;

namespace {

const axiom& axiom_named(const model& m, std::string_view name) {
  const auto found = std::ranges::find(m.axioms, name, &axiom::name);
  REQUIRE(found != m.axioms.end());
  return *found;
}

/// The chain that an axiom shows; "" if it holds.
std::string witness(hand_built& h, std::string_view name, const model& m = ptx()) {
  const relations& r = h.judge();
  const axiom& a = axiom_named(m, name);
  const auto at = a.broken(r);
  if (!at) {
    return "";
  }
  const std::vector<step> chain = a.chain(r, *at);
  CHECK(problem_of_cycle(r, chain) == "");
  return text_of(chain);
}

} // namespace

TEST_CASE("axioms: Coherence  [PTX, coherence]") {
  hand_built h({cta(0)});
  const event_id first = h.write(0, weak, x);
  const event_id second = h.write(0, weak, x);
  SECTION("the choice contradicts causality") {
    h.co(second, first);
    CHECK(witness(h, "Coherence") == "0 -cause-> 1 [0 -po-> 1] -co-> 0");
  }
  SECTION("the choice agrees") {
    h.co(first, second);
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: Coherence, causality through a message") {
  hand_built h({cta(0), cta(1)});
  const event_id w = h.write(0, weak, x);
  const event_id f = h.write(0, rel, y);
  const event_id g = h.read(1, acq, y);
  const event_id v = h.write(1, weak, x);
  h.rf(f, g);
  SECTION("the choice contradicts causality") {
    h.co(v, w);
    CHECK(witness(h, "Coherence") ==
          "0 -cause-> 3 [0 -po-> 1 -sync-> 2 [1 -rf-> 2] -po-> 3] -co-> 0");
  }
  SECTION("without a choice causality decides") {
    CHECK(h.broken().empty());
    CHECK(h.judge().co(w, v));
  }
}

TEST_CASE("axioms: Fence-SC, on base causality: causality relates no fences  [PTX, Fence-SC]") {
  hand_built h({cta(0), cta(1)});
  const event_id f = h.fence(0, sc_gpu);
  const event_id w = h.write(0, rlx, y);
  const event_id r = h.read(1, rlx, y);
  const event_id g = h.fence(1, sc_gpu);
  h.rf(w, r);
  SECTION("the order of the fences contradicts the message between them") {
    h.sc(g, f);
    CHECK(h.broken().front() == "Fence-SC");
    CHECK(witness(h, "Fence-SC") == "3 -sc-> 0 -sync-> 3 [0 -po-> 1 -rf-> 2 -po-> 3]");
    CHECK((h.judge().cause & h.what().sc.inverse()).empty());
  }
  SECTION("it agrees") {
    h.sc(f, g);
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: Fence-SC is no cycle of its own") {
  hand_built h({cta(0), cta(1), cta(2)});
  const event_id a = h.fence(0, sc_gpu);
  const event_id b = h.fence(1, sc_gpu);
  const event_id c = h.fence(2, sc_gpu);
  h.sc(a, b);
  h.sc(b, c);
  SECTION("a ring") {
    h.sc(c, a);
    CHECK(witness(h, "Fence-SC") == "0 -sc-> 1 -sc-> 2 -sc-> 0");
  }
  SECTION("a line") {
    h.sc(a, c);
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: Atomicity, single copy  [PTX, atomicity]") {
  struct row {
    const char* what;
    strength s;
    std::string expected;
  };
  const row r = GENERATE(values<row>({
      {"a morally strong read takes half of a write", rlx, "2 -fr-> 1 -rf-> 2"},
      {"a weak read may", weak, ""},
      {"so may one whose scope does not hold the writer", at(rlx, scope::cta), ""},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id w = h.write(0, rlx, x);
  const event_id read = h.read(1, r.s, x);
  for (std::uint32_t byte = 0; byte < 8; ++byte) {
    h.rf_byte(byte < 4 ? i : w, read, byte);
  }
  CHECK(witness(h, "Atomicity (single copy)") == r.expected);
}

TEST_CASE("axioms: Atomicity, single copy: all of a write is right") {
  hand_built h({cta(0), cta(1)});
  h.init(x);
  const event_id w = h.write(0, rlx, x);
  h.rf(w, h.read(1, rlx, x));
  CHECK(h.broken().empty());
}

TEST_CASE("axioms: Atomicity of read-modify-writes  [PTX, atomicity]") {
  struct row {
    const char* what;
    strength s;
    bool between;
    std::string expected;
  };
  const row r = GENERATE(values<row>({
      {"a strong write between the halves", rlx, true, "1 -fr-> 3 -co-> 2 -rmw⁻¹-> 1"},
      {"a strong write after it", rlx, false, ""},
      {"a weak write between", weak, true, ""},
      {"a write of narrow scope between", at(rlx, scope::cta), true, ""},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const auto [read, write] = h.atomic(0, rlx, rlx, x);
  const event_id other = h.write(1, r.s, x);
  h.rf(i, read);
  if (r.between) {
    h.co(other, write);
  } else {
    h.co(write, other);
  }
  CHECK(witness(h, "Atomicity (read-modify-write)") == r.expected);
}

TEST_CASE("axioms: No-Thin-Air, each kind of dependency  [PTX, no thin air]") {
  struct row {
    const char* kind;
    void (hand_built::*depend)(event_id, event_id);
  };
  const row r = GENERATE(values<row>({
      {"data", &hand_built::data},
      {"addr", &hand_built::addr},
      {"ctrl", &hand_built::ctrl},
  }));
  CAPTURE(r.kind);
  hand_built h({cta(0), cta(1)});
  const event_id rx = h.read(0, rlx, x);
  const event_id wy = h.write(0, rlx, y);
  const event_id ry = h.read(1, rlx, y);
  const event_id wx = h.write(1, rlx, x);
  h.rf(wy, ry);
  h.rf(wx, rx);
  h.data(ry, wx);
  SECTION("dependencies on both sides") {
    (h.*r.depend)(rx, wy);
    CHECK(h.broken() == std::vector<std::string>{"No-Thin-Air"});
    CHECK(witness(h, "No-Thin-Air") ==
          "0 -" + std::string(r.kind) + "-> 1 -rf-> 2 -data-> 3 -rf-> 0");
  }
  SECTION("on one side only: load buffering is allowed") {
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: SC-per-Location  [PTX, sequential consistency per location]") {
  struct row {
    const char* what;
    strength s;
    bool second_sees;
    std::string expected;
  };
  const row r = GENERATE(values<row>({
      {"strong reads that go backwards", rlx, false, "1 -rf-> 2 -po-> 3 -fr-> 1"},
      {"strong reads that do not", rlx, true, ""},
      {"weak reads that go backwards", weak, false, ""},
      {"reads of narrow scope that go backwards", at(rlx, scope::cta), false, ""},
  }));
  CAPTURE(r.what);
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id w = h.write(0, rlx, x);
  const event_id first = h.read(1, r.s, x);
  const event_id second = h.read(1, r.s, x);
  h.rf(w, first);
  h.rf(r.second_sees ? w : i, second);
  CHECK(witness(h, "SC-per-Location") == r.expected);
}

TEST_CASE("axioms: Causality: a read does not see what follows it  [PTX, causality]") {
  hand_built h({cta(0)});
  const event_id r = h.read(0, weak, x);
  const event_id w = h.write(0, weak, x);
  SECTION("it does") {
    h.rf(w, r);
    CHECK(witness(h, "Causality") == "1 -rf-> 0 -po-> 1");
  }
  SECTION("it sees something else") {
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: Causality: a read that follows a write sees nothing older  [PTX, causality]") {
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id w = h.write(0, weak, x);
  const event_id flag = h.write(0, rel, y);
  const event_id seen = h.read(1, acq, y);
  const event_id r = h.read(1, weak, x);
  h.rf(flag, seen);
  SECTION("it does: message passing") {
    h.rf(i, r);
    CHECK(h.broken() == std::vector<std::string>{"Causality"});
    CHECK(witness(h, "Causality") == "4 -fr-> 1 -po-> 2 -sync-> 3 [2 -rf-> 3] -po-> 4");
  }
  SECTION("it sees the write") {
    h.rf(w, r);
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: Causality begins with an observation, which passes through read-modify-writes") {
  hand_built h({cta(0), cta(1), cta(2)});
  const event_id i = h.init(x);
  const event_id w = h.write(0, rlx, x);
  const auto [mr, mw] = h.atomic(1, rlx, rlx, x);
  const event_id seen = h.read(2, rlx, x);
  const event_id r = h.read(2, weak, x);
  h.rf(w, mr);
  h.rf(mw, seen);
  h.co(w, mw);
  SECTION("a weak read behind it goes back to the initial value") {
    h.rf(i, r);
    CHECK(witness(h, "Causality") == "5 -fr-> 1 -rf-> 2 -rmw-> 3 -rf-> 4 -po-> 5");
  }
  SECTION("it sees what was observed") {
    h.rf(mw, r);
    CHECK(h.broken().empty());
  }
}

TEST_CASE("axioms: Causality is irreflexive") {
  hand_built h({cta(0)});
  const event_id r = h.read(0, rlx, x);
  const event_id w = h.write(0, rlx, x);
  h.rf(w, r); // observed by the read before it
  CHECK(h.judge().cause(w, w));
  CHECK(witness(h, "Causality") == "1 -rf-> 0 -po-> 1");
}

TEST_CASE("axioms: Causality by a barrier, and by the order of fences") {
  SECTION("a barrier") {
    hand_built h({cta(0), cta(0)});
    const event_id i = h.init(x);
    h.write(0, weak, x);
    h.barrier(0, 1, true);
    h.barrier(1, 1, true);
    h.rf(i, h.read(1, weak, x));
    CHECK(witness(h, "Causality") == "4 -fr-> 1 -po-> 2 -bar-> 3 -po-> 4");
  }
  SECTION("fences: store buffering") {
    hand_built h({cta(0), cta(1)});
    const event_id i = h.init(x);
    const event_id j = h.init(y);
    h.write(0, rlx, x);
    const event_id f = h.fence(0, sc_gpu);
    h.rf(j, h.read(0, rlx, y));
    h.write(1, rlx, y);
    const event_id g = h.fence(1, sc_gpu);
    h.rf(i, h.read(1, rlx, x));
    h.sc(f, g);
    CHECK(h.broken() == std::vector<std::string>{"Causality"});
    CHECK(witness(h, "Causality") == "7 -fr-> 2 -po-> 3 -sc-> 6 -po-> 7");
  }
}

TEST_CASE("axioms: Sequential consistency: store buffering, and who reads otherwise") {
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const event_id j = h.init(y);
  const event_id wx = h.write(0, weak, x);
  const event_id ry = h.read(0, weak, y);
  const event_id wy = h.write(1, weak, y);
  const event_id rx = h.read(1, weak, x);
  h.rf(i, rx);
  SECTION("both read the initial values") {
    h.rf(j, ry);
    CHECK(witness(h, "Sequential consistency", sc()) == "2 -po-> 3 -fr-> 4 -po-> 5 -fr-> 2");
    CHECK(h.broken(ptx()).empty());
  }
  SECTION("one reads the store") {
    h.rf(wy, ry);
    CHECK(h.broken(sc()).empty());
    CHECK(h.judge().fr(rx, wx));
  }
}

TEST_CASE("axioms: Sequential consistency with barriers: what stands before precedes what stands "
          "behind") {
  hand_built h({cta(0), cta(0)});
  const event_id i = h.init(x);
  const event_id w = h.write(0, weak, x);
  h.barrier(0, 1, true);
  h.barrier(1, 1, true);
  const event_id r = h.read(1, weak, x);
  SECTION("a stale read") {
    h.rf(i, r);
    CHECK(witness(h, "Sequential consistency", sc()) == "1 -po-> 2 -bar-> 4 -fr-> 1");
  }
  SECTION("a fresh one: waits of one completion are not ordered among each other") {
    h.rf(w, r);
    CHECK(h.broken(sc()).empty());
  }
}

TEST_CASE("axioms: Sequential consistency keeps read-modify-writes whole") {
  hand_built h({cta(0), cta(1)});
  const event_id i = h.init(x);
  const auto [read, write] = h.atomic(0, weak, weak, x);
  const event_id other = h.write(1, weak, x);
  h.rf(i, read);
  SECTION("a write between the halves") {
    h.co(other, write);
    CHECK(witness(h, "Atomicity (read-modify-write)", sc()) == "1 -fr-> 3 -co-> 2 -rmw⁻¹-> 1");
  }
  SECTION("a write behind them") {
    h.co(write, other);
    CHECK(h.broken(sc()).empty());
  }
}

TEST_CASE("models: the axioms in the order of the chapter; by name") {
  std::vector<std::string_view> names;
  for (const axiom& a : ptx().axioms) {
    names.push_back(a.name);
  }
  CHECK(names == std::vector<std::string_view>{"Coherence",
                                               "Fence-SC",
                                               "Atomicity (single copy)",
                                               "Atomicity (read-modify-write)",
                                               "No-Thin-Air",
                                               "SC-per-Location",
                                               "Causality"});
  CHECK(find_model("ptx") == &ptx());
  CHECK(find_model("ptx-values") == &ptx_values());
  CHECK(find_model("sc") == &sc());
  CHECK(find_model("tso") == nullptr);
  CHECK(ptx().fence_order);
  CHECK_FALSE(ptx().total_coherence);
  CHECK(sc().total_coherence);
}

TEST_CASE("models: the first axiom that breaks is named, in the model's order") {
  hand_built h({cta(0)});
  const event_id first = h.write(0, weak, x);
  const event_id second = h.write(0, weak, x);
  h.co(second, first);
  const auto broken = first_broken(ptx(), h.judge());
  REQUIRE(broken);
  CHECK(broken->which->name == "Coherence");
  hand_built fine({cta(0)});
  fine.write(0, weak, x);
  CHECK_FALSE(first_broken(ptx(), fine.judge()));
}

TEST_CASE("paths: the shortest, over the named relations, of at least one step") {
  relation a(5);
  relation b(5);
  a.add(0, 1);
  a.add(1, 2);
  a.add(2, 0);
  b.add(0, 2);
  b.add(0, 1);
  const std::vector<named_relation> edges{{"a", &a}, {"b", &b}};
  CHECK(text_of(shortest_path(edges, 0, 2)) == "0 -b-> 2");
  CHECK(text_of(shortest_path(edges, 0, 1)) == "0 -a-> 1"); // the first in the list names it
  CHECK(text_of(shortest_path(edges, 0, 0)) == "0 -b-> 2 -a-> 0");
  CHECK(shortest_path(edges, 0, 4).empty());
  CHECK(shortest_path(edges, 4, 4).empty());
  CHECK(shortest_path({}, 0, 1).empty());
}
