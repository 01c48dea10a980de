// What small numbers are worth, and the way back.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/small_numbers.hpp"

#include "sim/tileir/constants.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace tilesim::interpreter {

namespace {

constexpr std::size_t byte_values = 256;
constexpr unsigned half_bits = 4;
constexpr std::uint8_t half_mask = 0xF;

using values = std::array<double, byte_values>;

values values_of(tileir::number n) {
  values all{};
  for (std::size_t bits = 0; bits < byte_values; ++bits) {
    all.at(bits) = tileir::to_double(n, bits & ((std::size_t{1} << tileir::bits(n)) - 1));
  }
  return all;
}

const std::uint8_t* bytes(const frame& f, const slot& s) {
  return reinterpret_cast<const std::uint8_t*>(f.cells(s));
}

} // namespace

std::uint8_t to_small(tileir::number n, double value, machine::rounding round) noexcept {
  const bool is_f4 = n == tileir::number::f4e2m1fn;
  constexpr std::uint8_t sign = 8;
  const std::uint8_t last = is_f4 ? sign - 1 : byte_values - 2; // behind it, of 8 bits: no number
  if (std::isnan(value)) {
    return is_f4 ? last : last + 1;
  }
  const std::uint8_t signed_bit = is_f4 && std::signbit(value) ? sign : 0;
  const double magnitude = is_f4 ? std::fabs(value) : value;
  const auto worth = [n](unsigned bits) { return tileir::to_double(n, bits); };
  // The first that is larger: what the bits are worth grows with them.
  unsigned above = 0;
  for (unsigned step = byte_values / 2; step != 0; step /= 2) {
    if (above + step <= last + 1U && worth(above + step - 1) <= magnitude) {
      above += step;
    }
  }
  if (above == 0 || above > last) {
    return signed_bit | (above == 0 ? 0 : last); // they saturate
  }
  const unsigned below = above - 1;
  const double from_below = magnitude - worth(below);
  const double to_above = worth(above) - magnitude;
  const bool is_even = below % 2 == 0;
  const bool goes_up = round == machine::rounding::positive_inf ? from_below > 0
                       : round == machine::rounding::zero
                           ? false
                           : from_below > to_above || (from_below == to_above && !is_even);
  return signed_bit | static_cast<std::uint8_t>(goes_up ? above : below);
}

void widen(const instruction& i, const frame& f) {
  const slot& from = i.operands[0];
  const std::uint8_t* const cells = bytes(f, from);
  auto* const to = reinterpret_cast<double*>(f.cells(i.results[0]));
  const values worth = values_of(static_cast<tileir::number>(i.params[of_kind]));
  const std::size_t count = i.results[0].type->count;
  const bool stands_for_all = from.type->count == 1;
  for (std::size_t e = 0; e < count; ++e) {
    to[e] = worth[cells[stands_for_all ? 0 : e]];
  }
  if (i.operands.size() == 1) {
    return;
  }
  const std::uint8_t* const scales = bytes(f, i.operands[1]);
  const values scale = values_of(static_cast<tileir::number>(i.params[scale_kind]));
  const auto each = static_cast<std::size_t>(i.params[elements_a_scale]);
  const auto inner = static_cast<std::size_t>(i.params[along]);
  for (std::size_t e = 0; e < count; ++e) {
    to[e] *= scale[scales[(e / inner / each) * inner + e % inner]];
  }
}

void narrow(const instruction& i, const frame& f) {
  const slot& from = i.operands[0];
  const auto* const cells = reinterpret_cast<const double*>(f.cells(from));
  auto* const to = reinterpret_cast<std::uint8_t*>(f.cells(i.results[0]));
  const bool stands_for_all = from.type->count == 1;
  for (std::size_t e = 0; e < i.results[0].type->count; ++e) {
    to[e] = to_small(static_cast<tileir::number>(i.params[of_kind]),
                     cells[stands_for_all ? 0 : e],
                     i.modes.round);
  }
}

void unpack_halves(const instruction& i, const frame& f) {
  const std::uint8_t* const from = bytes(f, i.operands[0]);
  auto* const to = reinterpret_cast<std::uint8_t*>(f.cells(i.results[0]));
  for (std::size_t e = 0; e < i.results[0].type->count; ++e) {
    to[e] = from[e / 2] >> (e % 2 * half_bits) & half_mask;
  }
}

void pack_halves(const instruction& i, const frame& f) {
  const std::uint8_t* const from = bytes(f, i.operands[0]);
  auto* const to = reinterpret_cast<std::uint8_t*>(f.cells(i.results[0]));
  for (std::size_t e = 0; e < i.operands[0].type->count; e += 2) {
    to[e / 2] = static_cast<std::uint8_t>(from[e] | from[e + 1] << half_bits);
  }
}

} // namespace tilesim::interpreter
