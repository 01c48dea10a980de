// The reader of PTX litmus tests as a class, whose parts lie in files of their own: ptx_reader.cpp
// (header, initial values, threads, rows), ptx_modifiers.cpp, ptx_operands.cpp and
// ptx_instructions.cpp.
//
// Private to these files.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/reader.hpp"
#include "memmodel/litmus/text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::memmodel::litmus {

/// What stands between the dots behind a mnemonic.
struct modifiers {
  std::optional<memory_order> order;
  std::optional<memmodel::scope> scope;
  std::optional<element_type> type;
  std::optional<binary> operation;
  std::optional<std::uint32_t> vector;
  std::optional<bool> waits; ///< .sync, or .arrive
  bool compare_exchange = false;
  bool of_system = false; ///< .volatile and .mmio

  [[nodiscard]] std::uint32_t elements() const { return vector.value_or(1); }
};

struct pending_branch {
  std::size_t instruction = 0;
  token label;
};

class ptx_reader {
public:
  explicit ptx_reader(std::string_view text)
      : text_(without_header(text))
      , in_(text_, tokens_of(text_)) {
    test_.name = name_;
    test_.comment = comment_;
  }

  test read();

private:
  // --- Header: the first line names the test; free text follows up to the brace.

  std::string without_header(std::string_view text);

  // --- { x=0; u32 y[4]=0; P0:r1=1; P0:r2=&x; }

  void initial_values();

  void initial_value();

  void location_value(location& l);

  /// Threads are declared after the initial values, so their registers are kept until then.
  void early_register();

  [[noreturn]] static void proxies(const position& at);

  // --- P0@cta 0,gpu 0 | P1@cta 0,cluster 1,gpu 0 | P2@host ;

  void threads();

  place place_of_thread();

  struct early {
    token thread;
    std::string reg;
    value number;
    std::optional<token> target;
  };

  void set_register(const early& e);

  // --- Rows: an instruction of each thread.

  [[nodiscard]] bool at_final() const;

  void row();

  void cell(std::size_t p);

  void resolve(std::size_t p);

  instruction read_instruction();

  static std::optional<binary> branch_condition(std::string_view name);
  static std::optional<binary> arithmetic(std::string_view name);

  // --- Modifiers.

  /// Which kinds of modifiers an instruction has.
  struct allowed_modifiers {
    bool order, scope, type, vector, operation, barrier;
  };
  static allowed_modifiers modifiers_of(std::string_view mnemonic);

  /// Sets what a modifier says, unless another one has said it.
  template <class T>
  static void once(std::optional<T>& said, const T& value, const token& t, std::string_view kind) {
    if (said) {
      cursor::fail(t.at, fmt::format("'.{}' is a second {}", t.text, kind));
    }
    said = value;
  }

  modifiers read_modifiers(std::string_view mnemonic);
  static std::optional<binary> rmw_operation(std::string_view name);

  static void only(const token& name,
                   memory_order o,
                   std::initializer_list<memory_order> allowed,
                   std::string_view list);

  /// The order and the scope of a load or a store.  [PTX: ld, st] A weak one has no scope, and any
  /// other but a volatile one has.
  static void strength(instruction& i, const token& name, const modifiers& m);

  // --- Operands.

  std::uint32_t location_named(std::string_view name);

  [[nodiscard]] static bool is_register(std::string_view name);
  [[nodiscard]] bool at_register() const;
  std::uint32_t reg();
  operand register_or_number(std::string_view what);
  /// `r0`, `1`, or `{r0, 1}` for a vector of two.
  operand value_operand(std::string_view what, std::uint32_t n);

  /// `x`, `x[2]`, `x+4`, `[x]`, `[x+4]`, `[r1]`, `[r1+8]`.
  void address(instruction& i, const modifiers& m);

  /// Where the variable and the offset are known, so is the alignment: variables begin at multiples
  /// of 256.
  void aligned(const instruction& i, const modifiers& m) const;

  // --- Instructions.

  instruction load(const token& name, const modifiers& m);

  instruction store(const token& name, const modifiers& m);

  instruction atomic(const token& name, const modifiers& m);

  static instruction fence(const token& name, const modifiers& m);

  /// [PTX: membar] A synonym of fence.sc; .gl is the device.
  instruction membar();

  instruction barrier(const token& name, const modifiers& m);

  instruction move(const modifiers& m);

  instruction compute(binary op, const modifiers& m);

  instruction branch(binary condition);

  instruction jump();

  std::string name_;
  std::string comment_;
  std::string text_;
  cursor in_;
  test test_;
  std::vector<early> early_;
  std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>
      pointers_; ///< thread, register, location
  std::vector<std::pair<std::size_t, std::uint32_t>>
      pointer_cells_; ///< location, the one it points to
  std::vector<std::map<std::string, std::size_t, std::less<>>> labels_; ///< by thread
  std::vector<std::vector<pending_branch>> branches_;                   ///< by thread
  thread* thread_ = nullptr;
  std::size_t at_ = 0;
};

} // namespace tilesim::memmodel::litmus
