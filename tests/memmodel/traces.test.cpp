// The runs of a thread: which values are tried, how loops end, what is refused.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/reader.hpp"
#include "support/catch.hpp"

#include <map>
#include <set>

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

namespace {

thread_traces runs_of(const std::string& text, std::uint32_t bound = 1) {
  limits l;
  l.bound = bound;
  return all_traces(read_test(text), l);
}

/// What the first read of a thread sees, over all runs.
std::set<std::uint64_t> first_values(const std::vector<trace>& runs) {
  std::set<std::uint64_t> out;
  for (const trace& t : runs) {
    for (const trace_event& e : t.events) {
      if (e.what.is_read()) {
        out.insert(e.what.value);
        break;
      }
    }
  }
  return out;
}

std::map<trace_end, std::size_t> ends(const std::vector<trace>& runs) {
  std::map<trace_end, std::size_t> out;
  for (const trace& t : runs) {
    ++out[t.end];
  }
  return out;
}

const std::string one = " P0@cta 0,gpu 0 ;";
const std::string two = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;";

} // namespace

TEST_CASE("possible values: by range, with the smallest sets of writes that make them") {
  possible_values memory;
  const byte_range word{0x1000, 4};
  CHECK(memory.add(word, 1, {0b11}));
  CHECK_FALSE(memory.add(word, 1, {0b11}));
  CHECK_FALSE(memory.add(word, 1, {0b111})); // says no more
  CHECK(memory.add(word, 1, {0b100}));
  CHECK(memory.add(word, 1, {0b1})); // says more than 0b11
  CHECK(memory.add(word, 2, {0b1000}));
  const std::vector<possible_value> values = memory.of(word);
  REQUIRE(values.size() == 2);
  CHECK(values[0].bits == 1);
  CHECK(std::set<write_set>(values[0].origins.begin(), values[0].origins.end()) ==
        std::set<write_set>{0b100, 0b1});
  CHECK(values[1].bits == 2);
  CHECK(memory.may_hold(word, 2));
  CHECK_FALSE(memory.may_hold(word, 3));
  CHECK_FALSE(memory.may_hold({0x1004, 4}, 1));
  CHECK(memory.of({0x1004, 4}).empty());
}

TEST_CASE("possible values: writes that overlap in part are mixed byte by byte") {
  possible_values memory;
  memory.add({0x1000, 2}, 0x2211);
  memory.add({0x1001, 1}, 0x99);
  std::set<std::uint64_t> values;
  for (const possible_value& v : memory.of({0x1000, 2})) {
    values.insert(v.bits);
  }
  CHECK(values == std::set<std::uint64_t>{0x2211, 0x9911});
  CHECK(memory.may_hold({0x1000, 2}, 0x1234)); // not said to be impossible
}

TEST_CASE("values: a chain of writes does not depend on itself") {
  // Each may see 0, or the other's 1; a 2 could only come from its own 1.
  const thread_traces adds =
      runs_of("PTX t { x=0; }" + two + " atom.add r0, x, 1 | atom.add r0, x, 1 ;");
  CHECK(first_values(adds.of[0]) == std::set<std::uint64_t>{0, 1});
  CHECK(first_values(adds.of[1]) == std::set<std::uint64_t>{0, 1});
  // Out of thin air nothing comes.
  const thread_traces copies =
      runs_of("PTX t { x=0; y=0; }" + two +
              " ld.weak r0, x | ld.weak r0, y ; st.weak y, r0 | st.weak x, r0 ;");
  CHECK(first_values(copies.of[0]) == std::set<std::uint64_t>{0});
  // A value that grows on its way round stops with the chain.
  const thread_traces grows =
      runs_of("PTX t { x=0; y=0; }" + two +
              " ld.weak r0, x | ld.weak r0, y ; add r0, r0, 1 | add r0, r0, 1 ;"
              " st.weak y, r0 | st.weak x, r0 ;");
  CHECK(first_values(grows.of[0]) == std::set<std::uint64_t>{0, 1});
}

TEST_CASE("values: what an exchange writes does not depend on what it read") {
  const thread_traces runs =
      runs_of("PTX t { x=0; }" + two + " atom.exch r0, x, 1 | atom.exch r0, x, 2 ;");
  CHECK(first_values(runs.of[0]) == std::set<std::uint64_t>{0, 1, 2});
}

TEST_CASE("values: a read takes the width and the sign of its type") {
  const test t =
      read_test("PTX t { x=-1; }" + one +
                " ld.weak.u8 r0, x ; ld.weak.s16 r1, x ; ld.weak.u32 r2, x ; ld.weak r3, x ;");
  const std::vector<trace> runs = all_traces(t, {}).of[0];
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].registers == std::vector<std::vector<value>>{{255}, {-1}, {4294967295}, {-1}});
}

TEST_CASE("loops: a body is run as often in a row as the bound says") {
  const std::string text =
      "PTX t { x=0; }" + one + " L: add r0, r0, 1 ; st.weak x, r0 ; bne r0, 3, L ;";
  for (const std::uint32_t bound : {1U, 2U}) {
    const thread_traces runs = runs_of(text, bound);
    CHECK(ends(runs.of[0]) == std::map<trace_end, std::size_t>{{trace_end::cut, 1}});
    CHECK(runs.of[0][0].events.size() == bound);
    CHECK(runs.bound_reached);
  }
  const thread_traces enough = runs_of(text, 3);
  CHECK(ends(enough.of[0]) == std::map<trace_end, std::size_t>{{trace_end::finished, 1}});
  CHECK_FALSE(enough.bound_reached);
}

TEST_CASE("loops: an inner loop begins anew in each round of the outer one") {
  const std::string text = "PTX t { x=0; }" + one +
                           " A: mov r1, 0 ; B: add r1, r1, 1 ; red.add x, 1 ; bne r1, 2, B ;"
                           " add r0, r0, 1 ; bne r0, 2, A ;";
  const thread_traces runs = runs_of(text, 2);
  std::size_t most = 0;
  for (const trace& t : runs.of[0]) {
    if (t.end == trace_end::finished) {
      most = std::max(most, t.events.size());
    }
  }
  CHECK(most == 8); // two rounds of two reds, a read and a write each
}

TEST_CASE("loops: an iteration that only reads and changes no register spins") {
  const thread_traces spin =
      runs_of("PTX t { x=0; }" + one + " L: ld.relaxed.gpu r0, x ; bne r0, 1, L ;");
  CHECK(ends(spin.of[0]) == std::map<trace_end, std::size_t>{{trace_end::spinning, 1}});
  const thread_traces counts =
      runs_of("PTX t { x=0; }" + one + " L: ld.relaxed.gpu r0, x ; add r1, r1, 1 ; bne r0, 1, L ;");
  CHECK(ends(counts.of[0]) == std::map<trace_end, std::size_t>{{trace_end::cut, 1}});
  const thread_traces writes = runs_of("PTX t { x=0; y=0; }" + one +
                                       " L: ld.relaxed.gpu r0, x ; st.weak y, 1 ; bne r0, 1, L ;");
  CHECK(ends(writes.of[0]) == std::map<trace_end, std::size_t>{{trace_end::cut, 1}});
}

TEST_CASE("loops: a run may stop at any barrier that it waits at") {
  const trace t = runs_of("PTX t { x=0; }" + one +
                          " bar.cta.sync 1 ; bar.cta.arrive 2 ; st.weak x, 1 ; bar.cta.sync 3 ;")
                      .of[0][0];
  const std::vector<trace> stopped = cut_at_waits(t);
  REQUIRE(stopped.size() == 2);
  CHECK(stopped[0].events.size() == 1);
  CHECK(stopped[1].events.size() == 4);
  CHECK(stopped[0].end == trace_end::waiting);
  CHECK(t.barriers.size() == 3);
}

TEST_CASE("limits: reaching one is told") {
  limits few;
  few.traces = 2;
  const test t =
      read_test("PTX t { x=0; y=0; }" + two + " ld.weak r0, x | st.weak x, 1 ; ld.weak r1, x | ;");
  try {
    (void)all_traces(t, few);
    FAIL("no limit was reached");
  } catch (const limit_reached& e) {
    CHECK(e.what == "P0 has more than 2 runs");
  }
  limits candidates;
  candidates.candidates = 3;
  try {
    (void)enumerate(t, ptx(), candidates);
    FAIL("no limit was reached");
  } catch (const limit_reached& e) {
    CHECK(e.what == "more than 3 candidates");
  }
  std::string long_code;
  for (int i = 0; i < 65; ++i) {
    long_code += " ld.weak r0, x ;";
  }
  try {
    (void)all_traces(read_test("PTX t { x=0; }" + one + long_code), {});
    FAIL("no limit was reached");
  } catch (const limit_reached& e) {
    CHECK(e.what == "a run of P0 reads more than 64 elements");
  }
}

TEST_CASE("programs that mean nothing are refused, with the place") {
  struct row {
    std::string text;
    std::uint32_t line, column;
    std::string message;
  };
  const row r = GENERATE(values<row>({
      {"PTX t { x=0; } P0@cta 0,gpu 0;\n st.weak [r0], 1;",
       2,
       2,
       "'st.weak [r0], 1' accesses address 0, which is no variable's"},
      {"PTX t { x=0; P0:r0=&x; } P0@cta 0,gpu 0;\n st.weak [r0+8], 1;",
       2,
       2,
       "'st.weak [r0+8], 1' accesses address 4104, which is no variable's"},
      {"PTX t { u32 x=0; P0:r0=&x; } P0@cta 0,gpu 0;\n ld.weak.u64 r1, [r0];",
       2,
       2,
       "'ld.weak.u64 r1, [r0]' accesses address 4096, which is no variable's"},
      {"TILE t { int x[2] = 0; int i = 2; } P0 @ block 0:\n k = load i\n store x[k], 1",
       3,
       2,
       "'store x[k], 1' accesses element 2 of 'x', which has 2"},
      {"TILE t { int x[2] = 0; int i = -1; } P0 @ block 0:\n k = load i\n t = load x[k]",
       3,
       2,
       "'t = load x[k]' accesses element -1 of 'x', which has 2"},
  }));
  CAPTURE(r.text);
  try {
    (void)all_traces(read_test(r.text), {});
    FAIL("it was not refused");
  } catch (const program_error& e) {
    CHECK(e.at.line == r.line);
    CHECK(e.at.column == r.column);
    CHECK(e.message == r.message);
  }
}

TEST_CASE("operations on registers wrap, and division by zero gives 0") {
  constexpr value least = std::numeric_limits<value>::min();
  constexpr value most = std::numeric_limits<value>::max();
  struct row {
    binary op;
    value a, b, expected;
  };
  const row r = GENERATE(values<row>({
      {binary::add, most, 1, least}, {binary::sub, least, 1, most}, {binary::mul, most, 2, -2},
      {binary::div, 7, 2, 3},        {binary::div, 7, 0, 0},        {binary::div, least, -1, least},
      {binary::rem, 7, 4, 3},        {binary::rem, 7, 0, 0},        {binary::rem, least, -1, 0},
      {binary::bit_and, 6, 3, 2},    {binary::bit_or, 6, 3, 7},     {binary::bit_xor, 6, 3, 5},
      {binary::min, -1, 1, -1},      {binary::max, -1, 1, 1},       {binary::exchange, 1, 2, 2},
      {binary::left, 1, 2, 1},       {binary::inc, 3, 5, 4},        {binary::inc, 5, 5, 0},
      {binary::inc, -1, 5, 0},       {binary::dec, 3, 5, 2},        {binary::dec, 0, 5, 5},
      {binary::dec, 9, 5, 5},        {binary::eq, 1, 1, 1},         {binary::ne, 1, 1, 0},
      {binary::lt, -1, 0, 1},        {binary::le, 0, 0, 1},         {binary::gt, 0, -1, 1},
      {binary::ge, -1, 0, 0},
  }));
  CAPTURE(int(r.op), r.a, r.b);
  CHECK(apply(r.op, r.a, r.b) == r.expected);
}

TEST_CASE("an access keeps the low bytes of its size") {
  CHECK(narrow(0x1ff, {1, false}) == 0xff);
  CHECK(narrow(0x1ff, {1, true}) == -1);
  CHECK(narrow(0x8000, {2, true}) == -32768);
  CHECK(narrow(-1, {4, false}) == 0xffffffff);
  CHECK(narrow(-1, {8, false}) == -1);
}
