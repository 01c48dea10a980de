// The reader of tile litmus tests: what it makes of right texts, and where and how it refuses
// others.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/reader.hpp"
#include "memmodel/refusal.hpp"
#include "support/catch.hpp"

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

namespace {

const std::string head = "TILE t\n{ int x[2] = 0; int y = 0; }\nP0 @ block 0, device 0:\n";

/// The instructions of a thread that begins in line 4.
std::vector<instruction> code(const std::string& text) {
  const test t = read_test(head + text);
  REQUIRE(t.threads.size() == 1);
  return t.threads[0].code;
}

} // namespace

TEST_CASE("tile reader: name, comment, variables, places") {
  const test t = read_test("TILE MP+a\n\"what it shows\"\n{ int x[2] = {1, -2}; u8 y = 0xff; s64 "
                           "z[3]; unsigned w[2] = 7; }\n"
                           "P0 @ block 1, device 2:\n store y, 1\nP1 @ host:\nP2 @ block 3:\n");
  CHECK(t.name == "MP+a");
  CHECK(t.comment == "what it shows");
  REQUIRE(t.locations.size() == 4);
  CHECK(t.locations[0].initial == std::vector<value>{1, -2});
  CHECK(t.locations[0].type.size == 4);
  CHECK(t.locations[0].type.is_signed);
  CHECK(t.locations[1].type.size == 1);
  CHECK_FALSE(t.locations[1].array);
  CHECK(t.locations[2].initial == std::vector<value>{0, 0, 0});
  CHECK(t.locations[3].initial == std::vector<value>{7, 7});
  REQUIRE(t.threads.size() == 3);
  CHECK(t.threads[0].place == place{2, 1, 1});
  CHECK(t.threads[1].place.gpu == place::host);
  CHECK(t.threads[2].place == place{0, 3, 3});
  CHECK(t.threads[0].code.size() == 1);
  CHECK(t.threads[1].code.empty());
}

TEST_CASE("tile reader: operations, orders and scopes  [memory operations]") {
  struct row {
    const char* text;
    opcode op;
    memory_order order;
    tilesim::memmodel::scope scope;
  };
  using enum memory_order;
  using enum tilesim::memmodel::scope;
  const row r = GENERATE(values<row>({
      {"t = load y", opcode::load, weak, sys},
      {"store y, 1", opcode::store, weak, sys},
      {"t = atomic_load.relaxed.block y", opcode::load, relaxed, cta},
      {"t = atomic_load.acquire.device y", opcode::load, acquire, gpu},
      {"atomic_store.release.system y, 1", opcode::store, release, sys},
      {"atomic_store.relaxed y, 1", opcode::store, relaxed, sys}, // the default thread scope
      {"t = atomic_add.acq_rel.device y, 1", opcode::rmw, acq_rel, gpu},
      {"atomic_add.relaxed.block y, 1", opcode::rmw, relaxed, cta},
      {"t = atomic_compare_exchange.release.block y, 1, 2", opcode::rmw, release, cta},
  }));
  CAPTURE(r.text);
  const std::vector<instruction> c = code(r.text);
  REQUIRE(c.size() == 1);
  CHECK(c[0].op == r.op);
  CHECK(c[0].order == r.order);
  CHECK(c[0].scope == r.scope);
  CHECK(c[0].type.size == 4);
  CHECK(c[0].text == r.text);
  CHECK_FALSE(c[0].reduction); // an atomic without a result is an atomic
}

TEST_CASE("tile reader: a compare-exchange writes when it fails, too") {
  CHECK(code("t = atomic_compare_exchange.relaxed y, 1, 2")[0].writes_on_failure);
}

TEST_CASE("tile reader: elements, masks, padding") {
  CHECK(code("t = load x")[0].address.index.constants == std::vector<value>{0, 1});
  CHECK(code("t = load x[1]")[0].address.index.constants == std::vector<value>{1});
  CHECK(code("t = load x[0:2]")[0].address.index.constants == std::vector<value>{0, 1});
  CHECK(code("t = load x[1, 0, 1]")[0].address.index.constants == std::vector<value>{1, 0, 1});
  CHECK(code("k = load y; t = load x[k]")[1].address.index.reg.has_value());
  const instruction masked = code("t = load x mask {1, 0} pad 7")[0];
  CHECK(masked.mask->constants == std::vector<value>{1, 0});
  CHECK(masked.pad->constants == std::vector<value>{7});
  CHECK(code("store x, 1 mask {1}")[0].mask->constants.size() == 1); // one element for all
}

TEST_CASE("tile reader: registers are as wide as what they get") {
  const test t = read_test(head + "a = load x\nb = a + 1\nc = 5\nd = {1, 2}\ne = c * d\n");
  CHECK(t.threads[0].registers == std::vector<std::string>{"a", "b", "c", "d", "e"});
  CHECK(t.threads[0].widths == std::vector<std::uint32_t>{2, 2, 1, 2, 2});
}

TEST_CASE("tile reader: if, else, do and while become branches") {
  // 0 load; 1 branch over; 2 store; 3 jump over the else; 4 store
  const std::vector<instruction> c =
      code("t = load y\nif t == 1 { store y, 1 } else { store y, 2 }\nstore y, 3");
  REQUIRE(c.size() == 6);
  CHECK(c[1].op == opcode::branch);
  CHECK(c[1].operation == binary::ne);
  CHECK(c[1].target == 4);
  CHECK(c[3].target == 5);
  const std::vector<instruction> spin = code("do { t = load y } while t < 3");
  REQUIRE(spin.size() == 2);
  CHECK(spin[1].operation == binary::lt);
  CHECK(spin[1].target == 0);
  // 'while' is 'if' around 'do'.
  const std::vector<instruction> loop = code("t = 0; while t >= 3 { t = load y }; store y, 1");
  REQUIRE(loop.size() == 5);
  CHECK(loop[1].operation == binary::lt);
  CHECK(loop[1].target == 4);
  CHECK(loop[3].operation == binary::ge);
  CHECK(loop[3].target == 2);
}

TEST_CASE("tile reader: conditions name elements") {
  const test t = read_test(head + "t = load x\nexists (P0:t[1] == 0 /\\ x[0] == 0 /\\ y == 0)");
  std::vector<std::string> names;
  for (const condition& part : t.final.parts) {
    names.push_back(name_of(t, *part.left.variable));
  }
  CHECK(names == std::vector<std::string>{"P0:t[1]", "x[0]", "y"});
}

TEST_CASE("tile reader: wrong texts are refused with the place and what was expected") {
  struct row {
    const char* text;
    const char* expected;
  };
  const row r = GENERATE(values<row>({
      {"TILE", "1:5: expected the test's name behind 'TILE'"},
      {"TILE {", "1:5: expected the test's name behind 'TILE'"},
      {"TILE\nt { }", "1:5: expected the test's name behind 'TILE'"},
      {"TILE t", "1:7: expected '{' before the variables, found the end of the file"},
      {"TILE t { }",
       "1:11: expected thread 'P0' and its place, as 'P0 @ block 0, device 0:', found the end of "
       "the file"},
      {"TILE t \"abc { int x; } P0 @ block 0:", "1:8: a comment that \" begins has no \""},
      {"TILEt { int x; } P0 @ block 0: store x, 1",
       "1:1: a litmus test begins with 'PTX' or 'TILE' and its name"},
      {"TILE t { x = 0; }",
       "1:10: 'x' is no type; there are int, unsigned, char, short, long, and u8 to s64"},
      {"TILE t { int 3; }", "1:14: expected the variable's name, found '3'"},
      {"TILE t { int x; int x; }", "1:21: 'x' is declared already"},
      {"TILE t { int x[0]; }", "1:16: an array of 0 elements; a litmus test has 1 to 64"},
      {"TILE t { int x[65]; }", "1:16: an array of 65 elements; a litmus test has 1 to 64"},
      {"TILE t { int x[2] = {1}; }", "1:21: 1 initial values for 'x', which has 2 elements"},
      {"TILE t { int x = ; }", "1:18: expected an initial value, found ';'"},
      {"TILE t { int x = 1 int y; }", "1:20: expected ';' behind a variable, found 'int'"},
      {"TILE t { int x; } P1 @ block 0:", "1:19: expected thread 'P0', found 'P1'"},
      {"TILE t { int x; } P0 block 0:",
       "1:22: expected '@' and the place of P0, as '@ block 0, device 0:', found 'block'"},
      {"TILE t { int x; } P0 @ warp 0:",
       "1:24: expected 'block', 'device' or 'host', found 'warp'"},
      {"TILE t { int x; } P0 @ block:", "1:29: expected the number of the block, found ':'"},
      {"TILE t { int x; } P0 @ block -1:", "1:24: block -1 is out of range: 0 to 1000000"},
      {"TILE t { int x; } P0 @ block 0",
       "1:31: expected ':' or ',' behind the place of the thread, found the end of the file"},
      {"TILE t { int x; } P0 @ block 0: store x, 1\nP2 @ block 1:",
       "2:1: expected thread 'P1', found 'P2'"},
  }));
  CAPTURE(r.text);
  CHECK(refusal(r.text) == r.expected);
}

TEST_CASE(
    "tile reader: wrong statements and conditions are refused; the first line is the fourth") {
  struct row {
    const char* text;
    const char* expected;
  };
  const row r = GENERATE(values<row>({
      {"load x", "4:1: the result of 'load' goes nowhere; write 't = load …'"},
      {"t = store x, 1", "4:5: 'store' has no result"},
      {"t = atomic_store.relaxed x, 1", "4:5: 'atomic_store' has no result"},
      {"t = load z", "4:10: 'z' is no variable"},
      {"t = load x[2]", "4:12: 'x' has no element 2; it has 2"},
      {"t = load x[-1]", "4:12: 'x' has no element -1; it has 2"},
      {"t = load x[1:1]", "4:14: elements 1 to 1: none"},
      {"t = load x[0:3]", "4:14: 'x' has no element 3; it has 2"},
      {"t = load x[0", "4:13: expected ']' or ',' behind an element, found the end of the file"},
      {"t = load x[a]", "4:12: 'a' has no value yet"},
      {"x = 1", "4:1: 'x' is a variable in memory; write 'store x, …'"},
      {"t = load x[0:2]\nt = load y", "5:1: 't' has 2 elements, and here it would get 1"},
      {"store x[0:2], {1,2,3}", "4:15: the value has 3 elements, the operation 2"},
      {"store x[0:2]", "4:13: expected ',' behind the address, found the end of the file"},
      {"store x[0:2], 1 mask {1,1,0}", "4:22: the mask has 3 elements, the operation 2"},
      {"store y, 1 pad 2", "4:12: only loads have padding"},
      {"t = load x[0:2] mask 1 pad {1,2,3}", "4:28: the padding has 3 elements, the operation 2"},
      {"t = atomic_add x, 1", "4:16: expected '.' and an order behind 'atomic_add', found 'x'"},
      {"t = atomic_add.foo x, 1",
       "4:16: 'foo' is no order of 'atomic_add', which takes relaxed, acquire, release, acq_rel"},
      {"t = atomic_load.release.device y",
       "4:17: 'release' is no order of 'atomic_load', which takes relaxed, acquire"},
      {"atomic_store.acquire y, 1",
       "4:14: 'acquire' is no order of 'atomic_store', which takes relaxed, release"},
      {"t = atomic_add.relaxed.cluster y, 1",
       "4:24: 'cluster' is no scope; there are block, device and system"},
      {"t = atomic_frob.relaxed y, 1",
       "4:5: 'atomic_frob' is no operation; there are load, store, atomic_load, atomic_store, "
       "atomic_add, _sub, _and, _or, _xor, _max, _min, _xchg and _compare_exchange"},
      {"t = atomic_compare_exchange.relaxed y, 1",
       "4:41: expected ',' behind the comparison value, found the end of the file"},
      {"t = 1 + {1,2}\ns = t + {1,2,3}", "5:7: the operands have 2 and 3 elements"},
      {"t = u", "4:5: 'u' has no value yet"},
      {"t = x", "4:5: 'x' is in memory; load it into a register first"},
      {"t = 1 ** 2", "4:8: expected the right operand, found '*'"},
      {"if y == 0 { }", "4:4: 'y' is in memory; load it into a register first"},
      {"t = load y\nif t = 0 { }",
       "5:6: expected a comparison: '==', '!=', '<', '<=', '>' or '>=', found '='"},
      {"t = load y\nif t { }",
       "5:6: expected a comparison: '==', '!=', '<', '<=', '>' or '>=', found '{'"},
      {"t = load x[0:2]\nif t == 0 { }",
       "5:4: a condition compares single elements: load the one that it is about"},
      {"t = load y\nif t == 0 store y, 1",
       "5:11: expected '{' before the statements, found 'store'"},
      {"t = load y\nif t == 0 { store y, 1",
       "5:23: expected '}' or a statement, found the end of the file"},
      {"do { t = load y }",
       "4:18: expected 'while' and a condition behind the block of 'do', found the end of the "
       "file"},
      {"t = {}", "4:6: expected a number, found '}'"},
      {"t = {1", "4:7: expected '}' or ',' behind a value, found the end of the file"},
      {"frob",
       "4:1: expected 'exists', '~exists', 'forall', 'filter', 'locations' or 'expect', found "
       "'frob'"},
      {"t = load y\nexists (P0:q == 1)", "5:12: P0 has no register 'q'"},
      {"t = load x[0:2]\nexists (P0:t == 1)",
       "5:14: expected '[' and an element: 't' is an array of 2, found '=='"},
      {"t = load x[0:2]\nexists (P0:t[2] == 1)", "5:14: 't' has no element 2; it has 2"},
      {"t = load x[0,0,0",
       "4:17: expected ']' or ',' behind an element, found the end of the file"},
      {"t = load x[0:]", "4:14: expected an element, found ']'"},
      {"t = atomic_load.relaxed.device.system y", "4:31: expected a variable, found '.'"},
  }));
  CAPTURE(r.text);
  CHECK(refusal(head + r.text) == r.expected);
}

TEST_CASE("tile reader: blocks are nested 50 deep at most") {
  std::string text = head + "t = load y\n";
  for (int i = 0; i < 51; ++i) {
    text += "if t == 0 {\n";
  }
  CHECK(refusal(text) ==
        "56:1: expected at most 50 blocks within each other, found the end of the file");
}
