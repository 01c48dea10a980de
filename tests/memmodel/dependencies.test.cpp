// Dependencies: which reads the address, the value and the doing of an access depend on.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/reader.hpp"
#include "memmodel/litmus/traces.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

namespace {

std::string reads(std::string_view name, read_set set) {
  std::string out;
  for (unsigned i = 0; i < 64; ++i) {
    if ((set >> i & 1U) != 0) {
      out += fmt::format("{}{}", out.empty() ? "" : ",", i);
    }
  }
  return out.empty() ? "" : fmt::format(" {}={}", name, out);
}

/// The accesses of the only thread, in the one run in which every read sees the first of its
/// values: "R", "W data=0 ctrl=1". Reads count from 0.
std::vector<std::string> accesses(const std::string& text) {
  const thread_traces traces = all_traces(read_test(text), {});
  REQUIRE(traces.of.size() == 1);
  std::vector<std::string> out;
  for (const trace_event& e : traces.of.front().front().events) {
    out.push_back((e.what.is_read()    ? "R"
                   : e.what.is_write() ? "W"
                                       : "F") +
                  reads("addr", e.addr) + reads("data", e.data) + reads("ctrl", e.ctrl));
  }
  return out;
}

struct row {
  const char* what;
  const char* code;
  std::vector<std::string> expected;
};

} // namespace

TEST_CASE("dependencies of PTX instructions are syntactic") {
  const row r = GENERATE(values<row>({
      {"a constant", "ld.weak r0, x; st.weak y, 1;", {"R", "W"}},
      {"data", "ld.weak r0, x; st.weak y, r0;", {"R", "W data=0"}},
      {"data through arithmetic",
       "ld.weak r0, x; add r1, r0, 1; st.weak y, r1;",
       {"R", "W data=0"}},
      {"the right operand", "ld.weak r0, x; add r1, 1, r0; st.weak y, r1;", {"R", "W data=0"}},
      {"a value that is always the same",
       "ld.weak r0, x; sub r1, r0, r0; st.weak y, r1;",
       {"R", "W data=0"}},
      {"two reads",
       "ld.weak r0, x; ld.weak r1, z; xor r2, r0, r1; st.weak y, r2;",
       {"R", "R", "W data=0,1"}},
      {"a register that was overwritten", "ld.weak r0, x; mov r0, 1; st.weak y, r0;", {"R", "W"}},
      {"a copy", "ld.weak r0, x; mov r1, r0; st.weak y, r1;", {"R", "W data=0"}},
      {"control", "ld.weak r0, x; bne r0, 0, L; L: st.weak y, 1;", {"R", "W ctrl=0"}},
      {"control, the right operand",
       "ld.weak r0, x; beq 1, r0, L; L: st.weak y, 1;",
       {"R", "W ctrl=0"}},
      {"control reaches all that follows",
       "ld.weak r0, x; bne r0, 0, L; L: ld.weak r1, z; st.weak y, r1;",
       {"R", "R ctrl=0", "W data=1 ctrl=0"}},
      {"control reaches fences",
       "ld.weak r0, x; bne r0, 0, L; L: fence.sc.gpu;",
       {"R", "F ctrl=0"}},
      {"before the branch there is none",
       "ld.weak r0, x; st.weak y, 1; bne r0, 0, L; L: ;",
       {"R", "W"}},
      {"a jump depends on nothing", "ld.weak r0, x; goto L; L: st.weak y, 1;", {"R", "W"}},
      {"an address", "ld.weak r0, p; st.weak [r0], 1;", {"R", "W addr=0"}},
      {"an address of a read, and the value read from there",
       "ld.weak r0, p; ld.weak r1, [r0]; st.weak y, r1;",
       {"R", "R addr=0", "W data=0,1"}},
      {"a vector, element by element",
       "ld.weak.v2 {r0, r1}, v; st.weak y, r1;",
       {"R", "R", "W data=1"}},
      {"a vector of values", "ld.weak r0, x; st.weak.v2 v, {r0, 1};", {"R", "W data=0", "W"}},
      {"add writes what it read", "atom.add r0, x, 1;", {"R", "W data=0"}},
      {"so does red", "red.add x, 1;", {"R", "W data=0"}},
      {"an exchange does not", "atom.exch r0, x, 1;", {"R", "W"}},
      {"an exchange writes its operand",
       "ld.weak r0, y; atom.exch r1, x, r0;",
       {"R", "R", "W data=0"}},
      {"the result of an atomic", "atom.exch r0, x, 1; st.weak y, r0;", {"R", "W", "W data=0"}},
      {"a compare-and-swap that succeeds decides by what it read",
       "atom.cas r0, x, 0, 1;",
       {"R", "W ctrl=0"}},
      {"and by the comparison value, and writes the new one",
       "ld.weak r0, y; ld.weak r1, z; atom.cas r2, x, r0, r1;",
       {"R", "R", "R", "W data=1 ctrl=0,2"}},
      {"one that fails writes nothing", "atom.cas r0, x, 5, 1; st.weak y, 1;", {"R", "W"}},
  }));
  CAPTURE(r.what);
  std::string code = r.code;
  CHECK(accesses("PTX t { x=0; y=0; z=0; p=&y; u64 v[2]=0; } P0@cta 0,gpu 0; " + code) ==
        r.expected);
}

TEST_CASE("dependencies of tile operations go element by element") {
  const row r = GENERATE(values<row>({
      {"data", "t = load a[0:2]; store b[0:2], t", {"R", "R", "W data=0", "W data=1"}},
      {"data through arithmetic",
       "t = load a[0:2]; t = t + 1; store b[0:2], t",
       {"R", "R", "W data=0", "W data=1"}},
      {"one element for all", "t = load a[0]; store b[0:2], t", {"R", "W data=0", "W data=0"}},
      {"two tiles",
       "t = load a[0:2]; s = load c[0:2]; t = t * s; store b[0:2], t",
       {"R", "R", "R", "R", "W data=0,2", "W data=1,3"}},
      {"a mask is control",
       "t = load m[0:2]; store b[0:2], 1 mask t",
       {"R", "R", "W ctrl=0", "W ctrl=1"}},
      {"a mask of a load, and the value behind it",
       "t = load m[0:2]; s = load a[0:2] mask t; store b[0:2], s",
       {"R", "R", "R ctrl=0", "R ctrl=1", "W data=0,2", "W data=1,3"}},
      {"an index is an address",
       "t = load i[0:2]; store b[t], 7",
       {"R", "R", "W addr=0", "W addr=1"}},
      {"a gather, and the value behind it",
       "t = load i[0:2]; s = load a[t]; store b[0:2], s",
       {"R", "R", "R addr=0", "R addr=1", "W data=0,2", "W data=1,3"}},
      {"a branch is control for all elements",
       "t = load a[0]; if t == 0 { store b[0:2], 1 }",
       {"R", "W ctrl=0", "W ctrl=0"}},
      {"atomics", "t = atomic_add.relaxed.block a[0:2], 1", {"R", "W data=0", "R", "W data=1"}},
      {"exchanges", "t = atomic_xchg.relaxed.block a[0:2], 1", {"R", "W", "R", "W"}},
      {"a compare-exchange that fails writes back what it read",
       "t = atomic_compare_exchange.relaxed.block a[0:2], 5, 1",
       {"R", "W data=0 ctrl=0", "R", "W data=1 ctrl=1"}},
      {"a masked-out element is no access", "store b[0:2], 1 mask {0, 1}", {"W"}},
  }));
  CAPTURE(r.what);
  std::string code = r.code;
  CHECK(accesses(
            "TILE t { int a[2] = 0; int b[2] = 0; int c[2] = 0; int m[2] = 1; int i[2] = {0, 1}; } "
            "P0 @ block 0: " +
            code) == r.expected);
}
