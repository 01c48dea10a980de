// The elements of a value as numbers of the C++ type that arithmetic is done in, and back.
//
// Private to arithmetic.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/arithmetic.hpp"
#include "sim/fp/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

// ------------------------------------------------------------------------------------------- types

/// The C++ types that arithmetic is done in.
enum class computed { i32, u32, i64, u64, f32, f64 };

inline computed computed_in(const value_type& t) {
  switch (t.kind) {
  case element::i64:
    return t.is_unsigned ? computed::u64 : computed::i64;
  case element::ptr:
    return computed::u64;
  case element::i32:
    return t.is_unsigned ? computed::u32 : computed::i32;
  case element::f32:
    return computed::f32;
  case element::f64:
  case element::f16:
  case element::bf16:
  case element::tf32:
  case element::f8e4m3:
  case element::f8e5m2:
    return computed::f64;
  case element::i1:
  case element::i8:
  case element::i16:
    break;
  }
  return computed::i32; // integer promotion
}

/// The usual arithmetic conversions: the enumerators stand in their order.
inline computed common(const value& a, const value& b) {
  return std::max(computed_in(a.type), computed_in(b.type));
}

inline bool is_floating_type(computed t) {
  return t == computed::f32 || t == computed::f64;
}

template <class T>
constexpr element kind_of() {
  return std::is_same_v<T, float>    ? element::f32
         : std::is_same_v<T, double> ? element::f64
         : sizeof(T) == 4            ? element::i32
                                     : element::i64;
}

/// Calls action.operator()<T>() for the type that `t` names.
template <class Action>
value with_type(computed t, const Action& action) {
  switch (t) {
  case computed::i32:
    return action.template operator()<std::int32_t>();
  case computed::u32:
    return action.template operator()<std::uint32_t>();
  case computed::i64:
    return action.template operator()<std::int64_t>();
  case computed::u64:
    return action.template operator()<std::uint64_t>();
  case computed::f32:
    return action.template operator()<float>();
  case computed::f64:
    break;
  }
  return action.template operator()<double>();
}

// ------------------------------------------------------------------------------ cells, in and out

/// A float as an integer: truncated; beyond the range its nearest end, of a NaN 0.
template <class Integer, class Float>
Integer to_integer(Float x) {
  if (x != x) {
    return 0;
  }
  // The first value above the range is a power of two, and so a Float.
  const auto above = std::ldexp(Float{1}, std::numeric_limits<Integer>::digits);
  if (x >= above) {
    return std::numeric_limits<Integer>::max();
  }
  const Float below = std::is_signed_v<Integer> ? -above : Float{0};
  return x <= below ? std::numeric_limits<Integer>::min() : static_cast<Integer>(x);
}

template <class T, class From>
T converted(From x) {
  if constexpr (std::is_integral_v<T> && std::is_floating_point_v<From>) {
    return to_integer<T>(x);
  } else {
    return static_cast<T>(x);
  }
}

template <class Cell, class T>
void append_cells(const value& v, std::vector<T>& to) {
  for (std::size_t i = 0; i < v.count(); ++i) {
    Cell cell{};
    std::memcpy(&cell, v.bytes.data() + i * sizeof cell, sizeof cell);
    if constexpr (fp::narrow_cell<Cell>) {
      to.push_back(converted<T>(fp::widen(cell)));
    } else {
      to.push_back(converted<T>(cell));
    }
  }
}

/// The elements as T.
template <class T>
std::vector<T> cells(const value& v) {
  std::vector<T> to;
  to.reserve(v.count());
  const bool u = v.type.is_unsigned;
  switch (v.type.kind) {
  case element::i1:
    append_cells<std::uint8_t>(v, to);
    break;
  case element::i8:
    u ? append_cells<std::uint8_t>(v, to) : append_cells<std::int8_t>(v, to);
    break;
  case element::i16:
    u ? append_cells<std::uint16_t>(v, to) : append_cells<std::int16_t>(v, to);
    break;
  case element::i32:
    u ? append_cells<std::uint32_t>(v, to) : append_cells<std::int32_t>(v, to);
    break;
  case element::i64:
    u ? append_cells<std::uint64_t>(v, to) : append_cells<std::int64_t>(v, to);
    break;
  case element::ptr:
    append_cells<std::uint64_t>(v, to);
    break;
  case element::f16:
    append_cells<fp::f16>(v, to);
    break;
  case element::bf16:
    append_cells<fp::bf16>(v, to);
    break;
  case element::tf32:
    append_cells<fp::tf32>(v, to);
    break;
  case element::f32:
    append_cells<float>(v, to);
    break;
  case element::f64:
    append_cells<double>(v, to);
    break;
  case element::f8e4m3:
    append_cells<fp::e4m3>(v, to);
    break;
  case element::f8e5m2:
    append_cells<fp::e5m2>(v, to);
    break;
  }
  return to;
}

template <class Cell>
void put(std::vector<std::uint8_t>& bytes, Cell cell) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof cell);
  std::memcpy(bytes.data() + at, &cell, sizeof cell);
}

template <class T>
value make_cells(const std::vector<T>& from, std::vector<std::size_t> shape) {
  value v;
  v.type = basic_type(kind_of<T>(), std::is_unsigned_v<T>);
  v.shape = std::move(shape);
  v.bytes.reserve(from.size() * sizeof(T));
  for (const T x : from) {
    put(v.bytes, x);
  }
  return v;
}

inline value make_bools(const std::vector<std::uint8_t>& from, std::vector<std::size_t> shape) {
  value v;
  v.type = basic_type(element::i1, true);
  v.shape = std::move(shape);
  v.bytes = from;
  return v;
}

inline std::vector<std::uint8_t> truths(const value& v) {
  // Of every kind, double keeps what is zero and what is not.
  std::vector<std::uint8_t> to;
  for (const double x : cells<double>(v)) {
    to.push_back(x != 0 ? 1 : 0);
  }
  return to;
}

} // namespace tilesim::sim::step
