// What an expression of the stepper stands for: a number, a pointer, a tile, a piece of memory.
//
// Data only: elements of one kind in row-major order, with a shape. Whoever shows a value (prompt,
// editor) decides how.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

struct value;

/// Copies memory out of the stepped program. False if some of it may not be read.
using memory_reader = std::function<bool(std::uintptr_t address, std::size_t bytes, void* to)>;

/// What a pointer points to if it is not one element: a class, an array, another pointer.
struct pointed_type {
  std::size_t bytes = 0;
  std::function<value(std::uintptr_t address, const memory_reader& read)> make;
};

/// The type of elements, as C++ sees it.
struct value_type {
  element kind = element::i32;
  bool is_unsigned = false;
  /// Of a pointer: what it points to; nothing for void and for what cannot be shown.
  std::optional<std::pair<element, bool>> pointee = {};
  std::string spelling = {}; ///< "int", "__half", "float*"
  /// Of a pointer to what is more than one element; nullptr for all others.
  std::shared_ptr<const pointed_type> points_to = {};
};

/// A type that the program has a name for.
struct named_type {
  std::optional<value_type> element = {};             ///< nothing: of several elements
  std::shared_ptr<const pointed_type> points_to = {}; ///< what a pointer to several points to
  std::string spelling = {};
};

/// Why a value is missing whose type is elements and which has an address: whoever knows what lies
/// there can say how many there are.
inline constexpr const char* unknown_length = "an array whose length is not known";

/// What an element is besides its bits.
enum class mark : std::uint8_t {
  none,
  masked,      ///< masked out: the operation does not look at it
  padded,      ///< of a masked-out element, its padding
  unspecified, ///< the reference leaves it open
  unwritten,   ///< of memory that nothing has written
};

struct value {
  value_type type = {};
  std::vector<std::size_t> shape = {}; ///< empty: one element that is no tile
  /// Elements, packed, row-major. Empty for what has an address and has not been read yet: a large
  /// buffer, of which `buffer[0:16]` then reads 16 elements.
  std::vector<std::uint8_t> bytes = {};
  /// Where it lies, if it has a place: element i at address + i * stride * size_of(type.kind).
  std::optional<std::uintptr_t> address = {};
  std::int64_t stride = 1;
  /// A buffer by its name, which is a pointer in C++: so it is one in + and -, compared with
  /// pointers, and where it is cast to one. Has an address then.
  bool decays = false;
  /// A struct's members instead of bytes: in the order of their declaration. An array of structs
  /// has members "[0]", "[1]" and so on.
  std::vector<std::pair<std::string, value>> members = {};
  /// One for each element of `bytes`; empty: none.
  std::vector<mark> marks = {};
  /// Why there is nothing to show ("optimised out"); then bytes is empty.
  std::string missing = {};

  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t n = 1;
    for (const std::size_t e : shape) {
      n *= e;
    }
    return n;
  }
  /// Its elements are in memory, not in `bytes`.
  [[nodiscard]] bool is_unread() const noexcept {
    return bytes.empty() && members.empty() && missing.empty() && address && count() != 0;
  }
};

/// What is wrong with an expression: a sentence, and where in its text (a column from 0).
class expression_error : public std::runtime_error {
public:
  expression_error(const std::string& what, std::size_t column)
      : std::runtime_error(what)
      , column_(column) {}
  [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
  std::size_t column_;
};

} // namespace tilesim::sim::step
