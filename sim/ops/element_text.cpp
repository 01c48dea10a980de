// Texts of cells.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/element_text.hpp"

#include "sim/fp/rounding.hpp"
#include "sim/ops/float_types.hpp"
#include "sim/ops/loop.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <type_traits>

namespace tilesim::sim::ops {
namespace {

template <class Integer>
std::string integer_text(bool is_unsigned, const void* cell) {
  const auto value = read_cell<Integer>(cell);
  return is_unsigned ? fmt::format("{}", static_cast<std::make_unsigned_t<Integer>>(value))
                     : fmt::format("{}", value);
}

/// The shortest decimal that rounds to the cell, but of eight bits the value: 1.2 would be right
/// for an e4m3 of 1.25, and surprises. Six digits suffice for tf32's eleven bits. Whole numbers of
/// up to seven digits are written out: half's largest value is known as 65504, not as 65500.
template <class Cell>
std::string narrow_text(Cell cell) {
  const float value = fp::widen(cell);
  if (!std::isfinite(value)) {
    return value != value ? "nan" : fmt::format("{}", value);
  }
  if (value == std::trunc(value) && std::fabs(value) < 1e7F) {
    return fmt::format("{}", value);
  }
  if (sizeof(Cell) == 1) {
    return fmt::format("{}", value);
  }
  for (int digits = 1; digits <= 6; ++digits) {
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);
    const double read_back = std::strtod(text.c_str(), nullptr);
    if (detail::to_float<typename Cell::format>(detail::encode<typename Cell::format>(read_back)) ==
        value) {
      return fmt::format("{}", read_back);
    }
  }
  return fmt::format("{}", value);
}

template <class Cell>
std::string float_text(const void* cell) {
  const auto value = read_cell<Cell>(cell);
  if constexpr (fp::narrow_cell<Cell>) {
    return narrow_text(value);
  } else if (value != value) {
    return "nan"; // its sign tells nobody anything
  } else {
    // A whole number with all its digits: 2147483648, not 2147483600, is what int does not have.
    const double exact = value;
    const bool whole = exact == std::trunc(exact) && std::fabs(exact) < 1e15;
    return whole ? fmt::format("{}", exact) : fmt::format("{}", value);
  }
}

} // namespace

std::string element_text(element kind, bool is_unsigned, const void* cell) {
  switch (kind) {
  case element::i1:
    return read_cell<std::uint8_t>(cell) != 0 ? "true" : "false";
  case element::i8:
    return integer_text<std::int8_t>(is_unsigned, cell);
  case element::i16:
    return integer_text<std::int16_t>(is_unsigned, cell);
  case element::i32:
    return integer_text<std::int32_t>(is_unsigned, cell);
  case element::i64:
    return integer_text<std::int64_t>(is_unsigned, cell);
  case element::ptr:
    return fmt::format("{:#x}", read_cell<std::uint64_t>(cell));
  case element::f16:
    return float_text<fp::f16>(cell);
  case element::bf16:
    return float_text<fp::bf16>(cell);
  case element::tf32:
    return float_text<fp::tf32>(cell);
  case element::f32:
    return float_text<float>(cell);
  case element::f64:
    return float_text<double>(cell);
  case element::f8e4m3:
    return float_text<fp::e4m3>(cell);
  case element::f8e5m2:
    return float_text<fp::e5m2>(cell);
  }
  return "?";
}

} // namespace tilesim::sim::ops
