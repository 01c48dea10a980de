// A litmus test as data: threads of instructions in a scope tree, initial memory, a condition,
// expectations.
//
// Both readers (ptx_reader.cpp, tile_reader.cpp) produce it; nothing behind it knows which text it
// came from.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::memmodel::litmus {

/// Registers and constants are 64-bit integers that wrap; an access keeps the low bytes of its
/// size.
using value = std::int64_t;

/// A place in the text, from 1.
struct position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// How the bytes of an element are read as a number.
struct element_type {
  std::uint32_t size = 8; ///< bytes: 1, 2, 4, 8
  bool is_signed = true;
};

/// A variable: one or more consecutive elements.
struct location {
  std::string name;
  std::uint64_t address = 0;
  element_type type;
  bool array = false; ///< declared with a length
  std::vector<value> initial;
};

/// A register, constants, or a list of both. One element stands for all elements of an operation.
struct operand {
  std::optional<std::uint32_t> reg;
  std::vector<value> constants;
  std::vector<operand> list; ///< `{r0, 1}`: an element each
};

/// Elements of memory: a location, or a pointer in a register, and which elements from there.
struct address_operand {
  std::uint32_t location = 0;
  std::optional<std::uint32_t> pointer; ///< a register that holds an address, instead of a location
  operand index;                        ///< elements: their number is the operation's
  std::uint32_t stride = 8;             ///< bytes from element to element
  std::uint32_t offset = 0;             ///< bytes
};

enum class opcode : std::uint8_t { load, store, rmw, fence, barrier, compute, branch };

enum class binary : std::uint8_t {
  add,
  sub,
  mul,
  div,
  rem,
  bit_and,
  bit_or,
  bit_xor,
  min,
  max,
  inc,
  dec,
  exchange,
  left,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
};

struct instruction {
  opcode op = opcode::compute;
  position at;
  std::string text; ///< as written: labels of graphs and messages

  /// Load, rmw, compute: the register that gets the result, or one for each element of it; none:
  /// nobody wants it.
  std::vector<std::uint32_t> dst;
  memory_order order = memory_order::weak;
  memmodel::scope scope = memmodel::scope::sys;
  element_type type;
  address_operand address;
  std::optional<operand> mask; ///< elements that take part; the others are no accesses
  std::optional<operand> pad;  ///< what a masked-out element gives

  binary operation = binary::add; ///< rmw, compute, branch (its condition)
  operand a;                      ///< store: the value. rmw: the operand. compute, branch: left
  operand b;                      ///< compute, branch: right. compare-exchange: the new value
  bool compare_exchange = false;  ///< rmw: a is compared bitwise, b stored if equal
  bool writes_on_failure =
      false;              ///< a failed compare-exchange writes back what it read  [tile C++]
  bool reduction = false; ///< rmw without a result: `red`

  // Barriers: key (id, resource), number of threads; zero: every thread of the block that names the
  // barrier.
  operand barrier_id, barrier_resource, barrier_threads;
  bool waits = false;

  std::uint32_t target =
      0; ///< branch: index of the instruction to go on with if the condition holds
};

struct thread {
  std::string name; ///< "P0"
  memmodel::place place;
  std::vector<instruction> code;
  std::vector<std::string> registers;
  std::vector<std::uint32_t> widths;       ///< by register: elements
  std::vector<std::vector<value>> initial; ///< by register; one zero if not given
};

/// A variable of the final state.
struct observable {
  std::optional<std::uint32_t> thread; ///< a register of this thread; else a location
  std::uint32_t index = 0;             ///< register or location
  std::uint32_t element = 0;
};

/// A condition on the final state.
struct condition {
  enum class kind : std::uint8_t { always, compare, conjunction, disjunction, negation };
  struct side {
    std::optional<observable> variable;
    value constant = 0;
  };

  kind what = kind::always;
  binary comparison = binary::eq;
  side left, right;
  std::vector<condition> parts;
};

enum class quantifier : std::uint8_t { none, exists, not_exists, forall };

/// What a file expects of a model.
struct expectation {
  std::string model;
  position at;
  std::optional<bool> holds; ///< the condition: some execution shows it; of forall: all do
  std::optional<bool> race_free;
  std::optional<bool> terminates; ///< every fair execution does
};

struct test {
  std::string name;
  std::string comment;
  std::vector<location> locations;
  std::vector<thread> threads;
  quantifier wanted = quantifier::none;
  condition final;
  std::string condition_text;
  std::optional<condition> filter; ///< executions that do not satisfy it do not count
  std::vector<observable> shown;   ///< `locations [...]`: printed besides what the condition names
  std::vector<expectation> expectations;
};

/// A text that cannot be read as a litmus test: where, and what was expected there.
struct syntax_error {
  position at;
  std::string message;
};

/// The value of a comparison or an operation on 64-bit integers that wrap. Division by zero gives
/// 0.
[[nodiscard]] value apply(binary op, value a, value b);

/// `v` as an access of type t leaves it: its low bytes, sign- or zero-extended.
[[nodiscard]] value narrow(value v, const element_type& t);

/// "P1:r0", "P1:t0[2]", "x", "x[3]".
[[nodiscard]] std::string name_of(const test& t, const observable& o);

} // namespace tilesim::memmodel::litmus
