// The reader of PTX litmus tests: what it makes of right texts, and where and how it refuses
// others.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/reader.hpp"
#include "memmodel/refusal.hpp"
#include "support/catch.hpp"

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

namespace {

const std::string head = "PTX t\n{ x=0; y=0; u32 v[4]=0; p=&x; P0:r9=5; }\nP0@cta 0,gpu 0 ;\n";

/// The only instruction of a thread; it stands in line 4.
instruction one(const std::string& text) {
  const test t = read_test(head + text + " ;");
  REQUIRE(t.threads.size() == 1);
  REQUIRE(t.threads[0].code.size() == 1);
  return t.threads[0].code[0];
}

} // namespace

TEST_CASE("ptx reader: name, comment, initial values, places") {
  const test t =
      read_test("PTX MP+a name \n\"what it\nshows\"\n"
                "{ x=1; u8 y[2]=0xff; s16 z[2]={-1, 2}; w; p=&y; 1:r2=-3; P0:r1=&z; P1:%r4=7 }\n"
                " P0@cta 3,gpu 1 | P1@cta 2, cluster 4, gpu 0 | P2@host ;\n"
                " st.weak x, 1 | | ;");
  CHECK(t.name == "MP+a name");
  CHECK(t.comment == "what it\nshows");
  REQUIRE(t.locations.size() == 5);
  CHECK(t.locations[0].initial == std::vector<value>{1});
  CHECK(t.locations[0].type.size == 8);
  CHECK_FALSE(t.locations[0].array);
  CHECK(t.locations[1].initial == std::vector<value>{255, 255});
  CHECK(t.locations[1].type.size == 1);
  CHECK_FALSE(t.locations[1].type.is_signed);
  CHECK(t.locations[1].array);
  CHECK(t.locations[2].initial == std::vector<value>{-1, 2});
  CHECK(t.locations[2].type.is_signed);
  CHECK(t.locations[3].initial == std::vector<value>{0});
  CHECK(t.locations[4].initial == std::vector<value>{static_cast<value>(t.locations[1].address)});
  REQUIRE(t.threads.size() == 3);
  CHECK(t.threads[0].place.gpu == 1);
  CHECK(t.threads[0].place.cta == 3);
  CHECK(t.threads[1].place == place{0, 4, 2});
  CHECK(t.threads[2].place.gpu == place::host);
  // Without a cluster of its own a block is one: no other block's.
  CHECK(t.threads[0].place.cluster < 0);
  CHECK(t.threads[0].initial[0] == std::vector<value>{static_cast<value>(t.locations[2].address)});
  CHECK(t.threads[1].registers == std::vector<std::string>{"r2", "r4"});
  CHECK(t.threads[1].initial == std::vector<std::vector<value>>{{-3}, {7}});
  CHECK(t.threads[1].code.empty());
}

TEST_CASE("ptx reader: locations lie apart and aligned") {
  const test t =
      read_test("PTX t { u8 a=0; u64 b[64]=0; u16 c=0; } P0@cta 0,gpu 0; ld.weak r0, d;");
  REQUIRE(t.locations.size() == 4); // d is zero, as in the published tests
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(t.locations[i].address % 256 == 0);
    if (i != 0) {
      CHECK(t.locations[i].address >=
            t.locations[i - 1].address +
                t.locations[i - 1].type.size * t.locations[i - 1].initial.size());
    }
  }
}

TEST_CASE("ptx reader: orders, scopes and their defaults  [PTX, ld, st, atom, red, fence]") {
  struct row {
    const char* text;
    opcode op;
    memory_order order;
    tilesim::memmodel::scope scope;
    std::uint32_t size;
  };
  using enum memory_order;
  using enum tilesim::memmodel::scope;
  const row r = GENERATE(values<row>({
      {"ld r0, x", opcode::load, weak, sys, 8},
      {"ld.weak.u32 r0, x", opcode::load, weak, sys, 4},
      {"ld.relaxed.cta r0, x", opcode::load, relaxed, cta, 8},
      {"ld.acquire.cluster.s16 r0, x", opcode::load, acquire, cluster, 2},
      {"ld.volatile r0, x", opcode::load, relaxed, sys, 8},
      {"ld.mmio.sys r0, x", opcode::load, relaxed, sys, 8},
      {"ld.global.weak.b8 r0, x", opcode::load, weak, sys, 1},
      {"ld.weak r0, v[1]", opcode::load, weak, sys, 4},
      {"st.release.gpu x, 1", opcode::store, release, gpu, 8},
      {"st.volatile x, 1", opcode::store, relaxed, sys, 8},
      {"atom.add r0, x, 1", opcode::rmw, relaxed, gpu, 8},
      {"atom.acq_rel.sys.add.u32 r0, x, 1", opcode::rmw, acq_rel, sys, 4},
      {"red.add x, 1", opcode::rmw, relaxed, gpu, 8},
      {"red.release.cta.max x, 1", opcode::rmw, release, cta, 8},
      {"fence.sc.cta", opcode::fence, sc, cta, 8},
      {"fence.gpu", opcode::fence, acq_rel, gpu, 8},
      {"fence.acquire.sys", opcode::fence, acquire, sys, 8},
      {"fence.release.cluster", opcode::fence, release, cluster, 8},
      {"membar.cta", opcode::fence, sc, cta, 8},
      {"membar.gl", opcode::fence, sc, gpu, 8},
      {"membar.sys", opcode::fence, sc, sys, 8},
  }));
  CAPTURE(r.text);
  const instruction i = one(r.text);
  CHECK(i.op == r.op);
  CHECK(i.order == r.order);
  CHECK(i.scope == r.scope);
  if (i.op != opcode::fence) {
    CHECK(i.type.size == r.size);
  }
  CHECK(i.text == r.text);
  CHECK(i.at.line == 4);
  CHECK(i.at.column == 1);
}

TEST_CASE("ptx reader: addresses") {
  struct row {
    const char* text;
    std::uint32_t location;
    bool pointer;
    std::uint32_t offset;
  };
  const row r = GENERATE(values<row>({
      {"ld.weak r0, x", 0, false, 0},
      {"ld.weak r0, [y]", 1, false, 0},
      {"ld.weak.u16 r0, x+4", 0, false, 4},
      {"ld.weak.u16 r0, [x+6]", 0, false, 6},
      {"ld.weak r0, v[3]", 2, false, 12},
      {"ld.weak.u8 r0, v[1]+2", 2, false, 6},
      {"ld.weak r0, [r1]", 0, true, 0},
      {"ld.weak r0, [%r1+16]", 0, true, 16},
  }));
  CAPTURE(r.text);
  const instruction i = one(r.text);
  CHECK(i.address.pointer.has_value() == r.pointer);
  if (!r.pointer) {
    CHECK(i.address.location == r.location);
  }
  CHECK(i.address.offset == r.offset);
  CHECK(i.address.index.constants == std::vector<value>{0});
}

TEST_CASE("ptx reader: vectors are elements of one instruction") {
  const instruction load = one("ld.weak.v2.u32 {r0, r1}, v");
  CHECK(load.dst.size() == 2);
  CHECK(load.address.index.constants == std::vector<value>{0, 1});
  CHECK(load.address.stride == 4);
  const instruction store = one("st.relaxed.gpu.v4 v, {1, r9, -3, 0x10}");
  REQUIRE(store.a.list.size() == 4);
  CHECK(store.a.list[0].constants == std::vector<value>{1});
  CHECK(store.a.list[1].reg.has_value());
  CHECK(store.a.list[2].constants == std::vector<value>{-3});
  CHECK(store.a.list[3].constants == std::vector<value>{16});
  CHECK(one("red.add.v2.u32 v, {1, 2}").address.index.constants.size() == 2);
}

TEST_CASE("ptx reader: atomics") {
  const instruction cas = one("atom.acquire.gpu.cas r0, x, 1, r9");
  CHECK(cas.compare_exchange);
  CHECK_FALSE(cas.writes_on_failure); // an atomic is a write if it results in one
  CHECK(cas.a.constants == std::vector<value>{1});
  CHECK(cas.b.reg.has_value());
  CHECK(one("atom.exch r0, x, 2").operation == binary::exchange);
  CHECK(one("atom.inc r0, x, 2").operation == binary::inc);
  CHECK(one("atom.dec r0, x, 2").operation == binary::dec);
  CHECK(one("atom.and r0, x, 2").operation == binary::bit_and);
  CHECK_FALSE(one("atom.add r0, x, 1").reduction);
  const instruction red = one("red.add x, 1");
  CHECK(red.reduction);
  CHECK(red.dst.empty());
}

TEST_CASE("ptx reader: barriers, arithmetic, branches, labels") {
  const instruction sync = one("bar.cta.sync 1, r9, 64");
  CHECK(sync.op == opcode::barrier);
  CHECK(sync.waits);
  CHECK(sync.barrier_id.constants == std::vector<value>{1});
  CHECK(sync.barrier_resource.reg.has_value());
  CHECK(sync.barrier_threads.constants == std::vector<value>{64});
  CHECK_FALSE(one("barrier.cta.arrive 2").waits);
  CHECK(one("mov r0, 3").operation == binary::left);
  CHECK(one("ld.weak r0, 3").op == opcode::compute); // a move, as the published tests write it
  CHECK(one("sub.s32 r0, r1, 2").type.size == 4);
  const test t = read_test(head + "A: st.weak x, 1 ;\nbne r0, 1, B ;\ngoto A ;\nB: ;");
  REQUIRE(t.threads[0].code.size() == 3);
  CHECK(t.threads[0].code[1].op == opcode::branch);
  CHECK(t.threads[0].code[1].operation == binary::ne);
  CHECK(t.threads[0].code[1].target == 3);
  CHECK(t.threads[0].code[2].target == 0);
}

TEST_CASE("ptx reader: conditions, filter, locations, expectations") {
  const test t =
      read_test(head + "ld.weak r0, x ;\n"
                       "filter (not x == 1)\n"
                       "locations [P0:r9; y; v[2];]\n"
                       "~exists (x == 1 \\/ 0:r0 != 0x2 /\\ [y] >= -1 && !v[3] < P0:r9 || true)\n"
                       "expect ptx: allowed, race-free, may-hang\n"
                       "expect sc forbidden race terminates;");
  CHECK(t.wanted == quantifier::not_exists);
  CHECK(t.condition_text == "(x == 1 \\/ 0:r0 != 0x2 /\\ [y] >= -1 && !v[3] < P0:r9 || true)");
  // 'and' binds tighter than 'or'.
  using kind = condition::kind;
  REQUIRE(t.final.what == kind::disjunction);
  REQUIRE(t.final.parts.size() == 3);
  CHECK(t.final.parts[0].comparison == binary::eq);
  REQUIRE(t.final.parts[1].what == kind::conjunction);
  REQUIRE(t.final.parts[1].parts.size() == 3);
  CHECK(t.final.parts[1].parts[0].left.variable->thread == 0);
  CHECK(t.final.parts[1].parts[0].right.constant == 2);
  CHECK(t.final.parts[1].parts[1].right.constant == -1);
  REQUIRE(t.final.parts[1].parts[2].what == kind::negation);
  const condition& less = t.final.parts[1].parts[2].parts[0];
  CHECK(less.comparison == binary::lt);
  CHECK(name_of(t, *less.left.variable) == "v[3]");
  CHECK(name_of(t, *less.right.variable) == "P0:r9");
  CHECK(t.final.parts[2].what == kind::always);
  REQUIRE(t.filter);
  CHECK(t.filter->what == kind::negation);
  REQUIRE(t.shown.size() == 3);
  CHECK(name_of(t, t.shown[2]) == "v[2]");
  REQUIRE(t.expectations.size() == 2);
  CHECK(t.expectations[0].model == "ptx");
  CHECK(t.expectations[0].holds == true);
  CHECK(t.expectations[0].race_free == true);
  CHECK(t.expectations[0].terminates == false);
  CHECK(t.expectations[1].model == "sc");
  CHECK(t.expectations[1].holds == false);
  CHECK(t.expectations[1].race_free == false);
  CHECK(t.expectations[1].terminates == true);
}

TEST_CASE("ptx reader: always and not-always are said of forall") {
  const std::string text = head + "st.weak x, 1 ; forall (x == 1) expect ptx: ";
  CHECK(read_test(text + "always").expectations[0].holds == true);
  CHECK(read_test(text + "not-always").expectations[0].holds == false);
  CHECK_FALSE(read_test(text + "race").expectations[0].holds);
}

TEST_CASE("ptx reader: comments are skipped, and lines counted on") {
  const test t = read_test("PTX t\n{ x=0; (* a\ncomment *) }\nP0@cta 0,gpu 0 ; // a thread\n"
                           "\"quoted\nover lines\" st.weak x, 1 ;");
  CHECK(t.threads[0].code[0].at.line == 6);
  CHECK(t.threads[0].code[0].at.column == 13);
}

TEST_CASE("ptx reader: carriage returns are blanks") {
  const test t = read_test("PTX name\r\n\"c\"\r\n{ x=0; }\r\nP0@cta 0,gpu 0 ;\r\nst.weak x, 1 "
                           ";\r\nexists\r\n(x == 1)\r\n");
  CHECK(t.name == "name");
  CHECK(t.comment == "c");
  CHECK(t.condition_text == "(x == 1)");
}

TEST_CASE("ptx reader: wrong texts are refused with the place and what was expected") {
  struct row {
    const char* text;
    const char* expected;
  };
  const row r = GENERATE(values<row>({
      {"", "1:1: a litmus test begins with 'PTX' or 'TILE' and its name"},
      {"   ", "1:4: a litmus test begins with 'PTX' or 'TILE' and its name"},
      {"FOO t {}", "1:1: a litmus test begins with 'PTX' or 'TILE' and its name"},
      {"PTXt {}", "1:1: a litmus test begins with 'PTX' or 'TILE' and its name"},
      {"PTX", "1:4: expected '{' and the initial values, found the end of the file"},
      {"PTX t", "1:6: expected '{' and the initial values, found the end of the file"},
      {"PTX {", "1:4: expected the test's name behind 'PTX'"},
      {"PTX t \n\"abc {", "2:1: a comment in double quotes is not closed"},
      {"PTX t { x=0; ",
       "1:14: expected a variable, a register as 'P0:r0', or '}', found the end of the file"},
      {"PTX t { x 0 }", "1:11: expected ';' behind an initial value, found '0'"},
      {"PTX t { 3=0 }", "1:9: expected a variable, a register as 'P0:r0', or '}', found '3'"},
      {"PTX t { x=0; x=1; }", "1:14: 'x' has an initial value already"},
      {"PTX t { u32 x[0]=1; }", "1:15: an array of 0 elements; a litmus test has 1 to 64"},
      {"PTX t { u32 x[65]=1; }", "1:15: an array of 65 elements; a litmus test has 1 to 64"},
      {"PTX t { u32 x[2]={1}; }", "1:20: expected ',' between the 2 values of 'x', found '}'"},
      {"PTX t { u32 x[2]={1,2,3}; }", "1:22: expected '}' behind the 2 values of 'x', found ','"},
      {"PTX t { x=99999999999999999999; }", "1:11: 99999999999999999999 needs more than 64 bits"},
      {"PTX t { x=12ab; }", "1:11: expected a number, found '12ab'"},
      {"PTX t { x=0x; }", "1:11: expected a number, found '0x'"},
      {"PTX t { x=; }", "1:11: expected a number, or a variable whose address it is, found ';'"},
      {"PTX t { P0:=1; }", "1:12: expected a register, found '='"},
      {"PTX t { P0:r1 1; }", "1:15: expected '=' behind the register, found '1'"},
      {"PTX t { x @ generic aliases y; }",
       "1:9: proxies are not modelled: only generic accesses are (no texture, surface, constant or "
       "alias proxy, no proxy fence)"},
      {"PTX t { P7:r1=1; } P0@cta 0,gpu 0;", "1:9: there is no thread 'P7'"},
      {"PTX t { } ", "1:11: expected a thread as 'P0@cta 0,gpu 0', found the end of the file"},
      {"PTX t { } P1@cta 0,gpu 0;", "1:11: expected thread 'P0', found 'P1'"},
      {"PTX t { } P0 cta 0",
       "1:14: expected '@' and the place of the thread, as 'P0@cta 0,gpu 0', found 'cta'"},
      {"PTX t { } P0@warp 0;", "1:14: expected 'cta', 'cluster', 'gpu' or 'host', found 'warp'"},
      {"PTX t { } P0@cta x;", "1:18: expected the number of the cta, found 'x'"},
      {"PTX t { } P0@cta -1;", "1:14: cta -1 is out of range: 0 to 1000000"},
      {"PTX t { } P0@cta 1000001;", "1:14: cta 1000001 is out of range: 0 to 1000000"},
      {"PTX t { } P0@cta 0 P1@cta 0;",
       "1:20: expected ';' or '|' behind a thread's place, found 'P1'"},
      {"PTX t { }\nP0@cta 0;\nst.weak x, 1 | st.weak x, 1 ;",
       "3:1: a row of more than 1 cells, one for each thread"},
      {"PTX t { }\nP0@cta 0 | P1@cta 0;\nst.weak x, 1 ;",
       "3:1: a row of 1 cells, and there are 2 threads: write '|' between the cells, empty ones "
       "too"},
      {"PTX t { } P0@cta 0; st.weak x, 1",
       "1:33: expected '|' or ';' behind an instruction, found the end of the file"},
      {"PTX t { } P0@cta 0; st.weak x, 1 exists (x==1)",
       "1:34: expected '|' or ';' behind an instruction, found 'exists'"},
  }));
  CAPTURE(r.text);
  CHECK(refusal(r.text) == r.expected);
}

TEST_CASE(
    "ptx reader: wrong instructions and conditions are refused; the first line is the fourth") {
  struct row {
    const char* text;
    const char* expected;
  };
  const row r = GENERATE(values<row>({
      {"A: B: st.weak x, 1 ;",
       "4:4: 'B' is no instruction of the format; it has ld, st, atom, red, fence, membar, bar, "
       "mov, add, sub, mul, div, rem, and, or, xor, min, max, goto and beq, bne, blt, ble, bgt, "
       "bge"},
      {"A: ; A: ;", "4:6: label 'A' stands in P0 twice"},
      {"{p} st.weak x, 1;",
       "4:1: expected an instruction (predicates are written as branches), found '{'"},
      {"@p st.weak x, 1;",
       "4:1: expected an instruction (predicates are written as branches), found '@'"},
      {"goto L;", "4:6: P0 has no label 'L'"},
      {"tld r0, x;",
       "4:1: proxies are not modelled: only generic accesses are (no texture, surface, constant or "
       "alias proxy, no proxy fence)"},
      {"frob r0;",
       "4:1: 'frob' is no instruction of the format; it has ld, st, atom, red, fence, membar, bar, "
       "mov, add, sub, mul, div, rem, and, or, xor, min, max, goto and beq, bne, blt, ble, bgt, "
       "bge"},
      {"ld.foo r0, x;", "4:4: '.foo' is no modifier of 'ld'"},
      {"ld.cas r0, x;", "4:4: '.cas' is no modifier of 'ld'"},
      {"ld.sync r0, x;", "4:4: '.sync' is no modifier of 'ld'"},
      {"ld.release.gpu r0, x;", "4:1: 'ld' takes '.weak', '.relaxed' or '.acquire'"},
      {"ld.weak.relaxed.gpu r0, x;", "4:9: '.relaxed' is a second order"},
      {"ld.relaxed.gpu.sys r0, x;", "4:16: '.sys' is a second scope"},
      {"ld.weak.u32.u64 r0, x;", "4:13: '.u64' is a second type"},
      {"ld.weak.v2.v4 {r0, r1}, v;", "4:12: '.v4' is a second vector length"},
      {"ld.relaxed r0, x;", "4:1: a strong 'ld' needs a scope: .cta, .cluster, .gpu or .sys"},
      {"ld.weak.gpu r0, x;", "4:1: a weak 'ld' has no scope"},
      {"ld.volatile.gpu r0, x;", "4:1: volatile and mmio accesses are relaxed, of system scope"},
      {"ld.volatile.acquire.sys r0, x;",
       "4:1: volatile and mmio accesses are relaxed, of system scope"},
      {"st.acquire.gpu x, 1;", "4:1: 'st' takes '.weak', '.relaxed' or '.release'"},
      {"st.release x, 1;", "4:1: a strong 'st' needs a scope: .cta, .cluster, .gpu or .sys"},
      {"ld.add r0, x;", "4:4: '.add' is no modifier of 'ld'"},
      {"ld.weak 5, x;", "4:9: expected a register as 'r0', found '5'"},
      {"ld.weak r0 x;", "4:12: expected ',' behind the register, found 'x'"},
      {"ld.weak r0, [x;", "4:15: expected ']' behind the address, found ';'"},
      {"st.weak r0, 1;", "4:9: expected a variable, found register 'r0'; its target is '[r0]'"},
      {"ld.weak r0, v[4];", "4:15: 'v' has no element 4; it has 4"},
      {"ld.weak r0, v[-1];", "4:15: 'v' has no element -1; it has 4"},
      {"ld.weak r0, x+1;", "4:16: an access of 8 bytes at offset 1 is not aligned"},
      {"ld.weak r0, x+5000;", "4:15: an offset of 5000 bytes; 0 to 4096 are possible"},
      {"ld.weak.v2.u32 {r0, r1}, x+4;", "4:29: an access of 8 bytes at offset 4 is not aligned"},
      {"ld.weak.v2 r0, v;", "4:12: expected '{' and 2 registers, found 'r0'"},
      {"ld.weak.v2 {r0}, v;", "4:15: expected ',' between the registers, found '}'"},
      {"st.weak.v2 v, 1;", "4:15: expected '{' and 2 values, found '1'"},
      {"st.weak.v2 v, {1, 2, 3};", "4:20: expected '}' behind the 2 values, found ','"},
      {"st.weak x 1;", "4:11: expected ',' behind the address, found '1'"},
      {"st.weak x, y;", "4:12: expected the value: a register or a number, found 'y'"},
      {"atom.relaxed.gpu r0, x, 1;",
       "4:1: 'atom' needs an operation: .add, .exch, .cas, .and, .or, .xor, .min, .max, .inc, "
       ".dec, .sub"},
      {"atom.foo r0, x, 1;", "4:6: '.foo' is no modifier of 'atom'"},
      {"atom.volatile.add r0, x, 1;", "4:6: '.volatile' is no modifier of 'atom'"},
      {"atom.add.max r0, x, 1;", "4:10: '.max' is a second operation"},
      {"red.exch x, 1;", "4:1: 'red' has neither .exch nor .cas: nobody would see what was there"},
      {"red.cas x, 1, 2;",
       "4:1: 'red' has neither .exch nor .cas: nobody would see what was there"},
      {"atom.add x, 1;", "4:13: expected a variable, found '1'"},
      {"atom.sc.gpu.add r0, x, 1;",
       "4:1: 'atom' takes '.relaxed', '.acquire', '.release' or '.acq_rel'"},
      {"atom.cas r0, x, 1;", "4:18: expected ',' behind the value to compare with, found ';'"},
      {"fence.acq_rel;", "4:1: 'fence' needs a scope: .cta, .cluster, .gpu or .sys"},
      {"fence.weak.gpu;", "4:1: 'fence' takes '.sc', '.acq_rel', '.acquire' or '.release'"},
      {"fence.u32.gpu;", "4:7: '.u32' is no modifier of 'fence'"},
      {"fence.proxy.alias;",
       "4:7: proxies are not modelled: only generic accesses are (no texture, surface, constant or "
       "alias proxy, no proxy fence)"},
      {"membar;", "4:7: expected '.' and a level behind 'membar', found ';'"},
      {"membar.foo;", "4:8: expected a level of membar: cta, gl or sys, found 'foo'"},
      {"membar.proxy.alias;",
       "4:8: proxies are not modelled: only generic accesses are (no texture, surface, constant or "
       "alias proxy, no proxy fence)"},
      {"bar.gpu.sync 0;", "4:1: only barriers of a block are modelled: 'bar.cta'"},
      {"bar.cta 0;", "4:1: 'bar' needs .sync or .arrive"},
      {"bar.sync.arrive 0;", "4:10: '.arrive' is a second way to come to a barrier"},
      {"bar.relaxed.sync 0;", "4:5: '.relaxed' is no modifier of 'bar'"},
      {"bar.cta.sync;", "4:13: expected the barrier's number: a register or a number, found ';'"},
      {"bar.cta.sync 0,;",
       "4:16: expected the barrier's resource: a register or a number, found ';'"},
      {"mov.gpu r0, 1;", "4:5: '.gpu' is no modifier of 'mov'"},
      {"mov r0;", "4:7: expected ',' behind the register, found ';'"},
      {"mov r0, x;", "4:9: expected what the register becomes: a register or a number, found 'x'"},
      {"add r0, r1;", "4:11: expected ',' behind the left operand, found ';'"},
      {"beq r0, 1;", "4:10: expected ',' behind the right operand, found ';'"},
      {"beq r0, 1, 7;", "4:12: expected a label, found '7'"},
      {"st.weak x, 1; exists",
       "4:21: expected a variable or a register as 'P0:r0', found the end of the file"},
      {"st.weak x, 1; exists (",
       "4:23: expected a variable or a register as 'P0:r0', found the end of the file"},
      {"st.weak x, 1; exists (x)",
       "4:24: expected a comparison: '==', '!=', '<', '<=', '>' or '>=', found ')'"},
      {"st.weak x, 1; exists (x == )",
       "4:28: expected a variable or a register as 'P0:r0', found ')'"},
      {"st.weak x, 1; exists (x == 1",
       "4:29: expected ')' to close the condition, found the end of the file"},
      {"st.weak x, 1; exists (z == 1)",
       "4:23: expected a variable or a register as 'P0:r0', found 'z'"},
      {"st.weak x, 1; exists (P3:r0 == 1)", "4:23: there is no thread 'P3'; the test has P0 to P0"},
      {"st.weak x, 1; exists (P0:r0 == 1)", "4:26: P0 has no register 'r0'"},
      {"st.weak x, 1; exists (v == 1)",
       "4:25: expected '[' and an element: 'v' is an array of 4, found '=='"},
      {"st.weak x, 1; exists (v[9] == 1)", "4:25: 'v' has no element 9; it has 4"},
      {"st.weak x, 1; exists (x == 1) exists (x == 1)",
       "4:31: a test has one condition, and this is the second"},
      {"st.weak x, 1; frobs (x == 1)",
       "4:15: 'frobs' is no instruction of the format; it has ld, st, atom, red, fence, membar, "
       "bar, mov, add, sub, mul, div, rem, and, or, xor, min, max, goto and beq, bne, blt, ble, "
       "bgt, bge"},
      {"st.weak x, 1; locations [x y]",
       "4:28: expected ';' between the variables to show, found 'y'"},
      {"st.weak x, 1; locations x", "4:25: expected '[' before the variables to show, found 'x'"},
      {"st.weak x, 1; expect",
       "4:21: expected a model: 'ptx', 'ptx-values' or 'sc', found the end of the file"},
      {"st.weak x, 1; expect tso: allowed",
       "4:22: expected a model, 'ptx', 'ptx-values' or 'sc', found 'tso'"},
      {"st.weak x, 1; expect ptx: allowed",
       "4:27: 'allowed' is about a condition, and there is none before it"},
      {"st.weak x, 1; exists (x==1) expect ptx: always",
       "4:41: expected 'allowed' or 'forbidden' of an 'exists' condition"},
      {"st.weak x, 1; forall (x==1) expect ptx: allowed",
       "4:41: expected 'always' or 'not-always' of a 'forall' condition"},
      {"st.weak x, 1; exists (x==1) expect ptx: race, not-always",
       "4:47: expected 'allowed' or 'forbidden' of an 'exists' condition"},
      {"st.weak x, 1; exists (x==1) expect ptx: maybe",
       "4:41: expected what the model says: 'allowed', 'forbidden', 'always', 'not-always', "
       "'race', 'race-free', 'terminates' or 'may-hang', found 'maybe'"},
      {"st.weak x, 1; exists (x==1) expect ptx:",
       "4:40: expected what the model says: 'allowed', 'forbidden', 'always', 'not-always', "
       "'race', 'race-free', 'terminates' or 'may-hang', found the end of the file"},
      {"st.weak x, $;", "4:12: no token begins with byte 0x24"},
      {"st.weak x, 1; (* abc", "4:15: a comment that (* begins has no *)"},
      {"st.weak x, 1; \"abc", "4:15: a comment that \" begins has no \""},
      {"st.weak x, 1; exists (x == 1) st.weak x, 1;",
       "4:31: expected 'exists', '~exists', 'forall', 'filter', 'locations' or 'expect', found "
       "'st'"},
  }));
  CAPTURE(r.text);
  CHECK(refusal(head + r.text) == r.expected);
}

TEST_CASE("ptx reader: a condition is nested 200 deep at most") {
  const auto nested = [](std::size_t n) {
    return head + "st.weak x, 1; exists " + std::string(n, '(') + "x == 1" + std::string(n, ')');
  };
  CHECK(refusal(nested(200)).empty());
  CHECK(refusal(nested(201)) == "4:223: a condition nested more than 200 deep");
  CHECK(refusal(head + "st.weak x, 1; exists " + std::string(100000, '~') + "x == 1") ==
        "4:223: a condition nested more than 200 deep");
}
