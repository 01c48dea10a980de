// Prepares one entry: what the parts of prepare*.cpp share.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"
#include "sim/interpreter/placed_module.hpp"
#include "sim/interpreter/slots.hpp"
#include "sim/interpreter/uses.hpp"
#include "sim/tileir/module.hpp"

#include <tilesim/element.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace tilesim::interpreter {

class preparer {
public:
  preparer(const placed_module& m,
           const tileir::entry& e,
           const std::set<tileir::value_id>& kept,
           bool by_tokens);

  [[nodiscard]] std::unique_ptr<code> run();

private:
  using operation = tileir::operation;
  using value_id = tileir::value_id;

  // What is wrong with an operation. [prepare.cpp]
  [[noreturn]] void refuse(const operation& o, const std::string& why) const;
  void need(const operation& o, bool holds, const std::string& why) const;
  void need_count(const operation& o, std::size_t operands, std::size_t results) const;
  void need_same_type(const operation& o, value_id a, value_id b) const;

  // Types. [prepare.cpp]
  [[nodiscard]] const tileir::type& type_of(value_id v) const { return *entry_.values[v].type; }
  [[nodiscard]] static bool is_tile(const tileir::type& t) {
    return t.is(tileir::type::kind::tile);
  }
  [[nodiscard]] const tileir::type& tile(const operation& o, value_id v) const;
  [[nodiscard]] const tileir::type& scalar_integer(const operation& o, value_id v) const;
  [[nodiscard]] static std::optional<element> element_of(const tileir::type& t);
  [[nodiscard]] const machine::tile_type* machine_type(const operation& o, const tileir::type& t);
  [[nodiscard]] const machine::tile_type* one_of(const machine::tile_type* t);

  // Places. [prepare.cpp]
  void allocate(const operation* o, value_id v);
  void release(const tileir::region& r, std::uint32_t number);
  [[nodiscard]] slot whole(const operation& o, value_id v);
  [[nodiscard]] slot whole_or_one(const operation& o, value_id v);
  [[nodiscard]] const std::byte* constant_cells(const operation& o, bool one);
  void note_named(value_id v);

  // Tokens: numbers, where order is by them; else all are 0. [prepare.cpp]
  [[nodiscard]] token_number number_of(value_id token);
  void join(const operation& o, const std::vector<value_id>& tokens, sequence& to);

  // Operations: they append to the sequence.
  [[nodiscard]] sequence region(const tileir::region& r, bool outermost);
  void prepare(const operation& o, sequence& to);
  [[nodiscard]] instruction start(step what, const operation& o);
  void elementwise(const operation& o, sequence& to); // prepare_elementwise.cpp
  bool elementwise_by_others(const operation& o, sequence& to);
  void power(const operation& o, sequence& to);
  [[nodiscard]] std::optional<std::int64_t> constant_integer(value_id v) const;
  bool power_by_products(const operation& o,
                         const slot& base,
                         const slot& result,
                         std::int64_t exponent,
                         sequence& to);
  void absolute(const operation& o, sequence& to);
  void shape(const operation& o, sequence& to); // prepare_shape.cpp
  void global(const operation& o);
  void assumption(const operation& o, sequence& to);
  void rearrangement(const operation& o, sequence& to);
  void pack_or_unpack(const operation& o,
                      const tileir::type& source,
                      const tileir::type& result,
                      instruction& i);
  void extract_or_insert(const operation& o,
                         const tileir::type& source,
                         const tileir::type& result,
                         instruction& i);
  void
  check_broadcast(const operation& o, const tileir::type& source, const tileir::type& result) const;
  void check_permutation(const operation& o,
                         const tileir::type& source,
                         const tileir::type& result) const;
  void check_cat(const operation& o,
                 const tileir::type& a,
                 const tileir::type& b,
                 const tileir::type& result) const;
  void combine(const operation& o, sequence& to); // prepare_combine.cpp
  [[nodiscard]] std::unique_ptr<body> combining_body(const operation& o);
  void matrix(const operation& o, sequence& to);
  void check_matrices(const operation& o) const;
  // prepare_small.cpp
  [[nodiscard]] bool takes_small_numbers(const operation& o) const;
  [[nodiscard]] slot doubles(const machine::tile_type& shape);
  void convert(const operation& o, const slot& from, const slot& made, sequence& to);
  void small_conversion(const operation& o, sequence& to);
  [[nodiscard]] instruction
  scaled(const operation& o, value_id operand, value_id scale, std::size_t summed);
  void scaled_matrix(const operation& o, sequence& to);
  bool memory(const operation& o, sequence& to); // prepare_memory.cpp
  void pointer_access(const operation& o, sequence& to);
  void view_access(const operation& o, sequence& to);
  void check_order(const operation& o, bool reads, bool writes) const;
  void order(const operation& o, instruction& i);
  void check_mode(const operation& o, element e) const;
  void make_view(const operation& o, sequence& to);
  void view_shape(const operation& o, sequence& to);
  bool control(const operation& o, sequence& to); // prepare_control.cpp
  void for_loop(const operation& o, sequence& to);
  void endless_loop(const operation& o, sequence& to);
  void branch(const operation& o, sequence& to);
  void terminator(const operation& o, sequence& to);
  [[nodiscard]] carried moves(const operation& o,
                              const std::vector<value_id>& from,
                              std::size_t first,
                              const std::vector<value_id>& to);
  void other(const operation& o, sequence& to); // prepare.cpp

  /// What encloses the operation that is being prepared.
  struct around {
    const operation* owner;
  };

  const placed_module& module_;
  const tileir::entry& entry_;
  const std::set<value_id>& kept_;
  uses uses_;
  slots slots_;
  std::unique_ptr<code> code_;
  std::map<value_id, slot> places_;             ///< by root
  std::map<value_id, const operation*> splats_; ///< constants of one element for many
  std::map<const tileir::type*, const machine::tile_type*> types_;
  std::map<const machine::tile_type*, const machine::tile_type*> ones_;
  std::vector<around> around_;
  std::map<value_id, token_number> tokens_;
};

/// The machine's opcode and modes of an elementwise operation. nullopt: the machine has none of
/// that name.
struct elementwise_form {
  machine::opcode op{};
  machine::attributes modes;
};
[[nodiscard]] std::optional<elementwise_form> elementwise_form_of(const tileir::operation& o);

/// Why the machine does not have the operation for these elements; empty: it has.
[[nodiscard]] std::string
missing_elementwise(const elementwise_form& f, element result, element operand);

} // namespace tilesim::interpreter
