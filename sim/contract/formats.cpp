// Elements' bits as numbers of several bases, characters and floating-point numbers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/formats.hpp"

#include "sim/ops/element_text.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <stdexcept>

static_assert(std::endian::native == std::endian::little, "bytes are read as they lie");

namespace tilesim::sim::step {
namespace {

std::string as_float(std::span<const std::uint8_t> cell) {
  switch (cell.size()) {
  case 2:
    return ops::element_text(element::f16, false, cell.data());
  case 4:
    return ops::element_text(element::f32, false, cell.data());
  case 8:
    return ops::element_text(element::f64, false, cell.data());
  default:
    return formatted(cell, 'd');
  }
}

/// "65 'A'", as gdb writes it.
std::string as_character(std::uint64_t bits) {
  const auto code = static_cast<std::uint8_t>(bits);
  const bool is_printable = code >= 0x20 && code < 0x7f;
  return is_printable ? fmt::format("{} '{:c}'", static_cast<std::int8_t>(code), code)
                      : fmt::format("{} '\\{:03o}'", static_cast<std::int8_t>(code), code);
}

std::int64_t signed_value(std::uint64_t bits, std::size_t bytes) {
  const auto shift = static_cast<unsigned>(8 * (sizeof bits - bytes));
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

} // namespace

std::string formatted(std::span<const std::uint8_t> cell, char letter) {
  std::uint64_t bits = 0;
  if (cell.empty() || cell.size() > sizeof bits) {
    throw std::invalid_argument("an element has 1 to 8 bytes");
  }
  std::memcpy(&bits, cell.data(), cell.size());
  switch (letter) {
  case 'x':
    return fmt::format("{:#x}", bits);
  case 'd':
    return fmt::format("{}", signed_value(bits, cell.size()));
  case 'u':
    return fmt::format("{}", bits);
  case 'o':
    return bits == 0 ? "0" : fmt::format("0{:o}", bits);
  case 't':
    return fmt::format("{:b}", bits);
  case 'c':
    return as_character(bits);
  case 'a':
    return fmt::format("{:#x}", bits);
  case 'f':
    return as_float(cell);
  default:
    throw std::invalid_argument("a format is one of x, d, u, o, t, c, a and f");
  }
}

} // namespace tilesim::sim::step
