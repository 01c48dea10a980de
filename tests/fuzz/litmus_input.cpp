// What the fuzzers of litmus texts share.
//
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/litmus_input.hpp"

#include "fuzz/mutate.hpp"
#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/explain.hpp"
#include "memmodel/litmus/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tilesim::fuzz {
namespace {

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

void must(bool holds, std::string_view what) {
  if (holds) {
    return;
  }
  fmt::print(stderr, "litmus fuzz: {}\n", what);
  std::abort();
}

void check(const operand& o, const thread& p) {
  must(!o.reg || *o.reg < p.registers.size(), "an operand's register is none of its thread's");
  must(o.reg.has_value() + !o.constants.empty() + !o.list.empty() <= 1, "an operand is two things");
  for (const operand& element : o.list) {
    check(element, p);
  }
}

void check(const instruction& i, const thread& p, const test& t) {
  must(i.target <= p.code.size(), "a branch goes beyond the end");
  for (const std::uint32_t r : i.dst) {
    must(r < p.registers.size(), "a result's register is none of its thread's");
  }
  must(i.at.line > 0 && i.at.column > 0, "an instruction has no place");
  must(!i.text.empty(), "an instruction has no text");
  for (const operand* o : {&i.a, &i.b, &i.barrier_id, &i.barrier_resource, &i.barrier_threads}) {
    check(*o, p);
  }
  for (const auto& o : {i.mask, i.pad}) {
    if (o) {
      check(*o, p);
    }
  }
  if (i.op == opcode::load || i.op == opcode::store || i.op == opcode::rmw) {
    check(i.address.index, p);
    must(i.address.location < t.locations.size(), "an address is no location's");
    must(!i.address.pointer || *i.address.pointer < p.registers.size(),
         "a pointer's register is none of its thread's");
    must(i.type.size == 1 || i.type.size == 2 || i.type.size == 4 || i.type.size == 8,
         "an access has no size");
  }
}

void check(const observable& o, const test& t) {
  if (o.thread) {
    must(*o.thread < t.threads.size(), "a variable is no thread's");
    const thread& p = t.threads[*o.thread];
    must(o.index < p.registers.size() && o.element < p.widths[o.index],
         "a variable is no register's element");
  } else {
    must(o.index < t.locations.size() && o.element < t.locations[o.index].initial.size(),
         "a variable is no location's element");
  }
}

void check(const condition& c, const test& t) {
  for (const condition::side* s : {&c.left, &c.right}) {
    if (s->variable) {
      check(*s->variable, t);
    }
  }
  must(c.what != condition::kind::negation || c.parts.size() == 1,
       "a negation of several conditions");
  for (const condition& part : c.parts) {
    check(part, t);
  }
}

void check(const test& t) {
  must(!t.threads.empty(), "a test without threads");
  must(!t.name.empty(), "a test without a name");
  for (const location& l : t.locations) {
    must(!l.initial.empty() && l.initial.size() <= 64 && l.address != 0,
         "a location of no elements");
  }
  for (const thread& p : t.threads) {
    must(p.widths.size() == p.registers.size() && p.initial.size() == p.registers.size(),
         "registers without width or value");
    for (const instruction& i : p.code) {
      check(i, p, t);
    }
  }
  check(t.final, t);
  if (t.filter) {
    check(*t.filter, t);
  }
  for (const observable& o : t.shown) {
    check(o, t);
  }
}

/// Lines and columns count from 1; the place behind the last byte is one.
bool inside(const position& at, std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  return at.line >= 1 && at.line <= lines && at.column >= 1 && at.column <= text.size() + 1;
}

void enumerate_briefly(const test& t) {
  std::size_t instructions = 0;
  for (const thread& p : t.threads) {
    instructions += p.code.size();
  }
  if (t.threads.size() > 4 || instructions > 24) {
    return;
  }
  limits narrow;
  narrow.traces = 100;
  narrow.candidates = 400;
  for (const model* m : {&ptx(), &sc()}) {
    try {
      (void)enumerate(t, *m, narrow);
      (void)explain(t, *m, narrow, 2);
    } catch (const limit_reached& e) {
      must(!e.what.empty(), "a limit without a message");
    } catch (const program_error& e) {
      must(!e.message.empty(), "an error without a message");
    }
  }
}

// --- Mutations

constexpr std::array<std::string_view, 112> words{"PTX",
                                                  "TILE",
                                                  "{",
                                                  "}",
                                                  ";",
                                                  "|",
                                                  ",",
                                                  ":",
                                                  "@",
                                                  "[",
                                                  "]",
                                                  "(",
                                                  ")",
                                                  "=",
                                                  "==",
                                                  "!=",
                                                  "<",
                                                  "<=",
                                                  ">",
                                                  ">=",
                                                  "/\\",
                                                  "\\/",
                                                  "&&",
                                                  "||",
                                                  "~",
                                                  "!",
                                                  "not",
                                                  "+",
                                                  "-",
                                                  "*",
                                                  "/",
                                                  "%",
                                                  "&",
                                                  "^",
                                                  ".",
                                                  "\"",
                                                  "(*",
                                                  "*)",
                                                  "//",
                                                  "\n",
                                                  "exists",
                                                  "~exists",
                                                  "forall",
                                                  "filter",
                                                  "locations",
                                                  "expect",
                                                  "ptx",
                                                  "sc",
                                                  "allowed",
                                                  "forbidden",
                                                  "always",
                                                  "race",
                                                  "race-free",
                                                  "may-hang",
                                                  "true",
                                                  "P0",
                                                  "P1",
                                                  "P7",
                                                  "cta",
                                                  "cluster",
                                                  "gpu",
                                                  "sys",
                                                  "host",
                                                  "block",
                                                  "device",
                                                  "system",
                                                  "x",
                                                  "y",
                                                  "r0",
                                                  "r1",
                                                  "%r2",
                                                  "&x",
                                                  "u8",
                                                  "s16",
                                                  "u32",
                                                  "b64",
                                                  "int",
                                                  "char",
                                                  "ld.weak",
                                                  "st.relaxed.gpu",
                                                  "atom.add",
                                                  "atom.cas",
                                                  "red.add",
                                                  "fence.sc.gpu",
                                                  "membar.gl",
                                                  "bar.cta.sync",
                                                  "bar.cta.arrive",
                                                  "ld.weak.v2",
                                                  "ld.volatile",
                                                  "mov",
                                                  "sub",
                                                  "beq",
                                                  "bne",
                                                  "goto",
                                                  "L:",
                                                  "load",
                                                  "store",
                                                  "atomic_load.acquire",
                                                  "atomic_add.relaxed.block",
                                                  "atomic_compare_exchange.relaxed",
                                                  "mask",
                                                  "pad",
                                                  "if",
                                                  "else",
                                                  "do",
                                                  "while",
                                                  "t",
                                                  "P0:r0",
                                                  "P1:t[1]",
                                                  "x[0:2]",
                                                  "x[1, 0]",
                                                  "x+4"};

} // namespace

bool judge_litmus(std::string_view text, bool run) {
  test t;
  try {
    t = read_test(text);
  } catch (const syntax_error& e) {
    must(!e.message.empty(), "a refusal without a message");
    must(inside(e.at, text), "a refusal of a place outside the text");
    return false;
  }
  check(t);
  if (run) {
    enumerate_briefly(t);
  }
  return true;
}

std::string mutate_litmus(std::string_view text, std::uint32_t seed) {
  return mutate(text, seed, words);
}

} // namespace tilesim::fuzz
