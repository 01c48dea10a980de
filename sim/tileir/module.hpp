// A module of Tile IR, as its bytecode says it: types, constants, globals, entries, operations,
// locations. Read by reader.hpp, which has checked that whatever is named is there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::tileir {

/// A type of numbers, by its tag in the file, from i1 on.
enum class number : std::uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  f32,
  tf32,
  f64,
  f8e4m3fn,
  f8e5m2,
  f8e8m0fnu,
  f4e2m1fn,
  i4,
  fnv8e5m3fnu,
};

[[nodiscard]] const char* name(number n) noexcept;
/// Of its value, "1 bit".
[[nodiscard]] unsigned bits(number n) noexcept;
[[nodiscard]] bool is_integer(number n) noexcept;

enum class padding : std::uint8_t { zero, neg_zero, nan, pos_inf, neg_inf };

/// An extent or a stride that is an operand.
inline constexpr std::int64_t dynamic = INT64_MIN;

struct type {
  enum class kind : std::uint8_t {
    number,
    pointer,
    tile,
    tensor_view,
    partition_view,
    strided_view,
    gather_scatter_view,
    function,
    token,
  } what{};
  tileir::number num{};              ///< number
  const type* element = nullptr;     ///< pointer, tile, tensor_view; of views, their tensor_view
  std::vector<std::int64_t> shape;   ///< tile, tensor_view; of views, the tile's
  std::vector<std::int64_t> strides; ///< tensor_view; strided_view: the traversal's
  std::vector<std::int64_t> dim_map; ///< partition_view, strided_view
  std::optional<padding> pad;        ///< views
  std::uint64_t sparse_dim = 0;      ///< gather_scatter_view
  std::vector<const type*> inputs;   ///< function
  std::string text;                  ///< as the disassembler prints it: equal for equal types

  [[nodiscard]] bool is(kind k) const noexcept { return what == k; }
  [[nodiscard]] bool is_view() const noexcept {
    return what == kind::partition_view || what == kind::strided_view ||
           what == kind::gather_scatter_view;
  }
  /// A tile's.
  [[nodiscard]] std::size_t count() const noexcept;
};

enum class opcode : std::uint8_t {
#define TILEIR_OPERATION(name, code, since, results, flags, attributes, operands, regions) name,
#include "sim/tileir/operations.def"
};

/// Its name in Tile IR's text.
[[nodiscard]] const char* name(opcode o) noexcept;

/// An attribute that says itself what it is.
struct attribute {
  enum class kind : std::uint8_t {
    none,
    integer,
    floating,
    boolean,
    type,
    string,
    array,
    dense,
    div_by,
    same_elements,
    dictionary,
    bounded,
  } what = kind::none;
  const tileir::type* of = nullptr;          ///< integer, floating, type, dense
  std::uint64_t bits = 0;                    ///< integer, floating, boolean; div_by: the divisor
  std::string text;                          ///< string
  std::vector<std::int64_t> numbers;         ///< same_elements
  std::optional<std::int64_t> first, second; ///< div_by: every, along; bounded: lower, upper
  std::vector<attribute> items;              ///< array
  struct named;               // no pair: clang++ asks what destroys one before it is whole
  std::vector<named> entries; ///< dictionary, hints
};
struct attribute::named {
  std::string name;
  attribute value;
};

using value_id = std::uint32_t;

struct value {
  const tileir::type* type = nullptr;
};

struct operation;

/// What stands in a region: a block, or nothing.
struct region {
  bool present = false;
  std::vector<value_id> arguments;
  std::vector<operation> operations;
};

/// Where among an operation's operands a part of them is.
struct part {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct operation {
  opcode what{};
  std::uint32_t number = 0; ///< of the entry's operations, as their locations are listed
  std::uint64_t offset = 0; ///< in the file
  std::vector<value_id> results;
  std::vector<value_id> operands;

  // Parts of the operands, of operations that have such.
  part index;                        ///< indices of a view; extents of make_tensor_view
  part strides;                      ///< of make_tensor_view
  std::optional<std::uint32_t> mask; ///< operand's number
  std::optional<std::uint32_t> padding;
  std::optional<std::uint32_t> token;

  // Modes: numbers of the enumerators of tilesim/detail/machine.hpp, which are Tile IR's.
  std::uint8_t sign = 1;
  std::uint8_t sign_of_rhs = 1;
  std::uint8_t wrap = 0;
  std::uint8_t round = 0;
  std::uint8_t comparison = 0;
  std::uint8_t ordering = 1;
  std::uint8_t order = 0;
  std::optional<std::uint8_t> scope;
  std::uint8_t mode = 0;
  bool flush_to_zero = false;
  bool propagate_nan = false;
  bool is_unsigned = false;
  bool saturating = false;
  bool fast_acc = false;
  bool global = false;
  bool reverse = false;
  std::uint64_t number_attribute = 0; ///< dim; num_elem of alloca
  std::uint64_t alignment = 0;
  std::uint32_t constant = 0;
  std::string text; ///< a message, a format, a global's name
  std::vector<std::int64_t> permutation;
  std::vector<bool> inbounds;
  std::vector<attribute> attributes; ///< identities; assume's predicate
  std::optional<attribute> hints;

  std::vector<region> regions;
};

struct entry {
  std::string name;
  const tileir::type* type = nullptr; ///< function
  std::optional<attribute> hints;
  std::vector<value> values; ///< by value_id: parameters first
  region body;
  std::uint32_t operations = 0; ///< how many, nested ones included
  /// By operation::number, and behind them the entry's own: 0 = unknown, else debug attribute + 1.
  std::vector<std::uint32_t> locations;
  std::uint32_t location = 0;
};

struct global {
  std::string name;
  const tileir::type* type = nullptr; ///< a tile of one dimension
  std::uint32_t constant = 0;
  std::uint64_t alignment = 0;
  bool is_private = false;
  bool is_constant = false;
};

/// One row of the table of locations. References are number + 1; 0 is unknown.
struct debug_attribute {
  enum class kind : std::uint8_t {
    unknown,
    compile_unit,
    file,
    lexical_block,
    loc,
    subprogram,
    call_site
  };
  kind what{};
  std::uint32_t scope = 0; ///< lexical_block, loc; call_site: the callee; subprogram: its unit
  std::uint32_t file = 0;  ///< reference; call_site: the caller
  std::string name;        ///< file: its name; loc: the file's; subprogram: its own
  std::string second;      ///< file: its folder; subprogram: its linkage name
  std::uint64_t line = 0;
  std::uint64_t column = 0; ///< subprogram: line of its scope
};

/// A place in the source, of a chain of callers.
struct frame {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::string function;     ///< empty: not said
  std::uint64_t begins = 0; ///< the function's own line; 0: not said
};

struct module {
  unsigned minor = 0; ///< of 13.minor
  unsigned tag = 0;
  std::string producer;
  std::deque<type> storage;
  std::vector<const type*> types;
  std::vector<std::vector<std::uint8_t>> constants;
  std::vector<global> globals;
  std::vector<entry> entries;
  std::vector<debug_attribute> debug;

  /// The chain of places, innermost first, that a location stands for; empty: unknown.
  [[nodiscard]] std::vector<frame> frames(std::uint32_t location) const;
};

} // namespace tilesim::tileir
