// An entry of Tile IR as it runs: instructions whose operands have their places in a block's
// memory.
//
// What can be known once is known here: types, modes, places of values, constants. Values of one
// element that only stand for many stay what they are, as far as the machine takes them so; values
// that are others in another shape share their memory; memory is used again when nobody asks for a
// value any more.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::tileir {
struct entry;
struct operation;
struct type;
} // namespace tilesim::tileir

namespace tilesim::interpreter {

/// Where a value is: at an offset in the block's memory, or fixed.
struct slot {
  const machine::tile_type* type = nullptr; ///< nullptr: a view
  const std::byte* fixed = nullptr;
  std::size_t offset = 0;
};

/// An array in memory, as a block holds it.
struct held_view {
  static constexpr std::size_t most = 32;
  machine::tensor_view tensor;
  std::int64_t extents[most];
  std::int64_t strides[most];
};

/// What an instruction does. Most are one call of the machine.
enum class step : std::uint8_t {
  elementwise,
  rearrange,
  reduce,
  scan,
  mma,
  load,
  store,
  update,
  compare_exchange,
  load_view,
  store_view,
  reduce_view,
  tensor_view,
  tile_view,
  tensor_shape,
  index_space_shape,
  block_id,
  block_count,
  insert,
  copy, ///< the same bytes as another type: pack, unpack
  // Of numbers that the machine has no element for. [small_numbers.hpp]
  widen,
  narrow,
  unpack_halves,
  pack_halves,
  print,
  join_tokens,
  assume,
  assert_,
  for_,
  loop,
  if_,
  yield,
  continue_,
  break_,
  return_,
};

struct instruction;

/// Where a block keeps a token; 0: where there is none, one that waits for nothing.
using token_number = std::uint32_t;

/// A block's worth of instructions.
using sequence = std::vector<instruction>;

/// Values that go on as others: results of a branch, what a loop carries.
struct carried {
  std::vector<slot> from;
  std::vector<slot> to;
  /// Some `from` is a `to` of another: all are copied before any is overwritten.
  bool overlap = false;
  std::vector<std::pair<token_number, token_number>> tokens; ///< from, to
};

/// A value within the body of a reduction or scan.
struct body_value {
  enum class kind : std::uint8_t {
    element,     ///< of operand `number`
    accumulator, ///< likewise
    outer,       ///< a value of one element from around the body
    inner        ///< the result of instruction `number` of the body
  } what{};
  unsigned number = 0;
  slot outside = {};
};

struct body_instruction {
  machine::opcode op{};
  machine::attributes modes{};
  const void* site = nullptr;
  const machine::tile_type* result = nullptr; ///< of one element
  std::vector<body_value> operands;
};

/// A body that is more than one operation.
struct body {
  std::vector<body_instruction> instructions;
  std::vector<body_value> results;
};

struct instruction {
  step what{};
  machine::opcode op{};
  const void* site = nullptr;
  machine::attributes modes{};
  machine::access how{};
  std::vector<slot> results;
  std::vector<slot> operands;
  int mask = -1; ///< the operand's number
  int padding = -1;
  std::vector<token_number> waits; ///< where order is by tokens: what it waits for,
  token_number leaves = 0;         ///< and what is to wait for it
  std::vector<std::int64_t> params;
  unsigned dim = 0;
  bool reverse = false;
  bool is_unsigned = false;
  machine::rmw_mode mode{};
  machine::signedness rhs_sign{};
  machine::combination combination{};
  std::unique_ptr<body> combined; ///< instead of a combination
  std::string text;               ///< a format, a message, an assumption's name
  machine::assumption::kind assumption{};
  // Views.
  const tileir::type* view_type = nullptr;
  const machine::tile_type* view_tile = nullptr;
  bool masked = true;        ///< elements outside of the tensor are to be expected
  unsigned first_stride = 0; ///< of a tensor view's operands
  // Control.
  std::vector<sequence> regions;
  carried moves;               ///< a terminator's; a loop's: what it begins with
  std::vector<slot> arguments; ///< a loop's: its own values, the induction variable first
};

struct code {
  const tileir::entry* source = nullptr;
  sequence instructions;
  std::vector<slot> parameters;
  std::size_t memory = 0;                    ///< bytes that a block needs
  bool by_tokens = false;                    ///< the engine is told what each operation waits for
  mutable const code* with_tokens = nullptr; ///< the same so, once an engine has asked for it
  std::uint32_t tokens = 1;                  ///< that a block keeps, number 0 included
  /// Of values that have a name: where they are from their definition to the block's end. One
  /// element may stand for many.
  std::map<std::uint32_t, slot> named;
  std::deque<machine::tile_type> types;
  std::deque<std::vector<std::uint32_t>> extents;
  std::deque<std::vector<std::byte>> constants;
};

/// A block's alignment of values.
inline constexpr std::size_t slot_alignment = 64;

} // namespace tilesim::interpreter
