// The reference enumerator: outcomes, counts, verdicts, executions that are shown.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/enumerate.hpp"

#include "memmodel/chains.hpp"
#include "memmodel/litmus/explain.hpp"
#include "memmodel/litmus/reader.hpp"
#include "support/catch.hpp"

#include <set>

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

namespace {

const std::string init = "PTX t { x=0; y=0; }";
const std::string far = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;";
const std::string sb = init + far +
                       " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;"
                       " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;";
const std::string mp = init + far +
                       " st.weak x, 1 | ld.acquire.gpu r0, y ;"
                       " st.release.gpu y, 1 | ld.weak r1, x ;";

result run(const std::string& text, const model& m = ptx()) {
  return enumerate(read_test(text), m);
}

std::set<std::vector<value>> outcomes(const result& r) {
  std::set<std::vector<value>> out;
  for (const auto& [state, count] : r.outcomes) {
    out.insert(state);
  }
  return out;
}

} // namespace

TEST_CASE("enumerate: the consistent executions of small programs, counted") {
  struct row {
    const char* what;
    std::string text;
    std::uint64_t of_ptx, of_sc;
  };
  const row r = GENERATE(values<row>({
      // Two reads, two sources each; one combination is not sequentially consistent.
      {"SB", sb, 4, 3},
      {"MP",
       init + far +
           " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ; st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, "
           "x ;",
       4,
       3},
      {"MP+rel+acq", mp, 3, 3},
      {"LB", init + far + " ld.weak r0, x | ld.weak r0, y ; st.weak y, 1 | st.weak x, 1 ;", 4, 3},
      // Both reading the other's store is out of thin air.
      {"LB+data+data",
       init + far + " ld.weak r0, x | ld.weak r0, y ; st.weak y, r0 | st.weak x, r0 ;",
       3,
       3},
      {"CoRR",
       init + far + " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ; | ld.relaxed.gpu r1, x ;",
       3,
       3},
      {"CoRR+weak", init + far + " st.weak x, 1 | ld.weak r0, x ; | ld.weak r1, x ;", 4, 3},
      // Two orders of each pair of stores.
      {"2+2W",
       init + far +
           " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ; st.relaxed.gpu y, 2 | st.relaxed.gpu x, 2 "
           ";",
       4,
       3},
      // Stores that race have no order in ptx: one execution, two final states.
      {"2W+weak", init + far + " st.weak x, 1 | st.weak x, 2 ;", 1, 2},
      {"2W", init + far + " st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;", 2, 2},
      {"RMW+RMW", init + far + " atom.add r0, x, 1 | atom.add r0, x, 1 ;", 2, 2},
      // Both reading 0 as well; not each other, for a sum depends on what it adds to.
      {"RMW.cta+RMW", init + far + " atom.relaxed.cta.add r0, x, 1 | atom.add r0, x, 1 ;", 3, 2},
      // And each other, for an exchange does not.
      {"EXCH.cta+EXCH",
       init + far + " atom.relaxed.cta.exch r0, x, 1 | atom.exch r0, x, 2 ;",
       4,
       2},
      // Two orders of the fences; in each the later thread sees the store, the earlier one or not.
      {"SB+fence.sc",
       init + far +
           " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ; fence.sc.gpu | fence.sc.gpu ;"
           " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;",
       3,
       3},
      {"MP+bar",
       init + " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ; st.weak x, 1 | bar.cta.sync 0 ; bar.cta.sync 0 | "
              "ld.weak r0, x ;",
       1,
       1},
      {"IRIW",
       init + " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;"
              " st.release.gpu x, 1 | st.release.gpu y, 1 | ld.acquire.gpu r0, x | ld.acquire.gpu "
              "r0, y ;"
              " | | ld.acquire.gpu r1, y | ld.acquire.gpu r1, x ;",
       16,
       15},
  }));
  CAPTURE(r.what);
  CHECK(run(r.text).executions == r.of_ptx);
  CHECK(run(r.text, sc()).executions == r.of_sc);
}

TEST_CASE("enumerate: outcomes are the final states of all variables") {
  const result r = run(sb);
  const test t = read_test(sb);
  std::vector<std::string> names;
  for (const observable& o : r.observables) {
    names.push_back(name_of(t, o));
  }
  CHECK(names == std::vector<std::string>{"P0:r0", "P1:r0", "x", "y"});
  CHECK(outcomes(r) ==
        std::set<std::vector<value>>{{0, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 1, 1}});
  CHECK(outcomes(run(sb, sc())) ==
        std::set<std::vector<value>>{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 1, 1}});
  CHECK(r.racy == 0);
  CHECK(r.terminates == true);
  CHECK_FALSE(r.bound_reached);
}

TEST_CASE("enumerate: stores that race may each be the last") {
  const result r = run(init + far + " st.weak x, 1 | st.weak x, 2 ;");
  CHECK(outcomes(r) == std::set<std::vector<value>>{{1, 0}, {2, 0}});
  CHECK(r.racy == 1);
  for (const auto& [state, count] : r.outcomes) {
    CHECK(count.racy);
  }
}

TEST_CASE("enumerate: the quantifiers, and the executions that witness them") {
  struct row {
    const char* condition;
    quantifier wanted;
    bool holds;
    std::uint64_t positive, negative;
  };
  const row r = GENERATE(values<row>({
      {"exists (P0:r0 == 0 /\\ P1:r0 == 0)", quantifier::exists, true, 1, 3},
      {"exists (P0:r0 == 7)", quantifier::exists, false, 0, 4},
      {"~exists (P0:r0 == 0 /\\ P1:r0 == 0)", quantifier::not_exists, true, 1, 3},
      {"forall (x == 1)", quantifier::forall, true, 4, 0},
      {"forall (P0:r0 == 1)", quantifier::forall, false, 2, 2},
      {"filter (P0:r0 == 1) forall (P0:r0 == 1)", quantifier::forall, true, 2, 0},
      {"filter (P0:r0 == 1) exists (P1:r0 == 1)", quantifier::exists, true, 1, 1},
      {"exists (not P0:r0 == 0 \\/ P1:r0 < 1 /\\ x >= 1)", quantifier::exists, true, 3, 1},
  }));
  CAPTURE(r.condition);
  const result got = run(sb + " " + r.condition);
  CHECK(got.holds(r.wanted) == r.holds);
  CHECK(got.positive == r.positive);
  CHECK(got.negative == r.negative);
  CHECK(got.satisfying.has_value() == (r.positive > 0));
  CHECK(got.violating.has_value() == (r.negative > 0));
}

TEST_CASE("enumerate: a race is shown with its execution") {
  const result r = run(mp + " exists (P1:r0 == 1 /\\ P1:r1 == 0)");
  CHECK(r.executions == 3);
  CHECK(r.racy == 2); // not when the flag was seen
  REQUIRE(r.racing);
  REQUIRE(r.racing->race);
  const execution& x = r.racing->what;
  const event& a = x.events[r.racing->race->first];
  const event& b = x.events[r.racing->race->second];
  CHECK(a.thread == 0);
  CHECK(b.thread == 1);
  CHECK(overlap(a.bytes, b.bytes));
  CHECK(r.racing->race->reason == race_reason::weak);
  CHECK_FALSE(r.mixed_size_race);
}

TEST_CASE("enumerate: with a race of different sizes nothing is certain") {
  const result r = run(init + far + " st.weak.u64 x, 1 | ld.weak.u32 r0, x ; forall (x == 1)");
  CHECK(r.mixed_size_race);
  CHECK_FALSE(r.holds(quantifier::forall));
  CHECK(r.holds(quantifier::exists));
  REQUIRE(r.racing);
  CHECK(r.racing->race->mixed_size);
}

TEST_CASE("enumerate: whether every fair execution ends") {
  struct row {
    const char* what;
    std::string text;
    std::optional<bool> terminates;
  };
  const std::string near = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;";
  const row r = GENERATE_COPY(values<row>({
      {"no loop, no barrier", sb, true},
      {"a spin that is released",
       init + far + " st.relaxed.gpu x, 1 | L: ld.relaxed.gpu r0, x ; | bne r0, 1, L ;",
       true},
      {"a spin that is not",
       init + far + " st.relaxed.gpu y, 1 | L: ld.relaxed.gpu r0, x ; | bne r0, 1, L ;",
       false},
      {"a spin by weak reads",
       init + far + " st.relaxed.gpu x, 1 | L: ld.weak r0, x ; | bne r0, 1, L ;",
       false},
      {"two that wait for each other",
       init + far +
           " L: ld.relaxed.gpu r0, y | M: ld.relaxed.gpu r0, x ; bne r0, 1, L | bne r0, 1, M ;"
           " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;",
       false},
      {"a loop that does more than spin",
       init + far + " L: add r0, r0, 1 | ; bne r0, 9, L | ;",
       std::nullopt},
      {"a barrier that all come to", init + near + " bar.cta.sync 0 | bar.cta.sync 0 ;", true},
      {"a barrier that waits for one more",
       init + near + " bar.cta.sync 0, 0, 2 | st.weak x, 1 ;",
       false},
      {"barriers in opposite orders",
       init + near + " bar.cta.sync 0 | bar.cta.sync 1 ; bar.cta.sync 1 | bar.cta.sync 0 ;",
       false},
      {"an arrival does not wait", init + near + " bar.cta.arrive 0, 0, 2 | st.weak x, 1 ;", true},
  }));
  CAPTURE(r.what);
  const result got = run(r.text);
  CHECK(got.terminates == r.terminates);
  CHECK(got.hanging.has_value() == (r.terminates == false));
}

TEST_CASE("explain: the candidates that a model refuses, the axiom, and its cycle") {
  const test t =
      read_test(init + far +
                " st.weak x, 1 | ld.acquire.gpu r0, y ; st.release.gpu y, 1 | ld.weak r1, x ;"
                " exists (P1:r0 == 1 /\\ P1:r1 == 0)");
  const refusals r = explain(t, ptx());
  REQUIRE(r.count == 1);
  REQUIRE(r.candidates.size() == 1);
  CHECK(r.candidates[0].broken->name == "Causality");
  // Events: the initial x and y, then the threads' in program order.
  CHECK(text_of(r.candidates[0].cycle) == "5 -fr-> 2 -po-> 3 -sync-> 4 [3 -rf-> 4] -po-> 5");
  CHECK(explain(t, ptx(), {}, 0).candidates.empty());
  CHECK(explain(t, ptx(), {}, 0).count == 1);
  const refusals of_sc = explain(t, sc());
  REQUIRE(of_sc.count == 1);
  CHECK(text_of(of_sc.candidates[0].cycle) == "2 -po-> 3 -rf-> 4 -po-> 5 -fr-> 2");
  // What is allowed has nothing to explain.
  CHECK(explain(read_test(sb + " exists (P0:r0 == 0 /\\ P1:r0 == 0)"), ptx()).count == 0);
}
