// Scalars: the types that a cell of a tile may hold, their classes and conversion ranks.
//
// Every question about a scalar type is answered from one table, `detail::scalar_of`; convert.hpp
// adds the conversions between them.  [general principles: scalars]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Defined by cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_tf32.h; a tile needs only their names.
struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_tf32;

namespace tilesim {

/// The classes of scalar types.  [general principles: scalars]
enum class scalar_class : ::std::uint8_t {
  none,
  integral,
  basic_floating_point,
  restricted_floating_point,
  pointer,
};

// Enumerations are compared here, outside cuda::tiles: there, even an == between two enumerators
// would look up the operators of tiles, and the constraints of those ask these very questions.
constexpr bool is_scalar(scalar_class c) noexcept {
  return c != scalar_class::none;
}
constexpr bool is_integral(scalar_class c) noexcept {
  return c == scalar_class::integral;
}
constexpr bool is_basic(scalar_class c) noexcept {
  return c == scalar_class::basic_floating_point;
}
constexpr bool is_restricted(scalar_class c) noexcept {
  return c == scalar_class::restricted_floating_point;
}
constexpr bool is_floating(scalar_class c) noexcept {
  return is_basic(c) || is_restricted(c);
}
constexpr bool is_arithmetic(scalar_class c) noexcept {
  return is_integral(c) || is_basic(c);
}
constexpr bool is_numeric(scalar_class c) noexcept {
  return is_integral(c) || is_floating(c);
}
constexpr bool is_pointer(scalar_class c) noexcept {
  return c == scalar_class::pointer;
}
constexpr bool same(element a, element b) noexcept {
  return a == b;
}

} // namespace tilesim

namespace cuda::tiles::inline __1 {
namespace detail {

using tilesim::element;
using tilesim::scalar_class;

/// What the rules of conversion need to know of a scalar type.
struct scalar_facts {
  scalar_class kind = scalar_class::none;
  element elem = element::i1;
  bool is_signed = false;
  ::std::uint8_t id = 0;      ///< its row in the table below; 0 for pointers and for no scalar
  ::std::uint8_t rank = 0;    ///< integral: conversion rank, 0 = bool; floating: see rank_above
  ::std::uint8_t subrank = 0; ///< among integral types of one rank and signedness
};

template <class T>
inline constexpr scalar_facts scalar_of{};

template <int Id>
struct scalar_at;

// The arithmetic and restricted types: id, type, class, element, signed, rank, subrank.
// Integral ranks are C++'s; a subrank orders the types that share one: char below char8_t, these
// and char16_t, char32_t, wchar_t below their underlying type.  [general principles: arithmetic
// common type]
// clang-format off
#define TILESIM_SCALARS(ROW)                                                                  \
  ROW(1,  bool,               integral,                  i1,     false, 0, 0)                 \
  ROW(2,  char,               integral,                  i8,     (char(-1) < 0), 1, 0)        \
  ROW(3,  signed char,        integral,                  i8,     true,  1, 2)                 \
  ROW(4,  unsigned char,      integral,                  i8,     false, 1, 2)                 \
  ROW(5,  char8_t,            integral,                  i8,     false, 1, 1)                 \
  ROW(6,  short,              integral,                  i16,    true,  2, 2)                 \
  ROW(7,  unsigned short,     integral,                  i16,    false, 2, 2)                 \
  ROW(8,  char16_t,           integral,                  i16,    false, 2, 1)                 \
  ROW(9,  int,                integral,                  i32,    true,  3, 2)                 \
  ROW(10, unsigned,           integral,                  i32,    false, 3, 2)                 \
  ROW(11, char32_t,           integral,                  i32,    false, 3, 1)                 \
  ROW(12, wchar_t,            integral,                  i32,    (wchar_t(-1) < wchar_t(0)), 3, 1) \
  ROW(13, long,               integral,                  i64,    true,  4, 2)                 \
  ROW(14, unsigned long,      integral,                  i64,    false, 4, 2)                 \
  ROW(15, long long,          integral,                  i64,    true,  5, 2)                 \
  ROW(16, unsigned long long, integral,                  i64,    false, 5, 2)                 \
  ROW(17, ::__nv_fp8_e4m3,    restricted_floating_point, f8e4m3, true,  1, 0)                 \
  ROW(18, ::__nv_fp8_e5m2,    restricted_floating_point, f8e5m2, true,  1, 1)                 \
  ROW(19, ::__half,           basic_floating_point,      f16,    true,  2, 0)                 \
  ROW(20, ::__nv_bfloat16,    basic_floating_point,      bf16,   true,  2, 1)                 \
  ROW(21, ::__nv_tf32,        restricted_floating_point, tf32,   true,  3, 0)                 \
  ROW(22, float,              basic_floating_point,      f32,    true,  4, 0)                 \
  ROW(23, double,             basic_floating_point,      f64,    true,  5, 0)
#define TILESIM_SCALAR_ROW(row_id, T, cls, el, sign, rnk, sub)                                \
  template <> inline constexpr scalar_facts scalar_of<T>{                                     \
      scalar_class::cls, element::el, sign, row_id, rnk, sub};                                \
  template <> struct scalar_at<row_id> { using type = T; };
TILESIM_SCALARS(TILESIM_SCALAR_ROW)
#undef TILESIM_SCALAR_ROW
#undef TILESIM_SCALARS
// clang-format on

static_assert(sizeof(long) == 8 && sizeof(wchar_t) == 4, "tile programs are written for LP64");

/// A pointer is a scalar when it points to a numeric scalar or to void, cv or not.
template <class T>
inline constexpr scalar_facts scalar_of<T*>{
    ::std::is_void_v<T> || tilesim::is_numeric(scalar_of<::std::remove_cv_t<T>>.kind)
        ? scalar_class::pointer
        : scalar_class::none,
    element::ptr,
    false,
    0,
    0,
    0};

/// The scalar type of row `id`.
template <int Id>
using scalar_at_t = typename scalar_at<Id>::type;

template <class T>
inline constexpr scalar_class class_of = scalar_of<::std::remove_cv_t<T>>.kind;

/// Bits of the value: one for bool.
constexpr unsigned bitwidth(const scalar_facts& s) noexcept {
  return tilesim::same(s.elem, element::i1) ? 1 : 8 * tilesim::size_of(s.elem);
}

} // namespace detail

/// bool, the character types and the integer types of 8 to 64 bits; possibly cv.
/// [general principles: integral scalar]
template <class T>
concept integral_scalar = tilesim::is_integral(detail::class_of<T>);

/// The same set: what extents, constants and ranges take as their integer type.
template <class T>
concept integral = integral_scalar<T>;

/// double, float, __half, __nv_bfloat16.  [general principles: basic floating point scalar]
template <class T>
concept basic_floating_point_scalar = tilesim::is_basic(detail::class_of<T>);

/// The fp8 types and __nv_tf32: loaded, stored and multiplied as matrices, little else.
/// [general principles: restricted floating point scalar]
template <class T>
concept restricted_floating_point_scalar = tilesim::is_restricted(detail::class_of<T>);

/// Basic or restricted.  [general principles: floating point scalar]
template <class T>
concept floating_point_scalar = tilesim::is_floating(detail::class_of<T>);

/// Integral or basic floating point.  [general principles: arithmetic scalar]
template <class T>
concept arithmetic_scalar = tilesim::is_arithmetic(detail::class_of<T>);

/// Integral or floating point.  [general principles: numeric scalar]
template <class T>
concept numeric_scalar = tilesim::is_numeric(detail::class_of<T>);

/// A pointer to a numeric scalar or to void, each possibly cv.  [general principles: pointer
/// scalar]
template <class T>
concept pointer_scalar = tilesim::is_pointer(detail::class_of<T>);

/// What a tile may hold: a numeric scalar or a pointer scalar.  [general principles: scalars]
template <class T>
concept scalar = tilesim::is_scalar(detail::class_of<T>);

} // namespace cuda::tiles::inline __1
