// Integers of every width as the operations see them, and rows of a table over them.
//
// i1 is a byte that holds 0 or 1, of bitwidth 1 and unsigned: what an operation on bytes gives,
// modulo 2.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/loop.hpp"

#include <tilesim/element.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tilesim::sim::ops {

template <class T>
using unsigned_of = std::make_unsigned_t<T>;

/// An unsigned type in which T's products do not overflow a signed int on the way.
template <class T>
using modular = std::common_type_t<unsigned_of<T>, unsigned>;

template <class T>
inline constexpr T lowest_of = std::numeric_limits<T>::min();
template <class T>
inline constexpr unsigned bits_in = 8 * sizeof(T);

/// An operation on bytes, taken modulo 2.
template <class OnBytes>
struct modulo_two {
  template <class... T>
  static std::uint8_t apply(T... x) noexcept {
    return static_cast<std::uint8_t>(OnBytes::apply(x...) & 1U);
  }
  template <class... T>
  requires may_be_undefined<OnBytes, T...>
  static bool undefined(T... x) noexcept { return OnBytes::undefined(x...); }
  template <class... T>
  static undefined_kind why(T... x) noexcept {
    return OnBytes::why(x...);
  }
};

/// An operation's entries for i1, i8, i16, i32, i64.
using integer_row = std::array<table_entry, 5>;

[[nodiscard]] inline table_entry at(const integer_row& row, element kind) noexcept {
  return is_integer(kind) ? row[static_cast<unsigned>(kind)] : table_entry{};
}

template <class Meaning, class T>
constexpr table_entry unary_entry() noexcept {
  return entry<Meaning, decltype(Meaning::apply(T{})), T>();
}
template <class Meaning, class T>
constexpr table_entry binary_entry() noexcept {
  return entry<Meaning, decltype(Meaning::apply(T{}, T{})), T, T>();
}

template <template <class> class Op>
inline constexpr integer_row unsigned_unary{
    unary_entry<modulo_two<Op<std::uint8_t>>, std::uint8_t>(),
    unary_entry<Op<std::uint8_t>, std::uint8_t>(),
    unary_entry<Op<std::uint16_t>, std::uint16_t>(),
    unary_entry<Op<std::uint32_t>, std::uint32_t>(),
    unary_entry<Op<std::uint64_t>, std::uint64_t>()};
template <template <class> class Op>
inline constexpr integer_row signed_unary{unary_entry<modulo_two<Op<std::uint8_t>>, std::uint8_t>(),
                                          unary_entry<Op<std::int8_t>, std::int8_t>(),
                                          unary_entry<Op<std::int16_t>, std::int16_t>(),
                                          unary_entry<Op<std::int32_t>, std::int32_t>(),
                                          unary_entry<Op<std::int64_t>, std::int64_t>()};
template <template <class> class Op>
inline constexpr integer_row unsigned_binary{
    binary_entry<modulo_two<Op<std::uint8_t>>, std::uint8_t>(),
    binary_entry<Op<std::uint8_t>, std::uint8_t>(),
    binary_entry<Op<std::uint16_t>, std::uint16_t>(),
    binary_entry<Op<std::uint32_t>, std::uint32_t>(),
    binary_entry<Op<std::uint64_t>, std::uint64_t>()};
template <template <class> class Op>
inline constexpr integer_row signed_binary{
    binary_entry<modulo_two<Op<std::uint8_t>>, std::uint8_t>(),
    binary_entry<Op<std::int8_t>, std::int8_t>(),
    binary_entry<Op<std::int16_t>, std::int16_t>(),
    binary_entry<Op<std::int32_t>, std::int32_t>(),
    binary_entry<Op<std::int64_t>, std::int64_t>()};

} // namespace tilesim::sim::ops
