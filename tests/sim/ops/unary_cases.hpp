// Operations of one operand whose cells can all be tried: sign operations and conversions, each
// with an independent account of its result (narrow_reference.hpp), run in both variants of their
// kernels. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "narrow_pairs.hpp"

#include <cstring>

namespace tilesim::test {

/// What a cell should become, as bits, and whether the page leaves it undefined.
struct answer {
  std::uint64_t bits;
  bool undefined = false;
};

struct unary_case {
  std::string name;
  opcode op;
  attributes modes;
  element from, to;
  /// What it should make of each cell.
  void (*fill)(std::vector<answer>& want,
               const std::vector<std::uint64_t>& cells,
               const unary_case& test);
};

/// From one cell to many: the reference is inlined into the loop.
template <answer (*Want)(std::uint64_t cell, const unary_case& test)>
void fill_with(std::vector<answer>& want,
               const std::vector<std::uint64_t>& cells,
               const unary_case& test) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    want[i] = Want(cells[i], test);
  }
}

/// The number in a cell of a floating-point kind of at most 32 bits. A tf32 is read as a float.
inline double number_in(element kind, std::uint64_t cell) {
  switch (kind) {
  case element::f16:
    return narrow_arithmetic<half_reference>::value(static_cast<std::uint16_t>(cell));
  case element::bf16:
    return narrow_arithmetic<bfloat16_reference>::value(static_cast<std::uint16_t>(cell));
  case element::f8e4m3:
    return e4m3_reference::decode(cell);
  case element::f8e5m2:
    return e5m2_reference::decode(cell);
  default:
    return double{std::bit_cast<float>(static_cast<std::uint32_t>(cell))};
  }
}

/// x rounded into a cell of a floating-point kind.
inline std::uint64_t cell_of(element kind, double x, rounding mode) {
  switch (kind) {
  case element::f16:
    return half_reference::round(x, mode);
  case element::bf16:
    return bfloat16_reference::round(x, mode);
  case element::f8e4m3:
    return e4m3_reference::round(x, mode);
  case element::f8e5m2:
    return e5m2_reference::round(x, mode);
  case element::tf32:
    return std::isnan(x) ? 0x7fffffffU : tf32_reference::round(x, mode) << 13;
  case element::f64:
    return std::bit_cast<std::uint64_t>(x);
  default:
    return float_reference::round(x, mode);
  }
}

inline answer sign_changed(std::uint64_t cell, const unary_case& test) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(test.from) - 1);
  if (std::isnan(number_in(test.from, cell))) {
    return {sign - 1};
  }
  return {test.op == opcode::negf ? cell ^ sign : cell & ~sign};
}

/// Negation and absolute value of a kind of floating point: the sign bit; every NaN the canonical
/// one.
inline std::vector<unary_case> sign_cases(element kind) {
  const std::string of = std::string(" of ") + name(kind);
  return {{"negation" + of, opcode::negf, {}, kind, kind, &fill_with<sign_changed>},
          {"absolute value" + of, opcode::absf, {}, kind, kind, &fill_with<sign_changed>}};
}

inline answer rounded_number(std::uint64_t cell, const unary_case& test) {
  const double x = number_in(test.from, cell);
  if (test.from == element::f32 && test.to == element::f64 && std::isnan(x)) {
    // Its payload stays, quietened.
    return {(cell & 0x80000000U) << 32 | 0x7ff8000000000000U | (cell & 0x7fffffU) << 29};
  }
  return {cell_of(test.to, x, test.modes.round)};
}

/// Conversion to another floating-point kind, in every mode; to double, which is exact, in one.
inline std::vector<unary_case> rounding_cases(element from, element to) {
  std::vector<unary_case> found;
  for (const rounding mode : {rounding::nearest_even,
                              rounding::zero,
                              rounding::negative_inf,
                              rounding::positive_inf,
                              rounding::nearest_away}) {
    if (to != element::f64 || mode == rounding::nearest_even) {
      found.push_back(
          {fmt::format("{} to {}, mode {}", name(from), name(to), static_cast<int>(mode)),
           opcode::ftof,
           {.round = mode},
           from,
           to,
           &fill_with<rounded_number>});
    }
  }
  return found;
}

inline answer truncated_number(std::uint64_t cell, const unary_case& test) {
  const double x = number_in(test.from, cell);
  if (test.to == element::i1) {
    return {x != 0 ? 1U : 0U};
  }
  const bool is_signed = test.modes.sign == machine::signedness::signed_;
  const auto in_range = [&](unsigned bits) {
    return std::trunc(x) >= (is_signed ? -power_of_two(static_cast<int>(bits) - 1) : 0.0) &&
           std::trunc(x) < power_of_two(static_cast<int>(bits) - (is_signed ? 1 : 0));
  };
  const unsigned bits = 8 * size_of(test.to);
  const unsigned by_way_of = bits == 8 ? 16 : bits;
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits);
  const std::uint64_t sign_bit = std::uint64_t{1} << (by_way_of - 1);
  const std::uint64_t least = is_signed ? sign_bit : 0;
  const std::uint64_t greatest = is_signed ? sign_bit - 1 : sign_bit | (sign_bit - 1);
  const bool undefined = !in_range(bits);
  if (std::isnan(x)) {
    return {bits == 64 ? sign_bit : 0, undefined};
  }
  if (!in_range(by_way_of)) {
    return {(x < 0 ? least : greatest) & ones, undefined};
  }
  return {(x < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(x))
                 : static_cast<std::uint64_t>(x)) &
              ones,
          undefined};
}

/// Conversion to all integer kinds: truncation, undefined where that is not representable. Then (as
/// the hardware does) the nearest end of the range, to 8 bits by way of 16; of a NaN 0, for 64 bits
/// the sign bit. To i1: whether it differs from 0.
inline std::vector<unary_case> truncation_cases(element from, machine::signedness sign) {
  std::vector<unary_case> found;
  for (const element to : {element::i1, element::i8, element::i16, element::i32, element::i64}) {
    found.push_back({fmt::format("{} to {}{}",
                                 name(from),
                                 sign == machine::signedness::signed_ ? "" : "unsigned ",
                                 name(to)),
                     opcode::ftoi,
                     {.sign = sign},
                     from,
                     to,
                     &fill_with<truncated_number>});
  }
  return found;
}

inline answer rounded_integer(std::uint64_t cell, const unary_case& test) {
  const unsigned bits = test.from == element::i1 ? 1 : 8 * size_of(test.from);
  const bool negative = test.modes.sign == machine::signedness::signed_ &&
                        test.from != element::i1 && (cell >> (bits - 1)) != 0;
  const double x =
      static_cast<double>(cell) - (negative ? power_of_two(static_cast<int>(bits)) : 0);
  return {cell_of(test.to, x, rounding::nearest_even)};
}

/// Conversion of integers of at most 32 bits to every floating-point kind, to nearest even.
inline std::vector<unary_case> from_integer_cases(element from, machine::signedness sign) {
  std::vector<unary_case> found;
  for (const element to : {element::f16,
                           element::bf16,
                           element::tf32,
                           element::f32,
                           element::f64,
                           element::f8e4m3,
                           element::f8e5m2}) {
    found.push_back({fmt::format("{}{} to {}",
                                 sign == machine::signedness::signed_ ? "" : "unsigned ",
                                 name(from),
                                 name(to)),
                     opcode::itof,
                     {.sign = sign},
                     from,
                     to,
                     &fill_with<rounded_integer>});
  }
  return found;
}

/// Holds many cells of a case against what they should become.
class unary_check {
public:
  explicit unary_check(const unary_case& test)
      : test_(test)
      , kernel_(test.op, test.modes, test.to, test.from) {}

  [[nodiscard]] bool exists() const { return kernel_.exist(); }

  /// The first cell whose result or definedness is wrong; empty if none. Cell is the unsigned
  /// integer of the source's size.
  template <class Cell>
  std::string first_mismatch(const Cell* cells, std::size_t count) {
    switch (size_of(test_.to)) {
    case 1:
      return first_mismatch_as<std::uint8_t>(cells, count);
    case 2:
      return first_mismatch_as<std::uint16_t>(cells, count);
    case 4:
      return first_mismatch_as<std::uint32_t>(cells, count);
    default:
      return first_mismatch_as<std::uint64_t>(cells, count);
    }
  }

private:
  template <class Result, class Cell>
  std::string first_mismatch_as(const Cell* cells, std::size_t count) {
    patterns_.assign(cells, cells + count);
    expected_.resize(count);
    got_.resize(count * sizeof(Result));
    test_.fill(expected_, patterns_, test_);
    bool any_undefined = false;
    for (std::size_t i = 0; test_.op == opcode::ftoi && i < count; ++i) {
      const auto why = kernel_.why()(&cells[i], nullptr, nullptr);
      if ((why != sim::ops::undefined_kind::nothing) != expected_[i].undefined) {
        return fmt::format("{}: {:x} should{} be undefined",
                           test_.name,
                           cells[i],
                           expected_[i].undefined ? "" : " not");
      }
      any_undefined |= expected_[i].undefined;
    }
    return kernel_.run(
        got_.data(), cells, nullptr, nullptr, count, [&](const char* variant, bool undefined) {
          for (std::size_t i = 0; i < count; ++i) {
            Result result;
            std::memcpy(&result, &got_[i * sizeof result], sizeof result);
            if (!agree(result, expected_[i].bits)) {
              return fmt::format("{}: of {:x} expected {:x}, got {:x} ({} variant)",
                                 test_.name,
                                 cells[i],
                                 expected_[i].bits,
                                 result,
                                 variant);
            }
          }
          return undefined == any_undefined
                     ? std::string()
                     : fmt::format(
                           "{}: the {} variant forgets or invents that an element is undefined",
                           test_.name,
                           variant);
        });
  }

  /// Which NaN of double a narrow format's becomes is nobody's rule.
  [[nodiscard]] bool agree(std::uint64_t got, std::uint64_t expected) const {
    return got == expected ||
           (test_.to == element::f64 && test_.from != element::f32 &&
            std::isnan(std::bit_cast<double>(got)) && std::isnan(std::bit_cast<double>(expected)));
  }

  unary_case test_;
  both_variants kernel_;
  std::vector<std::uint64_t> patterns_;
  std::vector<answer> expected_;
  std::vector<unsigned char> got_;
};

} // namespace tilesim::test
