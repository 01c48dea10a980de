// Element kinds: what one cell of a tile holds, by Tile IR's names.
//
// A leaf: the API, the machine and the memory model all speak of elements through this file.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim {

/// The kinds of element that a tile may hold. Integers carry no sign: an operation says how it
/// reads them. `i1` is C++'s `bool`, stored as one byte that is 0 or 1.
enum class element : ::std::uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  tf32,
  f32,
  f64,
  f8e4m3,
  f8e5m2,
  ptr,
};

inline constexpr unsigned element_kinds = 13;

/// Bytes that one element takes in a tile and in memory.
[[nodiscard]] constexpr unsigned size_of(element e) noexcept {
  switch (e) {
  case element::i1:
  case element::i8:
  case element::f8e4m3:
  case element::f8e5m2:
    return 1;
  case element::i16:
  case element::f16:
  case element::bf16:
    return 2;
  case element::i32:
  case element::tf32:
  case element::f32:
    return 4;
  case element::i64:
  case element::f64:
  case element::ptr:
    return 8;
  }
  return 0;
}

[[nodiscard]] constexpr bool is_integer(element e) noexcept {
  return e <= element::i64;
}

/// True for every floating-point kind, the restricted ones (tf32, fp8) included.
[[nodiscard]] constexpr bool is_floating(element e) noexcept {
  return e >= element::f16 && e <= element::f8e5m2;
}

/// Tile IR's spelling: "i32", "f8E4M3FN", "ptr".
[[nodiscard]] constexpr const char* name(element e) noexcept {
  switch (e) {
  case element::i1:
    return "i1";
  case element::i8:
    return "i8";
  case element::i16:
    return "i16";
  case element::i32:
    return "i32";
  case element::i64:
    return "i64";
  case element::f16:
    return "f16";
  case element::bf16:
    return "bf16";
  case element::tf32:
    return "tf32";
  case element::f32:
    return "f32";
  case element::f64:
    return "f64";
  case element::f8e4m3:
    return "f8E4M3FN";
  case element::f8e5m2:
    return "f8E5M2";
  case element::ptr:
    return "ptr";
  }
  return "?";
}

} // namespace tilesim
