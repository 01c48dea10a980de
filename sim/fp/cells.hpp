// The narrow floating-point cells and the way to and from float: exact up, one rounding down.
//
// What runs once per element of a tile is free of branches, so that loops over it vectorise. The
// slow and generic twin of each routine is api/tilesim/detail/float_formats.hpp; tests compare
// them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/float_formats.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace tilesim::sim::fp {

using detail::beyond;
using detail::direction;

struct f16 {
  using format = detail::half_format;
  std::uint16_t bits;
};
struct bf16 {
  using format = detail::bfloat16_format;
  std::uint16_t bits;
};
struct tf32 {
  using format = detail::tf32_format;
  std::uint32_t bits;
};
struct e4m3 {
  using format = detail::e4m3_format;
  std::uint8_t bits;
};
struct e5m2 {
  using format = detail::e5m2_format;
  std::uint8_t bits;
};

/// A cell of fewer than 32 significant bits: every value of it is a float.
template <class T>
concept narrow_cell = requires {
  typename T::format;
};

[[gnu::always_inline]] inline float as_float(std::uint32_t bits) noexcept {
  return std::bit_cast<float>(bits);
}
[[gnu::always_inline]] inline std::uint32_t bits_of(float value) noexcept {
  return std::bit_cast<std::uint32_t>(value);
}

// ---------------------------------------------------------------------------------------- widening

[[gnu::always_inline]] inline float widen(float x) noexcept {
  return x;
}
[[gnu::always_inline]] inline double widen(double x) noexcept {
  return x;
}

[[gnu::always_inline]] inline float widen(f16 x) noexcept {
  const std::uint32_t magnitude = x.bits & 0x7fffU;
  const std::uint32_t normal = (magnitude << 13) + 0x38000000U;      // exponent bias 15 -> 127
  const float subnormal = as_float(normal + 0x00800000U) - 0x1p-14F; // exact: 2^-14 cancels
  std::uint32_t bits = magnitude < 0x0400U ? bits_of(subnormal) : normal;
  bits = magnitude >= 0x7c00U ? normal + 0x38000000U : bits;
  bits = magnitude > 0x7c00U ? 0x7fffffffU : bits;
  const std::uint32_t sign = (x.bits & 0x8000U) << 16;
  return as_float(bits | (magnitude > 0x7c00U ? 0U : sign));
}

[[gnu::always_inline]] inline float widen(bf16 x) noexcept {
  return as_float(std::uint32_t{x.bits} << 16);
}

/// A tf32 cell is a float whose low bits need not be zero: the page promises "10 or more" bits.
[[gnu::always_inline]] inline float widen(tf32 x) noexcept {
  return as_float(x.bits);
}

namespace detail_cells {
template <class Cell>
constexpr std::array<float, 256> every_value() {
  std::array<float, 256> values{};
  for (unsigned i = 0; i < 256; ++i) {
    values[i] = detail::to_float<typename Cell::format>(static_cast<std::uint8_t>(i));
  }
  return values;
}
template <class Cell>
inline constexpr std::array<float, 256> values = every_value<Cell>();
} // namespace detail_cells

[[gnu::always_inline]] inline float widen(e4m3 x) noexcept {
  return detail_cells::values<e4m3>[x.bits];
}
[[gnu::always_inline]] inline float widen(e5m2 x) noexcept {
  return detail_cells::values<e5m2>[x.bits];
}

// --------------------------------------------------------------------------------------- narrowing

/// fp8 saturates, infinities included; the wider formats overflow to infinity.
template <class Cell>
inline constexpr beyond overflow_of = sizeof(Cell) == 1 ? beyond::largest : beyond::infinity;

/// float to a narrow cell in any direction: exact, one rounding.
template <narrow_cell Cell>
Cell narrow(float x, direction mode) noexcept {
  return {detail::encode<typename Cell::format>(x, mode, overflow_of<Cell>)};
}

/// float to a narrow cell, to nearest even.
template <narrow_cell Cell>
Cell narrow(float x) noexcept {
  return narrow<Cell>(x, direction::nearest_even);
}

template <>
[[gnu::always_inline]] inline f16 narrow<f16>(float x) noexcept {
  const std::uint32_t magnitude = bits_of(x) & 0x7fffffffU;
  const std::uint32_t sign = (bits_of(x) >> 16) & 0x8000U;
  // Adding just under half a unit, plus one if the last kept bit is odd, carries when it should.
  const std::uint32_t normal = (magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  // 0.5 has the spacing of half's subnormals, so this addition rounds to them.
  const std::uint32_t subnormal = bits_of(as_float(magnitude) + 0.5F) - bits_of(0.5F);
  std::uint32_t bits = magnitude < 0x38800000U ? subnormal : normal;
  bits = magnitude >= 0x477ff000U ? 0x7c00U : bits; // 65520 and more
  bits |= sign;
  bits = magnitude > 0x7f800000U ? 0x7fffU : bits;
  return {static_cast<std::uint16_t>(bits)};
}

template <>
[[gnu::always_inline]] inline bf16 narrow<bf16>(float x) noexcept {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  return {static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? 0x7fffU : rounded)};
}

template <>
[[gnu::always_inline]] inline tf32 narrow<tf32>(float x) noexcept {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t rounded = (bits + 0xfffU + ((bits >> 13) & 1U)) & ~0x1fffU;
  return {(bits & 0x7fffffffU) > 0x7f800000U ? 0x7fffffffU : rounded};
}

} // namespace tilesim::sim::fp
