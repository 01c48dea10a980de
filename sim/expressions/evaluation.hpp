// The evaluation of an expression's tree: evaluation.cpp has names, members and operators,
// evaluation_selection.cpp indices, slices and pointers.
//
// Private to these files and expression.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/arithmetic.hpp"
#include "sim/expressions/environment.hpp"
#include "sim/expressions/expression_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

// As many elements as the largest tile has.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 24;

/// What one index selects of one dimension.
struct selection {
  std::int64_t begin = 0;
  std::int64_t count = 1;
  std::int64_t stride = 1;
  bool is_slice = false; ///< the dimension stays
};

class evaluation {
  using node = expression_node;

public:
  evaluation(std::string_view text, environment& names)
      : text_(text)
      , names_(names)
      , read_([&names](std::uintptr_t address, std::size_t bytes, void* to) {
        return names.read(address, bytes, to);
      }) {}

  /// The value with its elements read.
  value whole(const node& n);

private:
  [[nodiscard]] std::string source(const node& n) const;

  /// A value that an operator may work on.
  value operand(const node& n) { return ready(evaluate(n), n); }

  value ready(value v, const node& n);

  void read(std::uintptr_t address, std::size_t bytes, void* to, const node& n);

  void fetch(value& v, const node& n);

  // --- selecting

  /// Row-major distances between neighbours in each dimension, in elements.
  static std::vector<std::int64_t> distances(const value& v);

  /// The bytes of the selected elements; of memory in pieces as long as they are contiguous.
  std::vector<std::uint8_t>
  copy(const value& v, const std::vector<selection>& picked, const node& n);

  /// Sets the place of what is selected, if its elements lie at equal distances.
  static void place(value& result, const value& from, const std::vector<selection>& picked);

  value select(const value& v, const std::vector<selection>& picked, const node& n);

  // --- indices

  std::int64_t integer(const node& n);

  /// `extent` is the dimension's; nothing for a pointer, which has no end. `where` names what is
  /// indexed.
  selection
  selected(const subscript& s, std::optional<std::int64_t> extent, const std::string& where);

  static void check_slice(const subscript& s,
                          const selection& r,
                          std::int64_t end,
                          std::optional<std::int64_t> extent,
                          const std::string& where);

  /// "parts[3]" and "s.data" may be names of buffers, where no variable has the first of their
  /// names.
  std::optional<value> named_by_path(const node& n);

  value indexed(const node& n);

  value indexed_elements(const node& n, const value& base);

  value indexed_structs(const node& n, const value& base);

  // --- pointers

  static std::uintptr_t address_in(const value& pointer, std::size_t i = 0);

  /// What the pointer points to, without an address: one element. For pointers to elements.
  value pointed_element(const value& pointer, const node& n);

  value behind_pointer(const node& n, const value& pointer);

  value made_at(const pointed_type& type, std::uintptr_t address, std::int64_t index);

  value dereferenced(const node& n);

  static value first_of(const value& v);

  value address_of(const node& n);

  /// So that `*&p` is p with all that is known of its type.
  static std::shared_ptr<const pointed_type> pointed_pointer(const value_type& pointer);

  // --- members

  static std::string member_names(const value& v);

  value member(const node& n);

  // --- nodes

  static void spell_type(value& v);

  /// "$", "$$", "$3": in gdb, values that were printed.
  static bool is_printed_value(std::string_view name);

  value looked_up(const node& n);

  value unary(const node& n);

  /// A buffer's name as the pointer that it is in C++; all others as they are.
  static value decayed(value v);

  static bool is_pointer(const value& v);

  static bool is_comparison(binary_operator op);

  /// The name of a buffer is a pointer in + and -, and in front of another pointer.
  value of_addresses(const node& n);

  value_type type_of_cast(const node& n);

  value cast(const node& n);

  value binary(const node& n);

  value call(const node& n);

  value evaluate(const node& n);

  std::string_view text_;
  environment& names_;
  memory_reader read_;
};

} // namespace tilesim::sim::step
