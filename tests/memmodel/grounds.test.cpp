// Dependencies by value: which reads settle a write.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/grounds.hpp"

#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/reader.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <set>

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

namespace {

/// Others may leave 0 or 1 in x, y and z.
const std::string others =
    "PTX t { x=0; y=0; z=0; w=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ; | st.weak x, 1 ;"
    " | st.weak y, 1 ; | st.weak z, 1 ; ";

/// The sets that settle P0's last write in the run in which its reads return `values`.
std::set<read_set> settled_by(const std::string& code, const std::vector<std::uint64_t>& values) {
  std::string cells = others;
  std::string cell;
  for (const char c : code) {
    if (c == ';') {
      cells += cell + " | ;";
      cell.clear();
    } else {
      cell += c;
    }
  }
  const thread_traces traces = all_traces(read_test(cells), {}, true);
  grounds g(traces);
  for (const trace& t : traces.of[0]) {
    std::vector<std::uint64_t> read;
    std::uint32_t last = 0;
    for (std::uint32_t e = 0; e < t.events.size(); ++e) {
      if (t.events[e].what.is_read()) {
        read.push_back(t.events[e].what.value);
      } else if (t.events[e].what.is_write()) {
        last = e;
      }
    }
    if (read == values && t.end == trace_end::finished) {
      const auto& sets = g.of(0, t, last);
      return {sets.begin(), sets.end()};
    }
  }
  FAIL("no such run");
  return {};
}

struct row {
  const char* what;
  const char* code;
  std::vector<std::uint64_t> values;
  std::set<read_set> expected; ///< bits: the reads, in their order
};

} // namespace

TEST_CASE("grounds: which reads settle a write, whatever the others return  [PTX, no thin air]") {
  const row r = GENERATE(values<row>({
      {"a constant", "ld.weak r0, x; st.weak w, 1;", {1}, {0}},
      {"a copy", "ld.weak r0, x; st.weak w, r0;", {1}, {1}},
      {"times zero", "ld.weak r0, x; mul r1, r0, 0; st.weak w, r1;", {1}, {0}},
      {"minus itself", "ld.weak r0, x; sub r1, r0, r0; st.weak w, r1;", {1}, {0}},
      {"or: one that is one is enough",
       "ld.weak r0, x; ld.weak r1, y; or r2, r0, r1; st.weak w, r2;",
       {1, 1},
       {1, 2}},
      {"or: only one is",
       "ld.weak r0, x; ld.weak r1, y; or r2, r0, r1; st.weak w, r2;",
       {0, 1},
       {2}},
      {"or: both zeros are needed",
       "ld.weak r0, x; ld.weak r1, y; or r2, r0, r1; st.weak w, r2;",
       {0, 0},
       {3}},
      {"a branch to the next line", "ld.weak r0, x; bne r0, 0, L; L: st.weak w, 1;", {1}, {0}},
      {"a branch past it", "ld.weak r0, x; bne r0, 0, L; st.weak w, 1; L: ;", {0}, {1}},
      {"the same on both ways",
       "ld.weak r0, x; bne r0, 0, L; st.weak w, 1; goto M; L: st.weak w, 1; M: ;",
       {1},
       {0}},
      {"another order on the other way",
       "ld.weak r0, x; bne r0, 0, L; st.weak w, 1; goto M; L: st.relaxed.gpu w, 1; M: ;",
       {1},
       {1}},
      {"twice on one way, once on the other",
       "ld.weak r0, x; bne r0, 0, L; st.weak w, 1; L: st.weak w, 1;",
       {0},
       {1}},
      {"a second read that is only made on this way",
       "ld.weak r0, x; beq r0, 0, L; ld.weak r1, y; st.weak w, r1; L: ;",
       {1, 1},
       {3}},
      {"what an exchange leaves", "atom.exch r0, x, 1;", {1}, {0}},
      {"what an addition leaves", "atom.add r0, x, 1;", {1}, {1}},
  }));
  CAPTURE(r.what);
  CHECK(settled_by(r.code, r.values) == r.expected);
}

TEST_CASE("ptx-values allows what ptx allows, and more where a dependency means nothing") {
  const auto outcomes = [](const std::string& text, const model& m) {
    std::set<std::vector<value>> states;
    for (const auto& [state, count] : enumerate(read_test(text), m).outcomes) {
      states.insert(state);
    }
    return states;
  };
  const std::string head =
      "PTX t { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ; ld.relaxed.gpu r0, x |"
      " ld.relaxed.gpu r0, y ; ";
  const std::string copies = head + "st.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;";
  const std::string nothing =
      head + "mul r1, r0, 0 | st.relaxed.gpu x, r0 ; add r1, r1, 1 | ; st.relaxed.gpu y, r1 | ;";
  CHECK(outcomes(copies, ptx()) == outcomes(copies, ptx_values()));
  const auto written = outcomes(nothing, ptx());
  const auto meant = outcomes(nothing, ptx_values());
  CHECK(std::ranges::includes(meant, written));
  CHECK(meant.size() == written.size() + 1);
}
